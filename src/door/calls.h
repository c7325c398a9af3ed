// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "door/call.h"
#include "door/door.h"

namespace ucxx::door {

/// The calls of a door, by the instant at which each has something to do.
class Calls {
 public:
  explicit Calls(DoorState& door) : door_(door) {}

  Call& start(std::vector<SocketAddress> addresses, Hello hello, Descriptors descriptors,
              void* context, base::TimePoint deadline);
  /// Out of the list; null if it is not in it (any more).
  std::unique_ptr<Call> take(Call& call);
  /// After a change of its `due`.
  void reschedule(Call& call);

  base::TimePoint nextDeadline() const noexcept;
  void onTime(base::TimePoint now);

 private:
  DoorState& door_;
  std::unordered_map<Call*, std::unique_ptr<Call>> all_;
  std::set<std::pair<base::TimePoint, Call*>> agenda_;
};

}  // namespace ucxx::door
