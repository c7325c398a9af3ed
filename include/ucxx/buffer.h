// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <memory>

#include <ucxx/buffer_type.h>
#include <ucxx/export.h>

namespace ucxx {

/// Memory that the library allocates to receive into. Users may derive their own for
/// `Worker::registerAmAllocator`.
class UCXX_PUBLIC Buffer {
 public:
  virtual ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  BufferType getType() const noexcept { return type_; }
  std::size_t getSize() const noexcept { return size_; }
  /// Throws `std::runtime_error` after `release()`.
  virtual void* data() = 0;

 protected:
  Buffer(BufferType type, std::size_t size_bytes) : type_(type), size_(size_bytes) {}

  BufferType type_;
  std::size_t size_;
};

/// Host memory: a block of its own, or a view into a block that several buffers share (the frames
/// of one multi-buffer message). Above 16 KiB it is library memory: processes of this machine and
/// user that have met this one map it, and copy from and to it without the kernel; a free block is
/// used again while it is warm. A forked child shares it with its parent: neither has a copy.
class UCXX_PUBLIC HostBuffer : public Buffer {
 public:
  /// Throws `std::bad_alloc`.
  explicit HostBuffer(std::size_t size_bytes);
  /// A copy of `size_bytes` at `source`.
  HostBuffer(const void* source, std::size_t size_bytes);
  /// A view that keeps `block` alive.
  HostBuffer(std::shared_ptr<void> block, void* data, std::size_t size_bytes);
  ~HostBuffer() override;

  void* data() override;
  /// Hands the memory to the caller, who ends it with `free()`; the buffer is then `Invalid` with
  /// size 0. A view, and library memory, is copied first. Throws `std::runtime_error` the second
  /// time.
  void* release();

 private:
  void* memory_ = nullptr;
  std::shared_ptr<void> block_;
};

/// A new buffer. Throws `std::runtime_error` when this build or machine has no such memory.
UCXX_PUBLIC std::shared_ptr<Buffer> allocateBuffer(BufferType type, std::size_t size_bytes);

}  // namespace ucxx
