// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Streams of bytes, for C; what is not the library's goes to UCX.

#include <fmt/format.h>

#include <ucxx/endpoint.h>
#include <ucxx/exception.h>
#include <ucxx/ucp_transfers.h>

#include "ucp_c/calls.h"
#include "ucp_c/handles.h"
#include "ucp_c/param.h"
#include "ucp_c/post.h"

namespace ucxx::ucp_c {
namespace {

/// Whether the receive ends with what is there. A part of an element would have to be kept.
bool takesSome(const ucxx_request_param_t& param) {
  if ((flagsOf(param) & UCP_STREAM_RECV_FLAG_WAITALL) != 0) return false;
  if (elementBytes(param) > 1)
    throw UnsupportedError(
        fmt::format("elements of {} bytes without UCP_STREAM_RECV_FLAG_WAITALL; set that flag, or "
                    "receive bytes",
                    elementBytes(param)));
  return true;
}

ucs_status_ptr_t postReceive(ucp_ep_h endpoint, void* buffer, std::size_t count,
                             std::size_t* length, const void* given) {
  const ucxx_request_param_t param = paramOf(given);
  const std::shared_ptr<Endpoint> at = endpointOf(endpoint);
  RequestStreamBuilder builder = at->streamRecvBuilder(buffer, bytesOfElements(count, param));
  builder.some(takesSome(param));
  return Post(param, Telling::Length, length).build(std::move(builder));
}

}  // namespace
}  // namespace ucxx::ucp_c

using namespace ucxx::ucp_c;  // NOLINT(google-build-using-namespace): its own

// NOLINTBEGIN(readability-identifier-naming): UCX's names
ucs_status_ptr_t ucxx_stream_send_nbx(ucp_ep_h endpoint, const void* buffer, std::size_t count,
                                      const void* param) {
  return asPointer("ucp_stream_send_nbx", [&] {
    if (isOfUcx(endpoint)) return ucp_stream_send_nbx(endpoint, buffer, count, paramForUcx(param));
    const ucxx_request_param_t its = paramOf(param);
    return post(its, Telling::Status,
                endpointOf(endpoint)->streamSendBuilder(buffer, bytesOfElements(count, its)));
  });
}

ucs_status_ptr_t ucxx_stream_recv_nbx(ucp_ep_h endpoint, void* buffer, std::size_t count,
                                      std::size_t* length, const void* param) {
  return asPointer("ucp_stream_recv_nbx", [&] {
    return isOfUcx(endpoint)
               ? ucp_stream_recv_nbx(endpoint, buffer, count, length, paramForUcx(param))
               : postReceive(endpoint, buffer, count, length, param);
  });
}
// NOLINTEND(readability-identifier-naming)
