// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <cstddef>

#include "cuda/driver/types.h"

namespace stand_in {

/// The device's memory: one file in memory, mapped. What is not given out cannot be touched, and
/// there is such a page behind each block. Where "unreachable" is asked for, what the processor
/// may not touch is mapped twice (shadow.h).
Address takeOfArena(std::size_t size, bool is_of_processor);  // 0: there is no more
void giveToArena(Address begin, std::size_t size);

/// Where a block of it lies in which file, for other processes.
int fileOfArena();
std::size_t offsetInArena(Address begin);
Address shadowInArena(Address begin);

}  // namespace stand_in
