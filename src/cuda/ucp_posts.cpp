// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Tag transfers, for C; what is not the library's goes to UCX.

#include <cstring>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <ucxx/worker.h>

#include "base/file_descriptor.h"
#include "cuda/graph_condition.h"
#include "cuda/ucp_request.h"

// Here they mean UCX's own.
#undef ucp_tag_send_nbx
#undef ucp_tag_recv_nbx
#undef ucp_worker_progress

namespace ucxx::cuda {
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

bool hasBit(const ucxx_request_param_t& param, std::uint32_t bit) noexcept {
  return (param.op_attr_mask & bit) != 0;
}

/// A copy, up to where the caller's struct goes: UCX's has no condition.
ucxx_request_param_t paramOf(const void* given) {
  ucxx_request_param_t param{};
  if (given == nullptr) throw InvalidParamError("param is null; it is a ucxx_request_param_t");
  std::uint32_t mask = 0;
  std::memcpy(&mask, given, sizeof mask);
  const bool is_whole = (mask & UCP_OP_ATTR_CONDITION) != 0;
  std::memcpy(&param, given, is_whole ? sizeof param : sizeof param.ucp);
  return param;
}

bool hasCondition(const void* given) noexcept {
  std::uint32_t mask = 0;
  if (given != nullptr) std::memcpy(&mask, given, sizeof mask);
  return (mask & UCP_OP_ATTR_CONDITION) != 0;
}

std::size_t bytesOfElements(std::size_t count, const ucxx_request_param_t& param) {
  if (!hasBit(param, UCP_OP_ATTR_FIELD_DATATYPE)) return count;
  if ((param.datatype & UCP_DATATYPE_CLASS_MASK) != UCP_DATATYPE_CONTIG)
    throw UnsupportedError(
        fmt::format("the datatype 0x{:x} is not contiguous; use ucp_dt_make_contig, or the "
                    "functions of ucxx::Endpoint",
                    param.datatype));
  std::size_t bytes = 0;
  const std::size_t size = param.datatype >> UCP_DATATYPE_SHIFT;
  if (__builtin_mul_overflow(count, size, &bytes))
    throw InvalidParamError(fmt::format("{} elements of {} bytes are too many", count, size));
  return bytes;
}

void refuseAttributes(const ucxx_request_param_t& param) {
  if (hasBit(param, UCP_OP_ATTR_FIELD_REQUEST))
    throw UnsupportedError(
        "a request of the caller's (UCP_OP_ATTR_FIELD_REQUEST); the library makes its own");
  if (hasBit(param, UCP_OP_ATTR_FLAG_FORCE_IMM_CMPL))
    throw UnsupportedError(
        "UCP_OP_ATTR_FLAG_FORCE_IMM_CMPL; leave it out, and look at the request");
}

/// Null: it has none.
std::shared_ptr<UcpCondition> postedCondition(const ucxx_request_param_t& param) {
  if (!hasBit(param, UCP_OP_ATTR_CONDITION)) return nullptr;
  std::shared_ptr<UcpCondition> found = ucpConditions().find(param.condition);
  if (found == nullptr)
    throw InvalidParamError(
        fmt::format("the condition {} is none, or was destroyed; make one, by "
                    "ucp_create_condition, and destroy it after the post",
                    static_cast<const void*>(param.condition)));
  return found;
}

/// The first post with a graph's condition has made its node. A post that comes second does not
/// come back before the caller's struct is written, whichever of the two writes it.
void tellNode(UcpCondition& of_post) noexcept {
  const std::lock_guard lock(of_post.mutex);
  if (of_post.unwritten == nullptr) return;
  const auto& its = dynamic_cast<const GraphCondition&>(*of_post.condition.state());
  std::exchange(of_post.unwritten, nullptr)->context = const_cast<Node*>(its.nodePlace());
}

void writeTagInfo(const ucxx_request_param_t& param, const Request& request) {
  if (hasBit(param, UCP_OP_ATTR_FIELD_RECV_INFO))
    *param.recv_info.tag_info = {request.getSenderTag(), request.getReceivedLength()};
}

/// `end` is told of the end of what is built.
template <class Make>
std::shared_ptr<Request> build(const Make& make, const Condition& condition,
                               const std::shared_ptr<UcpEnd>& end) {
  RequestTagBuilder builder = make();
  if (condition) builder.condition(condition);
  if (end->isNeeded())
    builder.callbackData(end).callbackFunction([](ucs_status_t status, std::shared_ptr<void> data) {
      static_cast<UcpEnd*>(data.get())->onEnd(status);
    });
  return builder.build();
}

/// What a post gives that has ended in its call: null, or `handle` if the caller wants no such end.
ucs_status_ptr_t giveEnded(const ucxx_request_param_t& param, bool is_receive, void* handle,
                           const UcpEnd& end, const Request& request) {
  while (!request.isCompleted()) std::this_thread::yield();  // its callback is about to come back
  if (is_receive) writeTagInfo(param, request);
  if (hasBit(param, UCP_OP_ATTR_FLAG_NO_IMM_CMPL)) {
    end.call(request, request.getStatus());
    return handle;
  }
  ucpRequests().take(handle);
  request.checkError();
  return nullptr;
}

/// One post: `make` gives its builder.
template <class Make>
ucs_status_ptr_t postTag(const ucxx_request_param_t& param, bool is_receive, const Make& make) {
  base::requireNotForked();
  refuseAttributes(param);
  const std::shared_ptr<UcpCondition> waits = postedCondition(param);
  auto result = std::make_shared<UcpRequest>();
  if (waits != nullptr) result->condition = waits->condition;
  result->caller_progresses = waits != nullptr && waits->caller_progresses;
  void* const handle = core::handleOf<void*>(core::nextId());
  const auto end = std::make_shared<UcpEnd>(param, is_receive, result->condition, handle);
  ucpRequests().add(handle, result);  // what comes later must not fail
  try {
    result->request = build(make, result->condition, end);
  } catch (...) {
    ucpRequests().take(handle);
    throw;
  }
  if (waits != nullptr) tellNode(*waits);
  const Request& request = *result->request;
  const bool goes_on = end->isNeeded() ? end->announce(result->request) : !request.isCompleted();
  return goes_on ? handle : giveEnded(param, is_receive, handle, *end, request);
}

template <class Post>
ucs_status_ptr_t asPointer(const char* function, const Post& post) noexcept {
  ucs_status_ptr_t result = nullptr;
  const ucs_status_t status = ucpStatus(function, [&] {
    result = post();
    return UCS_OK;
  });
  return status == UCS_OK ? result : UCS_STATUS_PTR(status);
}

/// For a post to a handle of UCX's own. UCX knows no conditions.
const ucp_request_param_t* paramForUcx(const void* given) {
  if (hasCondition(given))
    throw UnsupportedError(
        "a condition with a handle of UCX's own; give what ucxx::Endpoint::getHandle or "
        "ucxx::Worker::getHandle gives");
  return static_cast<const ucp_request_param_t*>(given);
}

/// Null: `handle` is UCX's own.
std::shared_ptr<Worker> ucpWorkerOf(ucp_worker_h handle) {
  if (handle == nullptr)
    throw InvalidParamError("the worker is null; it is what ucxx::Worker::getHandle gives");
  return core::workerOfUcp(handle);
}

}  // namespace
}  // namespace ucxx::cuda

