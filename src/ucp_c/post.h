// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include <ucxx/request.h>

#include "ucp_c/condition.h"
#include "ucp_c/request.h"

namespace ucxx::ucp_c {

/// A post on its way: what it needs before it is built, and what its caller is given then.
class Post {
 public:
  /// Throws where nothing may be posted. `length`: where the length of what a receive has received
  /// goes if it ends in its call; null: nowhere, but for what `param` says.
  Post(const ucxx_request_param_t& param, Telling telling, std::size_t* length = nullptr);
  Post(const Post&) = delete;
  Post& operator=(const Post&) = delete;
  /// What was not built has no handle.
  ~Post();

  /// Builds `builder`, of a request that can have a callback and a condition. What the caller is
  /// given: null, a handle; throws what the transfer has failed with in its call.
  template <class Builder>
  ucs_status_ptr_t build(Builder builder) {
    if (result_->condition) builder.condition(result_->condition);
    if (end_->isNeeded())
      builder.callbackData(end_).callbackFunction(
          [](ucs_status_t status, std::shared_ptr<void> data) {
            static_cast<UcpEnd*>(data.get())->onEnd(status);
          });
    return give(builder.build());
  }

 private:
  ucs_status_ptr_t give(std::shared_ptr<Request> request);
  ucs_status_ptr_t giveEnded(const Request& request);
  void writeReceived(const Request& request) const;

  const ucxx_request_param_t& param_;
  const Telling telling_;
  std::size_t* const length_;
  const std::shared_ptr<UcpCondition> waits_;  // null: it has no condition
  void* const handle_;
  const std::shared_ptr<UcpRequest> result_;
  const std::shared_ptr<UcpEnd> end_;
  bool is_given_ = false;
};

/// `Post` for what receives no length.
template <class Builder>
ucs_status_ptr_t post(const ucxx_request_param_t& param, Telling telling, Builder builder) {
  return Post(param, telling).build(std::move(builder));
}

}  // namespace ucxx::ucp_c
