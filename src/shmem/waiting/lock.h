// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx::shmem {

// A lock is one symmetric long, 0 on all PEs while it is free: the queue of Mellor-Crummey and
// Scott (1991), in which each waiter waits for a word of its own PE. PEs get it first come, first
// served. Threads of one PE exclude each other as well, in any order: a PE has one place in the
// queue. What a thread has taken another one of the PE may release. Locks outlive threads: one that
// ends while it holds a lock leaves it taken, and who waits for it waits on.

void setLock(long* lock, const char* call) noexcept;
/// True: taken by this call.
bool tryLock(long* lock, const char* call) noexcept;
void clearLock(long* lock, const char* call) noexcept;

}  // namespace ucxx::shmem
