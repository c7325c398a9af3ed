// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/cuda_driver.h"

#include <atomic>
#include <cstdint>

namespace {

std::atomic<std::uintptr_t> begin{0}, end{0};
std::atomic<bool> managed{false};
constexpr int kInvalidValue = 1;  // CUDA_ERROR_INVALID_VALUE: memory that the driver does not know
constexpr int kMemoryType = 2;    // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
constexpr int kIsManaged = 8;     // CU_POINTER_ATTRIBUTE_IS_MANAGED

void take(const void* first, std::size_t size, bool is_managed) noexcept {
  begin = reinterpret_cast<std::uintptr_t>(first);
  end = begin + size;
  managed = is_managed;
}

}  // namespace

void takeForDeviceMemory(const void* first, std::size_t size) noexcept { take(first, size, false); }
void takeForManagedMemory(const void* first, std::size_t size) noexcept { take(first, size, true); }

extern "C" UCXX_TEST_DRIVER int cuPointerGetAttribute(void* data, int attribute,
                                                      std::uintptr_t address) {
  if (address < begin || address >= end) return kInvalidValue;
  if (attribute == kMemoryType) return *static_cast<unsigned*>(data) = 2, 0;  // of a device
  if (attribute == kIsManaged) return *static_cast<bool*>(data) = managed, 0;
  return kInvalidValue;
}
