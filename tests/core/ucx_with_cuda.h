// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A UCX that says what a test wants. It has no CUDA here, so it moves only memory that is the
// host's, whatever the stand-in says of it (takeMoreForDeviceMemory).

#pragma once

#include <cstddef>
#include <vector>

#include "core/fixtures.h"
#include "cuda/driver/stand_in.h"

namespace ucxx::core::test {

/// What UCX does from now on, in this process.
struct UcxWithCuda {
  bool knows_cuda = true;
  bool makes_workers = true;
};
UcxWithCuda& ucxWithCuda();

/// Bytes that the driver takes for a device's as long as this lives.
class TakenMemory {
 public:
  explicit TakenMemory(std::vector<std::byte> content, bool has_ipc_handle = true)
      : bytes_(std::move(content)) {
    stand_in::takeMoreForDeviceMemory(bytes_.data(), bytes_.size(), has_ipc_handle);
  }
  explicit TakenMemory(std::size_t size, bool has_ipc_handle = true)
      : TakenMemory(std::vector<std::byte>(size), has_ipc_handle) {}
  TakenMemory(TakenMemory&&) noexcept = default;  // the bytes stay where they are
  TakenMemory& operator=(TakenMemory&&) = delete;
  ~TakenMemory() {
    if (!bytes_.empty()) stand_in::giveBackTaken(bytes_.data());
  }

  std::byte* data() { return bytes_.data(); }
  std::size_t size() const { return bytes_.size(); }
  const std::vector<std::byte>& content() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// What an allocator of the program makes of them.
class TakenBuffer : public Buffer {
 public:
  explicit TakenBuffer(std::size_t size) : Buffer(BufferType::CCCL, size), memory_(size) {}
  void* data() override { return memory_.data(); }

 private:
  TakenMemory memory_;
};

}  // namespace ucxx::core::test
