// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The proposed UCP interface: active messages, and streams of bytes.

#include <mutex>
#include <string>
#include <vector>

#include "cuda/ucp_rig.h"

namespace ucxx::cuda::test {
namespace {

const ucxx_request_param_t kPlain{};

/// What handlers have been given, and what they give back.
struct Seen {
  static ucs_status_t onMessage(void* self, const void* header, std::size_t header_length,
                                void* data, std::size_t length, const ucp_am_recv_param_t* param) {
    auto& its = *static_cast<Seen*>(self);
    const std::lock_guard lock(its.mutex);
    its.header.assign(static_cast<const char*>(header), header_length);
    its.data = data;
    its.length = length;
    its.from = param->reply_ep;
    its.attributes = param->recv_attr;
    ++its.count;
    return its.answer;
  }
  std::mutex mutex;
  std::string header;
  void* data = nullptr;
  std::size_t length = 0;
  ucp_ep_h from = nullptr;
  std::uint64_t attributes = 0;
  ucs_status_t answer = UCS_INPROGRESS;
  std::atomic<int> count{0};
};

class UcpActiveMessagesTest : public UcpRig {
 protected:
  UcpActiveMessagesTest() { handle(&Seen::onMessage, &seen_); }

  void sendBytes(const std::string& header, const void* data, std::size_t length) {
    const int before = seen_.count;
    EXPECT_EQ(
        now(ucp_am_send_nbx(left(), kId, header.data(), header.size(), data, length, &kPlain)),
        UCS_OK);
    ASSERT_TRUE(streams_.ends.until([&] { return seen_.count == before + 1; }));
  }
  ucs_status_ptr_t receive(void* buffer, std::size_t count,
                           const ucxx_request_param_t& param = kPlain) {
    return ucp_am_recv_data_nbx(worker_, seen_.data, buffer, count, &param);
  }
  Seen seen_;
};

TEST_F(UcpActiveMessagesTest, TheDataStayUntilTheyAreReceived) {
  for (const std::size_t length : {std::size_t{8}, std::size_t{100'000}, std::size_t{5'000'000}}) {
    const std::vector<char> sent(length, 'x');
    sendBytes("head", sent.data(), length);
    EXPECT_EQ(seen_.header, "head");
    EXPECT_EQ(seen_.length, length);
    EXPECT_EQ(seen_.attributes, UCP_AM_RECV_ATTR_FIELD_REPLY_EP | UCP_AM_RECV_ATTR_FLAG_DATA);
    EXPECT_EQ(seen_.from, right());
    std::vector<char> received(length);
    ucxx_request_param_t param{};
    std::size_t told = 0;
    param.op_attr_mask = UCP_OP_ATTR_FIELD_RECV_INFO;
    param.recv_info.length = &told;
    EXPECT_EQ(receive(received.data(), length, param), nullptr);
    EXPECT_EQ(told, length);
    EXPECT_EQ(received, sent);
    refuses(UCS_ERR_INVALID_PARAM, "or they were given back",
            [&] { return statusIn(receive(received.data(), length)); });
  }
}

TEST_F(UcpActiveMessagesTest, AnEmptyMessageHasAnAddress) {
  sendBytes("head", nullptr, 0);
  EXPECT_EQ(seen_.length, 0);
  ASSERT_NE(seen_.data, nullptr);
  ucp_am_data_release(worker_, seen_.data);
  const std::size_t before = lines_.with("ucp_am_data_release");
  ucp_am_data_release(worker_, seen_.data);
  EXPECT_EQ(lines_.with("ucp_am_data_release"), before + 1);
}

TEST_F(UcpActiveMessagesTest, WhatAHandlerDoesNotKeepIsGone) {
  seen_.answer = UCS_OK;
  std::uint64_t word = 3;
  sendBytes("", &word, 8);
  EXPECT_EQ(seen_.header, "");
  ASSERT_TRUE(streams_.ends.until([&] {
    return UCS_PTR_IS_ERR(receive(&word, 8));  // the handler has come back
  }));
}

TEST_F(UcpActiveMessagesTest, RefusesReceivesWithOneLine) {
  std::uint64_t word = 3;
  sendBytes("", &word, 8);
  const ucp_condition_h condition = ofStream();
  refuses(UCS_ERR_UNSUPPORTED, "a condition; the message is here",
          [&] { return statusIn(receive(&word, 8, with(condition))); });
  EXPECT_EQ(ucp_destroy_condition(condition), UCS_OK);
  refuses(UCS_ERR_INVALID_PARAM, "the buffer is null, with 8 bytes",
          [&] { return statusIn(receive(nullptr, 8)); });
  refuses(UCS_ERR_MESSAGE_TRUNCATED, "the message has 8 bytes, the buffer 4",
          [&] { return statusIn(receive(&word, 4)); });
  refuses(UCS_ERR_INVALID_PARAM, "or they were given back",
          [&] { return statusIn(receive(&word, 8)); });
  refuses(UCS_ERR_INVALID_PARAM, "null pointer with 4 bytes",
          [&] { return statusIn(ucp_am_send_nbx(left(), kId, nullptr, 4, &word, 8, &kPlain)); });
}

TEST_F(UcpActiveMessagesTest, AReceiveMayWantARequest) {
  std::uint64_t word = 3, to = 0;
  sendBytes("", &word, 8);
  ucxx_request_param_t param{};
  std::size_t told = 0;
  param.op_attr_mask =
      UCP_OP_ATTR_FLAG_NO_IMM_CMPL | UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  param.cb.recv_am = [](void*, ucs_status_t status, std::size_t length, void* data) {
    EXPECT_EQ(status, UCS_OK);
    *static_cast<std::size_t*>(data) = length;
  };
  param.user_data = &told;
  const ucs_status_ptr_t request = receive(&to, 8, param);
  ASSERT_TRUE(UCS_PTR_IS_PTR(request));
  EXPECT_EQ(told, 8);
  EXPECT_EQ(to, 3);
  ucp_request_cancel(worker_, request);
  EXPECT_EQ(ucxx_request_wait_on(request, streams_.stream), UCS_OK);
  EXPECT_EQ(endOf(request), UCS_OK);
}

TEST_F(UcpActiveMessagesTest, WhereToPutTheLengthMayBeNull) {
  std::uint64_t word = 3, to = 0;
  sendBytes("", &word, 8);
  ucxx_request_param_t param{};
  param.op_attr_mask = UCP_OP_ATTR_FIELD_RECV_INFO;
  EXPECT_EQ(receive(&to, 8, param), nullptr);
  EXPECT_EQ(now(ucp_tag_send_nbx(left(), &word, 8, kTag, &kPlain)), UCS_OK);
  ASSERT_TRUE(streams_.ends.arrived(streams_.ends.right_worker, kTag));
  EXPECT_EQ(now(ucp_tag_recv_nbx(worker_, &to, 8, kTag, TagMaskFull, &param)), UCS_OK);
}

/// The server has no endpoint of its own to this caller.
TEST_F(UcpActiveMessagesTest, WithoutAnEndpointThereIsNothingToReplyOn) {
  const auto caller = streams_.ends.context->createWorker();
  caller->startProgressThread();
  const auto endpoint =
      caller->createEndpointFromWorkerAddress(streams_.ends.right_worker->getAddress());
  std::uint64_t word = 3;
  EXPECT_EQ(now(ucp_am_send_nbx(endpoint->getHandle(), kId, nullptr, 0, &word, 8, &kPlain)),
            UCS_OK);
  ASSERT_TRUE(streams_.ends.until([&] { return seen_.count == 1; }));
  EXPECT_EQ(seen_.attributes, UCP_AM_RECV_ATTR_FLAG_DATA);
  ucp_am_data_release(worker_, seen_.data);
}

TEST_F(UcpActiveMessagesTest, HandlersAreReplacedAndTakenAway) {
  Seen other;
  other.answer = UCS_OK;
  handle(&Seen::onMessage, &other);
  std::uint64_t word = 3;
  EXPECT_EQ(now(ucp_am_send_nbx(left(), kId, nullptr, 0, &word, 8, &kPlain)), UCS_OK);
  ASSERT_TRUE(streams_.ends.until([&] { return other.count == 1; }));
  EXPECT_EQ(seen_.count, 0);
  handle(nullptr, nullptr);
  EXPECT_EQ(now(ucp_am_send_nbx(left(), kId, nullptr, 0, &word, 8, &kPlain)), UCS_OK);
  EXPECT_EQ(flush(), UCS_OK);
  handle(&Seen::onMessage, &seen_);
  sendBytes("again", &word, 8);
  EXPECT_EQ(other.count, 1);
  ucp_am_data_release(worker_, seen_.data);
}

TEST_F(UcpActiveMessagesTest, RefusesHandlersWithOneLine) {
  ucp_am_handler_param_t param{};
  refuses(UCS_ERR_INVALID_PARAM, "the id is missing",
          [&] { return ucp_worker_set_am_recv_handler(worker_, &param); });
  refuses(UCS_ERR_INVALID_PARAM, "param is null",
          [&] { return ucp_worker_set_am_recv_handler(worker_, nullptr); });
  streams_.ends.right_worker->registerAmReceiverCallback(
      {"ucp", 99}, [](const std::shared_ptr<Request>&, ucp_ep_h) {});
  param.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID;
  param.id = 99;
  for (int i = 0; i < 2; ++i)
    refuses(UCS_ERR_INVALID_PARAM, "the id 99 is taken",
            [&] { return ucp_worker_set_am_recv_handler(worker_, &param); });
}

TEST_F(UcpActiveMessagesTest, BlocksGoAsOneMessage) {
  std::uint32_t words[]{1, 2};
  const ucp_dt_iov_t blocks[]{{&words[0], 4}, {&words[1], 4}};
  ucxx_request_param_t param{};
  param.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE;
  param.datatype = UCP_DATATYPE_IOV;
  EXPECT_EQ(now(ucp_am_send_nbx(left(), kId, nullptr, 0, blocks, 2, &param)), UCS_OK);
  ASSERT_TRUE(streams_.ends.until([&] { return seen_.count == 1; }));
  std::uint32_t received[2]{};
  EXPECT_EQ(receive(received, 8), nullptr);
  EXPECT_EQ(received[1], 2);
  std::uint32_t apart[2]{};
  const ucp_dt_iov_t rooms[]{{&apart[0], 4}, {&apart[1], 4}};
  const ucs_status_ptr_t tags =
      ucp_tag_recv_nbx(worker_, const_cast<ucp_dt_iov_t*>(rooms), 2, kTag, TagMaskFull, &param);
  EXPECT_EQ(now(ucp_tag_send_nbx(left(), blocks, 2, kTag, &param)), UCS_OK);
  EXPECT_EQ(now(tags), UCS_OK);
  EXPECT_EQ(apart[1], 2);
  refuses(UCS_ERR_INVALID_PARAM, "0 blocks at",
          [&] { return statusIn(ucp_tag_send_nbx(left(), blocks, 0, kTag, &param)); });
}

TEST_F(UcpActiveMessagesTest, AStreamTellsTheLength) {
  std::uint32_t words[4]{1, 2, 3, 4}, received[4]{};
  EXPECT_EQ(now(ucp_stream_send_nbx(left(), words, 8, &kPlain)), UCS_OK);
  ucxx_request_param_t param{};
  std::size_t told = 0, length = 0;
  param.op_attr_mask =
      UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FLAG_NO_IMM_CMPL;
  param.cb.recv_stream = [](void*, ucs_status_t, std::size_t count, void* data) {
    *static_cast<std::size_t*>(data) = count;
  };
  param.user_data = &told;
  const ucs_status_ptr_t some = ucp_stream_recv_nbx(right(), received, 16, &length, &param);
  ASSERT_TRUE(streams_.ends.until(
      [&] { return ucp_stream_recv_request_test(some, &length) != UCS_INPROGRESS; }));
  EXPECT_EQ(length, 8);
  EXPECT_EQ(endOf(some), UCS_OK);
  EXPECT_EQ(told, 8);
  ucxx_request_param_t of_words{};
  of_words.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE;
  of_words.datatype = ucp_dt_make_contig(4);
  refuses(UCS_ERR_UNSUPPORTED, "elements of 4 bytes without UCP_STREAM_RECV_FLAG_WAITALL",
          [&] { return statusIn(ucp_stream_recv_nbx(right(), received, 4, &length, &of_words)); });
  refuses(UCS_ERR_INVALID_PARAM, "a stream moves at least one byte",
          [&] { return statusIn(ucp_stream_send_nbx(left(), words, 0, &kPlain)); });
}

}  // namespace
}  // namespace ucxx::cuda::test
