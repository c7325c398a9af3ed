// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <cstddef>

namespace stand_in {

std::size_t leftEvents();
void dropEvents();

}  // namespace stand_in
