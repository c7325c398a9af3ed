// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/id128.h"

namespace ucxx::core {

/// An announced payload comes in pieces of so many bytes: what UCX sends over TCP straight from the
/// buffer, and receives in one read.
inline constexpr std::size_t kPieceBytes = 16 << 10;

/// Which messages go in fragments of how many bytes, and who announces what is longer.
struct Fragments {
  std::size_t each = 0;
  std::size_t most = 0;
  std::size_t whole = 0;           // of what cannot go in fragments
  bool own_announcements = false;  // else UCX
};

/// How the peer of a link is called on this machine.
struct LocalRoute {
  base::Id128 name;            // zero: it is called by its addresses
  std::uint64_t listener = 0;  // which one at the peer is meant; 0: the worker itself
  bool may_be = true;          // not tried in vain yet
  std::string why_not;         // for people, of a link over UCX
};

/// Active messages above this ask the receiver's allocator for memory, perhaps a device's.
inline constexpr std::size_t kFragmentedAmBytes = 256 << 10;

enum class ChannelKind : std::uint8_t { Self, Local, Ucp };

/// What a message goes by: the channel of its link; or UCX, be it beside the local channel, which
/// announces it.
enum class Carrier : std::uint8_t { Channel, UcxAnnounced };

}  // namespace ucxx::core
