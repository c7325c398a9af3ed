// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Messages whose payload stays with the sender until there is a buffer for it.

#include <algorithm>
#include <memory>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

constexpr std::size_t kPiece = 16 << 10;

class RendezvousTest : public testing::TestWithParam<Move> {
 protected:
  /// Around what goes at once, and around the pieces of what does not.
  static std::vector<std::size_t> sizes() {
    std::vector<std::size_t> sizes;
    for (const std::size_t limit : {std::size_t{8} << 10, std::size_t{32} << 10,
                                    std::size_t{256} << 10, std::size_t{4} << 20, 90 * kPiece})
      for (const std::size_t size : {limit - 1, limit, limit + 1}) sizes.push_back(size);
    sizes.push_back(kAnnouncedBytes + 12345);
    return sizes;
  }
  void expectSame(Receiving& receiving, const Sending& sending) {
    EXPECT_EQ(sending.request->getStatus(), UCS_OK);
    EXPECT_TRUE(receiving.payload() == sending.payload());
  }

  Ends ends_{Route::Listener};
  Received none_;
};

TEST_P(RendezvousTest, EverySizeArrives) {
  for (const std::size_t size : sizes()) {
    SCOPED_TRACE(size);
    Sending sending(GetParam(), *ends_.left, bytes(size));
    Receiving receiving(GetParam(), *ends_.right, size, none_);
    ASSERT_TRUE(ends_.ended({sending.request, receiving.request}));
    expectSame(receiving, sending);
  }
}

TEST_P(RendezvousTest, ManyAtOnceInBothDirections) {
  constexpr std::size_t kSize = kAnnouncedBytes + 77;
  std::vector<std::unique_ptr<Sending>> sends;
  std::vector<std::unique_ptr<Receiving>> receives;
  Requests all;
  for (unsigned i = 0; i < 16; ++i) {
    const auto& [from, to] =
        i % 2 == 0 ? std::tie(ends_.left, ends_.right) : std::tie(ends_.right, ends_.left);
    sends.push_back(std::make_unique<Sending>(GetParam(), *from, bytes(kSize, i)));
    receives.push_back(std::make_unique<Receiving>(GetParam(), *to, kSize, none_));
    all.push_back(sends.back()->request);
    all.push_back(receives.back()->request);
  }
  ASSERT_TRUE(ends_.ended(all));
  for (std::size_t i = 0; i < sends.size(); ++i) expectSame(*receives[i], *sends[i]);
}

INSTANTIATE_TEST_SUITE_P(All, RendezvousTest,
                         testing::Values(Move::Tag, Move::Stream, Move::Am, Move::AmIov,
                                         Move::Multi),
                         [](const auto& info) { return nameOf(info.param); });

/// Blocks shorter and longer than a piece, and empty ones.
TEST(RendezvousBlocksTest, ArriveInOrder) {
  Ends ends(Route::Listener);
  const auto sent = bytes(2 << 20);
  std::vector<ucp_dt_iov_t> blocks;
  for (std::size_t at = 0, size = 0; at < sent.size(); at += size) {
    size = std::min(sent.size() - at, blocks.size() * blocks.size() % 40'000);
    blocks.push_back({const_cast<std::byte*>(sent.data()) + at, size});
  }
  blocks.push_back({nullptr, 0});
  AmSendParams params;
  params.datatype = UCP_DATATYPE_IOV;
  auto receive = ends.right->amRecv();
  ASSERT_TRUE(ends.ended({ends.left->amSend(blocks, params), receive}));
  const auto buffer = receive->getRecvBuffer();
  ASSERT_EQ(buffer->getSize(), sent.size());
  EXPECT_TRUE(std::equal(sent.begin(), sent.end(), static_cast<const std::byte*>(buffer->data())));
}

TEST(RendezvousOrderTest, SmallMessageOvertakesThePayload) {
  constexpr std::size_t kSize = 64 << 20;
  Ends ends(Route::Listener);
  const std::vector<std::byte> large(kSize, std::byte{1});
  std::vector<std::byte> buffer(kSize);
  auto send = ends.left->tagSend(large.data(), kSize, Tag{1});
  auto receive = ends.right->tagRecv(buffer.data(), kSize, Tag{1});
  ASSERT_TRUE(ends.until([&] { return buffer.front() == std::byte{1}; }));
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(ends.ended(
        {ends.left->tagSend(&i, sizeof i, Tag{2}), ends.right->tagRecv(&i, sizeof i, Tag{2})}));
    EXPECT_FALSE(send->isCompleted());
    EXPECT_FALSE(receive->isCompleted());
  }
  ASSERT_TRUE(ends.ended({send, receive}));
  EXPECT_TRUE(buffer == large);
  EXPECT_EQ(ends.right_worker->stats().reordered_messages, 0u);
}

