// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The proposed UCP interface: the peer of every operation is a process that is killed.

#include <array>
#include <csignal>
#include <map>
#include <string>

#include <ucxx/remote_key.h>
#include <ucxx/ucp_condition.h>

#include "core/condition_peer.h"
#include "cuda/streams.h"

namespace ucxx::cuda::test {
namespace {

struct WithDevice {
  WithDevice() { gpu::useDevice(); }
};

class UcpPeerTest : WithDevice, public ConditionPeerTest, public testing::Test {
 protected:
  UcpPeerTest() : ConditionPeerTest("with_memory", Mode::Adaptive), stream_(gpu::makeStream()) {
    std::array<char, 48> key{};
    const auto received = endpoint_->tagRecv(key.data(), key.size(), core::test::kKeyTag);
    EXPECT_TRUE(ended({received}));
    EXPECT_EQ(ucp_ep_rkey_unpack(peer(), key.data(), &key_), UCS_OK);
    address_ = createRemoteKeyFromSerialized(endpoint_, std::string(key.data(), key.size()))
                   ->getBaseAddress();
  }
  ~UcpPeerTest() override { ucp_rkey_destroy(key_); }

  ucp_ep_h peer() const { return endpoint_->getHandle(); }
  /// Every operation on the endpoint, with the condition of the stream.
  std::map<std::string, ucs_status_ptr_t> postAll() {
    ucp_condition_param_t of_stream{};
    of_stream.category = UCP_CONDITION_CATEGORY_STREAM;
    of_stream.context = &stream_;
    ucxx_request_param_t param{};
    param.op_attr_mask = UCP_OP_ATTR_CONDITION;
    EXPECT_EQ(ucp_create_condition(&of_stream, &param.condition), UCS_OK);
    ucxx_request_param_t atomic = param;
    atomic.op_attr_mask |= UCP_OP_ATTR_FIELD_DATATYPE;
    atomic.datatype = ucp_dt_make_contig(8);
    std::map<std::string, ucs_status_ptr_t> all{
        {"tag send", ucp_tag_send_nbx(peer(), &word_, 8, 9, &param)},
        {"sync send", ucp_tag_send_sync_nbx(peer(), &word_, 8, 9, &param)},
        {"stream send", ucp_stream_send_nbx(peer(), &word_, 8, &param)},
        {"stream receive", ucp_stream_recv_nbx(peer(), &to_, 8, &length_, &param)},
        {"put", ucp_put_nbx(peer(), &word_, 8, address_, key_, &param)},
        {"get", ucp_get_nbx(peer(), &to_, 8, address_, key_, &param)},
        {"atomic",
         ucp_atomic_op_nbx(peer(), UCP_ATOMIC_OP_ADD, &word_, 1, address_, key_, &atomic)},
        {"flush", ucp_ep_flush_nbx(peer(), &param)},
        {"am send", ucp_am_send_nbx(peer(), 1, nullptr, 0, &word_, 8, &param)}};
    EXPECT_EQ(ucp_destroy_condition(param.condition), UCS_OK);
    return all;
  }
  /// What is posted after the kill may end in its call.
  static ucs_status_t statusOf(ucs_status_ptr_t request) {
    return UCS_PTR_IS_ERR(request) ? UCS_PTR_STATUS(request) : ucp_request_check_status(request);
  }
  void expectLost(const std::map<std::string, ucs_status_ptr_t>& all) {
    for (const auto& one : all) {
      const std::string& name = one.first;
      const ucs_status_ptr_t request = one.second;
      ASSERT_NE(request, nullptr) << name;
      ASSERT_TRUE(until([&] { return statusOf(request) != UCS_INPROGRESS; })) << name;
      const ucs_status_t status = statusOf(request);
      EXPECT_TRUE(status == UCS_ERR_CONNECTION_RESET || status == UCS_ERR_ENDPOINT_TIMEOUT)
          << name << ": " << status;
      if (UCS_PTR_IS_PTR(request)) ucp_request_free(request);
    }
  }

  gpu::Words words_;
  Handle stream_;
  ucp_rkey_h key_ = nullptr;
  std::uint64_t address_ = 0, word_ = 1, to_ = 0;
  std::size_t length_ = 0;
};

/// What waits for the stream ends at the kill; what the stream comes to later, at once.
TEST_F(UcpPeerTest, EveryOperationEndsWhenItIsKilled) {
  ASSERT_EQ(driver().waitValue64(stream_, words_.at(0), 1, base::cuda::kGreaterOrEqual),
            base::cuda::kSuccess);
  const auto armed = postAll();
  process_.signal(SIGKILL);
  expectLost(armed);
  const auto late = postAll();
  words_[0] = 1;
  expectLost(late);
  EXPECT_TRUE(drains("the stream", stream_));
  expectWorkerGoesOn();
}

}  // namespace
}  // namespace ucxx::cuda::test
