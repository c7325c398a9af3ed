// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "ucp_c/request.h"

#include <utility>

#include "ucp_c/param.h"

namespace ucxx::ucp_c {
namespace {

/// Null: the caller wants none.
bool hasCallback(const ucxx_request_param_t& param) noexcept {
  return hasBit(param, UCP_OP_ATTR_FIELD_CALLBACK) && param.cb.send != nullptr;
}

}  // namespace

UcpEnd::UcpEnd(const ucxx_request_param_t& param, Telling telling, Condition condition,
               void* handle)
    : telling_(telling),
      has_callback_(hasCallback(param)),
      callback_(param.cb),
      user_data_(hasBit(param, UCP_OP_ATTR_FIELD_USER_DATA) ? param.user_data : nullptr),
      condition_(std::move(condition)),
      handle_(handle) {}

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
  if (!has_callback_) return;
  const std::size_t length = request.getReceivedLength();
  const ucp_tag_recv_info_t info{request.getSenderTag(), length};
  switch (telling_) {
    case Telling::Status:
      return callback_.send(handle_, status, user_data_);
    case Telling::TagInfo:
      return callback_.recv(handle_, status, &info, user_data_);
    case Telling::Length:
      return callback_.recv_stream(handle_, status, length, user_data_);
  }
}

}  // namespace ucxx::ucp_c
