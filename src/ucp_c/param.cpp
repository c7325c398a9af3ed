// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "ucp_c/param.h"

#include <cstring>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "core/request/handles.h"

namespace ucxx::ucp_c {
namespace {

// Programs fill in one in place of the other.
static_assert(offsetof(ucxx_request_param_t, op_attr_mask) ==
              offsetof(ucp_request_param_t, op_attr_mask));
static_assert(offsetof(ucxx_request_param_t, flags) == offsetof(ucp_request_param_t, flags));
static_assert(offsetof(ucxx_request_param_t, request) == offsetof(ucp_request_param_t, request));
static_assert(offsetof(ucxx_request_param_t, cb) == offsetof(ucp_request_param_t, cb));
static_assert(offsetof(ucxx_request_param_t, datatype) == offsetof(ucp_request_param_t, datatype));
static_assert(offsetof(ucxx_request_param_t, user_data) ==
              offsetof(ucp_request_param_t, user_data));
static_assert(offsetof(ucxx_request_param_t, reply_buffer) ==
              offsetof(ucp_request_param_t, reply_buffer));
static_assert(offsetof(ucxx_request_param_t, memory_type) ==
              offsetof(ucp_request_param_t, memory_type));
static_assert(offsetof(ucxx_request_param_t, recv_info) ==
              offsetof(ucp_request_param_t, recv_info));
static_assert(offsetof(ucxx_request_param_t, memh) == offsetof(ucp_request_param_t, memh));
// Programs may be compiled with another version of UCX.
static_assert(offsetof(ucxx_request_param_t, condition) == 128 &&
              sizeof(ucp_request_param_t) <= 128);

std::uint32_t maskOf(const void* given) noexcept {
  std::uint32_t mask = 0;
  if (given != nullptr) std::memcpy(&mask, given, sizeof mask);
  return mask;
}

void refuseAttributes(const ucxx_request_param_t& param) {
  if (hasBit(param, UCP_OP_ATTR_FIELD_REQUEST))
    throw UnsupportedError(
        "a request of the caller's (UCP_OP_ATTR_FIELD_REQUEST); the library makes its own");
  if (hasBit(param, UCP_OP_ATTR_FLAG_FORCE_IMM_CMPL))
    throw UnsupportedError(
        "UCP_OP_ATTR_FLAG_FORCE_IMM_CMPL; leave it out, and look at the request");
}

}  // namespace

ucxx_request_param_t paramOf(const void* given) {
  ucxx_request_param_t param{};
  if (given == nullptr) throw InvalidParamError("param is null; it is a ucxx_request_param_t");
  const bool is_whole = (maskOf(given) & UCP_OP_ATTR_CONDITION) != 0;
  std::memcpy(&param, given, is_whole ? sizeof param : sizeof param.ucp);
  refuseAttributes(param);
  return param;
}

const ucp_request_param_t* paramForUcx(const void* given) {
  const std::uint32_t mask = maskOf(given);
  if ((mask & UCP_OP_ATTR_CONDITION) != 0)
    throw UnsupportedError(
        "a condition with a handle of UCX's own; give what ucxx::Endpoint::getHandle or "
        "ucxx::Worker::getHandle gives");
  const auto* const param = static_cast<const ucp_request_param_t*>(given);
  if ((mask & UCP_OP_ATTR_FIELD_MEMH) != 0 && core::isOurs(param->memh))
    throw InvalidParamError(
        fmt::format("the memory handle {} is of the library, and the transfer is UCX's own; leave "
                    "it out",
                    static_cast<const void*>(param->memh)));
  return param;
}

std::uint32_t flagsOf(const ucxx_request_param_t& param) noexcept {
  return hasBit(param, UCP_OP_ATTR_FIELD_FLAGS) ? param.flags : 0;
}

bool isOfBlocks(const ucxx_request_param_t& param) noexcept {
  return hasBit(param, UCP_OP_ATTR_FIELD_DATATYPE) && param.datatype == UCP_DATATYPE_IOV;
}

std::vector<ucp_dt_iov_t> blocksOf(const void* buffer, std::size_t count) {
  const auto* const blocks = static_cast<const ucp_dt_iov_t*>(buffer);
  if (blocks == nullptr || count == 0)
    throw InvalidParamError(
        fmt::format("{} blocks at {}; UCP_DATATYPE_IOV needs one at least", count, buffer));
  return {blocks, blocks + count};
}

std::size_t elementBytes(const ucxx_request_param_t& param) {
  if (!hasBit(param, UCP_OP_ATTR_FIELD_DATATYPE)) return 1;
  if ((param.datatype & UCP_DATATYPE_CLASS_MASK) != UCP_DATATYPE_CONTIG)
    throw UnsupportedError(
        fmt::format("the datatype 0x{:x} is not contiguous; use ucp_dt_make_contig, or the "
                    "functions of ucxx::Endpoint",
                    param.datatype));
  return param.datatype >> UCP_DATATYPE_SHIFT;
}

std::size_t bytesOfElements(std::size_t count, const ucxx_request_param_t& param) {
  std::size_t bytes = 0;
  const std::size_t size = elementBytes(param);
  if (__builtin_mul_overflow(count, size, &bytes))
    throw InvalidParamError(fmt::format("{} elements of {} bytes are too many", count, size));
  return bytes;
}

}  // namespace ucxx::ucp_c
