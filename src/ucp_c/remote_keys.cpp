// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Keys by which peers reach memory, for C; what is not the library's goes to UCX.

#include "api/remote_keys.h"

#include <string>

#include <fmt/format.h>

#include <ucxx/context.h>
#include <ucxx/endpoint.h>
#include <ucxx/exception.h>
#include <ucxx/memory_handle.h>
#include <ucxx/remote_key.h>
#include <ucxx/ucp_memory.h>

#include "api/memory_handles.h"
#include "base/file_descriptor.h"
#include "core/onesided/memory_key.h"
#include "ucp_c/calls.h"
#include "ucp_c/handle_table.h"
#include "ucp_c/handles.h"

namespace ucxx::ucp_c {
namespace {

/// What `ucp_rkey_pack` gives.
using PackedKey = std::string;

ucs_status_t pack(ucp_mem_h memh, void** buffer, std::size_t* size) {
  const std::shared_ptr<MemoryHandle> memory = core::memoryOf(memh);
  if (memory == nullptr)
    throw InvalidParamError(fmt::format(
        "the memory handle {} is null, was unmapped, or is UCX's own; it is what ucp_mem_map gives",
        static_cast<const void*>(memh)));
  if (buffer == nullptr || size == nullptr)
    throw InvalidParamError(
        fmt::format("{} is null", buffer == nullptr ? "rkey_buffer_p" : "size_p"));
  auto packed = std::make_shared<PackedKey>(memory->createRemoteKey()->serialize());
  *buffer = packed->data();
  *size = packed->size();
  HandleTable<PackedKey>::all().add(*buffer, std::move(packed));
  return UCS_OK;
}

ucs_status_t unpack(ucp_ep_h endpoint, const void* buffer, ucp_rkey_h* rkey) {
  base::requireNotForked();
  const std::shared_ptr<Endpoint> at = endpointOf(endpoint);
  if (buffer == nullptr || rkey == nullptr)
    throw InvalidParamError(
        fmt::format("{} is null", buffer == nullptr ? "rkey_buffer" : "rkey_p"));
  auto made = createRemoteKeyFromSerialized(
      at, SerializedRemoteKey(static_cast<const char*>(buffer), core::kMemoryKeyBytes));
  const ucp_rkey_h handle = made->getHandle();
  HandleTable<RemoteKey>::all().add(handle, std::move(made));
  *rkey = handle;
  return UCS_OK;
}

ucs_status_t findPointer(ucp_rkey_h rkey, std::uint64_t remote_addr, void** address) {
  const std::shared_ptr<RemoteKey> key = core::keyOf(rkey);
  if (key == nullptr)
    throw InvalidParamError(
        fmt::format("the remote key {} is null or was destroyed; it is what "
                    "ucp_ep_rkey_unpack gives",
                    static_cast<void*>(rkey)));
  if (address == nullptr) throw InvalidParamError("addr_p is null");
  const std::uint64_t offset = remote_addr - key->getBaseAddress();
  if (remote_addr < key->getBaseAddress() || offset >= key->getSize())
    throw InvalidParamError(
        fmt::format("0x{:x} does not lie within the {} bytes of the remote key at 0x{:x}",
                    remote_addr, key->getSize(), key->getBaseAddress()));
  auto* const begin = static_cast<std::byte*>(key->getPointer());
  if (begin == nullptr) return UCS_ERR_UNREACHABLE;  // no mistake of the caller's
  *address = begin + offset;
  return UCS_OK;
}

void destroy(ucp_rkey_h rkey) {
  if (HandleTable<RemoteKey>::all().take(rkey) == nullptr)
    throw InvalidParamError(
        fmt::format("the remote key {} was destroyed before, or is of a ucxx::RemoteKey, with "
                    "which it ends",
                    static_cast<void*>(rkey)));
}

}  // namespace
}  // namespace ucxx::ucp_c

using namespace ucxx::ucp_c;  // NOLINT(google-build-using-namespace): its own

// NOLINTBEGIN(readability-identifier-naming): UCX's names
ucs_status_t ucxx_rkey_pack(ucp_context_h context, ucp_mem_h memh, void** buffer,
                            std::size_t* size) {
  return asStatus("ucp_rkey_pack", [&] {
    if (libraryContextOf(context) == nullptr && isOfUcx(memh))
      return ucp_rkey_pack(context, memh, buffer, size);
    return pack(memh, buffer, size);
  });
}

void ucxx_rkey_buffer_release(void* buffer) {
  asNothing("ucp_rkey_buffer_release", [&] {
    if (HandleTable<PackedKey>::all().take(buffer) == nullptr) ucp_rkey_buffer_release(buffer);
  });
}

ucs_status_t ucxx_ep_rkey_unpack(ucp_ep_h endpoint, const void* buffer, ucp_rkey_h* rkey) {
  return asStatus("ucp_ep_rkey_unpack", [&] {
    return isOfUcx(endpoint) ? ucp_ep_rkey_unpack(endpoint, buffer, rkey)
                             : unpack(endpoint, buffer, rkey);
  });
}

ucs_status_t ucxx_rkey_ptr(ucp_rkey_h rkey, std::uint64_t remote_addr, void** address) {
  return asStatus("ucp_rkey_ptr", [&] {
    return isOfUcx(rkey) ? ucp_rkey_ptr(rkey, remote_addr, address)
                         : findPointer(rkey, remote_addr, address);
  });
}

void ucxx_rkey_destroy(ucp_rkey_h rkey) {
  asNothing("ucp_rkey_destroy", [&] {
    if (isOfUcx(rkey)) return ucp_rkey_destroy(rkey);
    destroy(rkey);
  });
}
// NOLINTEND(readability-identifier-naming)
