// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "shmem/joining/own_exchange.h"

// Where the program is between the first shmem_init and the last shmem_finalize. After that a PE
// may be initialised again: it stays a PE until it ends (joining.h).

namespace ucxx::shmem {

/// shmem_init_thread: 0, or 1 after a message. Collective. Not for two threads at once.
int initialize(int requested, int& provided, const char* call) noexcept;
/// shmemx_init_with. Only the first initialisation of a process can bring an exchange.
int initializeWith(const OwnExchange& exchange, int requested, int& provided,
                   const char* call) noexcept;
/// shmem_init: ends the program where that fails.
void initializeOrEnd(const char* call) noexcept;
void finalize(const char* call) noexcept;

bool isInitialized() noexcept;
int threadLevel() noexcept;

/// shmem_my_pe and shmem_n_pes: before init and after finalize there is neither.
int ownPe(const char* call) noexcept;
int pesOfJob(const char* call) noexcept;

/// start_pes: shmem_init at the first call, and shmem_finalize at the end of the program. A later
/// call does nothing; after shmem_finalize it ends the program, with a message.
void startPes(const char* call) noexcept;

}  // namespace ucxx::shmem
