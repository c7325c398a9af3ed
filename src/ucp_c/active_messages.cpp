// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Active messages, for C; what is not the library's goes to UCX.

#include <cstring>

#include <fmt/format.h>

#include <ucxx/endpoint.h>
#include <ucxx/exception.h>
#include <ucxx/ucp_active_messages.h>
#include <ucxx/worker.h>

#include "core/request/device_memory.h"
#include "ucp_c/am_data.h"
#include "ucp_c/am_id.h"
#include "ucp_c/calls.h"
#include "ucp_c/handles.h"
#include "ucp_c/param.h"
#include "ucp_c/post.h"

namespace ucxx::ucp_c {
namespace {

/// UCX takes the field for a hint, which may be wrong: the buffer is asked.
ucs_memory_type_t memoryTypeOf(const void* buffer) {
  return core::isDeviceMemory(buffer) ? UCS_MEMORY_TYPE_CUDA : UCS_MEMORY_TYPE_HOST;
}

RequestAmBuilder sendOf(Endpoint& endpoint, const void* buffer, std::size_t count,
                        AmSendParams&& message, const ucxx_request_param_t& param) {
  if (isOfBlocks(param)) {
    message.datatype = UCP_DATATYPE_IOV;
    return endpoint.amSendBuilder(blocksOf(buffer, count), message);
  }
  message.memoryType = memoryTypeOf(buffer);
  return endpoint.amSendBuilder(buffer, bytesOfElements(count, param), message);
}

ucs_status_ptr_t postSend(Endpoint& endpoint, AmSendParams&& message, const void* buffer,
                          std::size_t count, const void* given) {
  const ucxx_request_param_t param = paramOf(given);
  return post(param, Telling::Status, sendOf(endpoint, buffer, count, std::move(message), param));
}

/// What a receive of data gives that wants a request, though it has ended.
ucs_status_ptr_t endedRequest(const ucxx_request_param_t& param, std::size_t length) {
  void* const handle = core::handleOf<void*>(core::nextId());
  HandleTable<UcpRequest>::all().add(handle, std::make_shared<UcpRequest>());
  const bool has_callback =
      hasBit(param, UCP_OP_ATTR_FIELD_CALLBACK) && param.cb.recv_am != nullptr;
  void* const user_data = hasBit(param, UCP_OP_ATTR_FIELD_USER_DATA) ? param.user_data : nullptr;
  if (has_callback) param.cb.recv_am(handle, UCS_OK, length, user_data);
  return handle;
}

void requireReceivable(const ucxx_request_param_t& param, const void* buffer, std::size_t bytes) {
  if (buffer == nullptr && bytes != 0)
    throw InvalidParamError(fmt::format("the buffer is null, with {} bytes", bytes));
  if (hasBit(param, UCP_OP_ATTR_CONDITION))
    throw UnsupportedError(
        "a condition; the message is here, and is copied in the call: call it when the buffer may "
        "be written");
  if (core::isDeviceMemory(buffer))
    throw UnsupportedError(fmt::format(
        "the buffer {} is in the memory of a device; receive into the host's, and copy", buffer));
}

bool isKnown(void* address) { return HandleTable<AmData>::all().find(address) != nullptr; }

std::shared_ptr<AmData> knownData(void* address) {
  std::shared_ptr<AmData> found = HandleTable<AmData>::all().find(address);
  if (found == nullptr)
    throw InvalidParamError(
        fmt::format("{} is no data of an active message, or they were given back", address));
  return found;
}

ucs_status_ptr_t receiveData(void* address, void* buffer, std::size_t count, const void* given) {
  const ucxx_request_param_t param = paramOf(given);
  const std::size_t bytes = bytesOfElements(count, param);
  (void)knownData(address);
  requireReceivable(param, buffer, bytes);
  const std::shared_ptr<AmData> data = HandleTable<AmData>::all().take(address);
  if (data == nullptr) (void)knownData(address);  // another thread was faster
  if (data->length > bytes)
    throw MessageTruncatedError(
        fmt::format("the message has {} bytes, the buffer {}", data->length, bytes));
  if (data->length != 0) std::memcpy(buffer, address, data->length);
  if (hasBit(param, UCP_OP_ATTR_FIELD_RECV_INFO) && param.recv_info.length != nullptr)
    *param.recv_info.length = data->length;
  const bool wants_request = hasBit(param, UCP_OP_ATTR_FLAG_NO_IMM_CMPL);
  return wants_request ? endedRequest(param, data->length) : nullptr;
}

}  // namespace
}  // namespace ucxx::ucp_c

using namespace ucxx::ucp_c;  // NOLINT(google-build-using-namespace): its own

// NOLINTBEGIN(readability-identifier-naming): UCX's names
ucs_status_ptr_t ucxx_am_send_nbx(ucp_ep_h endpoint, unsigned id, const void* header,
                                  std::size_t header_length, const void* buffer, std::size_t count,
                                  const void* param) {
  return asPointer("ucp_am_send_nbx", [&] {
    if (isOfUcx(endpoint))
      return ucp_am_send_nbx(endpoint, id, header, header_length, buffer, count,
                             paramForUcx(param));
    const std::shared_ptr<ucxx::Endpoint> from = endpointOf(endpoint);
    ucxx::AmSendParams message;
    message.receiverCallbackInfo = callbackOf(id);
    message.setUserHeader(header, header_length);
    return postSend(*from, std::move(message), buffer, count, param);
  });
}

ucs_status_ptr_t ucxx_am_recv_data_nbx(ucp_worker_h worker, void* data_desc, void* buffer,
                                       std::size_t count, const void* param) {
  return asPointer("ucp_am_recv_data_nbx", [&] {
    const bool is_of_ucx = libraryWorkerOf(worker) == nullptr && !isKnown(data_desc);
    return is_of_ucx ? ucp_am_recv_data_nbx(worker, data_desc, buffer, count, paramForUcx(param))
                     : receiveData(data_desc, buffer, count, param);
  });
}

void ucxx_am_data_release(ucp_worker_h worker, void* data) {
  asNothing("ucp_am_data_release", [&] {
    if (HandleTable<AmData>::all().take(data) != nullptr) return;
    if (libraryWorkerOf(worker) != nullptr) (void)knownData(data);
    ucp_am_data_release(worker, data);
  });
}
// NOLINTEND(readability-identifier-naming)
