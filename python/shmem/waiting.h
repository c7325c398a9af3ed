// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <chrono>

#include <sched.h>

#include "bindings/gil.h"
#include "errors.h"
#include "functions.h"
#include "state.h"

// Waits that let Python's other threads run, and that Ctrl-C ends.

namespace ucxx::python::shmem {

/// While it lives, waits of this thread end when a handler of a signal has raised an exception: in
/// the main thread, where Python runs handlers. A handler may wait in turn. Needs the GIL at both
/// ends.
class SignalsHeard {
 public:
  SignalsHeard() noexcept;
  ~SignalsHeard();
  SignalsHeard(const SignalsHeard&) = delete;
  SignalsHeard& operator=(const SignalsHeard&) = delete;
};

/// At so many elements a wait looks with the GIL before it lets it go: for about a microsecond.
inline constexpr std::size_t kLooks = 100;

/// Threads that look without the GIL. The library's end waits for them.
extern std::atomic<int> lookers;
/// Ends the looking of one thread, which was counted before.
struct Looked {
  Looked() = default;
  ~Looked() { lookers.fetch_sub(1); }
  Looked(const Looked&) = delete;
  Looked& operator=(const Looked&) = delete;
};
/// Returns when no thread looks any more: some milliseconds later at most.
void waitForLookers() noexcept;

/// Looks for some milliseconds, until `look` becomes true; returns whether it has. Without the GIL.
template <class Look>
bool lookForAWhile(const Look& look) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::milliseconds(10);
  do {
    for (std::size_t looks = kLooks; looks > 0; --looks) {
      if (look()) return true;
    }
    ::sched_yield();  // to a PE that has no processor, maybe
  } while (Clock::now() < end);
  return false;
}
/// Waits until `look` becomes true, in a library whose waits ask nobody. Throws Raised: a signal's
/// handler did, or another thread has finalised the library.
template <class Look>
void lookUntil(const Look& look) {
  for (const unsigned epoch = state.epoch;;) {
    {
      lookers.fetch_add(1);  // with the GIL, as the thread that ends the library has it
      const WithoutGil others_run;
      const Looked counted;
      if (lookForAWhile(look)) return;
    }
    if (PyErr_CheckSignals() != 0) throw Raised{};
    if (!state.is_running || state.epoch != epoch) raiseNotRunning("wait");
  }
}

/// Waits by `wait`, unless `look`, which looks at so many elements, becomes true before. Throws
/// Raised: a signal's handler did.
template <class Look, class Wait>
void waitFor(std::size_t elements, const Look& look, const Wait& wait) {
  for (std::size_t looks = kLooks / (elements + 1); looks > 0; --looks) {
    if (look()) return;
  }
  if (functions.extensions.set_wait_check == nullptr) return lookUntil(look);
  {
    const SignalsHeard signals;
    const WithoutGil others_run;
    wait();
  }
  if (PyErr_Occurred() != nullptr) throw Raised{};
}

}  // namespace ucxx::python::shmem
