// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <cstddef>
#include <optional>

#include "cuda/driver/blocks.h"

namespace stand_in {

/// The same bytes of a file twice: where the program is given them nobody may touch them, and the
/// stand-in does so elsewhere, in their shadow.
struct Shadowed {
  Address begin = 0, shadow = 0;
};
std::optional<Shadowed> mapWithShadow(int file, std::size_t offset, std::size_t size);
void unmapWithShadow(const Block& block);

/// As memory is that nobody has written.
void fillFresh(Address begin, std::size_t size);

}  // namespace stand_in
