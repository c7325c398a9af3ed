// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx::shmem {

// A lock is one symmetric long, 0 on all PEs while it is free: the queue of Mellor-Crummey and
// Scott (1991), in which each waiter waits for a word of its own PE. FIFO. Two threads of a PE may
// not want one lock at the same time.

void setLock(long* lock, const char* call) noexcept;
/// True: taken by this call.
bool tryLock(long* lock, const char* call) noexcept;
void clearLock(long* lock, const char* call) noexcept;

}  // namespace ucxx::shmem
