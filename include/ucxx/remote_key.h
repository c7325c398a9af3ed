// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <ucp/api/ucp.h>

#include <ucxx/component.h>
#include <ucxx/export.h>
#include <ucxx/typedefs.h>

namespace ucxx {

namespace core {
class RemoteMemory;
}

/// What a peer needs to reach the memory of a MemoryHandle. Made from that handle, it can only be
/// serialized; made from the bytes, on the endpoint to the process that has the memory, it goes
/// into that endpoint's `memPut`, `memGet` and atomics. Owner: whoever made it; it keeps the handle
/// or the endpoint. Threads: any.
class UCXX_PUBLIC RemoteKey : public Component {
 public:
  ~RemoteKey() override;

  /// Bytes for a peer, which any message may carry; they have a checksum.
  SerializedRemoteKey serialize() const;
  /// Bytes of the memory, and where they lie in the process that has them.
  std::size_t getSize() const noexcept;
  std::uint64_t getBaseAddress() const noexcept;
  /// Null on the side that has the memory; else a key for `memPut` and `memGet` on its endpoint,
  /// which no function of UCX knows.
  ucp_rkey_h getHandle() const noexcept;
  /// The memory itself, where it is mapped in this process (the library allocated it on this
  /// machine, and the endpoint is connected), else null. Valid as long as the key, whatever happens
  /// to its owner; whether the memory is still the same, nobody watches. On an endpoint to the own
  /// worker it is the owner's own address, valid as long as the handle.
  void* getPointer();

  core::RemoteMemory& memory() const noexcept { return *memory_; }
  const std::shared_ptr<core::RemoteMemory>& half() const noexcept { return memory_; }

 private:
  friend UCXX_PUBLIC std::shared_ptr<RemoteKey> createRemoteKeyFromMemoryHandle(
      std::shared_ptr<MemoryHandle>);
  friend UCXX_PUBLIC std::shared_ptr<RemoteKey> createRemoteKeyFromSerialized(
      std::shared_ptr<Endpoint>, SerializedRemoteKey);
  RemoteKey(std::shared_ptr<Component> parent, std::shared_ptr<core::RemoteMemory> memory);
  std::shared_ptr<core::RemoteMemory> memory_;
};

UCXX_PUBLIC std::shared_ptr<RemoteKey> createRemoteKeyFromMemoryHandle(
    std::shared_ptr<MemoryHandle> memoryHandle);
/// Throws `std::overflow_error` for bytes that no key of this version has serialized.
UCXX_PUBLIC std::shared_ptr<RemoteKey> createRemoteKeyFromSerialized(
    std::shared_ptr<Endpoint> endpoint, SerializedRemoteKey serializedRemoteKey);

}  // namespace ucxx
