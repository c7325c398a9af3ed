// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <ucp/api/ucp.h>

#include <ucxx/component.h>
#include <ucxx/export.h>
#include <ucxx/memory_handle_builder.h>
#include <ucxx/remote_key_builder.h>
#include <ucxx/typedefs.h>

namespace ucxx {

namespace core {
class RegisteredMemory;
}

/// Memory that peers may read and write without the help of this program, by the key that
/// `createRemoteKey` makes. Owner: whoever made it. Threads: any.
///
/// Destroying it makes its keys void: later operations of peers end with INVALID_PARAM; for a put
/// that had ended already, the next flush of its peer does. A peer that is copying at that moment
/// finishes its copy, as with every remote memory access: tell the peers first. Memory that the
/// library allocated stays mapped in peers as long as they hold keys, so their pointers into it
/// stay valid.
class UCXX_PUBLIC MemoryHandle : public Component,
                                 public std::enable_shared_from_this<MemoryHandle> {
 public:
  ~MemoryHandle() override;

  /// Bytes.
  std::size_t getSize() const noexcept;
  /// Where it lies in this process; 0 when its size is 0.
  std::uint64_t getBaseAddress() const noexcept;
  ucs_memory_type_t getMemoryType() const noexcept;
  /// Not null; no function of UCX knows it.
  ucp_mem_h getHandle() const noexcept;
  std::shared_ptr<RemoteKey> createRemoteKey();
  RemoteKeyBuilder remoteKeyBuilder();

  const core::RegisteredMemory& memory() const noexcept { return *memory_; }

 private:
  friend UCXX_PUBLIC std::shared_ptr<MemoryHandle> createMemoryHandle(std::shared_ptr<Context>,
                                                                      std::size_t, void*,
                                                                      ucs_memory_type_t);
  MemoryHandle(std::shared_ptr<Context> context, std::unique_ptr<core::RegisteredMemory> memory);
  std::unique_ptr<core::RegisteredMemory> memory_;
};

/// Gives peers access to `size` bytes: at `buffer`, which stays the caller's and must outlive the
/// handle, or, when that is null, in memory that the library allocates, not cleared, for peers of
/// this machine to map (the fastest way by far). `UnsupportedError` for memory that is not the
/// host's; `NoMemoryError` when there is none.
UCXX_PUBLIC std::shared_ptr<MemoryHandle> createMemoryHandle(
    std::shared_ptr<Context> context, std::size_t size, void* buffer = nullptr,
    ucs_memory_type_t memoryType = UCS_MEMORY_TYPE_HOST);

}  // namespace ucxx
