// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "ucp/device_memory.h"

#include <cstdint>

#include <dlfcn.h>

namespace ucxx::ucp {
namespace {

/// From the CUDA driver's API, whose headers are not needed for one function: CUresult (0: success)
/// of a CUpointer_attribute of a CUdeviceptr.
using PointerGetAttribute = int(void* data, int attribute, std::uintptr_t address);
constexpr int kMemoryType = 2;         // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
constexpr int kIsManaged = 8;          // CU_POINTER_ATTRIBUTE_IS_MANAGED
constexpr unsigned kDeviceMemory = 2;  // CU_MEMORYTYPE_DEVICE

PointerGetAttribute* findQuery() noexcept {
  void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);  // for ever
  if (driver == nullptr) return nullptr;
  return reinterpret_cast<PointerGetAttribute*>(dlsym(driver, "cuPointerGetAttribute"));
}

}  // namespace

constinit std::atomic<bool> lacks_cuda_driver{false};

bool askCudaDriver(const void* address) noexcept {
  static PointerGetAttribute* const query = findQuery();
  if (query == nullptr) {
    lacks_cuda_driver.store(true, std::memory_order_relaxed);
    return false;
  }
  unsigned type = 0;
  unsigned is_managed = 0;  // a bool, of which the driver may write more than a byte
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  if (query(&type, kMemoryType, place) != 0) return false;  // memory that it does not know
  return type == kDeviceMemory &&
         !(query(&is_managed, kIsManaged, place) == 0 && (is_managed & 0xff) != 0);
}

}  // namespace ucxx::ucp
