// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What tests of the proposed UCP interface start from.

#pragma once

#include <string_view>

#include <ucxx/ucp_condition.h>

#include "core/log_lines.h"
#include "cuda/launches.h"

namespace ucxx::cuda::test {

class UcpTest : public testing::Test {
 protected:
  UcpTest() : worker_(streams_.ends.right_worker->getHandle()) {}

  ucp_ep_h left() const { return streams_.ends.left->getHandle(); }
  ucp_ep_h right() const { return streams_.ends.right->getHandle(); }
  ucp_condition_h make(ucp_condition_param_t& param) {
    ucp_condition_h condition = nullptr;
    EXPECT_EQ(ucp_create_condition(&param, &condition), UCS_OK);
    return condition;
  }
  ucp_condition_h ofStream() {
    ucp_condition_param_t param{};
    param.category = UCP_CONDITION_CATEGORY_STREAM;
    param.context = &streams_.stream;
    return make(param);
  }
  static ucxx_request_param_t with(ucp_condition_h condition) {
    ucxx_request_param_t param{};
    param.op_attr_mask = UCP_OP_ATTR_CONDITION;
    param.condition = condition;
    return param;
  }
  ucs_status_ptr_t send(const ucxx_request_param_t& param, const std::uint64_t& from = kFrom) {
    return ucp_tag_send_nbx(left(), &from, 8, kTag, &param);
  }
  ucs_status_ptr_t receive(std::uint64_t& to, const ucxx_request_param_t& param = {}) {
    return ucp_tag_recv_nbx(worker_, &to, 8, kTag, TagMaskFull, &param);
  }
  /// Of what a post gave in place of a request. UCX's macro evaluates its argument twice.
  static ucs_status_t statusIn(ucs_status_ptr_t given) {
    EXPECT_TRUE(UCS_PTR_IS_ERR(given));
    return UCS_PTR_STATUS(given);
  }
  /// Waits for the end, and frees it.
  ucs_status_t endOf(ucs_status_ptr_t request) {
    EXPECT_TRUE(
        streams_.ends.until([&] { return ucp_request_check_status(request) != UCS_INPROGRESS; }));
    const ucs_status_t status = ucp_request_check_status(request);
    ucp_request_free(request);
    return status;
  }
  /// `call` gives this status, and writes one line with this word.
  template <class Call>
  void refuses(ucs_status_t status, std::string_view word, const Call& call) {
    const std::size_t before = lines_.with(word);
    EXPECT_EQ(call(), status) << word;
    EXPECT_EQ(lines_.with(word), before + 1) << word;
  }

  static constexpr std::uint64_t kFrom = 7;
  core::test::Lines lines_;
  Streams streams_;
  const ucp_worker_h worker_;
};

}  // namespace ucxx::cuda::test
