// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx::shmem {

/// Not 0: the wait that asks is to be left.
using WaitCheck = int (*)(void* context);

/// Of the calling thread. Null: its waits ask nobody.
void setWaitCheck(WaitCheck check, void* context) noexcept;

/// For a wait that sleeps: asks the check of the calling thread, every 50 ms or, if `at_once`, now.
/// The time counts on from wait to wait, so that a thread with many short ones asks as well. True:
/// the wait is to be left.
bool isWaitToBeLeft(bool at_once) noexcept;

}  // namespace ucxx::shmem
