// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/cuda_driver.h"

#include <atomic>
#include <cstdint>
#include <string_view>

#include <sys/mman.h>

namespace {

std::atomic<std::uintptr_t> begin{0}, end{0};
std::atomic<bool> managed{false};
std::atomic<unsigned long> queries{0};
constexpr int kInvalidValue = 1;  // CUDA_ERROR_INVALID_VALUE
constexpr int kNotFound = 500;    // CUDA_ERROR_NOT_FOUND
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

unsigned long cudaDriverQueries() noexcept { return queries; }

void* makeDeviceMemory(std::size_t size) noexcept {
  static void* last = nullptr;
  static std::size_t last_size = 0;
  if (last != nullptr) ::munmap(last, last_size);
  last = ::mmap(nullptr, last_size = size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  takeForDeviceMemory(last, size);
  return last;
}

/// As the driver's: memory that it does not know has zeros.
extern "C" UCXX_TEST_DRIVER int cuPointerGetAttributes(unsigned count, const int* attributes,
                                                       void** data, std::uintptr_t address) {
  ++queries;
  const bool is_known = address >= begin && address < end;
  for (unsigned i = 0; i < count; ++i) {
    if (attributes[i] == kMemoryType)
      *static_cast<unsigned*>(data[i]) = is_known ? 2 : 0;  // a device's
    else if (attributes[i] == kIsManaged)
      *static_cast<bool*>(data[i]) = is_known && managed;
    else
      return kInvalidValue;
  }
  return 0;
}

extern "C" UCXX_TEST_DRIVER int cuInit(unsigned) { return 0; }

// NOLINTNEXTLINE(readability-identifier-naming): the driver's name
extern "C" UCXX_TEST_DRIVER int cuGetProcAddress_v2(const char* symbol, void** function, int,
                                                    std::uint64_t, int*) {
  *function = nullptr;
  if (symbol == std::string_view("cuInit")) *function = reinterpret_cast<void*>(&cuInit);
  if (symbol == std::string_view("cuPointerGetAttributes"))
    *function = reinterpret_cast<void*>(&cuPointerGetAttributes);
  return *function == nullptr ? kNotFound : 0;
}
