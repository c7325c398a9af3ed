// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>

#include <ucxx/api.h>

namespace ucxx::tools {

/// How often SIGUSR1 has come; all that its handler touches.
inline std::atomic<unsigned> dumps_wanted{0};
static_assert(std::atomic<unsigned>::is_always_lock_free, "a signal handler adds to it");

/// From now on SIGUSR1 does not end the process; see `DumpsOf`.
void dumpOnSignal();

/// Prints what `Worker::dump` says to standard error, when a SIGUSR1 has come since it did so last.
/// Whoever moves the worker asks it often, also where nothing moves.
class DumpsOf {
 public:
  void look(Worker& worker) {
    if (dumps_wanted.load(std::memory_order_relaxed) != done_) [[unlikely]]
      print(worker);
  }

 private:
  void print(Worker& worker);
  unsigned done_ = dumps_wanted;
};

}  // namespace ucxx::tools
