// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace ucxx::shmem {

/// Into a message, with a 0 at the end; what is longer is cut.
template <std::size_t Size>
void copyText(char (&to)[Size], std::string_view text) noexcept {
  const std::size_t length = std::min(text.size(), Size - 1);
  std::memcpy(to, text.data(), length);
  to[length] = '\0';
}

}  // namespace ucxx::shmem