using namespace ucxx::cuda;  // NOLINT(google-build-using-namespace): its own

// NOLINTBEGIN(readability-identifier-naming): UCX's names
ucs_status_ptr_t ucxx_tag_send_nbx(ucp_ep_h endpoint, const void* buffer, std::size_t count,
                                   ucp_tag_t tag, const void* param) {
  return asPointer("ucp_tag_send_nbx", [&] {
    if (endpoint != nullptr && !ucxx::core::isOurs(endpoint))
      return ucp_tag_send_nbx(endpoint, buffer, count, tag, paramForUcx(param));
    const ucxx_request_param_t its = paramOf(param);
    const std::shared_ptr<ucxx::Endpoint> from = endpointOf(endpoint);
    const std::size_t bytes = bytesOfElements(count, its);
    return postTag(its, false, [&] { return from->tagSendBuilder(buffer, bytes, ucxx::Tag{tag}); });
  });
}

ucs_status_ptr_t ucxx_tag_recv_nbx(ucp_worker_h worker, void* buffer, std::size_t count,
                                   ucp_tag_t tag, ucp_tag_t mask, const void* param) {
  return asPointer("ucp_tag_recv_nbx", [&] {
    const std::shared_ptr<ucxx::Worker> at = ucpWorkerOf(worker);
    if (at == nullptr)
      return ucp_tag_recv_nbx(worker, buffer, count, tag, mask, paramForUcx(param));
    const ucxx_request_param_t its = paramOf(param);
    const std::size_t bytes = bytesOfElements(count, its);
    return postTag(its, true, [&] {
      return at->tagRecvBuilder(buffer, bytes, ucxx::Tag{tag}, ucxx::TagMask{mask});
    });
  });
}

unsigned ucxx_worker_progress(ucp_worker_h worker) {
  unsigned moved = 0;
  ucpStatus("ucp_worker_progress", [&] {
    const std::shared_ptr<ucxx::Worker> its = ucpWorkerOf(worker);
    moved = its == nullptr ? ucp_worker_progress(worker) : its->progress() ? 1 : 0;
    return UCS_OK;
  });
  return moved;
}
// NOLINTEND(readability-identifier-naming)
