// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include <ucxx/explanation.h>

namespace ucxx::core {

class Link;

/// How a tag message of one block, of `size` bytes, would go over `link` now. The loop's.
Explanation explainMessage(Link& link, std::size_t size, bool on_device);

}  // namespace ucxx::core
