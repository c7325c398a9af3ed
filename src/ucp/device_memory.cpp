// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "ucp/device_memory.h"

#include <cstddef>

#include "base/cuda_driver.h"
#include "base/log.h"

namespace ucxx::ucp {
namespace {

namespace cuda = base::cuda;

/// The driver cannot be asked: from now on nobody does where there is none.
void noteLack() noexcept {
  static std::atomic<bool> has_warned{false};
  if (cuda::presence() == cuda::Presence::None)
    lacks_cuda_driver.store(true, std::memory_order_relaxed);
  else if (!has_warned.exchange(true))
    base::log(LogLevel::Warn, "context", "{}: the memory of a device is taken for the host's",
              cuda::whyNoDriver());
}

/// The driver has failed to say whose an address is. Before cuInit, and at the end of the process,
/// nothing is a device's.
void noteFailure(cuda::Result result) noexcept {
  static std::atomic<bool> has_warned{false};
  if (result == cuda::kNotInitialized || result == cuda::kDeinitialized) return;
  if (!has_warned.exchange(true))
    base::log(LogLevel::Warn, "context",
              "cuPointerGetAttributes: error {} of CUDA ({}): memory is taken for the host's",
              result, cuda::textOf(result));
}

}  // namespace

constinit std::atomic<bool> lacks_cuda_driver{false};

namespace {

/// Of memory that it does not know this one says zeros, in 90 ns on an H200; cuPointerGetAttribute
/// makes an error of it, which takes 490.
template <std::size_t kCount>
cuda::Result ask(const void* address, int (&asked)[kCount], void* (&answers)[kCount]) noexcept {
  const auto place = reinterpret_cast<cuda::Address>(address);
  const cuda::Result result = cuda::driver()->pointerAttributes(kCount, asked, answers, place);
  if (result != cuda::kSuccess) noteFailure(result);
  return result;
}

/// `is_managed` is a bool, of which the driver may write more than a byte.
bool isOnDevice(unsigned type, unsigned is_managed) noexcept {
  return type == cuda::kDeviceMemory && (is_managed & 0xff) == 0;
}

}  // namespace

/// Two attributes: for each message of a program that uses CUDA.
bool askCudaDriver(const void* address, bool is_said) noexcept {
  if (cuda::driver() == nullptr) {
    noteLack();
    return is_said && cuda::presence() == cuda::Presence::TooOld;
  }
  unsigned type = 0, is_managed = 0;
  int asked[]{cuda::kMemoryType, cuda::kIsManaged};
  void* answers[]{&type, &is_managed};
  const cuda::Result result = ask(address, asked, answers);
  if (result != cuda::kSuccess) return is_said && result != cuda::kNotInitialized;
  return isOnDevice(type, is_managed);
}

MemoryPlace placeOf(const void* address) noexcept {
  if (cuda::driver() == nullptr) return {};
  MemoryPlace place;
  unsigned type = 0, is_managed = 0;
  int has_handle = 0;
  int asked[]{cuda::kMemoryType, cuda::kIsManaged, cuda::kContextOf, cuda::kOrdinalOf,
              cuda::kHasIpcHandle};
  void* answers[]{&type, &is_managed, &place.context, &place.device, &has_handle};
  const cuda::Result result = ask(address, asked, answers);
  if (result != cuda::kSuccess) {
    place = {};
    place.is_unknown = result != cuda::kNotInitialized && result != cuda::kDeinitialized;
    return place;
  }
  place.is_on_device = isOnDevice(type, is_managed);
  place.is_page_locked = type == cuda::kHostMemory;
  place.has_ipc_handle = place.is_on_device && has_handle != 0;
  return place;
}

}  // namespace ucxx::ucp
