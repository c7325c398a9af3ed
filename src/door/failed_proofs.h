// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "base/clock.h"
#include "door/door.h"

namespace ucxx::door {

/// The wrong proofs of this second, by where they came from: an IPv4 address, or an IPv6 network
/// of 64 bits, of which one host may have every address. Who comes over a Unix socket is of the
/// same user, which can read the secret, so it is not counted. Of bounded size.
class FailedProofs {
 public:
  /// Family, bits, and the link on which a link-local address is meant.
  using Origin = std::tuple<sa_family_t, std::uint64_t, std::uint32_t>;
  /// Of a TCP socket.
  static Origin originOf(const SocketAddress& from);

  void count(const SocketAddress& from, base::TimePoint now);
  /// More than five.
  bool areMany(const SocketAddress& from, base::TimePoint now) const;

 private:
  std::map<Origin, int> counts_;
  base::TimePoint until_{};
};

}  // namespace ucxx::door
