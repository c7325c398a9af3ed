// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// UCX's functions as programs call them on our handles.

#include <optional>

#include <ucxx/exception.h>
#include <ucxx/request.h>
#include <ucxx/ucp_calls.h>
#include <ucxx/ucp_condition_types.h>
#include <ucxx/worker.h>

#include "base/file_descriptor.h"
#include "base/id128.h"
#include "base/log.h"
#include "core/channel/port.h"
#include "core/link/endpoints.h"
#include "core/link/socket_ends.h"
#include "core/loop/loop.h"
#include "core/loop/posts.h"
#include "core/match/endpoint_state.h"
#include "core/match/inlet.h"
#include "core/match/matcher.h"
#include "core/match/message.h"
#include "core/match/probed.h"
#include "core/meet/listeners.h"
#include "core/request/device_memory.h"
#include "core/request/handles.h"
#include "door/door.h"
#include "ucp/worker.h"

// Here they mean UCX's own.
#undef ucp_conn_request_query
#undef ucp_listener_reject
#undef ucp_listener_query
#undef ucp_ep_query
#undef ucp_ep_print_info
#undef ucp_tag_msg_recv_nbx

namespace ucxx::core {
namespace {

constexpr std::uint64_t kSocketFields =
    UCP_EP_ATTR_FIELD_LOCAL_SOCKADDR | UCP_EP_ATTR_FIELD_REMOTE_SOCKADDR;

/// The status of `call`, or of what it throws: callers are C.
template <class Call>
ucs_status_t asStatus(const Call& call) noexcept {
  try {
    return call();
  } catch (const std::invalid_argument&) {
    return UCS_ERR_INVALID_PARAM;
  } catch (const Error& error) {
    return error.status();
  } catch (...) {
    return UCS_ERR_NO_MEMORY;
  }
}

/// Runs `task` on the loop whose handle it is, and gives its status.
template <class Task>
ucs_status_t onLoopOf(const void* handle, Task task) noexcept {
  return asStatus([&] {
    base::requireNotForked();
    const std::shared_ptr<Worker> worker = workerOf(handle);
    if (worker == nullptr) return UCS_ERR_INVALID_PARAM;
    Loop& loop = worker->loop();
    ucs_status_t status = UCS_OK;
    loop.posts.run([&] { status = task(loop); });
    return status;
  });
}

/// Null without connection and for an endpoint to the own worker.
ucp_ep_h nativeOf(const EndpointState& endpoint) noexcept {
  const bool has_one = endpoint.inlet != nullptr && endpoint.inlet->ucp != nullptr;
  return has_one ? endpoint.inlet->ucp->handle() : nullptr;
}

/// On the local channel an endpoint has a name, and nothing else of UCX's.
ucs_status_t queryLocally(const EndpointState& endpoint, ucp_ep_attr_t& attributes) noexcept {
  const bool is_local = endpoint.inlet != nullptr && endpoint.inlet->local != nullptr;
  if (!is_local || (attributes.field_mask & ~kSocketFields) != UCP_EP_ATTR_FIELD_NAME)
    return UCS_ERR_NOT_CONNECTED;
  const std::string name = "local_" + toString(endpoint.inlet->peer);
  attributes.name[name.copy(attributes.name, sizeof attributes.name - 1)] = '\0';
  attributes.name[sizeof attributes.name - 1] = '\0';
  return UCS_OK;
}

ucs_status_t query(const EndpointState& endpoint, ucp_ep_attr_t& attributes) {
  const std::uint64_t wanted = attributes.field_mask;
  if ((wanted & kSocketFields) != 0) {
    const std::optional<SocketEnds> ends = socketEnds(endpoint);
    if (!ends) return UCS_ERR_NOT_CONNECTED;
    attributes.local_sockaddr = ends->local.storage;
    attributes.remote_sockaddr = ends->peer.storage;
  }
  if ((wanted & ~kSocketFields) == 0) return UCS_OK;
  const ucp_ep_h native = nativeOf(endpoint);
  if (native == nullptr) return queryLocally(endpoint, attributes);
  attributes.field_mask = wanted & ~kSocketFields;
  const ucs_status_t status = ucp_ep_query(native, &attributes);
  attributes.field_mask = wanted;
  return status;
}

/// How many bytes a buffer of `count` elements has; nothing for datatypes that we do not move.
std::optional<std::size_t> bytesOf(std::size_t count, const ucp_request_param_t& param) noexcept {
  const bool is_typed = (param.op_attr_mask & UCP_OP_ATTR_FIELD_DATATYPE) != 0;
  constexpr std::uint32_t kNotOffered = UCP_OP_ATTR_FLAG_NO_IMM_CMPL | UCP_OP_ATTR_CONDITION;
  if ((param.op_attr_mask & kNotOffered) != 0) return std::nullopt;
  if (!is_typed) return count;
  if ((param.datatype & UCP_DATATYPE_CLASS_MASK) != UCP_DATATYPE_CONTIG) return std::nullopt;
  return count * (param.datatype >> UCP_DATATYPE_SHIFT);
}

/// Whether a receive of `message` would end in its call.
ucs_status_t readiness(const Message& message, std::size_t length) noexcept {
  if (message.size > length) return UCS_ERR_MESSAGE_TRUNCATED;
  const bool is_over = message.is_recalled || message.isLost();
  if (message.isWhole() || message.sender != nullptr || is_over) return UCS_OK;
  base::log(LogLevel::Warn, "worker",
            "ucp_tag_msg_recv_nbx: the payload of {} bytes is still with its sender; receive it "
            "with Worker::tagRecvWithHandle",
            message.size);
  return UCS_ERR_UNSUPPORTED;
}

ucs_status_t receive(void* buffer, std::size_t count, ucp_tag_message_h handle,
                     const ucp_request_param_t& param) {
  base::requireNotForked();
  const std::optional<std::size_t> length = bytesOf(count, param);
  if (!length || isDeviceMemory(buffer)) return UCS_ERR_UNSUPPORTED;
  const Probed probed = takeProbed(handle);
  if (probed.message == nullptr) return UCS_ERR_INVALID_PARAM;
  ucs_status_t status = UCS_OK;
  probed.worker->loop().posts.run([&] { status = readiness(*probed.message, *length); });
  if (status != UCS_OK) {
    putProbedBack(handle, probed);
    return status;
  }
  const std::shared_ptr<Request> request = receiveProbed(probed, buffer);
  request->wait();  // for the loop at most
  if ((param.op_attr_mask & UCP_OP_ATTR_FIELD_RECV_INFO) != 0 &&
      param.recv_info.tag_info != nullptr)
    *param.recv_info.tag_info = {request->getSenderTag(), request->getReceivedLength()};
  return request->getStatus();
}

void print(const EndpointState& endpoint, std::FILE* stream) {
  if (const ucp_ep_h native = nativeOf(endpoint)) return ucp_ep_print_info(native, stream);
  std::fputs("#\n# UCXX endpoint that does not use UCX\n#\n", stream);
}

}  // namespace
}  // namespace ucxx::core

