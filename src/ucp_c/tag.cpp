// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Tag transfers, for C; what is not the library's goes to UCX.

#include <utility>

#include <ucxx/endpoint.h>
#include <ucxx/ucp_transfers.h>
#include <ucxx/worker.h>

#include "ucp_c/calls.h"
#include "ucp_c/handles.h"
#include "ucp_c/param.h"
#include "ucp_c/post.h"

namespace ucxx::ucp_c {
namespace {

RequestTagBuilder sendOf(Endpoint& endpoint, const void* buffer, std::size_t count, ucp_tag_t tag,
                         const ucxx_request_param_t& param) {
  if (isOfBlocks(param)) return endpoint.tagSendBuilder(blocksOf(buffer, count), Tag{tag});
  return endpoint.tagSendBuilder(buffer, bytesOfElements(count, param), Tag{tag});
}

RequestTagBuilder receiveOf(Worker& worker, void* buffer, std::size_t count, Tag tag, TagMask mask,
                            const ucxx_request_param_t& param) {
  if (isOfBlocks(param)) return worker.tagRecvBuilder(blocksOf(buffer, count), tag, mask);
  return worker.tagRecvBuilder(buffer, bytesOfElements(count, param), tag, mask);
}

ucs_status_ptr_t postSend(ucp_ep_h endpoint, const void* buffer, std::size_t count, ucp_tag_t tag,
                          const void* given, bool synchronous) {
  const ucxx_request_param_t param = paramOf(given);
  const std::shared_ptr<Endpoint> from = endpointOf(endpoint);
  return post(param, Telling::Status,
              sendOf(*from, buffer, count, tag, param).synchronous(synchronous));
}

}  // namespace
}  // namespace ucxx::ucp_c

using namespace ucxx::ucp_c;  // NOLINT(google-build-using-namespace): its own

// NOLINTBEGIN(readability-identifier-naming): UCX's names
ucs_status_ptr_t ucxx_tag_send_nbx(ucp_ep_h endpoint, const void* buffer, std::size_t count,
                                   ucp_tag_t tag, const void* param) {
  return asPointer("ucp_tag_send_nbx", [&] {
    return isOfUcx(endpoint) ? ucp_tag_send_nbx(endpoint, buffer, count, tag, paramForUcx(param))
                             : postSend(endpoint, buffer, count, tag, param, false);
  });
}

ucs_status_ptr_t ucxx_tag_send_sync_nbx(ucp_ep_h endpoint, const void* buffer, std::size_t count,
                                        ucp_tag_t tag, const void* param) {
  return asPointer("ucp_tag_send_sync_nbx", [&] {
    return isOfUcx(endpoint)
               ? ucp_tag_send_sync_nbx(endpoint, buffer, count, tag, paramForUcx(param))
               : postSend(endpoint, buffer, count, tag, param, true);
  });
}

ucs_status_ptr_t ucxx_tag_recv_nbx(ucp_worker_h worker, void* buffer, std::size_t count,
                                   ucp_tag_t tag, ucp_tag_t mask, const void* param) {
  return asPointer("ucp_tag_recv_nbx", [&] {
    const std::shared_ptr<ucxx::Worker> at = libraryWorkerOf(worker);
    if (at == nullptr)
      return ucp_tag_recv_nbx(worker, buffer, count, tag, mask, paramForUcx(param));
    const ucxx_request_param_t its = paramOf(param);
    return post(its, Telling::TagInfo,
                receiveOf(*at, buffer, count, ucxx::Tag{tag}, ucxx::TagMask{mask}, its));
  });
}
// NOLINTEND(readability-identifier-naming)
