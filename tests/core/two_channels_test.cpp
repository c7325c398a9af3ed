// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// One worker with a peer over each channel: its receives match what comes over both alike.

#include <utility>

#include "core/met.h"

namespace ucxx::core::test {
namespace {

constexpr TagMask kAny{0};

class TwoChannelsTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(near_.talks() && far_.talks());
    ASSERT_TRUE(near_.isLocal());
    ASSERT_FALSE(far_.isLocal());
  }
  Workers workers() const {
    Workers all{worker_};
    for (const auto& peer : {near_.left, far_.left})
      if (peer != nullptr) all.push_back(peer);
    return all;
  }
  bool ended(const Requests& requests) const { return compat::ended(workers(), requests); }
  std::shared_ptr<Request> receive(int& in, TagMask mask = kAny) const {
    return worker_->tagRecv(&in, sizeof in, Tag{5}, mask);
  }
  static std::shared_ptr<Request> send(const Met& from, const int& out) {
    return from.there->tagSend(&out, sizeof out, Tag{5});
  }
  /// So many messages wait for a receive.
  bool arrived(std::uint64_t count) const {
    return compat::until(
        workers(), [&] { return worker_->stats().unexpected_messages == unexpected_ + count; });
  }

  std::shared_ptr<Worker> worker_ = workerWith("auto");
  Met near_{workerWith("auto"), worker_, false};
  Met far_{workerWith("off"), worker_, false};
  const int one_ = 1, two_ = 2;
  std::uint64_t unexpected_ = 0;
};

TEST_F(TwoChannelsTest, WildcardsTakeWhatComesFirst) {
  for (const auto& [first, second] : {std::pair(&near_, &far_), std::pair(&far_, &near_)}) {
    int in[2] = {0, 0};
    const Requests received{receive(in[0]), receive(in[1])};
    ASSERT_TRUE(ended({send(*first, one_), received[0]}));
    EXPECT_FALSE(received[1]->isCompleted());
    ASSERT_TRUE(ended({send(*second, two_), received[1]}));
    EXPECT_EQ(in[0], 1);
    EXPECT_EQ(in[1], 2);
  }
}

TEST_F(TwoChannelsTest, WhatCameFirstIsReceivedFirst) {
  for (const auto& [first, second] : {std::pair(&near_, &far_), std::pair(&far_, &near_)}) {
    unexpected_ = worker_->stats().unexpected_messages;
    const Requests sent{send(*first, one_)};
    ASSERT_TRUE(arrived(1));
    const auto sent_next = send(*second, two_);
    ASSERT_TRUE(arrived(2));
    int in[2] = {0, 0};
    ASSERT_TRUE(ended({receive(in[0]), receive(in[1]), sent[0], sent_next}));
    EXPECT_EQ(in[0], 1);
    EXPECT_EQ(in[1], 2);
  }
}

TEST_F(TwoChannelsTest, OldestReceiveWinsWhateverTheChannel) {
  int exact = 0, any = 0;
  const Requests received{receive(exact, TagMaskFull), receive(any)};
  ASSERT_TRUE(ended({send(far_, one_), received[0]}));
  ASSERT_TRUE(ended({send(near_, two_), received[1]}));
  EXPECT_EQ(exact, 1);
  EXPECT_EQ(any, 2);
}

TEST_F(TwoChannelsTest, CancelledWildcardTakesNothing) {
  int never = 0, in[2] = {0, 0};
  const auto cancelled = receive(never);
  const Requests received{receive(in[0]), receive(in[1])};
  cancelled->cancel();
  ASSERT_TRUE(ended({cancelled}));
  ASSERT_TRUE(ended({send(near_, one_), received[0], send(far_, two_), received[1]}));
  EXPECT_EQ(cancelled->getStatus(), UCS_ERR_CANCELED);
  EXPECT_EQ(never, 0);
  EXPECT_EQ(in[0] + in[1], 3);
}

TEST_F(TwoChannelsTest, WildcardOutlivesEitherPeer) {
  for (Met* gone : {&near_, &far_}) {
    Met& other = gone == &near_ ? far_ : near_;
    if (other.left == nullptr) break;
    int in = 0;
    const auto received = receive(in);
    gone->there = nullptr;
    gone->left = nullptr;
    ASSERT_TRUE(compat::until(workers(), [&] { return !gone->back->isAlive(); }));
    EXPECT_FALSE(received->isCompleted());
    ASSERT_TRUE(ended({send(other, two_), received}));
    EXPECT_EQ(in, 2);
  }
}

/// Of each size that is sent in another way; each peer's stay in their order.
TEST_F(TwoChannelsTest, ManyAtOnceKeepTheOrderOfEachPeer) {
  constexpr std::size_t kSizes[] = {8, 1000, 50'000, kAnnouncedBytes};
  constexpr int kRounds = 5;
  std::vector<std::vector<std::byte>> payloads;
  for (int i = 0; i < kRounds * static_cast<int>(std::size(kSizes)) * 2; ++i)
    payloads.push_back(bytes(kSizes[i / 2 % std::size(kSizes)], i + 1));
  Requests received, sent;
  std::vector<std::vector<std::byte>> in(payloads.size(), std::vector<std::byte>(kAnnouncedBytes));
  for (auto& each : in) received.push_back(worker_->tagRecv(each.data(), each.size(), Tag{}, kAny));
  for (std::size_t i = 0; i < payloads.size(); ++i) {
    const Met& from = i % 2 == 0 ? near_ : far_;
    sent.push_back(from.there->tagSend(payloads[i].data(), payloads[i].size(), Tag{i % 2}));
  }
  ASSERT_TRUE(ended(sent));
  ASSERT_TRUE(ended(received));
  std::size_t next[2] = {0, 1};
  for (std::size_t i = 0; i < in.size(); ++i) {
    ASSERT_EQ(received[i]->getStatus(), UCS_OK);
    std::size_t& turn = next[received[i]->getSenderTag()];
    in[i].resize(received[i]->getReceivedLength());
    ASSERT_LT(turn, payloads.size());
    EXPECT_TRUE(in[i] == payloads[turn]) << turn;
    turn += 2;
  }
}

}  // namespace
}  // namespace ucxx::core::test