TEST(RendezvousOrderTest, ShortPayloadDoesNotWaitForALongOne) {
  constexpr std::size_t kSize = 64 << 20;
  Ends ends(Route::Listener);
  const std::vector<std::byte> sent(kSize, std::byte{1});
  std::vector<std::byte> longer(kSize), shorter(kAnnouncedBytes);
  auto send = ends.left->tagSend(sent.data(), kSize, Tag{1});
  auto receive = ends.right->tagRecv(longer.data(), kSize, Tag{1});
  ASSERT_TRUE(ends.until([&] { return longer.front() == std::byte{1}; }));
  ASSERT_TRUE(ends.ended({ends.left->tagSend(sent.data(), kAnnouncedBytes, Tag{2}),
                          ends.right->tagRecv(shorter.data(), kAnnouncedBytes, Tag{2})}));
  EXPECT_FALSE(receive->isCompleted());
  ASSERT_TRUE(ends.ended({send, receive}));
}

/// Ends of an endpoint or a link while a payload is on its way.
class RendezvousEndTest : public testing::Test {
 protected:
  static constexpr std::size_t kSize = 64 << 20;
  RendezvousEndTest() {
    send_ = ends_.left->tagSend(sent_.data(), kSize, kTag);
    receive_ = ends_.right_worker->tagRecv(received_.data(), kSize, kTag);
    EXPECT_TRUE(ends_.until([&] { return received_.front() == std::byte{1}; }));
    EXPECT_FALSE(send_->isCompleted());
  }
  const std::vector<std::byte> sent_ = std::vector<std::byte>(kSize, std::byte{1});
  std::vector<std::byte> received_ = std::vector<std::byte>(kSize);
  Ends ends_{Route::Address};
  std::shared_ptr<Request> send_, receive_;
};

TEST_F(RendezvousEndTest, CloseOfTheSenderWaitsForIt) {
  auto close = ends_.left->close();
  ASSERT_TRUE(ends_.ended({send_, receive_, close}));
  EXPECT_EQ(send_->getStatus(), UCS_OK);
  EXPECT_EQ(receive_->getStatus(), UCS_OK);
  EXPECT_TRUE(received_ == sent_);
}

TEST_F(RendezvousEndTest, CloseOfTheReceiverLetsItEnd) {
  auto close = ends_.right->close();
  ASSERT_TRUE(ends_.ended({send_, receive_, close}));
  EXPECT_EQ(receive_->getStatus(), UCS_OK);
  EXPECT_TRUE(received_ == sent_);
}

TEST_F(RendezvousEndTest, CancelLetsItEnd) {
  send_->cancel();
  receive_->cancel();
  ASSERT_TRUE(ends_.ended({send_, receive_}));
  EXPECT_EQ(send_->getStatus(), UCS_OK);
  EXPECT_EQ(receive_->getStatus(), UCS_OK);
  EXPECT_TRUE(received_ == sent_);
}

TEST_F(RendezvousEndTest, SenderThatGoesEndsTheReceive) {
  send_ = nullptr;
  ends_.left = nullptr;
  ends_.left_worker = nullptr;
  ASSERT_TRUE(compat::ended({ends_.right_worker}, {receive_}));
  EXPECT_EQ(receive_->getStatus(), UCS_ERR_CONNECTION_RESET);
}

TEST_F(RendezvousEndTest, ReceiverThatGoesEndsTheSend) {
  receive_ = nullptr;
  ends_.right = nullptr;
  ends_.right_worker = nullptr;
  ASSERT_TRUE(compat::ended({ends_.left_worker}, {send_}));
  EXPECT_EQ(send_->getStatus(), UCS_ERR_CONNECTION_RESET);
}

/// The sender goes before it could be fetched. What came whole behind it is not it.
TEST(LostMessageTest, NoneIsReceivedInItsPlace) {
  Ends ends{Route::Listener};
  const Tag other{99};
  const auto large = bytes(kAnnouncedBytes), small = bytes(100);
  Requests sent{ends.left->amSend(large.data(), large.size(), UCS_MEMORY_TYPE_HOST),
                ends.left->amSend(small.data(), small.size(), UCS_MEMORY_TYPE_HOST),
                ends.left->tagSend(large.data(), large.size(), kTag),
                ends.left->tagSend(small.data(), small.size(), kTag),
                ends.left->tagSend(small.data(), small.size(), other)};
  const auto& receiver = ends.right_worker;
  ASSERT_TRUE(compat::until({ends.left_worker, receiver},
                            [&] { return receiver->stats().unexpected_messages == sent.size(); }));
  sent.clear();
  ends.left = nullptr;
  ends.left_worker = nullptr;
  // The endpoint ends by the sender's word, the link a little later; a receive that came in between
  // would have got the lost message, and end with an error.
  ASSERT_TRUE(compat::until({receiver}, [&] {
    return !ends.right->isAlive() && !receiver->tagProbe(kTag)->isMatched();
  }));
  std::vector<std::byte> came(kAnnouncedBytes);
  const auto message = ends.right->amRecv();
  const auto same = receiver->tagRecv(came.data(), came.size(), kTag, TagMaskFull);
  const auto another = receiver->tagRecv(came.data(), came.size(), other, TagMaskFull);
  ASSERT_TRUE(compat::ended({receiver}, {message, another}));
  EXPECT_NE(message->getStatus(), UCS_OK);
  EXPECT_EQ(another->getStatus(), UCS_OK);
  EXPECT_FALSE(same->isCompleted());
  same->cancel();
  EXPECT_TRUE(compat::ended({receiver}, {same}));
}

}  // namespace
}  // namespace ucxx::core::test
