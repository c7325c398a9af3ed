// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Puts, gets, atomic operations and flushes, for C; what is not the library's goes to UCX.

#include <cstring>

#include <fmt/format.h>

#include <ucxx/endpoint.h>
#include <ucxx/exception.h>
#include <ucxx/remote_key.h>
#include <ucxx/ucp_transfers.h>
#include <ucxx/worker.h>

#include "api/remote_keys.h"
#include "core/request/device_memory.h"
#include "ucp_c/calls.h"
#include "ucp_c/handles.h"
#include "ucp_c/param.h"
#include "ucp_c/post.h"

namespace ucxx::ucp_c {
namespace {

/// UCX would take it for an address.
ucp_rkey_h keyForUcx(ucp_rkey_h rkey) {
  if (core::isOurs(rkey))
    throw InvalidParamError(
        fmt::format("the remote key {} is of the library, and the endpoint is UCX's own; unpack it "
                    "on an endpoint of ucxx::Endpoint::getHandle",
                    static_cast<const void*>(rkey)));
  return rkey;
}

AtomicOperation operationOf(ucp_atomic_op_t opcode) {
  switch (numberOf(opcode)) {
    case UCP_ATOMIC_OP_ADD:
      return AtomicOperation::Add;
    case UCP_ATOMIC_OP_SWAP:
    case UCP_ATOMIC_OP_CSWAP:
      return AtomicOperation::Swap;
    case UCP_ATOMIC_OP_AND:
      return AtomicOperation::And;
    case UCP_ATOMIC_OP_OR:
      return AtomicOperation::Or;
    case UCP_ATOMIC_OP_XOR:
      return AtomicOperation::Xor;
  }
  throw InvalidParamError(
      fmt::format("there is no atomic operation {}; see ucp_atomic_op_t", numberOf(opcode)));
}

void* replyBufferOf(ucp_atomic_op_t opcode, const ucxx_request_param_t& param) {
  if (hasBit(param, UCP_OP_ATTR_FIELD_REPLY_BUFFER) && param.reply_buffer != nullptr)
    return param.reply_buffer;
  if (opcode == UCP_ATOMIC_OP_SWAP || opcode == UCP_ATOMIC_OP_CSWAP)
    throw InvalidParamError(
        "a swap without reply buffer; set UCP_OP_ATTR_FIELD_REPLY_BUFFER and reply_buffer");
  return nullptr;
}

/// An atomic operation as C describes it.
struct Update {
  Update(ucp_atomic_op_t its_opcode, const void* its_buffer, std::size_t count,
         const ucxx_request_param_t& param)
      : opcode(its_opcode),
        buffer(its_buffer),
        reply(replyBufferOf(its_opcode, param)),
        bytes(elementBytes(param)) {
    if (count != 1 || (bytes != 4 && bytes != 8))
      throw InvalidParamError(
          fmt::format("{} elements of {} bytes; an atomic operation has one, of 4 or 8 bytes, said "
                      "by UCP_OP_ATTR_FIELD_DATATYPE",
                      count, bytes));
    if (buffer == nullptr) throw InvalidParamError("the buffer, with the operand, is null");
  }
  bool compares() const noexcept { return opcode == UCP_ATOMIC_OP_CSWAP; }
  /// Of a compare-and-swap the buffer has what is expected, and the reply buffer what is stored.
  data::OperandPlaces places() const noexcept {
    return compares() ? data::OperandPlaces{reply, buffer} : data::OperandPlaces{buffer, nullptr};
  }

