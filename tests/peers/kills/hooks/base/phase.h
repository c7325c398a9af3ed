// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What the library of the kill tool has in the place of src/base/phase.h.
#pragma once

#include <atomic>

#include "base/phases.h"

namespace ucxx::base {

/// Where the process stops: at the last of so many passes of a phase, in whatever thread that is.
struct Trap {
  std::atomic<Phase> phase{Phase::None};
  std::atomic<int> passes{0};
  void (*spring)() noexcept = nullptr;
  /// Called at each step of every thread, if there is one.
  std::atomic<void (*)(Phase) noexcept> watch{nullptr};
};
inline Trap trap;

inline void reached(Phase phase) noexcept {
  if (const auto watch = trap.watch.load(std::memory_order_relaxed)) watch(phase);
  if (trap.phase.load(std::memory_order_relaxed) != phase) return;
  if (trap.passes.fetch_sub(1, std::memory_order_relaxed) == 1) trap.spring();
}

}  // namespace ucxx::base
