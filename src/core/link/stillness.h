// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/loop/deadlines.h"

namespace ucxx::core {

class Link;

/// Sends of an endpoint that was closed by force may still be in flight over UCX, which lets go of
/// their buffers only with its end of the link. So the link ends when nothing else needs it and its
/// peer takes nothing more: the peer is stopped, or computes. Part of a link.
class Stillness {
 public:
  explicit Stillness(Link& link) noexcept;

  /// From now on the link ends as soon as nothing moves on it for a while.
  void watch() noexcept;
  /// The link ends.
  void end() noexcept { next_look_.clear(); }

 private:
  /// What changes while the peer takes something.
  struct Motion {
    std::uint32_t messages = 0;
    std::size_t parts = 0;
    std::uint64_t pieces = 0;
    bool operator==(const Motion&) const = default;
  };

  Motion motion() const noexcept;
  void lookLater() noexcept;
  void look() noexcept;

  Link& link_;
  Motion motion_at_look_;
  Deadline next_look_;
};

}  // namespace ucxx::core
