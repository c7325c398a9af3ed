// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A receiver that does not move, stopped or computing, holds no send that it has not asked for: it
// ends here, and the receiver does not get it afterwards.

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

WorkerOptions quick() {
  WorkerOptions options = withoutFetchAhead();
  options.close_timeout = 50ms;
  return options;
}

/// What it has to say leaves, as far as the peer takes it.
void progressAWhile(const std::shared_ptr<Worker>& worker) {
  for (int i = 0; i < 1000; ++i) worker->progress();
}

/// The worker on the right moves only when a test says so.
class RevokeTest : public testing::TestWithParam<Move> {
 protected:
  Sending announce(unsigned seed = 1) {
    return {GetParam(), *ends.left, bytes(kAnnouncedBytes, seed)};
  }
  Receiving receive() { return {GetParam(), *ends.right, kAnnouncedBytes, none_}; }
  [[nodiscard]] bool endsAlone(const std::shared_ptr<Request>& request) {
    return compat::ended({ends.left_worker}, {request});
  }
  /// Each side has handled what the other one had to say.
  void exchange() {
    std::byte byte{1};
    for (Endpoint* endpoint : {ends.right.get(), ends.left.get()}) {
      Endpoint& other = endpoint == ends.left.get() ? *ends.right : *ends.left;
      ASSERT_TRUE(ends.ended(
          {endpoint->tagSend(&byte, 1, Tag{1}), other.tagRecv(&byte, 1, Tag{1}, TagMaskFull)}));
    }
  }
  void moveLeft() { progressAWhile(ends.left_worker); }

  Ends ends{Route::Listener, Mode::Caller, quick()};

 private:
  Received none_;
};

TEST_P(RevokeTest, CloseBlockingEndsItAtOnce) {
  Receiving receiving = receive();
  const Sending sending = announce();
  moveLeft();
  ends.left->closeBlocking();
  ASSERT_TRUE(endsAlone(sending.request));
  EXPECT_EQ(sending.request->getStatus(), UCS_ERR_CANCELED);
  ASSERT_TRUE(ends.ended({receiving.request}));
  EXPECT_NE(receiving.request->getStatus(), UCS_OK);
}

TEST_P(RevokeTest, ACloseEndsItWhenItsTimeIsUp) {
  Receiving receiving = receive();
  const Sending sending = announce();
  const auto close = ends.left->close();
  ASSERT_TRUE(endsAlone(close));
  EXPECT_EQ(close->getStatus(), UCS_ERR_TIMED_OUT);
  EXPECT_TRUE(sending.request->isCompleted());
  EXPECT_EQ(sending.request->getStatus(), UCS_ERR_CANCELED);
  ASSERT_TRUE(ends.ended({receiving.request}));
  EXPECT_NE(receiving.request->getStatus(), UCS_OK);
}

TEST_P(RevokeTest, ACancelledCloseEndsIt) {
  const Sending sending = announce();
  const auto close = ends.left->close(10s);
  moveLeft();
  close->cancel();
  ASSERT_TRUE(endsAlone(close));
  ASSERT_TRUE(endsAlone(sending.request));
  EXPECT_EQ(sending.request->getStatus(), UCS_ERR_CANCELED);
}

TEST_P(RevokeTest, ACancelEndsItWhenThePeerSaysNothing) {
  const Sending sending = announce();
  moveLeft();
  sending.request->cancel();
  ASSERT_TRUE(endsAlone(sending.request));
  EXPECT_EQ(sending.request->getStatus(), UCS_ERR_CANCELED);
  EXPECT_EQ(ends.left->getCancelingSize(), 0u);
}

/// Its receives were there before, and have asked for what is gone: they get the next ones, in
/// their order. The link goes on.
TEST_P(RevokeTest, ReceivesThatAskedTooLateGoOnWaiting) {
  Receiving first = receive(), second = receive(), third = receive();
  const Sending lost = announce(1), also_lost = announce(2);
  moveLeft();
  lost.request->cancel();
  also_lost.request->cancel();
  ASSERT_TRUE(endsAlone(lost.request) && endsAlone(also_lost.request));
  exchange();
  unsigned seed = 3;
  for (Receiving* receiving : {&first, &second, &third}) {
    const Sending next = announce(seed++);
    ASSERT_TRUE(ends.ended({next.request, receiving->request}));
    EXPECT_TRUE(receiving->payload() == next.payload());
  }
}

/// One that was cancelled meanwhile, in vain, ends.
TEST_P(RevokeTest, AReceiveThatWasCancelledEnds) {
  if (ends.isLocal()) return;  // nothing asks in vain
  Receiving receiving = receive();
  const Sending sending = announce();
  moveLeft();
  sending.request->cancel();
  ASSERT_TRUE(endsAlone(sending.request));
  while (receiving.request->getStatus() == UCS_INPROGRESS &&
         ends.right_worker->stats().bytes_received == 0)
    ends.right_worker->progress();  // it has asked
  receiving.request->cancel();
  ASSERT_TRUE(ends.ended({receiving.request}));
  EXPECT_EQ(receiving.request->getStatus(), UCS_ERR_CANCELED);
}

