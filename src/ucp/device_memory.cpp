// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "ucp/device_memory.h"

#include <iterator>

#include "base/cuda_driver.h"
#include "base/log.h"

namespace ucxx::ucp {
namespace {

namespace cuda = base::cuda;

/// From now on nobody asks.
void noteLack() noexcept {
  if (lacks_cuda_driver.exchange(true)) return;
  if (cuda::presence() == cuda::Presence::TooOld)
    base::log(LogLevel::Warn, "ucp", "{}: UCXX cannot tell the memory of a device from the host's",
              cuda::whyNoDriver());
}

}  // namespace

constinit std::atomic<bool> lacks_cuda_driver{false};

bool askCudaDriver(const void* address) noexcept {
  const cuda::Driver* const driver = cuda::driver();
  if (driver == nullptr) {
    noteLack();
    return false;
  }
  unsigned type = 0;
  unsigned is_managed = 0;  // a bool, of which the driver may write more than a byte
  int asked[]{cuda::kMemoryType, cuda::kIsManaged};
  void* answers[]{&type, &is_managed};
  // Of memory that it does not know this one says zeros, in 90 ns on an H200; cuPointerGetAttribute
  // makes an error of it, which takes 490.
  const auto place = reinterpret_cast<cuda::Address>(address);
  if (driver->pointerAttributes(std::size(asked), asked, answers, place) != cuda::kSuccess)
    return false;  // not initialised
  return type == cuda::kDeviceMemory && (is_managed & 0xff) == 0;
}

}  // namespace ucxx::ucp
