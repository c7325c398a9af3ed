// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Requests of tag transfers, for C; what is not the library's goes to UCX.

#include <fmt/format.h>

#include "cuda/ucp_request.h"

// Here they mean UCX's own.
#undef ucp_request_check_status
#undef ucp_tag_recv_request_test
#undef ucp_request_cancel
#undef ucp_request_free

namespace ucxx::cuda {
namespace {

/// Neither null nor a status, and not the library's.
bool isOfUcx(const void* request) noexcept {
  return request != nullptr && !UCS_PTR_IS_ERR(request) && !core::isOurs(request);
}

[[noreturn]] void refuseRequest(const void* handle) {
  throw InvalidParamError(
      fmt::format("the request {} is none, or was freed; a transfer that has ended in its call "
                  "gives null or a status in place of one",
                  handle));
}

std::shared_ptr<UcpRequest> knownRequest(const void* handle) {
  std::shared_ptr<UcpRequest> found = ucpRequests().find(handle);
  if (found == nullptr) refuseRequest(handle);
  return found;
}

ucs_status_t requestStatus(void* handle, ucp_tag_recv_info_t* info) {
  if (handle == nullptr) return UCS_OK;
  if (UCS_PTR_IS_ERR(handle)) return UCS_PTR_STATUS(handle);
  const std::shared_ptr<UcpRequest> found = knownRequest(handle);
  const Request& request = *found->request;
  if (!request.isCompleted()) return UCS_INPROGRESS;
  if (info != nullptr) *info = {request.getSenderTag(), request.getReceivedLength()};
  return request.getStatus();
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
  if (found->request->isCompleted()) return UCS_OK;
  found->request->waitOn(stream, found->caller_progresses);
  return UCS_OK;
}

}  // namespace
}  // namespace ucxx::cuda

using namespace ucxx::cuda;  // NOLINT(google-build-using-namespace): its own

// NOLINTBEGIN(readability-identifier-naming): UCX's names
ucs_status_t ucxx_request_check_status(void* request) {
  if (isOfUcx(request)) return ucp_request_check_status(request);
  return ucpStatus("ucp_request_check_status", [&] { return requestStatus(request, nullptr); });
}

ucs_status_t ucxx_tag_recv_request_test(void* request, ucp_tag_recv_info_t* info) {
  if (isOfUcx(request)) return ucp_tag_recv_request_test(request, info);
  return ucpStatus("ucp_tag_recv_request_test", [&] { return requestStatus(request, info); });
}

void ucxx_request_cancel(ucp_worker_h worker, void* request) {
  if (isOfUcx(request)) return ucp_request_cancel(worker, request);
  if (request == nullptr || UCS_PTR_IS_ERR(request)) return;
  ucpStatus("ucp_request_cancel", [&] {
    knownRequest(request)->request->cancel();
    return UCS_OK;
  });
}

void ucxx_request_free(void* request) {
  if (isOfUcx(request)) return ucp_request_free(request);
  if (request == nullptr || UCS_PTR_IS_ERR(request)) return;
  ucpStatus("ucp_request_free", [&] {
    if (ucpRequests().take(request) == nullptr) refuseRequest(request);
    return UCS_OK;
  });
}

ucs_status_t ucxx_request_wait_on(void* request, CUstream_st* stream) {
  return ucpStatus("ucxx_request_wait_on", [&] { return waitOnRequest(request, stream); });
}
// NOLINTEND(readability-identifier-naming)
