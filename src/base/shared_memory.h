// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <span>

#include "base/file_descriptor.h"

namespace ucxx::base {

/// Memory that processes share: a sealed memfd and its mapping. Its size can never change and all
/// of it is allocated when it is made, so that lack of memory is an error then and no signal later;
/// of what is reserved, when it is populated. A forked child has no copy of the mapping but of
/// its own process's reserved one and of what is left to it; its destructors only forget.
class SharedMemory {
 public:
  /// Empty.
  SharedMemory() noexcept = default;
  /// Makes `bytes` (not 0) of zeros, behind which lie `sparse` bytes that are populated later;
  /// NO_MEMORY or NO_RESOURCE if the system has no more.
  static SharedMemory create(std::size_t bytes, std::size_t sparse = 0);
  /// Maps a peer's descriptor; SHMEM_SEGMENT, with what is wrong, unless it is a memfd of exactly
  /// this size that is sealed as those of `create` are.
  static SharedMemory map(FileDescriptor descriptor, std::size_t bytes, std::size_t sparse = 0);
  /// @name Sparse memory: `bytes` of addresses, of which parts are populated
  /// @{
  /// `alignment`: of its address, a power of two; 0: a page's.
  static SharedMemory reserve(std::size_t bytes, std::size_t alignment = 0);
  /// A peer's. What it has not populated are zeros.
  static SharedMemory mapReserved(FileDescriptor descriptor, std::size_t bytes,
                                  std::size_t alignment = 0);
  /// Gives a part its pages; false: the system has no more.
  bool populate(std::size_t offset, std::size_t bytes) noexcept;
  /// The same without the descriptor. Returns 0, or an error number: EINVAL where the kernel is
  /// older than Linux 5.14.
  int populateMapped(std::size_t offset, std::size_t bytes) noexcept;
  /// Takes them away.
  void discard(std::size_t offset, std::size_t bytes) noexcept;
  /// Whether all pages are there and have been touched: one that was populated and is as new counts
  /// as missing. Not where the descriptor is closed.
  bool isPopulated(std::size_t offset, std::size_t bytes) const noexcept;
  /// This process lets go of the pages, which stay: its next access pays for a fault of each.
  void letGo(std::size_t offset, std::size_t bytes) const noexcept;
  /// @}

  ~SharedMemory() { unmap(); }
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;

  std::span<std::byte> bytes() const noexcept { return bytes_; }
  explicit operator bool() const noexcept { return !bytes_.empty(); }
  /// To hand out; -1 when it is closed.
  int descriptor() const noexcept { return descriptor_.get(); }
  /// The mapping stays.
  void closeDescriptor() noexcept { descriptor_.reset(); }

  /// @name What forked children read
  /// @{
  /// From now on they inherit the mapping.
  void leaveToChildren();
  /// For the fork handler of a child: its mapping becomes read-only; where that fails, none.
  void protectInChild() const noexcept;
  /// @}

 private:
  SharedMemory(FileDescriptor descriptor, std::size_t bytes, int rights, std::size_t alignment = 0);
  static SharedMemory mapPartly(FileDescriptor memfd, std::size_t bytes, std::size_t sparse);
  void open(std::size_t sparse_begin = 0);
  void advise(int advice);
  void unmap() noexcept;

  FileDescriptor descriptor_;
  std::span<std::byte> bytes_;
};

}  // namespace ucxx::base
