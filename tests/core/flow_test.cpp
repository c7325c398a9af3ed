// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Credits and back-pressure: a peer that does not receive holds up its sender, not its own memory.

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

WorkerOptions narrow() {
  WorkerOptions options = withoutFetchAhead();
  options.unexpected_bytes = 64 << 10;
  options.announcements = 16;
  return options;
}

class FlowTest : public testing::TestWithParam<std::tuple<Move, Route>> {
 protected:
  Move move() const { return std::get<0>(GetParam()); }
  Ends ends_{std::get<1>(GetParam()), Mode::Caller, narrow()};
  Received received_;

  void spin() {
    for (int i = 0; i < 2000; ++i) ends_.left_worker->progress(), ends_.right_worker->progress();
  }
  void expectAll(std::vector<std::unique_ptr<Sending>>& sends, Endpoint& at) {
    for (auto& send : sends) {
      Receiving receiving(move(), at, send->payload().size(), received_);
      ASSERT_TRUE(ends_.ended({receiving.request})) << ends_.left_worker->describe();
      ASSERT_TRUE(receiving.payload() == send->payload());
    }
    for (auto& send : sends) ASSERT_TRUE(ends_.ended({send->request}));
  }
};

TEST_P(FlowTest, FloodIsHeldBackAndArrivesInOrder) {
  for (const std::size_t size : {1, 1000, 12000, 20000, 100000}) {
    SCOPED_TRACE(size);
    const auto before = ends_.right_worker->stats();
    std::vector<std::unique_ptr<Sending>> sends;
    for (unsigned i = 0; i < 600; ++i) {
      sends.push_back(std::make_unique<Sending>(move(), *ends_.left, bytes(size, i)));
      if (i % 50 == 0) ends_.left_worker->progress(), ends_.right_worker->progress();
    }
    spin();
    const auto now = ends_.right_worker->stats();
    if (!ends_.isSelf()) {
      // Credit for eager ones, and the announcements.
      EXPECT_LE(now.messages_received - before.messages_received, (64u << 10) / (size + 256) + 17);
      EXPECT_FALSE(sends.back()->request->isCompleted());
    }
    expectAll(sends, *ends_.right);
    if (HasFatalFailure()) return;
  }
}

TEST_P(FlowTest, BothSendBeforeTheyReceive) {
  if (ends_.isSelf()) return;
  for (const std::size_t size : {1000, 12000, 20000, 100000}) {
    SCOPED_TRACE(size);
    std::vector<std::unique_ptr<Sending>> there, back;
    for (unsigned i = 0; i < 200; ++i) {
      there.push_back(std::make_unique<Sending>(move(), *ends_.left, bytes(size, i)));
      back.push_back(std::make_unique<Sending>(move(), *ends_.right, bytes(size, i + 1000)));
    }
    spin();
    expectAll(there, *ends_.right);
    if (HasFatalFailure()) return;
    expectAll(back, *ends_.left);
    if (HasFatalFailure()) return;
  }
}

TEST_P(FlowTest, ControlIsNeverHeldBack) {
  if (ends_.isSelf()) return;
  std::vector<std::unique_ptr<Sending>> sends;
  for (unsigned i = 0; i < 600; ++i)
    sends.push_back(std::make_unique<Sending>(move(), *ends_.left, bytes(1000, i)));
  spin();
  // A new pair on the same link, and its close.
  auto one = ends_.left_worker->createEndpointFromWorkerAddress(ends_.right_worker->getAddress());
  auto other = ends_.right_worker->createEndpointFromWorkerAddress(ends_.left_worker->getAddress());
  spin();
  auto close = one->close();
  ASSERT_TRUE(ends_.ended({close}));
  ASSERT_TRUE(ends_.until([&] { return !other->isAlive(); }));
  expectAll(sends, *ends_.right);
}

INSTANTIATE_TEST_SUITE_P(All, FlowTest,
                         testing::Combine(testing::Values(Move::Tag, Move::Stream, Move::Am,
                                                          Move::AmIov, Move::Multi),
                                          testing::Values(Route::Self, Route::Listener)),
                         [](const auto& info) {
                           return nameOf(std::get<0>(info.param)) + nameOf(std::get<1>(info.param));
                         });

