// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include <ucxx/cuda/device.h>

#include "cuda/driver_calls.h"

namespace ucxx::cuda {

class HandlePool;

/// A `device::Handle` in memory of a device. To make one copies it there, by a stream that waits
/// for nobody; to give it back calls nothing of CUDA.
class DeviceHandle {
 public:
  /// For the kernels of `context`, which is current on this thread. Throws `NoResourceError` when
  /// there are 4096 of it, and what the driver says.
  DeviceHandle(const device::Handle& content, Context context, const char* what);
  ~DeviceHandle();
  DeviceHandle(const DeviceHandle&) = delete;
  DeviceHandle& operator=(const DeviceHandle&) = delete;

  device::Handle* get() const noexcept;

 private:
  HandlePool& pool_;
  const std::size_t slot_;
};

/// Gets the memory for those of `context`, which is current on this thread.
void makeHandlePool(Context context, const char* what);

}  // namespace ucxx::cuda
