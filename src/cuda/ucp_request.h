// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <mutex>

#include "cuda/ucp_handles.h"

namespace ucxx::cuda {

/// What the end of a post for C needs: its callback, and the condition, which the operation keeps
/// by it.
class UcpEnd {
 public:
  UcpEnd(const ucxx_request_param_t& param, bool is_receive, Condition condition, void* handle);

  /// The post has come back. False: it had ended before, and nobody was told. Else the callback is
  /// called at its end.
  bool announce(const std::shared_ptr<Request>& request);
  /// On the thread that moves the worker.
  void onEnd(ucs_status_t status);
  void call(const Request& request, ucs_status_t status) const;
  bool isNeeded() const noexcept { return send_ != nullptr || receive_ != nullptr || condition_; }

 private:
  ucp_send_nbx_callback_t send_ = nullptr;
  ucp_tag_recv_nbx_callback_t receive_ = nullptr;
  void* user_data_ = nullptr;
  const Condition condition_;
  void* const handle_;

  std::mutex mutex_;
  bool is_announced_ = false;
  bool has_ended_ = false;
  std::shared_ptr<Request> request_;  // from the announcement to the end
};

/// What `ucp_tag_send_nbx` and its like give.
struct UcpRequest {
  std::shared_ptr<Request> request;
  Condition condition;  // at least until the request is freed
  bool caller_progresses = false;
};

HandleTable<UcpRequest>& ucpRequests();

}  // namespace ucxx::cuda