TEST(FlowEmptyTest, FloodOfEmptyMessagesIsHeldBackToo) {
  Ends ends(Route::Listener, Mode::Caller, narrow());
  Requests sends, receives;
  for (int i = 0; i < 5000; ++i)
    sends.push_back(ends.left->tagSend(nullptr, 0, Tag{static_cast<ucp_tag_t>(i)}));
  for (int i = 0; i < 2000; ++i) ends.left_worker->progress(), ends.right_worker->progress();
  EXPECT_LE(ends.right_worker->stats().messages_received, (64u << 10) / 256 + 17);
  for (int i = 0; i < 5000; ++i) {
    receives.push_back(ends.right->tagRecv(nullptr, 0, Tag{0}, TagMask{0}));
    if (i % 100 == 0) ends.left_worker->progress(), ends.right_worker->progress();
  }
  ASSERT_TRUE(ends.ended(receives))
      << ends.left_worker->describe() << ends.right_worker->describe();
  for (std::size_t i = 0; i < 5000; ++i) ASSERT_EQ(receives[i]->getSenderTag(), i);
  ASSERT_TRUE(ends.ended(sends));
}

/// Frames that are small enough to be packed, more of them than are packed, and a large one.
class ManyFramesTest : public testing::TestWithParam<bool> {};
TEST_P(ManyFramesTest, ArriveIntactAndTheLinkStays) {
  const bool posted_before = GetParam();
  Ends ends(Route::Address);
  std::vector<std::vector<std::byte>> frames;
  std::vector<const void*> buffers;
  std::vector<std::size_t> sizes;
  for (unsigned i = 0; i < 11; ++i) {
    frames.push_back(bytes(i < 10 ? 8 << 10 : 1 << 20, i));
    buffers.push_back(frames[i].data());
    sizes.push_back(frames[i].size());
  }
  auto receive = posted_before ? ends.right->tagMultiRecv(kTag, TagMaskFull) : nullptr;
  auto send = ends.left->tagMultiSend(buffers, sizes, std::vector<int>(11), kTag);
  auto after = ends.left->tagSend(nullptr, 0, Tag{1});
  ASSERT_TRUE(ends.until(
      [&] { return ends.right_worker->tagProbe(Tag{1})->isMatched() || !ends.right->isAlive(); }));
  ASSERT_TRUE(ends.left->isAlive() && ends.right->isAlive());
  if (!posted_before) receive = ends.right->tagMultiRecv(kTag, TagMaskFull);
  ASSERT_TRUE(ends.ended({send, after, receive}));
  ASSERT_EQ(send->getStatus(), UCS_OK);
  ASSERT_EQ(receive->getStatus(), UCS_OK);
  const auto& received = static_cast<RequestTagMulti&>(*receive)._bufferRequests;
  ASSERT_EQ(received.size(), frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    ASSERT_EQ(received[i]->buffer->getSize(), frames[i].size());
    EXPECT_EQ(std::memcmp(received[i]->buffer->data(), frames[i].data(), frames[i].size()), 0) << i;
  }
  EXPECT_TRUE(ends.left->isAlive() && ends.right->isAlive());
}
INSTANTIATE_TEST_SUITE_P(All, ManyFramesTest, testing::Bool(), [](const auto& info) {
  return info.param ? "PostedBefore" : "Unexpected";
});

TEST(FlowTinyTest, NoCreditAtAll) {
  WorkerOptions options;
  options.unexpected_bytes = 1;
  options.announcements = 1;
  Ends ends(Route::Listener, Mode::Caller, options);
  Received none;
  for (const Move move : {Move::Tag, Move::Stream, Move::Am, Move::AmIov, Move::Multi}) {
    for (const std::size_t size : {0, 1, 100, 40000, 300000}) {
      if (size == 0 && move == Move::Stream) continue;
      SCOPED_TRACE(nameOf(move) + std::to_string(size));
      Receiving receiving(move, *ends.right, size, none);
      Sending sending(move, *ends.left, bytes(size));
      ASSERT_TRUE(ends.ended({sending.request, receiving.request}));
      ASSERT_TRUE(receiving.payload() == sending.payload());
    }
  }
}

}  // namespace
}  // namespace ucxx::core::test
