// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/ucp_request.h"

#include <utility>

#include "base/immortal.h"

namespace ucxx::cuda {

UcpEnd::UcpEnd(const ucxx_request_param_t& param, bool is_receive, Condition condition,
               void* handle)
    : condition_(std::move(condition)), handle_(handle) {
  if ((param.op_attr_mask & UCP_OP_ATTR_FIELD_USER_DATA) != 0) user_data_ = param.user_data;
  if ((param.op_attr_mask & UCP_OP_ATTR_FIELD_CALLBACK) == 0) return;
  if (is_receive)
    receive_ = param.cb.recv;
  else
    send_ = param.cb.send;
}

bool UcpEnd::announce(const std::shared_ptr<Request>& request) {
  const std::lock_guard lock(mutex_);
  if (has_ended_) return false;
  is_announced_ = true;
  request_ = request;
  return true;
}

void UcpEnd::onEnd(ucs_status_t status) {
  std::shared_ptr<Request> request;
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    if (!is_announced_) return;
    request = std::move(request_);
  }
  call(*request, status);
}

void UcpEnd::call(const Request& request, ucs_status_t status) const {
  if (send_ != nullptr) send_(handle_, status, user_data_);
  if (receive_ == nullptr) return;
  const ucp_tag_recv_info_t info{request.getSenderTag(), request.getReceivedLength()};
  receive_(handle_, status, &info, user_data_);
}

HandleTable<UcpRequest>& ucpRequests() {
  static base::Immortal<HandleTable<UcpRequest>> only;
  return *only;
}

}  // namespace ucxx::cuda
