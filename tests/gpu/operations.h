// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/driver.h"
#include "gpu/setting.h"

namespace gpu {

using Operations = std::vector<MemoryOperation>;

inline MemoryOperation write(const Words& words, std::size_t index, std::uint64_t value) {
  return {.operation = kWrite64, .address = words.at(index), .value = value};
}

inline MemoryOperation wait(const Words& words, std::size_t index, std::uint64_t value) {
  return {
      .operation = kWait64, .address = words.at(index), .value = value, .flags = kGreaterOrEqual};
}

inline MemoryOperation waitEqual(const Words& words, std::size_t index, std::uint64_t value) {
  return {.operation = kWait64, .address = words.at(index), .value = value, .flags = kEqual};
}

inline Result enqueue(Stream stream, Operations operations) {
  return driver().batch(stream, static_cast<unsigned>(operations.size()), operations.data(), 0);
}

}  // namespace gpu
