// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The proposed UCP interface: several prepared transfers at a time.

#include <array>
#include <vector>

#include "cuda/ucp_calls.h"

namespace ucxx::cuda::test {
namespace {

constexpr std::size_t kPlans = 3;
using Storage = std::array<char, UCP_PREPARED_MEMH_SIZE>;

/// Sends of the left end and receives of the right one, each of a word.
class UcpPreparedGroupsTest : public UcpTest {
 protected:
  UcpPreparedGroupsTest() {
    for (std::size_t i = 0; i < kPlans; ++i) {
      prepare(left(), UCP_BUFFER_SEND, out_[i], sends_[i], i);
      prepare(right(), UCP_BUFFER_RECV, in_[i], receives_[i], i);
    }
  }
  ~UcpPreparedGroupsTest() override {
    for (std::size_t i = 0; i < kPlans; ++i) {
      EXPECT_EQ(ucp_release_preparations(left(), sends_[i].data()), UCS_OK);
      EXPECT_EQ(ucp_release_preparations(right(), receives_[i].data()), UCS_OK);
    }
  }
  static std::array<void*, kPlans> all(std::array<Storage, kPlans>& storages) {
    return {storages[0].data(), storages[1].data(), storages[2].data()};
  }
  void fill(std::uint64_t value) { out_ = {value, value + 1, value + 2}; }
  void expectCome(std::uint64_t value) {
    EXPECT_EQ(in_, (std::array<std::uint64_t, kPlans>{value, value + 1, value + 2}));
  }
  ucxx_request_param_t untilBegun(ucp_condition_h condition) {
    ucxx_request_param_t param = with(condition);
    param.op_attr_mask |= UCP_OP_ATTR_FIELD_FLAGS;
    param.flags = UCXX_PREPARED_FLAG_UNTIL_BEGUN;
    return param;
  }
  std::array<std::uint64_t, kPlans> out_{}, in_{};
  std::array<Storage, kPlans> sends_{}, receives_{};

