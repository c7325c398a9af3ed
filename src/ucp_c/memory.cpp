// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Memory that peers read and write, for C; what is not the library's goes to UCX.

#include <fmt/format.h>

#include <ucxx/context.h>
#include <ucxx/exception.h>
#include <ucxx/memory_handle.h>
#include <ucxx/ucp_memory.h>

#include "api/memory_handles.h"
#include "base/file_descriptor.h"
#include "ucp_c/calls.h"
#include "ucp_c/handle_table.h"
#include "ucp_c/handles.h"

namespace ucxx::ucp_c {
namespace {

constexpr std::uint64_t kKnownFields =
    UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH |
    UCP_MEM_MAP_PARAM_FIELD_FLAGS | UCP_MEM_MAP_PARAM_FIELD_PROT |
    UCP_MEM_MAP_PARAM_FIELD_MEMORY_TYPE;

/// What a program asks for, with what stands for fields that are not set.
struct Wanted {
  explicit Wanted(const ucp_mem_map_params_t& params) : params_(params) {
    if (has(UCP_MEM_MAP_PARAM_FIELD_ADDRESS)) buffer = params.address;
    if (has(UCP_MEM_MAP_PARAM_FIELD_FLAGS)) flags = params.flags;
    if (has(UCP_MEM_MAP_PARAM_FIELD_MEMORY_TYPE) && params.memory_type != UCS_MEMORY_TYPE_UNKNOWN)
      type = params.memory_type;
    check();
    if ((flags & UCP_MEM_MAP_ALLOCATE) != 0) buffer = nullptr;  // the address is but a hint
  }

  void* buffer = nullptr;
  ucs_memory_type_t type = UCS_MEMORY_TYPE_HOST;
  unsigned flags = 0;

 private:
  bool has(std::uint64_t field) const noexcept { return (params_.field_mask & field) != 0; }
  void check() const;

  const ucp_mem_map_params_t& params_;
};

void Wanted::check() const {
  if ((params_.field_mask & ~kKnownFields) != 0)
    throw UnsupportedError(fmt::format("the field mask 0x{:x} has bits beyond 0x{:x}",
                                       params_.field_mask, kKnownFields));
  if ((flags & UCP_MEM_MAP_FIXED) != 0)
    throw UnsupportedError("UCP_MEM_MAP_FIXED; the library chooses where it allocates");
  if (!has(UCP_MEM_MAP_PARAM_FIELD_LENGTH))
    throw InvalidParamError("the length is missing; set UCP_MEM_MAP_PARAM_FIELD_LENGTH");
  if (buffer == nullptr && params_.length != 0 && (flags & UCP_MEM_MAP_ALLOCATE) == 0)
    throw InvalidParamError(
        fmt::format("{} bytes without address; set UCP_MEM_MAP_PARAM_FIELD_ADDRESS, or "
                    "UCP_MEM_MAP_ALLOCATE in the flags",
                    params_.length));
}

/// By whomever it was made.
std::shared_ptr<MemoryHandle> memoryOf(ucp_mem_h memh) {
  std::shared_ptr<MemoryHandle> found = core::memoryOf(memh);
  if (found == nullptr)
    throw InvalidParamError(fmt::format(
        "the memory handle {} is null, or was unmapped; it is what ucp_mem_map gives with a "
        "context of ucxx::Context::getHandle",
        static_cast<const void*>(memh)));
  return found;
}

ucs_status_t map(Context& context, const ucp_mem_map_params_t& params, ucp_mem_h& memh) {
  base::requireNotForked();
  const Wanted wanted(params);
  auto made = context.createMemoryHandle(params.length, wanted.buffer, wanted.type);
  const ucp_mem_h handle = made->getHandle();
  HandleTable<MemoryHandle>::all().add(handle, std::move(made));
  memh = handle;
  return UCS_OK;
}

ucs_status_t unmap(ucp_mem_h memh) {
  (void)memoryOf(memh);
  if (HandleTable<MemoryHandle>::all().take(memh) == nullptr)
    throw InvalidParamError(
        fmt::format("the memory handle {} is of a ucxx::MemoryHandle; it ends with that object",
                    static_cast<const void*>(memh)));
  return UCS_OK;
}

void describe(const MemoryHandle& memory, ucp_mem_attr_t& attributes) {
  const std::uint64_t wanted = attributes.field_mask;
  if ((wanted & UCP_MEM_ATTR_FIELD_ADDRESS) != 0)
    attributes.address = reinterpret_cast<void*>(memory.getBaseAddress());
  if ((wanted & UCP_MEM_ATTR_FIELD_LENGTH) != 0) attributes.length = memory.getSize();
  if ((wanted & UCP_MEM_ATTR_FIELD_MEM_TYPE) != 0) attributes.mem_type = memory.getMemoryType();
}

}  // namespace
}  // namespace ucxx::ucp_c

using namespace ucxx::ucp_c;  // NOLINT(google-build-using-namespace): its own

// NOLINTBEGIN(readability-identifier-naming): UCX's names
ucs_status_t ucxx_mem_map(ucp_context_h context, const ucp_mem_map_params_t* params,
                          ucp_mem_h* memh) {
  return asStatus("ucp_mem_map", [&] {
    const std::shared_ptr<ucxx::Context> its = libraryContextOf(context);
    if (its == nullptr) return ucp_mem_map(context, params, memh);
    if (params == nullptr || memh == nullptr)
      throw ucxx::InvalidParamError(params == nullptr ? "params is null" : "memh is null");
    return map(*its, *params, *memh);
  });
}

ucs_status_t ucxx_mem_unmap(ucp_context_h context, ucp_mem_h memh) {
  return asStatus("ucp_mem_unmap", [&] {
    if (libraryContextOf(context) == nullptr && isOfUcx(memh)) return ucp_mem_unmap(context, memh);
    return unmap(memh);
  });
}

ucs_status_t ucxx_mem_query(ucp_mem_h memh, ucp_mem_attr_t* attributes) {
  return asStatus("ucp_mem_query", [&] {
    if (isOfUcx(memh)) return ucp_mem_query(memh, attributes);
    if (attributes == nullptr) throw ucxx::InvalidParamError("attr is null");
    describe(*memoryOf(memh), *attributes);
    return UCS_OK;
  });
}
// NOLINTEND(readability-identifier-naming)
