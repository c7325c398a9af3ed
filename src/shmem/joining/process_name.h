// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

#include <sys/types.h>

namespace ucxx::shmem {

/// The namespace in which the numbers of processes that this one sees are; 0: the system tells
/// none.
std::uint64_t ownPidNamespace() noexcept;

/// When a process of that namespace began, in ticks from the start of the machine; 0: there is
/// none.
std::uint64_t startTimeOf(pid_t pid) noexcept;

}  // namespace ucxx::shmem
