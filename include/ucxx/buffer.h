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

/// Memory of a CUDA device, of `cuMemAlloc`: other processes can open it (CUDA IPC), and UCX and
/// the kernel's drivers know it. It is taken in the context that is current in the calling thread;
/// in a thread that has none, as a progress thread, in the primary context of the device that the
/// library was last used with (another such buffer, `cuda::attach`), at first of device 0. No byte
/// is set at first. A forked child has none of it.
///
/// It goes back with the object, from any thread, and the next one in its context uses it again: so
/// what kernels and copies in streams do with it must have ended before the object goes. Nothing
/// waits for them, but where more is idle than may be (`PoolLimits::device_idle_bytes`): the oldest
/// goes back to the driver then, which waits for all streams, as `cudaFree` does.
class UCXX_PUBLIC CCCLBuffer : public Buffer {
 public:
  /// `size_bytes` may be 0. It waits for no stream, unless the device has no memory left and the
  /// library has some idle. Any thread. Throws
  /// `NoMemoryError`, with the size, when the device has no memory left; `UnsupportedError` without
  /// a driver of CUDA 11.3 or newer, before the program has initialised CUDA (`cudaSetDevice`,
  /// `cuInit`), which this does not do, and in a forked child; else what the driver says.
  explicit CCCLBuffer(std::size_t size_bytes);
  ~CCCLBuffer() override;

  /// The address, for devices; aligned to 256 bytes at least, and never null.
  void* data() override;
  /// The device that it lies on, as `cudaSetDevice` counts them. Any thread. Throws `IOError` when
  /// the memory has gone, with its context (`cudaDeviceReset`).
  int device() const;

 private:
  const std::shared_ptr<void> block_;
};
using RMMBuffer = CCCLBuffer;  ///< an older name

/// A new buffer: a `HostBuffer` or a `CCCLBuffer`, and throws what their constructors throw. Of
/// another type `std::runtime_error`.
UCXX_PUBLIC std::shared_ptr<Buffer> allocateBuffer(BufferType type, std::size_t size_bytes);

}  // namespace ucxx
