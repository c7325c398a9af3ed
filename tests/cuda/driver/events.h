// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <cstddef>

namespace stand_in {

struct Life;

std::size_t leftEvents();
void dropEvents(const Life& life);

}  // namespace stand_in