/// One that moves, and takes nothing, answers.
TEST_P(RevokeTest, WhoAnswersIsNotCutShort) {
  std::vector<Sending> sends;
  for (unsigned i = 0; i < 20; ++i) sends.push_back(announce(i));
  ASSERT_TRUE(ends.until([&] { return ends.right_worker->stats().unexpected_messages != 0; }));
  for (const Sending& sending : sends) {
    sending.request->cancel();
    ASSERT_TRUE(ends.ended({sending.request}));
    EXPECT_EQ(sending.request->getStatus(), UCS_ERR_CANCELED);
  }
  const Sending next = announce(99);
  Receiving receiving = receive();
  ASSERT_TRUE(ends.ended({receiving.request, next.request}));
  EXPECT_TRUE(receiving.payload() == next.payload());
}

INSTANTIATE_TEST_SUITE_P(All, RevokeTest,
                         testing::Values(Move::Tag, Move::TagIov, Move::Stream, Move::Am,
                                         Move::AmIov, Move::Multi),
                         [](const auto& info) { return nameOf(info.param); });

/// A message that came earlier, behind what was taken back, is not lost with the endpoint.
TEST(RevokeAmTest, AReceiveGetsWhatCameBehind) {
  Ends ends(Route::Listener, Mode::Caller, quick());
  const auto large = bytes(kAnnouncedBytes), small = bytes(100, 2);
  const auto receive = ends.right->amRecv();
  const auto lost = ends.left->amSend(large.data(), large.size(), UCS_MEMORY_TYPE_HOST);
  const auto sent = ends.left->amSend(small.data(), small.size(), UCS_MEMORY_TYPE_HOST);
  ends.left->closeBlocking(1'000'000);
  ASSERT_TRUE(compat::ended({ends.left_worker}, {lost}));
  ASSERT_TRUE(ends.ended({receive}));
  EXPECT_EQ(receive->getStatus(), UCS_OK);
  EXPECT_EQ(receive->getRecvBuffer()->getSize(), small.size());
}

/// What an earlier receive gave back meanwhile is in its place again.
TEST(RevokeStreamTest, BytesThatWereGivenBackAreNoGap) {
  Ends ends(Route::Listener, Mode::Caller, quick());
  const auto small = bytes(100), large = bytes(kAnnouncedBytes, 2);
  std::vector<std::byte> first(small.size()), second(large.size());
  const auto early = ends.left->streamSend(small.data(), small.size());
  const auto earlier = ends.right->streamRecv(first.data(), first.size());
  ASSERT_TRUE(ends.ended({early, earlier}));
  const auto later = ends.right->streamRecv(second.data(), second.size());
  const auto lost = ends.left->streamSend(large.data(), large.size());
  progressAWhile(ends.left_worker);
  lost->cancel();
  ASSERT_TRUE(compat::ended({ends.left_worker}, {lost}));
  progressAWhile(ends.right_worker);  // it asks, where no claim tells
  EXPECT_TRUE(earlier->giveBack());
  const auto rest = ends.left->streamSend(large.data(), large.size() - small.size());
  ASSERT_TRUE(ends.ended({later, rest}));
  EXPECT_EQ(later->getStatus(), UCS_OK);
  EXPECT_TRUE(std::equal(small.begin(), small.end(), second.begin()));
  EXPECT_TRUE(std::equal(large.begin(), large.end() - 100, second.begin() + 100));
}

/// What a close takes back leaves a gap, and nothing is received across it.
class RevokeStreamCloseTest : public testing::TestWithParam<bool> {
 protected:
  /// All that the left side has sent is on the right one.
  void arrive() {
    std::byte byte{1};
    ASSERT_TRUE(ends.ended({ends.left->tagSend(&byte, 1, Tag{1}),
                            ends.right_worker->tagRecv(&byte, 1, Tag{1}, TagMaskFull)}));
  }
  /// Sends `first`, a large piece that is not taken, and `last`, and closes in vain.
  void sendAndClose() {
    const auto early = ends.left->streamSend(first.data(), first.size());
    const auto lost = ends.left->streamSend(large.data(), large.size());
    const auto late = ends.left->streamSend(last.data(), last.size());
    if (GetParam()) arrive();
    const auto close = ends.left->close();
    ASSERT_TRUE(compat::ended({ends.left_worker}, {early, lost, late, close}));
    EXPECT_EQ(early->getStatus(), UCS_OK);
    EXPECT_EQ(lost->getStatus(), UCS_ERR_CANCELED);
    EXPECT_EQ(close->getStatus(), UCS_ERR_TIMED_OUT);
  }