  const ucp_atomic_op_t opcode;
  const void* const buffer;
  void* const reply;
  const std::size_t bytes;
};

std::uint64_t wordAt(const void* place, std::size_t bytes) {
  std::uint64_t word = 0;
  if (place == nullptr) return word;
  if (core::isDeviceMemory(place))
    throw UnsupportedError(
        fmt::format("the operand at {} is in the memory of a device; use memory of the host, which "
                    "a kernel may write to (cudaMallocHost)",
                    place));
  std::memcpy(&word, place, bytes);
  return word;
}

data::WordUpdate wordUpdateOf(const Update& its) {
  const data::OperandPlaces places = its.places();
  data::WordUpdate update{operationOf(its.opcode), wordAt(places.operand, its.bytes), its.bytes};
  update.expected = wordAt(places.expected, its.bytes);
  update.fetches = its.reply != nullptr;
  update.compares = its.compares();
  update.previous = its.reply;
  return update;
}

ucs_status_ptr_t postAtomic(ucp_ep_h endpoint, const Update& its, std::uint64_t remote_addr,
                            ucp_rkey_h rkey, const ucxx_request_param_t& param) {
  const core::KeyedPlace place =
      core::placeOf({remote_addr, rkey}, its.bytes, core::OperationKind::Atomic);
  data::Atomic atomic(wordUpdateOf(its), place.key);
  atomic.offset = place.offset;
  atomic.operands = its.places();
  return post(param, Telling::Status, requestAtomicBuilder(endpointOf(endpoint), atomic));
}

}  // namespace
}  // namespace ucxx::ucp_c

using namespace ucxx::ucp_c;  // NOLINT(google-build-using-namespace): its own

// NOLINTBEGIN(readability-identifier-naming): UCX's names
ucs_status_ptr_t ucxx_put_nbx(ucp_ep_h endpoint, const void* buffer, std::size_t count,
                              std::uint64_t remote_addr, ucp_rkey_h rkey, const void* param) {
  return asPointer("ucp_put_nbx", [&] {
    if (isOfUcx(endpoint))
      return ucp_put_nbx(endpoint, buffer, count, remote_addr, keyForUcx(rkey), paramForUcx(param));
    const ucxx_request_param_t its = paramOf(param);
    const std::size_t bytes = bytesOfElements(count, its);
    return post(its, Telling::Status,
                endpointOf(endpoint)->memPutBuilder(buffer, bytes, remote_addr, rkey));
  });
}

ucs_status_ptr_t ucxx_get_nbx(ucp_ep_h endpoint, void* buffer, std::size_t count,
                              std::uint64_t remote_addr, ucp_rkey_h rkey, const void* param) {
  return asPointer("ucp_get_nbx", [&] {
    if (isOfUcx(endpoint))
      return ucp_get_nbx(endpoint, buffer, count, remote_addr, keyForUcx(rkey), paramForUcx(param));
    const ucxx_request_param_t its = paramOf(param);
    const std::size_t bytes = bytesOfElements(count, its);
    return post(its, Telling::Status,
                endpointOf(endpoint)->memGetBuilder(buffer, bytes, remote_addr, rkey));
  });
}

ucs_status_ptr_t ucxx_atomic_op_nbx(ucp_ep_h endpoint, ucp_atomic_op_t opcode, const void* buffer,
                                    std::size_t count, std::uint64_t remote_addr, ucp_rkey_h rkey,
                                    const void* param) {
  return asPointer("ucp_atomic_op_nbx", [&] {
    if (isOfUcx(endpoint))
      return ucp_atomic_op_nbx(endpoint, opcode, buffer, count, remote_addr, keyForUcx(rkey),
                               paramForUcx(param));
    const ucxx_request_param_t its = paramOf(param);
    return postAtomic(endpoint, Update(opcode, buffer, count, its), remote_addr, rkey, its);
  });
}

ucs_status_ptr_t ucxx_ep_flush_nbx(ucp_ep_h endpoint, const void* param) {
  return asPointer("ucp_ep_flush_nbx", [&] {
    if (isOfUcx(endpoint)) return ucp_ep_flush_nbx(endpoint, paramForUcx(param));
    return post(paramOf(param), Telling::Status, endpointOf(endpoint)->flushBuilder());
  });
}

ucs_status_ptr_t ucxx_worker_flush_nbx(ucp_worker_h worker, const void* param) {
  return asPointer("ucp_worker_flush_nbx", [&] {
    const std::shared_ptr<ucxx::Worker> its = libraryWorkerOf(worker);
    if (its == nullptr) return ucp_worker_flush_nbx(worker, paramForUcx(param));
    return post(paramOf(param), Telling::Status, its->flushBuilder());
  });
}
// NOLINTEND(readability-identifier-naming)