 private:
  static void prepare(ucp_ep_h endpoint, ucp_buffer_direction_t direction, std::uint64_t& word,
                      Storage& storage, std::size_t tag) {
    ucp_buffer_param_t param{};
    param.field_mask = UCP_BUFFER_PARAM_FIELD_BUFFER | UCP_BUFFER_PARAM_FIELD_LENGTH |
                       UCP_BUFFER_PARAM_FIELD_TAG | UCP_BUFFER_PARAM_FIELD_DIRECTION;
    param.buffer = &word;
    param.length = sizeof word;
    param.tag = tag;
    param.direction = direction;
    ASSERT_EQ(ucp_prepare_transfers(endpoint, storage.data(), &param), UCS_OK);
  }
};

TEST_F(UcpPreparedGroupsTest, ThreadsStartAndAwaitAll) {
  const auto sends = all(sends_), receives = all(receives_);
  for (std::uint64_t round = 1; round <= 3; ++round) {
    fill(round);
    EXPECT_EQ(ucxx_prepared_start_all(receives.data(), kPlans, nullptr), nullptr);
    EXPECT_EQ(ucxx_prepared_wait_all(receives.data(), kPlans, 0), UCS_ERR_TIMED_OUT);
    EXPECT_EQ(ucxx_prepared_start_all(sends.data(), kPlans, nullptr), nullptr);
    EXPECT_EQ(ucxx_prepared_wait_all(receives.data(), kPlans, 10'000), UCS_OK);
    EXPECT_EQ(ucxx_prepared_wait_all(sends.data(), kPlans, -1), UCS_OK);
    expectCome(round);
  }
}

TEST_F(UcpPreparedGroupsTest, AStreamStartsAllByOnePost) {
  const auto sends = all(sends_), receives = all(receives_);
  streams_.shut();
  const ucp_condition_h condition = ofStream();
  const ucxx_request_param_t param = with(condition);
  const ucs_status_ptr_t sending = ucxx_prepared_start_all(sends.data(), kPlans, &param);
  ASSERT_TRUE(UCS_PTR_IS_PTR(sending));
  EXPECT_EQ(ucp_destroy_condition(condition), UCS_OK);
  const auto armed = [&] { return streams_.ends.left_worker->stats().armed_requests; };
  EXPECT_TRUE(streams_.ends.until([&] { return armed() == 1; })) << armed();
  EXPECT_EQ(ucxx_request_wait_on(sending, streams_.stream), UCS_OK);
  streams_.write(1);
  EXPECT_EQ(ucxx_prepared_start_all(receives.data(), kPlans, nullptr), nullptr);
  fill(7);
  EXPECT_EQ(ucp_request_check_status(sending), UCS_INPROGRESS);
  streams_.open();
  EXPECT_EQ(endOf(sending), UCS_OK);
  EXPECT_EQ(ucxx_prepared_wait_all(receives.data(), kPlans, 10'000), UCS_OK);
  expectCome(7);
  ASSERT_TRUE(drains("the stream", streams_.stream));
  EXPECT_TRUE(streams_.isWritten(1));
}

TEST_F(UcpPreparedGroupsTest, AStreamAwaitsAllThatHaveBegun) {
  const auto sends = all(sends_), receives = all(receives_);
  const ucp_condition_h condition = ofStream();
  const ucxx_request_param_t param = untilBegun(condition);
  const ucs_status_ptr_t begun = ucxx_prepared_start_all(receives.data(), kPlans, &param);
  EXPECT_EQ(ucp_destroy_condition(condition), UCS_OK);
  EXPECT_EQ(endOf(begun), UCS_OK);  // nobody has sent
  EXPECT_EQ(ucp_prepared_test(receives[0]), UCS_INPROGRESS);
  EXPECT_EQ(ucxx_prepared_wait_all_on(receives.data(), kPlans, streams_.stream), UCS_OK);
  streams_.write(1);
  fill(5);
  EXPECT_FALSE(streams_.isWritten(1));
  EXPECT_EQ(ucxx_prepared_start_all(sends.data(), kPlans, nullptr), nullptr);
  ASSERT_TRUE(drains("the stream", streams_.stream));
  EXPECT_TRUE(streams_.isWritten(1));
  expectCome(5);
  EXPECT_EQ(ucxx_prepared_wait_all(sends.data(), kPlans, 10'000), UCS_OK);
}

TEST_F(UcpPreparedGroupsTest, RefusesWithOneLine) {
  const auto sends = all(sends_);
  const auto starts = [&](const std::array<void*, kPlans>& storages, std::size_t count,
                          const ucxx_request_param_t& param) {
    return statusIn(ucxx_prepared_start_all(storages.data(), count, &param));
  };
  const ucp_condition_h condition = ofStream();
  refuses(UCS_ERR_INVALID_PARAM, "0 storages", [&] { return starts(sends, 0, {}); });
  refuses(UCS_ERR_INVALID_PARAM, "nothing is prepared", [&] {
    return starts({sends[0], nullptr, sends[2]}, kPlans, with(condition));
  });
  refuses(UCS_ERR_INVALID_PARAM, "ucxx_prepared_start_all: startAll", [&] {
    return starts({sends[0], sends[1], sends[0]}, kPlans, with(condition));
  });
  refuses(UCS_ERR_INVALID_PARAM, "ucxx_prepared_start_all: startAll", [&] {
    return starts({sends[0], receives_[0].data(), sends[1]}, 2, with(condition));
  });
  ucxx_request_param_t param = untilBegun(condition);
  param.flags = 6;
  refuses(UCS_ERR_INVALID_PARAM, "the flags 0x6", [&] { return starts(sends, kPlans, param); });
  refuses(UCS_ERR_INVALID_PARAM, "0 storages",
          [&] { return ucxx_prepared_wait_all(nullptr, 0, 0); });
  refuses(UCS_ERR_INVALID_PARAM, "0 storages",
          [&] { return ucxx_prepared_wait_all_on(nullptr, 0, streams_.stream); });
  EXPECT_EQ(ucp_destroy_condition(condition), UCS_OK);
  for (void* const each : sends) EXPECT_EQ(ucp_prepared_test(each), UCS_OK);
}

}  // namespace
}  // namespace ucxx::cuda::test
