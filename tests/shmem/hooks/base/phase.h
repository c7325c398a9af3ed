// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What the library for kills_check.py and wakeups_stopped.cpp has in the place of src/base/phase.h:
// a PE ends itself at a step of the library that the environment names, or stops itself at one that
// the program names.
#pragma once

#include <atomic>
#include <csignal>
#include <cstdlib>

#include <unistd.h>

#include "base/phases.h"
#include "shmem/memory/node.h"

namespace ucxx::base {

/// UCXX_TEST_SHMEM_VICTIM: which PE; UCXX_TEST_SHMEM_STEP: at which phase, counted from PeAttached;
/// UCXX_TEST_SHMEM_PASSES: the how manyth time; UCXX_TEST_SHMEM_SIGNAL: by which signal.
class Trap {
 public:
  void pass(Phase phase) noexcept {
    if (phase != phase_ || shmem::node.me != victim_) return;
    if (passes_.fetch_sub(1, std::memory_order_relaxed) == 1) ::raise(signal_);
  }

 private:
  static int number(const char* name, int otherwise) noexcept {
    const char* const text = std::getenv(name);
    return text == nullptr ? otherwise : std::atoi(text);
  }

  const Phase phase_ = static_cast<Phase>(static_cast<int>(Phase::PeAttached) +
                                          number("UCXX_TEST_SHMEM_STEP", -1000));
  const int victim_ = number("UCXX_TEST_SHMEM_VICTIM", -1);
  const int signal_ = number("UCXX_TEST_SHMEM_SIGNAL", SIGKILL);
  std::atomic<int> passes_{number("UCXX_TEST_SHMEM_PASSES", 1)};
};

/// Where the thread stops its process, once (stop.h).
inline thread_local Phase stop_at = Phase::PeCount;

inline void reached(Phase phase) noexcept {
  static Trap trap;
  if (phase == stop_at) {
    stop_at = Phase::PeCount;
    ::raise(SIGSTOP);
  }
  trap.pass(phase);
}

}  // namespace ucxx::base
