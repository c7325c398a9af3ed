// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Requests, for C; what is not the library's goes to UCX.

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "ucp_c/calls.h"
#include "ucp_c/handle_table.h"
#include "ucp_c/handles.h"
#include "ucp_c/request.h"

namespace ucxx::ucp_c {
namespace {

/// Posts give null or a status, too.
bool isRequestOfUcx(const void* request) noexcept {
  return isOfUcx(request) && !UCS_PTR_IS_ERR(request);
}

[[noreturn]] void refuseRequest(const void* handle) {
  throw InvalidParamError(
      fmt::format("the request {} is none, or was freed; a transfer that has ended in its call "
                  "gives null or a status in place of one",
                  handle));
}

std::shared_ptr<UcpRequest> knownRequest(const void* handle) {
  std::shared_ptr<UcpRequest> found = HandleTable<UcpRequest>::all().find(handle);
  if (found == nullptr) refuseRequest(handle);
  return found;
}

/// Calls `tell` with a request of the library that has ended.
template <class Tell>
ucs_status_t requestStatus(void* handle, const Tell& tell) {
  if (handle == nullptr) return UCS_OK;
  if (UCS_PTR_IS_ERR(handle)) return UCS_PTR_STATUS(handle);
  const std::shared_ptr<Request> request = knownRequest(handle)->request;
  if (request == nullptr) return UCS_OK;
  if (!request->isCompleted()) return UCS_INPROGRESS;
  tell(*request);
  return request->getStatus();
}

ucs_status_t waitOnRequest(void* handle, CUstream_st* stream) {
  if (handle == nullptr) return UCS_OK;
  if (UCS_PTR_IS_ERR(handle)) return UCS_PTR_STATUS(handle);
  if (!core::isOurs(handle))
    throw UnsupportedError(
        fmt::format("the request {} is UCX's own; give one of a transfer with a handle of "
                    "ucxx::Endpoint or ucxx::Worker",
                    handle));
  const std::shared_ptr<UcpRequest> found = knownRequest(handle);
  // In a capture, too: null, which an earlier end would have given, is taken there.
  if (found->request == nullptr || found->request->isCompleted()) return UCS_OK;
  found->request->waitOn(stream, found->caller_progresses);
  return UCS_OK;
}

}  // namespace
}  // namespace ucxx::ucp_c

using namespace ucxx::ucp_c;  // NOLINT(google-build-using-namespace): its own

// NOLINTBEGIN(readability-identifier-naming): UCX's names
ucs_status_t ucxx_request_check_status(void* request) {
  if (isRequestOfUcx(request)) return ucp_request_check_status(request);
  return asStatus("ucp_request_check_status",
                  [&] { return requestStatus(request, [](const ucxx::Request&) {}); });
}

ucs_status_t ucxx_tag_recv_request_test(void* request, ucp_tag_recv_info_t* info) {
  if (isRequestOfUcx(request)) return ucp_tag_recv_request_test(request, info);
  return asStatus("ucp_tag_recv_request_test", [&] {
    return requestStatus(request, [&](const ucxx::Request& its) {
      if (info != nullptr) *info = {its.getSenderTag(), its.getReceivedLength()};
    });
  });
}

ucs_status_t ucxx_stream_recv_request_test(void* request, std::size_t* length) {
  if (isRequestOfUcx(request)) return ucp_stream_recv_request_test(request, length);
  return asStatus("ucp_stream_recv_request_test", [&] {
    return requestStatus(request, [&](const ucxx::Request& its) {
      if (length != nullptr) *length = its.getReceivedLength();
    });
  });
}

int ucxx_request_is_completed(void* request) {
  return ucxx_request_check_status(request) == UCS_INPROGRESS ? 0 : 1;
}

void ucxx_request_cancel(ucp_worker_h worker, void* request) {
  if (isRequestOfUcx(request)) return ucp_request_cancel(worker, request);
  if (request == nullptr || UCS_PTR_IS_ERR(request)) return;
  asNothing("ucp_request_cancel", [&] {
    const std::shared_ptr<UcpRequest> its = knownRequest(request);
    if (its->request != nullptr) its->request->cancel();
  });
}

void ucxx_request_free(void* request) {
  if (isRequestOfUcx(request)) return ucp_request_free(request);
  if (request == nullptr || UCS_PTR_IS_ERR(request)) return;
  asNothing("ucp_request_free", [&] {
    if (HandleTable<UcpRequest>::all().take(request) == nullptr) refuseRequest(request);
  });
}

ucs_status_t ucxx_request_wait_on(void* request, CUstream_st* stream) {
  return asStatus("ucxx_request_wait_on", [&] { return waitOnRequest(request, stream); });
}
// NOLINTEND(readability-identifier-naming)
