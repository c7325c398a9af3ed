// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "shmem/joining/settings.h"

// What holds for all PEs if it holds for one, or depends on all: SHMEM_DEBUG, foreign fences, the
// processors. Each PE tells its part in the common page, and knows all after the next barrier.

namespace ucxx::shmem {

void tellOthers(const Settings& settings) noexcept;
void learnFromOthers() noexcept;

}  // namespace ucxx::shmem
