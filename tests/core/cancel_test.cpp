// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Cancel, in every state that a request passes through.

#include <functional>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

class CancelTest : public testing::TestWithParam<Mode> {
 protected:
  Ends ends_{Route::Listener, GetParam()};
  Received received_;
};

TEST_P(CancelTest, UnmatchedReceivesEnd) {
  for (const Move move : {Move::Tag, Move::Wildcard, Move::Stream, Move::Am, Move::Multi}) {
    SCOPED_TRACE(nameOf(move));
    Receiving receiving(move, *ends_.right, 100, received_);
    receiving.request->cancel();
    receiving.request->cancel();
    ASSERT_TRUE(ends_.ended({receiving.request}));
    EXPECT_EQ(receiving.request->getStatus(), UCS_ERR_CANCELED);
    receiving.request->cancel();
    // It takes no message any more.
    Sending sending(move, *ends_.left, bytes(100));
    Receiving next(move, *ends_.right, 100, received_);
    ASSERT_TRUE(ends_.ended({sending.request, next.request}));
    EXPECT_TRUE(next.payload() == sending.payload());
  }
  EXPECT_EQ(ends_.right->getCancelingSize(), 0u);
}

/// It ends with its receive, which has begun, or was never sent.
TEST_P(CancelTest, AnnouncedSendEnds) {
  std::uint64_t sent = 1;
  for (const Move move : {Move::Tag, Move::Stream, Move::Am, Move::AmIov, Move::Multi}) {
    SCOPED_TRACE(nameOf(move));
    Sending sending(move, *ends_.left, bytes(kAnnouncedBytes));
    ASSERT_TRUE(ends_.until([&] { return ends_.left_worker->stats().messages_sent == sent; }));
    sending.request->cancel();
    Receiving receiving(move, *ends_.right, kAnnouncedBytes, received_);
    ASSERT_TRUE(ends_.ended({sending.request}));
    const bool is_recalled = sending.request->getStatus() == UCS_ERR_CANCELED;
    EXPECT_EQ(sending.request->getStatus(), is_recalled ? UCS_ERR_CANCELED : UCS_OK);
    Sending next(move, *ends_.left, bytes(kAnnouncedBytes, 2));
    ASSERT_TRUE(ends_.ended({receiving.request}));
    EXPECT_TRUE(receiving.payload() == (is_recalled ? next : sending).payload());
    if (!is_recalled) {
      Receiving other(move, *ends_.right, kAnnouncedBytes, received_);
      ASSERT_TRUE(ends_.ended({other.request}));
      EXPECT_TRUE(other.payload() == next.payload());
    }
    ASSERT_TRUE(ends_.ended({next.request}));
    sent += 2;
  }
}

INSTANTIATE_TEST_SUITE_P(All, CancelTest, testing::ValuesIn(kModes),
                         [](const auto& info) { return nameOf(info.param); });

TEST(CancelBeforeTest, SendThatWaitsForTheLink) {
  auto server = makeWorker();
  auto client = makeWorker();
  auto endpoint = client->createEndpointFromWorkerAddress(server->getAddress());
  for (const Move move : {Move::Tag, Move::Stream, Move::Am, Move::Multi}) {
    Sending sending(move, *endpoint, bytes(100));
    sending.request->cancel();
    EXPECT_EQ(sending.request->getStatus(), UCS_ERR_CANCELED) << nameOf(move);
  }
  Sending sending(Move::Tag, *endpoint, bytes(100));
  std::vector<std::byte> received(100);
  ASSERT_TRUE(compat::ended({server, client},
                            {sending.request, server->tagRecv(received.data(), 100, kTag)}));
  EXPECT_TRUE(received == sending.payload());
}

TEST(CancelBeforeTest, SendThatWaitsForAnnouncements) {
  WorkerOptions options;
  options.announcements = 1;
  Ends ends(Route::Listener, Mode::Caller, options);
  Sending first(Move::Tag, *ends.left, bytes(kAnnouncedBytes, 1));
  Sending second(Move::Tag, *ends.left, bytes(kAnnouncedBytes, 2));
  Sending third(Move::Tag, *ends.left, bytes(kAnnouncedBytes, 3));
  second.request->cancel();
  EXPECT_EQ(second.request->getStatus(), UCS_ERR_CANCELED);
  Received none;
  Receiving one(Move::Tag, *ends.right, kAnnouncedBytes, none);
  Receiving two(Move::Tag, *ends.right, kAnnouncedBytes, none);
  ASSERT_TRUE(ends.ended({first.request, third.request, one.request, two.request}));
  EXPECT_TRUE(one.payload() == first.payload());
  EXPECT_TRUE(two.payload() == third.payload());
}

