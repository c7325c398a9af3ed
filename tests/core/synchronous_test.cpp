// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Sends in synchronous mode end when a receive has matched them.

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

constexpr std::size_t kSizes[] = {0, 8, 1000, 50'000, kAnnouncedBytes};

class SynchronousTest : public testing::TestWithParam<Route> {
 protected:
  /// A message that was sent behind it has come: it had its chance to end.
  bool passes(Tag tag) {
    const auto marker = ends.left->tagSend(nullptr, 0, tag);
    return ends.ended({marker}) && ends.arrived(ends.right_worker, tag);
  }

  Ends ends{GetParam()};
};

TEST_P(SynchronousTest, EndsWhenAReceiveHasMatched) {
  unsigned seed = 0;
  for (const std::size_t size : kSizes) {
    SCOPED_TRACE(size);
    const auto sent = bytes(size, ++seed);
    const auto send = ends.left->tagSendSync(sent.data(), size, Tag{1});
    ASSERT_TRUE(ends.arrived(ends.right_worker, Tag{1}));
    ASSERT_TRUE(passes(Tag{2}));
    EXPECT_FALSE(send->isCompleted());
    std::vector<std::byte> room(size);
    const Requests requests{send, ends.right->tagRecv(room.data(), size, Tag{1}),
                            ends.right->tagRecv(nullptr, 0, Tag{2})};
    ASSERT_TRUE(ends.ended(requests));
    for (const auto& request : requests) EXPECT_EQ(request->getStatus(), UCS_OK);
    EXPECT_TRUE(room == sent);
  }
}

TEST_P(SynchronousTest, ReceivesThatWaitAreMatchedAtOnce) {
  for (const std::size_t size : kSizes) {
    const auto sent = bytes(size, 7);
    std::vector<std::byte> room(size);
    const auto receive = ends.right->tagRecv(room.data(), size, Tag{1});
    const auto send = ends.left->tagSendSync(sent.data(), size, Tag{1});
    ASSERT_TRUE(ends.ended({receive, send})) << size;
    EXPECT_EQ(send->getStatus(), UCS_OK);
    EXPECT_TRUE(room == sent) << size;
  }
}

TEST_P(SynchronousTest, SeveralBlocksAndTheBuilder) {
  auto sent = bytes(20'000);
  std::vector<std::byte> room(sent.size());
  const std::vector<ucp_dt_iov_t> blocks{{sent.data(), 5}, {sent.data() + 5, sent.size() - 5}};
  for (const bool by_builder : {false, true}) {
    const auto send =
        by_builder
            ? std::shared_ptr<Request>(ends.left->tagSendBuilder(blocks, Tag{1}).synchronous())
            : ends.left->tagSendSync(blocks, Tag{1});
    ASSERT_TRUE(ends.arrived(ends.right_worker, Tag{1}));
    EXPECT_FALSE(send->isCompleted());
    const auto receive =
        ends.right_worker->tagRecvBuilder(room.data(), room.size(), Tag{1}).build();
    ASSERT_TRUE(ends.ended({send, receive}));
    EXPECT_TRUE(room == sent);
  }
}

/// Nobody else's message is held up.
TEST_P(SynchronousTest, OrderOfATagIsKept) {
  const int sent[] = {1, 2, 3};
  const Requests sends{ends.left->tagSend(&sent[0], sizeof(int), Tag{1}),
                       ends.left->tagSendSync(&sent[1], sizeof(int), Tag{1}),
                       ends.left->tagSend(&sent[2], sizeof(int), Tag{1})};
  ASSERT_TRUE(ends.ended({sends[0], sends[2]}));
  int room[3] = {};
  Requests receives;
  for (int& one : room) receives.push_back(ends.right->tagRecv(&one, sizeof one, Tag{1}));
  ASSERT_TRUE(ends.ended(receives));
  EXPECT_TRUE(std::equal(std::begin(sent), std::end(sent), std::begin(room)));
  ASSERT_TRUE(ends.ended(sends));
}

TEST_P(SynchronousTest, ManyAtOnce) {
  constexpr std::size_t kCount = 2000;
  std::vector<std::size_t> sent(kCount), room(kCount);
  Requests requests;
  for (std::size_t i = 0; i < kCount; ++i) {
    sent[i] = i + 1;
    requests.push_back(ends.left->tagSendSync(&sent[i], sizeof sent[i], Tag{i}));
  }
  for (std::size_t i = kCount; i-- != 0;)
    requests.push_back(ends.right->tagRecv(&room[i], sizeof room[i], Tag{i}));
  ASSERT_TRUE(ends.ended(requests));
  EXPECT_TRUE(room == sent);
}

TEST_P(SynchronousTest, TruncationIsTheReceivers) {
  const auto sent = bytes(1000);
  std::byte room[10];
  const auto send = ends.left->tagSendSync(sent.data(), sent.size(), Tag{1});
  const auto receive = ends.right->tagRecv(room, sizeof room, Tag{1});
  ASSERT_TRUE(ends.ended({send, receive}));
  EXPECT_EQ(receive->getStatus(), UCS_ERR_MESSAGE_TRUNCATED);
  EXPECT_EQ(send->getStatus(), UCS_OK);  // it was matched
}

TEST_P(SynchronousTest, ProbesThatRemoveItMatch) {
  const int sent = 5;
  int room = 0;
  const auto send = ends.left->tagSendSync(&sent, sizeof sent, 1);
  ASSERT_TRUE(ends.arrived(ends.right_worker, Tag{1}));
  const auto probe = ends.right_worker->tagProbe(Tag{1}, TagMaskFull, true);
  ASSERT_TRUE(passes(Tag{2}));
  EXPECT_FALSE(send->isCompleted());
  const auto receive = ends.right_worker->tagRecvWithHandle(&room, probe);
  ASSERT_TRUE(ends.ended({receive, send}));
  EXPECT_EQ(room, sent);
}

TEST_P(SynchronousTest, CancelEndsWhatNobodyHasMatched) {
  const int sent = 5, other = 6;
  int room = 0;
  const auto send = ends.left->tagSendSync(&sent, sizeof sent, 1);
  ASSERT_TRUE(ends.arrived(ends.right_worker, Tag{1}));
  send->cancel();
  ASSERT_TRUE(ends.ended({send}));
  EXPECT_EQ(send->getStatus(), UCS_ERR_CANCELED);
  ASSERT_TRUE(ends.ended({ends.right->tagRecv(&room, sizeof room, 1),
                          ends.left->tagSendSync(&other, sizeof other, 1)}));
  EXPECT_EQ(room, other);
}

TEST_P(SynchronousTest, FlushWaitsForIt) {
  const int sent = 1;
  int room = 0;
  const auto send = ends.left->tagSendSync(&sent, sizeof sent, Tag{1});
  const auto flush = ends.left->flush();
  ASSERT_TRUE(passes(Tag{2}));
  EXPECT_FALSE(flush->isCompleted());
  ASSERT_TRUE(ends.ended({ends.right->tagRecv(&room, sizeof room, Tag{1}), send, flush}));
}

/// A pair with itself closes on both sides at once.
class SynchronousPeersTest : public SynchronousTest {};
TEST_P(SynchronousPeersTest, EndsWithAnErrorWhenThePeerCloses) {
  const int sent = 1;
  const auto send = ends.left->tagSendSync(&sent, sizeof sent, Tag{1});
  ASSERT_TRUE(ends.arrived(ends.right_worker, Tag{1}));
  ends.right->closeBlocking();
  ends.right = nullptr;
  ASSERT_TRUE(ends.until([&] { return !ends.left->isAlive(); }));
  ASSERT_TRUE(ends.ended({send}));
  EXPECT_EQ(send->getStatus(), UCS_ERR_CONNECTION_RESET);
}

TEST_P(SynchronousTest, WrongArguments) {
  EXPECT_THROW(ends.left->tagSendSync(nullptr, 1, Tag{1}), std::runtime_error);
  EXPECT_THROW(ends.left->tagSendSync(std::vector<ucp_dt_iov_t>{}, Tag{1}), std::runtime_error);
  int room = 0;
  EXPECT_THROW((void)ends.right->tagRecvBuilder(&room, sizeof room, Tag{1}).synchronous(),
               std::logic_error);
}

INSTANTIATE_TEST_SUITE_P(All, SynchronousPeersTest,
                         testing::Values(Route::Listener, Route::Address),
                         [](const auto& info) { return nameOf(info.param); });
INSTANTIATE_TEST_SUITE_P(All, SynchronousTest, testing::ValuesIn(kRoutes),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::core::test
