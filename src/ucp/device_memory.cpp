// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "ucp/device_memory.h"

#include <cstdint>
#include <iterator>

#include <dlfcn.h>

namespace ucxx::ucp {
namespace {

/// From the CUDA driver's API, whose headers are not needed for one function: CUresult (0: success)
/// of CUpointer_attributes of a CUdeviceptr. Of memory that it does not know this one says zeros,
/// in 90 ns on an H200; cuPointerGetAttribute makes an error of it, which takes 490.
using PointerGetAttributes = int(unsigned count, const int* attributes, void** data,
                                 std::uintptr_t address);
constexpr int kMemoryType = 2;         // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
constexpr int kIsManaged = 8;          // CU_POINTER_ATTRIBUTE_IS_MANAGED
constexpr unsigned kDeviceMemory = 2;  // CU_MEMORYTYPE_DEVICE

PointerGetAttributes* findQuery() noexcept {
  void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);  // for ever
  if (driver == nullptr) return nullptr;
  return reinterpret_cast<PointerGetAttributes*>(dlsym(driver, "cuPointerGetAttributes"));
}

}  // namespace

constinit std::atomic<bool> lacks_cuda_driver{false};

bool askCudaDriver(const void* address) noexcept {
  static PointerGetAttributes* const query = findQuery();
  if (query == nullptr) {
    lacks_cuda_driver.store(true, std::memory_order_relaxed);
    return false;
  }
  unsigned type = 0;
  unsigned is_managed = 0;  // a bool, of which the driver may write more than a byte
  constexpr int kAsked[]{kMemoryType, kIsManaged};
  void* answers[]{&type, &is_managed};
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  if (query(std::size(kAsked), kAsked, answers, place) != 0) return false;  // not initialised
  return type == kDeviceMemory && (is_managed & 0xff) == 0;
}

}  // namespace ucxx::ucp