using namespace ucxx::core;

ucs_status_t ucxx_conn_request_query(ucp_conn_request_h request,
                                     ucp_conn_request_attr_t* attributes) {
  if (!isOurs(request)) return ucp_conn_request_query(request, attributes);
  if (attributes == nullptr) return UCS_ERR_INVALID_PARAM;
  return onLoopOf(request, [&](Loop& loop) {
    const auto ends = socketEnds(*listenersOf(loop).request(request).endpoint);
    if (!ends) return UCS_ERR_NOT_CONNECTED;
    if ((attributes->field_mask & UCP_CONN_REQUEST_ATTR_FIELD_CLIENT_ADDR) != 0)
      attributes->client_address = ends->peer.storage;
    if ((attributes->field_mask & UCP_CONN_REQUEST_ATTR_FIELD_CLIENT_ID) != 0)
      attributes->client_id = 0;
    return UCS_OK;
  });
}

ucs_status_t ucxx_listener_reject(ucp_listener_h listener, ucp_conn_request_h request) {
  if (!isOurs(request))
    return isOurs(listener) ? UCS_ERR_INVALID_PARAM : ucp_listener_reject(listener, request);
  return onLoopOf(request, [&](Loop& loop) {
    listenersOf(loop).reject(request);
    return UCS_OK;
  });
}

ucs_status_t ucxx_listener_query(ucp_listener_h listener, ucp_listener_attr_t* attributes) {
  if (!isOurs(listener)) return ucp_listener_query(listener, attributes);
  if (attributes == nullptr) return UCS_ERR_INVALID_PARAM;
  return onLoopOf(listener, [&](Loop& loop) {
    const ListenerState* state = listenersOf(loop).find(idOf(listener));
    if (state == nullptr) return UCS_ERR_INVALID_PARAM;
    if ((attributes->field_mask & UCP_LISTENER_ATTR_FIELD_SOCKADDR) != 0)
      attributes->sockaddr = state->bound.storage;
    return UCS_OK;
  });
}

ucs_status_t ucxx_ep_query(ucp_ep_h endpoint, ucp_ep_attr_t* attributes) {
  if (!isOurs(endpoint)) return ucp_ep_query(endpoint, attributes);
  if (attributes == nullptr) return UCS_ERR_INVALID_PARAM;
  return onLoopOf(endpoint, [&](Loop& loop) {
    const EndpointState* state = endpointsOf(loop).find(idOf(endpoint));
    return state == nullptr ? UCS_ERR_INVALID_PARAM : query(*state, *attributes);
  });
}

void ucxx_ep_print_info(ucp_ep_h endpoint, FILE* stream) {
  if (!isOurs(endpoint)) return ucp_ep_print_info(endpoint, stream);
  onLoopOf(endpoint, [&](Loop& loop) {
    if (const EndpointState* state = endpointsOf(loop).find(idOf(endpoint))) print(*state, stream);
    return UCS_OK;
  });
}

ucs_status_ptr_t ucxx_tag_msg_recv_nbx(ucp_worker_h worker, void* buffer, std::size_t count,
                                       ucp_tag_message_h message,
                                       const ucp_request_param_t* param) {
  if (message != nullptr && !isOurs(message))
    return ucp_tag_msg_recv_nbx(worker, buffer, count, message, param);
  if (param == nullptr) return UCS_STATUS_PTR(UCS_ERR_INVALID_PARAM);
  const ucs_status_t status = asStatus([&] { return receive(buffer, count, message, *param); });
  return UCS_STATUS_PTR(status);
}
