// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>

#include "base/fence.h"

// Two processes that each write a word and then read the other's need a fence between, both. Where
// one of them does it often and the other rarely, the rare one can pay for both: Linux's
// membarrier interrupts whoever runs just now.

namespace ucxx::base {

/// From now on foreign fences of other processes reach this one, and `foreignFence` reaches those
/// that have called this, too. False: the system has none. From any thread.
bool admitForeignFences() noexcept;

/// A full fence here, and, if this process admits foreign fences, in every thread that runs in any
/// process which does. About half a microsecond.
void foreignFence() noexcept;

/// In place of a full fence where a foreign fence of the other side stands for it.
inline void orderedByForeignFence() noexcept {
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

}  // namespace ucxx::base