  const std::vector<std::byte> first = bytes(100), large = bytes(kAnnouncedBytes, 2),
                               last = bytes(100, 3);
  std::vector<std::byte> room = std::vector<std::byte>(100), rest = std::vector<std::byte>(100);
  Ends ends{Route::Listener, Mode::Caller, quick()};
};

TEST_P(RevokeStreamCloseTest, NothingIsReceivedInItsPlace) {
  sendAndClose();
  const auto before = ends.right->streamRecv(room.data(), room.size());
  ASSERT_TRUE(ends.ended({before}));
  EXPECT_EQ(before->getStatus(), UCS_OK);
  EXPECT_TRUE(room == first);
  const auto after = ends.right->streamRecv(rest.data(), rest.size());
  ASSERT_TRUE(ends.ended({after}));
  EXPECT_EQ(after->getStatus(), UCS_ERR_CONNECTION_RESET);
}

TEST_P(RevokeStreamCloseTest, AReceiveOfBothSidesOfItFails) {
  sendAndClose();
  std::vector<std::byte> both(first.size() + last.size());
  const auto receive = ends.right->streamRecv(both.data(), both.size());
  ASSERT_TRUE(ends.ended({receive}));
  EXPECT_EQ(receive->getStatus(), UCS_ERR_CONNECTION_RESET);
}

INSTANTIATE_TEST_SUITE_P(All, RevokeStreamCloseTest, testing::Bool(), [](const auto& info) {
  return info.param ? "AfterItHasArrived" : "BeforeTheReceiverMoves";
});

/// Its receive ends as soon as the message is there, whether or not that is answered: so its sender
/// has to know.
TEST(RevokeEmptyTest, AnEmptyMessageIsNotTakenBackUnseen) {
  Ends ends(Route::Listener, Mode::Caller, quick());
  std::byte room{};
  const auto receive = ends.right->tagRecv(&room, 1, kTag, TagMaskFull);
  const auto send = ends.left->tagSendSync(nullptr, 0, kTag);
  progressAWhile(ends.left_worker);
  send->cancel();
  if (send->isCompleted()) return;  // inside a machine a claim tells who has it
  ASSERT_TRUE(ends.ended({send, receive}));
  EXPECT_EQ(send->getStatus(), UCS_OK);
  EXPECT_EQ(receive->getStatus(), UCS_OK);
}

/// Sent in pieces that UCX holds, or at once: it ends with the connection. Through a ring the
/// receiver may copy at any time.
TEST(RevokeMovingTest, WhatIsUnderWayEndsWithTheConnection) {
  Ends ends(Route::Listener, Mode::Caller, quick());
  if (ends.isLocal()) return;
  const auto sent = bytes(64 << 20);
  std::vector<std::byte> room(sent.size());
  const auto receive = ends.right->tagRecv(room.data(), room.size(), kTag);
  const auto send = ends.left->tagSend(sent.data(), sent.size(), kTag);
  Requests eager;
  ASSERT_TRUE(ends.until([&] { return room.front() == sent.front(); }));
  for (int i = 0; i < 1000; ++i) eager.push_back(ends.left->tagSend(sent.data(), 4 << 10, Tag{1}));
  EXPECT_FALSE(send->isCompleted());
  ends.left->closeBlocking(1'000'000);
  ASSERT_TRUE(compat::ended({ends.left_worker}, {send}));
  ASSERT_TRUE(compat::ended({ends.left_worker}, eager));
  EXPECT_NE(send->getStatus(), UCS_OK);
  ASSERT_TRUE(ends.ended({receive}));
  EXPECT_NE(receive->getStatus(), UCS_OK);
}

/// ... or when the last endpoint that needs the connection has closed.
TEST(RevokeMovingTest, TheLastEndpointTakesItWithIt) {
  Ends ends(Route::Listener, Mode::Caller, quick());
  if (ends.isLocal()) return;
  const auto other =
      ends.left_worker->createEndpointFromHostname("127.0.0.1", ends.listener->getPort());
  const auto sent = bytes(64 << 20);
  std::vector<std::byte> room(sent.size());
  const auto receive = ends.right->tagRecv(room.data(), room.size(), kTag);
  const auto send = ends.left->tagSend(sent.data(), sent.size(), kTag);
  ASSERT_TRUE(ends.until([&] { return room.front() == sent.front() && other->hasConnected(); }));
  ends.left->closeBlocking(1'000'000);
  progressAWhile(ends.left_worker);
  EXPECT_FALSE(send->isCompleted());
  EXPECT_TRUE(other->isAlive());
  other->closeBlocking(1'000'000);
  ASSERT_TRUE(compat::ended({ends.left_worker}, {send}));
  ASSERT_TRUE(ends.ended({receive}));
  EXPECT_NE(receive->getStatus(), UCS_OK);
}

}  // namespace
}  // namespace ucxx::core::test
