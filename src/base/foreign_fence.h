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
///
/// It can miss a thread. Linux (proved with 6.18) keeps for each processor whether the process that
/// runs there takes part, and renews that only when another process begins to run there. So it
/// passes over a thread that comes back to a processor where its process was before it admitted
/// foreign fences, and that has been idle since (tests/missed_writer.h). A store gets out of a
/// processor by itself within a microsecond or a few: whoever relies on this looks once more after
/// a moment, at what is as it was at the fence.
void foreignFence() noexcept;

/// In place of a full fence where a foreign fence of the other side stands for it.
inline void orderedByForeignFence() noexcept {
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

}  // namespace ucxx::base
