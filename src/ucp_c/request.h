// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include <ucxx/condition.h>
#include <ucxx/request.h>
#include <ucxx/ucp_transfers.h>

namespace ucxx::ucp_c {

/// What the callback of a post is told of its end.
enum class Telling : std::uint8_t {
  Status,
  TagInfo,  ///< and the tag and length of what was received
  Length,   ///< and that length alone
};

/// What the end of a post for C needs: its callback, and the condition, which the operation keeps
/// by it.
class UcpEnd {
 public:
  UcpEnd(const ucxx_request_param_t& param, Telling telling, Condition condition, void* handle);

  /// The post has come back. False: it had ended before, and nobody was told. Else the callback is
  /// called at its end.
  bool announce(const std::shared_ptr<Request>& request);
  /// On the thread that moves the worker.
  void onEnd(ucs_status_t status);
  void call(const Request& request, ucs_status_t status) const;
  bool isNeeded() const noexcept { return has_callback_ || condition_; }

 private:
  const Telling telling_;
  const bool has_callback_;
  const decltype(ucxx_request_param_t::cb) callback_;
  void* const user_data_;
  const Condition condition_;
  void* const handle_;

  std::mutex mutex_;
  bool is_announced_ = false;
  bool has_ended_ = false;
  std::shared_ptr<Request> request_;  // from the announcement to the end
};

/// What a post gives.
struct UcpRequest {
  std::shared_ptr<Request> request;  // null: it has ended with success, without one
  Condition condition;               // at least until the request is freed
  bool caller_progresses = false;
};

}  // namespace ucxx::ucp_c
