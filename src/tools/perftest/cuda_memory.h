// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include <ucxx/api.h>

#include "base/cuda_driver.h"

namespace ucxx::tools {

/// CUDA's first device (CUDA_VISIBLE_DEVICES chooses it). Its calls, from any thread, throw
/// `std::runtime_error` with the driver's reason.
class Cuda : public std::enable_shared_from_this<Cuda> {
 public:
  /// Throws `std::runtime_error` saying what is missing.
  static std::shared_ptr<const Cuda> open();
  Cuda(const Cuda&) = delete;
  Cuda& operator=(const Cuda&) = delete;

  /// For each thread in which UCX is to reach the device's memory.
  void makeCurrent() const;
  /// A block of zeroes. Owner: who has the last pointer; the block keeps this.
  std::shared_ptr<void> allocate(std::size_t size_bytes) const;
  /// Both end when all is where it belongs.
  void copyIn(void* device, const void* host, std::size_t size_bytes) const;
  void copyOut(void* host, const void* device, std::size_t size_bytes) const;

 private:
  Cuda();
  void free(void* device) const noexcept;

  const base::cuda::Driver* const driver_;
  base::cuda::Context context_ = nullptr;
};

/// What active messages are received into. Blocks are used again: to get one from the driver takes
/// longer than a message. Any thread may take, and drop what it took.
class CudaBuffers : public std::enable_shared_from_this<CudaBuffers> {
 public:
  explicit CudaBuffers(std::shared_ptr<const Cuda> cuda) : cuda_(std::move(cuda)) {}
  std::shared_ptr<Buffer> take(std::size_t size_bytes);

 private:
  void giveBack(std::shared_ptr<void> block, std::size_t size_bytes) noexcept;

  const std::shared_ptr<const Cuda> cuda_;
  std::mutex mutex_;
  std::size_t size_bytes_ = 0;  // of each free block; these two are guarded by `mutex_`
  std::vector<std::shared_ptr<void>> free_;
};

/// Throws `std::runtime_error` when UCX, as `context` sets it up, moves no CUDA memory.
void requireUcxForCuda(const Context& context);

}  // namespace ucxx::tools
