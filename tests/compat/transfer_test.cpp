// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Tags, multi-buffer messages and streams, over each way to progress.

#include <algorithm>

#include <gtest/gtest.h>

#include <ucxx/api.h>

#include "peers.h"

namespace {

using compat::kLarge;
using compat::Pair;
using compat::pattern;
using compat::Progress;
using compat::Self;

class CompatTransferTest : public testing::TestWithParam<Progress> {};

std::string name(const testing::TestParamInfo<Progress>& info) {
  const char* const names[] = {"Caller", "PollingThread", "BlockingThread"};
  return names[static_cast<int>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Progress, CompatTransferTest,
                         testing::Values(Progress::Caller, Progress::PollingThread,
                                         Progress::BlockingThread),
                         name);

constexpr std::size_t kSizes[] = {0, 1, 8, 1000, 65536, 1000003, kLarge};

TEST_P(CompatTransferTest, TagsInBothDirectionsAndBothForms) {
  Pair pair(GetParam());
  for (const std::size_t size : kSizes) {
    const auto sent = pattern(size);
    std::vector<std::uint8_t> forth(size), back(size);
    EXPECT_TRUE(pair.wait({
        pair.server->tagRecv(forth.data(), size, ucxx::Tag{size}),
        pair.client->tagSend(sent.data(), size, ucxx::Tag{size}),
        pair.client->tagRecvBuilder(back.data(), size, ucxx::Tag{size}, ucxx::TagMaskFull).build(),
        pair.server->tagSendBuilder(sent.data(), size, ucxx::Tag{size}).build(),
    }));
    EXPECT_EQ(forth, sent);
    EXPECT_EQ(back, sent);
  }
}

TEST_P(CompatTransferTest, UnexpectedMessagesWaitForTheirReceive) {
  Pair pair(GetParam());
  const auto sent = pattern(kLarge);
  std::vector<std::uint8_t> received(kLarge);
  auto send = pair.client->tagSend(sent.data(), kLarge, ucxx::Tag{1});
  ASSERT_TRUE(pair.until([&] { return pair.server_worker->tagProbe(ucxx::Tag{1})->isMatched(); }));
  auto receive = pair.server->tagRecv(received.data(), kLarge, ucxx::Tag{1});
  EXPECT_TRUE(pair.wait({send, receive}));
  EXPECT_EQ(received, sent);
}

TEST_P(CompatTransferTest, MultiBuffersArriveInOrderWithoutKnownSizes) {
  Pair pair(GetParam());
  std::vector<std::vector<std::uint8_t>> frames;
  for (const std::size_t size : kSizes) frames.push_back(pattern(size));
  std::vector<const void*> buffers;
  std::vector<std::size_t> sizes;
  for (const auto& frame : frames) {
    buffers.push_back(frame.data());
    sizes.push_back(frame.size());
  }
  const std::vector<int> is_cuda(frames.size(), 0);
  for (const bool builder : {false, true}) {
    auto receive = builder
                       ? pair.server->tagMultiRecvBuilder(ucxx::Tag{2}, ucxx::TagMaskFull).build()
                       : pair.server->tagMultiRecv(ucxx::Tag{2}, ucxx::TagMaskFull, false);
    auto send =
        builder ? pair.client->tagMultiSendBuilder(buffers, sizes, is_cuda, ucxx::Tag{2}).build()
                : pair.client->tagMultiSend(buffers, sizes, is_cuda, ucxx::Tag{2}, false);
    ASSERT_TRUE(pair.wait({receive, send}));
    ASSERT_NO_THROW(receive->checkError());
    auto multi = std::dynamic_pointer_cast<ucxx::RequestTagMulti>(receive);
    ASSERT_NE(multi, nullptr);
    EXPECT_TRUE(multi->_isFilled);
    std::size_t next = 0;
    for (const auto& frame : multi->_bufferRequests) {
      if (frame->buffer == nullptr) continue;
      ASSERT_LT(next, frames.size());
      ASSERT_EQ(frame->buffer->getSize(), frames[next].size());
      const auto* bytes = static_cast<const std::uint8_t*>(frame->buffer->data());
      EXPECT_TRUE(std::equal(frames[next].begin(), frames[next].end(), bytes));
      ASSERT_NE(frame->request, nullptr);
      EXPECT_TRUE(frame->request->isCompleted());
      ++next;
    }
    EXPECT_EQ(next, frames.size());
  }
}

TEST_P(CompatTransferTest, StreamBytesArriveInOrder) {
  Pair pair(GetParam());
  for (const std::size_t size : kSizes) {
    if (size == 0) continue;
    const auto sent = pattern(size);
    std::vector<std::uint8_t> positional(size), built(size);
    EXPECT_TRUE(pair.wait({
        pair.server->streamRecv(positional.data(), size, 0),
        pair.client->streamSend(sent.data(), size, 0),
        pair.server->streamRecvBuilder(built.data(), size).build(),
        pair.client->streamSendBuilder(sent.data(), size).build(),
    }));
    EXPECT_EQ(positional, sent);
    EXPECT_EQ(built, sent);
  }
}

TEST(CompatTagTest, ReceiveOnAnEndpointMatchesAnyPeer) {
  Pair pair;
  auto other =
      pair.server_worker->createEndpointFromWorkerAddress(pair.server_worker->getAddress());
  int sent = 9;
  int received = 0;
  EXPECT_TRUE(pair.wait({pair.server->tagRecv(&received, sizeof received, ucxx::Tag{4}),
                         other->tagSend(&sent, sizeof sent, ucxx::Tag{4})}));
  EXPECT_EQ(received, 9);
  received = 0;
  EXPECT_TRUE(pair.wait(
      {pair.server_worker->tagRecv(&received, sizeof received, ucxx::Tag{4}, ucxx::TagMaskFull),
       pair.client->tagSend(&sent, sizeof sent, ucxx::Tag{4})}));
  EXPECT_EQ(received, 9);
}

TEST(CompatTagTest, OnlyBitsOfTheMaskMustAgree) {
  Self self;
  int sent[] = {1, 2, 3};
  int high = 0, any = 0, exact = 0;
  auto receive_high =
      self.endpoint->tagRecv(&high, 4, ucxx::Tag{0x100}, ucxx::TagMask{0xff00}, false, nullptr);
  auto send_high = self.endpoint->tagSend(&sent[0], 4, ucxx::Tag{0x1ab});
  ASSERT_TRUE(self.wait({receive_high, send_high}));
  auto send_exact = self.endpoint->tagSend(&sent[1], 4, ucxx::Tag{7});
  auto send_any = self.endpoint->tagSend(&sent[2], 4, ucxx::Tag{8});
  auto receive_exact = self.endpoint->tagRecv(&exact, 4, ucxx::Tag{8}, ucxx::TagMaskFull);
  auto receive_any = self.endpoint->tagRecv(&any, 4, ucxx::Tag{12345}, ucxx::TagMask{0});
  ASSERT_TRUE(self.wait({send_exact, send_any, receive_exact, receive_any}));
  EXPECT_EQ(high, 1);
  EXPECT_EQ(exact, 3);
  EXPECT_EQ(any, 2);
}

TEST(CompatTagTest, ShorterIsFineAndLongerIsTruncated) {
  Pair pair;
  const auto sent = pattern(100);
  std::vector<std::uint8_t> received(100);
  auto longer = pair.server->tagRecv(received.data(), 100, ucxx::Tag{1});
  ASSERT_TRUE(pair.wait({longer, pair.client->tagSend(sent.data(), 10, ucxx::Tag{1})}));
  EXPECT_NO_THROW(longer->checkError());
  EXPECT_EQ(received[9], sent[9]);

  std::vector<std::uint8_t> guarded(20, 0xee);
  auto shorter = pair.server->tagRecv(guarded.data(), 10, ucxx::Tag{1});
  auto send = pair.client->tagSend(sent.data(), 100, ucxx::Tag{1});
  ASSERT_TRUE(pair.wait({shorter, send}));
  EXPECT_EQ(shorter->getStatus(), UCS_ERR_MESSAGE_TRUNCATED);
  EXPECT_THROW(shorter->checkError(), ucxx::MessageTruncatedError);
  EXPECT_EQ(guarded[10], 0xee);
}

TEST(CompatTagTest, IntegersServeAsTags) {
  Self self;
  int sent = 3;
  int received = 0;
  EXPECT_TRUE(self.wait({self.endpoint->tagSend(&sent, sizeof sent, 0),
                         self.endpoint->tagRecv(&received, sizeof received, 0)}));
  EXPECT_EQ(received, 3);
}

TEST(CompatProbeTest, FindsWithoutProgressingAndWithoutTaking) {
  Pair pair;
  EXPECT_FALSE(pair.server_worker->tagProbe(ucxx::Tag{0}, ucxx::TagMask{0})->isMatched());
  const auto sent = pattern(10);
  auto send = pair.client->tagSend(sent.data(), 10, ucxx::Tag{(std::uint64_t{3} << 32) | 1});
  std::shared_ptr<ucxx::TagProbeInfo> probe;
  ASSERT_TRUE(pair.until([&] {
    probe = pair.server_worker->tagProbe(ucxx::Tag{0}, ucxx::TagMask{0});
    return probe->isMatched();
  }));
  EXPECT_EQ(probe->getInfo().senderTag >> 32, 3u);
  EXPECT_EQ(probe->getInfo().length, 10u);
  EXPECT_THROW(probe->getHandle(), std::runtime_error);
  EXPECT_TRUE(pair.server_worker->tagProbe(ucxx::Tag{0}, ucxx::TagMask{0})->isMatched());
  std::vector<std::uint8_t> received(10);
  EXPECT_TRUE(pair.wait(
      {send, pair.server_worker->tagRecv(received.data(), 10, ucxx::Tag{0}, ucxx::TagMask{0})}));
  EXPECT_EQ(received, sent);
}

std::shared_ptr<ucxx::TagProbeInfo> take(Pair& pair, ucxx::Tag tag) {
  std::shared_ptr<ucxx::TagProbeInfo> probe;
  EXPECT_TRUE(pair.until([&] {
    probe = pair.server_worker->tagProbe(tag, ucxx::TagMaskFull, true);
    return probe->isMatched();
  }));
  return probe;
}

TEST(CompatProbeTest, TakenMessageIsReceivedOnceThroughItsHandle) {
  Pair pair;
  for (const std::size_t size : {std::size_t{10}, kLarge}) {
    const auto sent = pattern(size);
    auto send = pair.client->tagSend(sent.data(), size, ucxx::Tag{1});
    auto probe = take(pair, ucxx::Tag{1});
    EXPECT_FALSE(pair.server_worker->tagProbe(ucxx::Tag{1})->isMatched());
    EXPECT_NE(probe->getHandle(), nullptr);
    std::vector<std::uint8_t> received(size);
    EXPECT_THROW(pair.client_worker->tagRecvWithHandle(received.data(), probe),
                 std::invalid_argument);
    EXPECT_TRUE(pair.wait({send, pair.server_worker->tagRecvWithHandle(received.data(), probe)}));
    EXPECT_EQ(received, sent);
    EXPECT_THROW(probe->getHandle(), std::runtime_error);
    EXPECT_THROW(pair.server_worker->tagRecvWithHandle(received.data(), probe), std::logic_error);
  }
}

TEST(CompatProbeTest, BuildersReceiveWithAndWithoutLength) {
  Pair pair;
  const auto sent = pattern(10);
  std::vector<std::uint8_t> received(10);
  auto send = pair.client->tagSend(sent.data(), 10, ucxx::Tag{1});
  EXPECT_TRUE(pair.wait(
      {send, pair.server_worker->tagRecvWithHandleBuilder(received.data(), take(pair, ucxx::Tag{1}))
                 .build()}));
  EXPECT_EQ(received, sent);
  send = pair.client->tagSend(sent.data(), 10, ucxx::Tag{1});
  auto probe = take(pair, ucxx::Tag{1});
  EXPECT_THROW(pair.server_worker->tagRecvWithHandleBuilder(received.data(), 9, probe).build(),
               ucxx::MessageTruncatedError);
  EXPECT_TRUE(pair.wait(
      {send, pair.server_worker->tagRecvWithHandleBuilder(received.data(), 10, probe).build()}));
}

TEST(CompatProbeTest, WrongHandlesThrowInTheCall) {
  Pair pair;
  char buffer[10];
  auto& worker = *pair.server_worker;
  EXPECT_THROW(worker.tagRecvWithHandle(buffer, worker.tagProbe(ucxx::Tag{1})),
               std::invalid_argument);
  auto send = pair.client->tagSend(buffer, sizeof buffer, ucxx::Tag{1});
  std::shared_ptr<ucxx::TagProbeInfo> seen;
  ASSERT_TRUE(pair.until([&] {
    seen = worker.tagProbe(ucxx::Tag{1});
    return seen->isMatched();
  }));
  EXPECT_THROW(worker.tagRecvWithHandle(buffer, seen), std::logic_error);
  auto taken = take(pair, ucxx::Tag{1});
  EXPECT_THROW(worker.tagRecvWithHandle(nullptr, taken), std::runtime_error);
  EXPECT_TRUE(pair.wait({send, worker.tagRecvWithHandle(buffer, taken)}));
}

TEST(CompatProbeTest, AMessageWithoutBytesNeedsNoBuffer) {
  Pair pair;
  auto send = pair.client->tagSend(nullptr, 0, ucxx::Tag{1});
  auto taken = take(pair, ucxx::Tag{1});
  EXPECT_TRUE(pair.wait({send, pair.server_worker->tagRecvWithHandle(nullptr, taken)}));
}

TEST(CompatProbeTest, DroppedMessageIsReported) {
  static std::atomic<int> warnings{0};
  Pair pair;
  ucxx::setLogSink([](ucxx::LogLevel level, std::string_view, std::string_view) {
    if (level == ucxx::LogLevel::Warn) ++warnings;
  });
  char buffer[10] = {};
  auto send = pair.client->tagSend(buffer, sizeof buffer, ucxx::Tag{1});
  take(pair, ucxx::Tag{1}).reset();
  EXPECT_GE(warnings, 1);
  ucxx::setLogSink(nullptr);
  EXPECT_TRUE(pair.wait({send}));
}

TEST(CompatStreamTest, BoundariesOfSendsAreNotKept) {
  Pair pair;
  const auto sent = pattern(1000);
  std::vector<std::uint8_t> received(1000);
  compat::Requests requests{pair.server->streamRecv(received.data(), 1000, false)};
  for (std::size_t at = 0; at < 1000; at += 100)
    requests.push_back(pair.client->streamSend(sent.data() + at, 100, false));
  EXPECT_TRUE(pair.wait(requests));
  EXPECT_EQ(received, sent);
}

TEST(CompatStreamTest, NullAndEmptyThrowInTheCall) {
  Self self;
  char buffer = 0;
  EXPECT_THROW(self.endpoint->streamSend(nullptr, 1, false), std::runtime_error);
  EXPECT_THROW(self.endpoint->streamSend(&buffer, 0, false), std::runtime_error);
  EXPECT_THROW(self.endpoint->streamRecv(nullptr, 1, false), std::runtime_error);
  EXPECT_THROW(self.endpoint->streamRecv(&buffer, 0, false), std::runtime_error);
  EXPECT_THROW(self.endpoint->streamSendBuilder(&buffer, 0).build(), std::runtime_error);
}

TEST(CompatMultiTest, BuffersMayBePointersToMutable) {
  const compat::Self self;
  int value = 5;
  const auto send = self.endpoint->tagMultiSend(std::vector<void*>(2, &value),
                                                {sizeof value, sizeof value}, {0, 0}, ucxx::Tag{0});
  const auto receive = self.endpoint->tagMultiRecv(ucxx::Tag{0}, ucxx::TagMaskFull);
  ASSERT_TRUE(self.wait({send, receive}));
  EXPECT_EQ(receive->getReceivedLength(), 2 * sizeof value);
}

TEST(CompatMultiTest, VectorsMustAgreeInLength) {
  Self self;
  char buffer = 0;
  const std::vector<const void*> buffers{&buffer};
  EXPECT_THROW(self.endpoint->tagMultiSend(buffers, {1, 2}, {0}, ucxx::Tag{0}, false),
               std::runtime_error);
  EXPECT_THROW(self.endpoint->tagMultiSend(buffers, {1}, {}, ucxx::Tag{0}, false),
               std::runtime_error);
}

TEST(CompatMultiTest, CancelEndsAnUnmatchedReceive) {
  Self self;
  auto receive = self.endpoint->tagMultiRecv(ucxx::Tag{0}, ucxx::TagMaskFull, false);
  receive->cancel();
  ASSERT_TRUE(self.wait({receive}));
  EXPECT_EQ(receive->getStatus(), UCS_ERR_CANCELED);
}

}  // namespace