TEST(CancelBeforeTest, DelayedSubmissionWithoutThread) {
  WorkerOptions options;
  options.delayed_submission = true;
  auto worker = makeWorker(options);
  auto request = worker->tagRecv(nullptr, 0, kTag);
  request->cancel();
  EXPECT_FALSE(request->isCompleted());
  worker->startProgressThread(ProgressOptions{});
  ASSERT_TRUE(compat::ended({worker}, {request}));
  EXPECT_EQ(request->getStatus(), UCS_ERR_CANCELED);
}

TEST(CancelCallbackTest, CallbackSeesCanceledAndMayPost) {
  Ends ends(Route::Self);
  std::vector<std::byte> buffer(8);
  std::shared_ptr<Request> next;
  ucs_status_t seen = UCS_INPROGRESS;
  auto request = ends.left->tagRecv(buffer.data(), 8, kTag, TagMaskFull, false,
                                    [&](ucs_status_t status, std::shared_ptr<void>) {
                                      seen = status;
                                      next = ends.left->tagRecv(buffer.data(), 8, kTag);
                                      next->cancel();
                                    });
  request->cancel();
  EXPECT_EQ(seen, UCS_ERR_CANCELED);
  ASSERT_TRUE(next != nullptr);
  EXPECT_EQ(next->getStatus(), UCS_ERR_CANCELED);
}

TEST(CancelSleepTest, WakesWhoWaitsForTheRequest) {
  for (int i = 0; i < 20; ++i) {
    auto worker = makeWorker();
    worker->initBlockingProgressMode();
    auto receive = worker->tagRecv(nullptr, 0, kTag);
    std::atomic<bool> awake{false};
    WatchedThread sleeper([&] {
      while (!receive->isCompleted()) worker->waitProgress();
      awake = true;
    });
    const bool asleep = i % 2 == 1 || sleeper.fallsAsleep();
    receive->cancel();
    const bool woken = in(std::chrono::seconds(3), [&] { return awake.load(); });
    while (!awake) worker->signal();
    ASSERT_TRUE(asleep);
    ASSERT_TRUE(woken) << i;
  }
}

TEST(CancelCallbackTest, CancelInflightReturnsThoughCallbacksRepost) {
  using namespace std::chrono_literals;
  std::function<void()> post;
  Ends ends(Route::Self);
  const auto begin = Clock::now();
  post = [&] {
    ends.left->tagRecv(nullptr, 0, kTag, TagMaskFull, false,
                       [&](ucs_status_t, std::shared_ptr<void>) {
                         if (Clock::now() - begin < 3s) post();
                       });
  };
  for (int i = 0; i < 10; ++i) post();
  EXPECT_GE(ends.left->cancelInflightRequests(), 10u);
  EXPECT_LT(Clock::now() - begin, 1s);
  post = [] {};
}

TEST(CancelFailedTest, CancelInflightEndsWhatFailedEndpointsHold) {
  Ends ends(Route::Listener);
  std::vector<std::byte> buffer(8);
  auto receive = ends.right->tagRecv(buffer.data(), 8, kTag);
  EXPECT_EQ(ends.right_worker->cancelInflightRequests(), 0u);  // it has not failed
  EXPECT_FALSE(receive->isCompleted());
  EXPECT_EQ(ends.right->cancelInflightRequests(), 1u);
  EXPECT_EQ(receive->getStatus(), UCS_ERR_CANCELED);
}

TEST(CancelMovingTest, CountsUntilItEnds) {
  constexpr std::size_t kSize = 64 << 20;
  Ends ends(Route::Listener);
  const std::vector<std::byte> sent(kSize, std::byte{1});
  std::vector<std::byte> room(kSize);
  const auto send = ends.left->tagSend(sent.data(), kSize, kTag);
  const auto receive = ends.right->tagRecv(room.data(), kSize, kTag);
  ASSERT_TRUE(ends.until([&] { return room.front() == std::byte{1}; }));
  EXPECT_EQ(ends.left->getCancelingSize(), 0u);
  send->cancel();
  EXPECT_EQ(send->getStatus(), UCS_INPROGRESS);
  EXPECT_EQ(ends.left->getCancelingSize(), 1u);
  ASSERT_TRUE(ends.ended({send, receive}));
  EXPECT_EQ(send->getStatus(), UCS_OK);
  EXPECT_EQ(ends.left->getCancelingSize(), 0u);
}

}  // namespace
}  // namespace ucxx::core::test
