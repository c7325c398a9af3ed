// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

#include <ucxx/buffer.h>

#include "core/request/host_memory.h"

namespace ucxx {
namespace {

/// Where vectors of processors begin. Smaller blocks are not worth the time that it takes to align.
constexpr std::size_t kAlignment = 64, kAlignedFrom = 4 << 10;

// Memory that users end with free() must come from malloc or its kin.
void* allocate(std::size_t size_bytes) {
  if (size_bytes > PTRDIFF_MAX) throw std::bad_alloc();
  void* const memory =
      size_bytes < kAlignedFrom
          ? std::malloc(size_bytes == 0 ? 1 : size_bytes)
          : std::aligned_alloc(kAlignment, (size_bytes + kAlignment - 1) / kAlignment * kAlignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

Buffer::~Buffer() = default;

HostBuffer::HostBuffer(std::size_t size_bytes)
    : Buffer(BufferType::Host, size_bytes), block_(core::allocateShared(size_bytes)) {
  memory_ = block_ != nullptr ? block_.get() : allocate(size_bytes);
}

HostBuffer::HostBuffer(const void* source, std::size_t size_bytes) : HostBuffer(size_bytes) {
  if (size_bytes != 0) std::memcpy(memory_, source, size_bytes);
}

HostBuffer::HostBuffer(std::shared_ptr<void> block, void* data, std::size_t size_bytes)
    : Buffer(BufferType::Host, size_bytes), memory_(data), block_(std::move(block)) {}

HostBuffer::~HostBuffer() {
  if (block_ == nullptr) std::free(memory_);
}

void* HostBuffer::data() {
  if (type_ == BufferType::Invalid) throw std::runtime_error("the buffer's memory was released");
  return memory_;
}

void* HostBuffer::release() {
  void* memory = data();
  if (block_ != nullptr) {
    memory = allocate(size_);
    std::memcpy(memory, memory_, size_);
    block_ = nullptr;
  }
  memory_ = nullptr;
  type_ = BufferType::Invalid;
  size_ = 0;
  return memory;
}

std::shared_ptr<Buffer> allocateBuffer(BufferType type, std::size_t size_bytes) {
  if (type == BufferType::Host) return std::make_shared<HostBuffer>(size_bytes);
  if (type == BufferType::CCCL) return std::make_shared<CCCLBuffer>(size_bytes);
  throw std::runtime_error("a buffer of type Invalid cannot be allocated");
}

}  // namespace ucxx
