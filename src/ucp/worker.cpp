// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "ucp/worker.h"

#include "ucp/complaints.h"
#include "ucp/library.h"
#include "ucp/request_param.h"

namespace ucxx::ucp {
Worker::Worker(Context& context, ThreadMode mode, bool wakeup, const ChannelEvents& events)
    : events_(events) {
  requireDescriptors("create the UCX worker");
  ucp_worker_params_t params{};
  params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  params.thread_mode = static_cast<ucs_thread_mode_t>(mode);
  const Complaints complaints;
  complaints.check(ucp_worker_create(context.handle(), &params, &handle_), "create the UCX worker");
  try {
    installHandler();
    query();
    if (wakeup) check(ucp_worker_get_efd(handle_, &event_fd_), "get the UCX event descriptor");
  } catch (...) {
    ucp_worker_destroy(handle_);
    throw;
  }
}

Worker::~Worker() { ucp_worker_destroy(handle_); }

bool Worker::progress() noexcept { return ucp_worker_progress(handle_) != 0; }

bool Worker::arm() noexcept { return ucp_worker_arm(handle_) == UCS_OK; }

void Worker::installHandler() {
  ucp_am_handler_param_t param{};
  param.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS |
                     UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG;
  param.id = kMessageId;
  param.flags = UCP_AM_FLAG_WHOLE_MSG;
  param.cb = onActiveMessage;
  param.arg = this;
  check(ucp_worker_set_am_recv_handler(handle_, &param), "install the message handler");
}

void Worker::query() {
  ucp_worker_attr_t attributes{};
  attributes.field_mask = UCP_WORKER_ATTR_FIELD_MAX_AM_HEADER;
  check(ucp_worker_query(handle_, &attributes), "query the UCX worker");
  max_header_bytes_ = attributes.max_am_header;
}

std::vector<std::byte> Worker::address() const {
  ucp_address_t* address = nullptr;
  std::size_t size = 0;
  check(ucp_worker_get_address(handle_, &address, &size), "get the UCX worker address");
  const auto* first = reinterpret_cast<const std::byte*>(address);
  std::vector<std::byte> result(first, first + size);
  ucp_worker_release_address(handle_, address);
  return result;
}

std::string Worker::info() const {
  return captured([this](std::FILE* stream) { ucp_worker_print_info(handle_, stream); });
}

ucs_status_t Worker::onActiveMessage(void* self, const void* header, std::size_t header_size,
                                     void* data, std::size_t size,
                                     const ucp_am_recv_param_t* param) {
  const auto& events = static_cast<Worker*>(self)->events_;
  const bool announced = (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) != 0;
  const Payload payload{announced ? nullptr : data, size, announced ? data : nullptr};
  events.onMessage(events.owner, {static_cast<const std::byte*>(header), header_size}, payload);
  // An announcement stays ours until it is fetched or dropped; bytes were copied.
  return announced ? UCS_INPROGRESS : UCS_OK;
}

ucs_status_t Worker::fetch(void* announcement, void* buffer, std::size_t size,
                           base::Completion& completion) {
  ucp_request_param_t param = requestParam(completion);
  param.cb.recv_am = [](void* request, ucs_status_t status, std::size_t, void* user_data) {
    finish(request, status, user_data);
  };
  return inlineStatus(ucp_am_recv_data_nbx(handle_, announcement, buffer, size, &param));
}

void Worker::drop(void* announcement) noexcept { ucp_am_data_release(handle_, announcement); }

ucs_status_t Worker::flush(base::Completion& completion) {
  if (!flushes()) return UCS_OK;
  const ucp_request_param_t param = requestParam(completion);
  return inlineStatus(ucp_worker_flush_nbx(handle_, &param));
}

}  // namespace ucxx::ucp
