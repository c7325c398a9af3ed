// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <new>
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

  /// Runs `step`, perhaps the last one, of `call`. Without memory for it the call ends, if it has
  /// not by then.
  template <class Step>
  void orEnd(Call& call, const Step& step) {
    try {
      step();
    } catch (const std::bad_alloc&) {
      endForWantOfMemory(call);
    }
  }

  base::TimePoint nextDeadline() const noexcept;
  void onTime(base::TimePoint now);

 private:
  void endForWantOfMemory(Call& call);

  DoorState& door_;
  std::unordered_map<Call*, std::unique_ptr<Call>> all_;
  std::set<std::pair<base::TimePoint, Call*>> agenda_;
};

}  // namespace ucxx::door
