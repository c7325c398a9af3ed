// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

#include <ucxx_shmem/types.h>

#include "shmem/access/atomics.h"
#include "shmem/checks/failure.h"

namespace ucxx::shmem {

/// Changes a signal of a PE; whoever sees the new value sees what was put there before, too.
inline void sendSignal(std::uint64_t* signal, std::uint64_t value, int operation, int pe,
                       const char* call) noexcept {
  if (operation == SHMEM_SIGNAL_SET) return atomicSet(signal, value, pe, call);
  if (operation != SHMEM_SIGNAL_ADD) [[unlikely]]
    fail(call, "%d is no signal operator: give SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD", operation);
  atomicFetchAdd(signal, value, pe, call);
}

}  // namespace ucxx::shmem
