// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <memory>

#include <ucxx/api.h>

namespace ucxx::kills {

/// While it lives these bytes are a device's, as says the driver that this program has
/// (tests/cuda/driver). They are the host's all the same, so that UCX moves them.
class OnDevice {
 public:
  OnDevice(const void* first, std::size_t size, bool has_ipc_handle);
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  const void* const first_;
};

/// What comes from a device is received in such memory.
void receiveOnDevice(Worker& worker);

/// What the first copies from and to a device start in a process is there afterwards.
void startCopies(const std::shared_ptr<Worker>& worker);

}  // namespace ucxx::kills
