// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "core/channel/link_types.h"
#include "core/link/called_names.h"
#include "core/loop/deadlines.h"
#include "door/door.h"

namespace ucxx::core {

class Link;

/// By which other link a link asks for a listener before it calls the door.
struct Asking {
  Link* over = nullptr;  // null: it does not
  std::uint64_t number = 0;
};

/// How a link calls its peer, or waits for its caller. Part of a link.
struct Calling {
  explicit Calling(Link& link) noexcept;

  door::Call* call = nullptr;       // under way
  bool is_target_known = false;     // the worker that is called, before it has answered
  bool is_unwanted = false;         // the last endpoint that waited for it has ended
  bool knocks = false;              // without a UCX address: the peer may be near
  std::vector<std::string> routes;  // "ip:port" of the addresses
  std::vector<door::SocketAddress> addresses;
  LocalRoute route;
  Asking asks;
  CalledNames names;  // by which this worker has called the peer

  base::TimePoint called_at{};
  base::Duration retry_after{};  // the last time
  base::TimePoint retry_at = base::TimePoint::max();
  base::TimePoint give_up_at = base::TimePoint::max();
  Deadline next_step;  // the earlier of both times, while the link waits for it
};

}  // namespace ucxx::core
