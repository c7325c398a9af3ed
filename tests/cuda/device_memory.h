// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Memory of a device for tests of transfers: the process dies when the processor touches it.

#pragma once

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <ucxx/buffer.h>

#include "cuda/driver/stand_in.h"
#include "gpu/report.h"
#include "gpu/setting.h"

namespace ucxx::cuda::test {

class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t size, const stand_in::MadeMemory& how = {})
      : size_(size), memory_(stand_in::makeDeviceMemory(size == 0 ? 1 : size, how)) {}
  explicit DeviceMemory(const std::vector<std::byte>& content) : DeviceMemory(content.size()) {
    write(content);
  }
  DeviceMemory(DeviceMemory&& other) noexcept
      : size_(other.size_), memory_(std::exchange(other.memory_, nullptr)) {}
  DeviceMemory& operator=(DeviceMemory&&) = delete;
  ~DeviceMemory() {
    if (memory_ != nullptr) stand_in::freeDeviceMemory(memory_);
  }

  void* data() const { return memory_; }
  std::size_t size() const { return size_; }
  void write(const std::vector<std::byte>& content) {
    gpu::must("cuMemcpyHtoD", gpu::driver().copyIn(reinterpret_cast<base::cuda::Address>(memory_),
                                                   content.data(), content.size()));
  }
  std::vector<std::byte> content() const { return contentOf(memory_, size_); }

  static std::vector<std::byte> contentOf(const void* memory, std::size_t size) {
    std::vector<std::byte> content(size);
    gpu::must(
        "cuMemcpyDtoH",
        gpu::driver().copyOut(content.data(), reinterpret_cast<base::cuda::Address>(memory), size));
    return content;
  }

 private:
  std::size_t size_;
  void* memory_;
};

/// What an allocator of the program makes.
class DeviceBuffer : public Buffer {
 public:
  explicit DeviceBuffer(std::size_t size) : Buffer(BufferType::CCCL, size), memory_(size) {}
  void* data() override { return memory_.data(); }

 private:
  DeviceMemory memory_;
};

}  // namespace ucxx::cuda::test
