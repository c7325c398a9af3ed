// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A send that was announced and that nobody has begun to take is its sender's again by cancel, and
// is as if it had never been sent.

#include <numeric>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

constexpr Move kAnnouncing[] = {Move::Tag, Move::TagIov, Move::Stream,
                                Move::Am,  Move::AmIov,  Move::Multi};

class RecallTest : public testing::TestWithParam<std::tuple<Move, Route>> {
 protected:
  Move move() const { return std::get<0>(GetParam()); }
  Sending announce(unsigned seed) { return {move(), *ends.left, bytes(kAnnouncedBytes, seed)}; }
  /// Who has it is known at once: the receiver need not be there.
  bool isNear() const { return ends.isSelf() || ends.isLocal(); }
  void expectRecalled(const Sending& sending) {
    sending.request->cancel();
    if (isNear()) {
      EXPECT_EQ(sending.request->getStatus(), UCS_ERR_CANCELED);
    }
    ASSERT_TRUE(ends.ended({sending.request}));
    EXPECT_EQ(sending.request->getStatus(), UCS_ERR_CANCELED);
    EXPECT_EQ(ends.left->getCancelingSize(), 0u);
  }
  void expectReceived(Receiving& receiving, const Sending& sending) {
    ASSERT_TRUE(ends.ended({receiving.request, sending.request}));
    EXPECT_EQ(sending.request->getStatus(), UCS_OK);
    EXPECT_TRUE(receiving.payload() == sending.payload());
  }
  Receiving receive() { return {move(), *ends.right, kAnnouncedBytes, none_}; }
  /// Another one comes in its place, and all that was held for the first is free again.
  void expectNextIsReceived() {
    const Sending next = announce(2);
    Receiving receiving = receive();
    expectReceived(receiving, next);
    EXPECT_FALSE(ends.right_worker->tagProbe(Tag{0}, TagMask{0})->isMatched());
  }

  Ends ends{std::get<1>(GetParam()), Mode::Caller, withoutFetchAhead()};

 private:
  Received none_;
};

TEST_P(RecallTest, BeforeItsReceiverHasSeenIt) {
  const Sending first = announce(1);
  expectRecalled(first);
  expectNextIsReceived();
}

TEST_P(RecallTest, WhenItsReceiverHasKeptIt) {
  const Sending first = announce(1);
  ASSERT_TRUE(ends.until([&] { return ends.right_worker->stats().unexpected_messages == 1; }));
  expectRecalled(first);
  expectNextIsReceived();
}

TEST_P(RecallTest, AReceiveThatWaitsGoesOnWaiting) {
  if (ends.isSelf()) return;  // it would have taken it
  const Sending first = announce(1);
  first.request->cancel();
  Receiving receiving = receive();
  if (!isNear()) {  // the cancel comes first, or the receive has begun
    ASSERT_TRUE(ends.ended({first.request}));
    if (first.request->getStatus() == UCS_OK) return;
  }
  EXPECT_EQ(first.request->getStatus(), UCS_ERR_CANCELED);
  const Sending second = announce(2);
  expectReceived(receiving, second);
}

TEST_P(RecallTest, OthersKeepTheirOrder) {
  std::vector<Sending> sends;
  for (unsigned i = 0; i < 6; ++i) sends.push_back(announce(i));
  for (const unsigned i : {4u, 0u, 3u}) expectRecalled(sends[i]);
  for (const unsigned i : {1u, 2u, 5u}) {
    Receiving receiving = receive();
    expectReceived(receiving, sends[i]);
  }
}

TEST_P(RecallTest, ACloseThatWaitsInVainRecallsIt) {
  WorkerOptions quick = withoutFetchAhead();
  quick.close_timeout = 50ms;
  Ends closing(std::get<1>(GetParam()), Mode::Caller, quick);
  const Sending sending(move(), *closing.left, bytes(kAnnouncedBytes));
  const auto close = closing.left->close();
  ASSERT_TRUE(compat::ended({closing.left_worker}, {close}));
  ASSERT_TRUE(closing.ended({sending.request}));
  // The other end of a pair with itself drops what it has for it, which is its own affair.
  EXPECT_TRUE(closing.isSelf() || sending.request->getStatus() == UCS_ERR_CANCELED);
}

TEST_P(RecallTest, CloseBlockingDoesNotWait) {
  const Sending sending = announce(1);
  if (!isNear()) return;  // its receiver would have to be there
  const auto begin = Clock::now();
  ends.left->closeBlocking();
  EXPECT_LT(Clock::now() - begin, 1s);  // the default is more
  EXPECT_EQ(sending.request->getStatus(), UCS_ERR_CANCELED);
}

INSTANTIATE_TEST_SUITE_P(All, RecallTest,
                         testing::Combine(testing::ValuesIn(kAnnouncing),
                                          testing::Values(Route::Self, Route::Listener)),
                         [](const auto& info) {
                           return nameOf(std::get<0>(info.param)) + nameOf(std::get<1>(info.param));
                         });

/// Messages that a program has looked at.
class RecallProbedTest : public testing::TestWithParam<Route> {
 protected:
  RecallProbedTest() {
    send = ends.left->tagSend(sent.data(), sent.size(), kTag);
    EXPECT_TRUE(ends.arrived(ends.right_worker, kTag));
  }
  Ends ends{GetParam(), Mode::Caller, withoutFetchAhead()};
  const std::vector<std::byte> sent = bytes(kAnnouncedBytes);
  std::vector<std::byte> room = std::vector<std::byte>(kAnnouncedBytes);
  std::shared_ptr<Request> send;
};

TEST_P(RecallProbedTest, AProbeFindsItNoMore) {
  send->cancel();
  ASSERT_TRUE(ends.ended({send}));
  EXPECT_EQ(send->getStatus(), UCS_ERR_CANCELED);
  EXPECT_FALSE(ends.right_worker->tagProbe(kTag)->isMatched());
}

TEST_P(RecallProbedTest, WhoHasItsHandleIsTold) {
  const auto probe = ends.right_worker->tagProbe(kTag, TagMaskFull, true);
  ASSERT_TRUE(probe->isMatched());
  send->cancel();
  ASSERT_TRUE(ends.ended({send}));
  EXPECT_EQ(send->getStatus(), UCS_ERR_CANCELED);
  const auto receive = ends.right_worker->tagRecvWithHandle(room.data(), probe);
  ASSERT_TRUE(ends.ended({receive}));
  EXPECT_EQ(receive->getStatus(), UCS_ERR_CANCELED);
}

TEST_P(RecallProbedTest, AHandleThatIsDroppedIsEnough) {
  auto probe = ends.right_worker->tagProbe(kTag, TagMaskFull, true);
  send->cancel();
  ASSERT_TRUE(ends.ended({send}));
  EXPECT_EQ(send->getStatus(), UCS_ERR_CANCELED);
  probe = nullptr;
  const auto next = ends.left->tagSend(sent.data(), sent.size(), kTag);
  const auto receive = ends.right_worker->tagRecv(room.data(), room.size(), kTag);
  ASSERT_TRUE(ends.ended({next, receive}));
  EXPECT_TRUE(room == sent);
}

INSTANTIATE_TEST_SUITE_P(All, RecallProbedTest, testing::Values(Route::Self, Route::Listener),
                         [](const auto& info) { return nameOf(info.param); });

/// A receiver that takes nothing, not even what is in the ring.
class RecallManyTest : public testing::Test {
 protected:
  void announce(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      sends.push_back(ends.left->tagSend(sent.data(), sent.size(), kTag));
  }
  std::size_t cancelled() const {
    return std::accumulate(sends.begin(), sends.end(), std::size_t{0},
                           [](std::size_t sum, const auto& send) {
                             return sum + (send->getStatus() == UCS_ERR_CANCELED ? 1 : 0);
                           });
  }
  void expectTheNextComes() {
    ASSERT_TRUE(ends.ended(sends));
    EXPECT_EQ(cancelled(), sends.size());
    std::vector<std::byte> room(sent.size());
    ASSERT_TRUE(ends.ended({ends.left->tagSend(sent.data(), sent.size(), kTag),
                            ends.right->tagRecv(room.data(), room.size(), kTag)}));
    EXPECT_TRUE(room == sent);
    EXPECT_FALSE(ends.right_worker->tagProbe(kTag)->isMatched());
  }

  Ends ends{Route::Listener, Mode::Caller, withoutFetchAhead()};
  const std::vector<std::byte> sent = bytes(kAnnouncedBytes);
  Requests sends;
};

TEST_F(RecallManyTest, AlsoOfThoseForWhichTheRingHasNoRoom) {
  announce(4000);
  EXPECT_EQ(ends.left->cancelInflightRequests(), ends.isLocal() ? sends.size() : 0);
  expectTheNextComes();
}

TEST_F(RecallManyTest, BeyondTheClaimsTheReceiverIsAsked) {
  announce(5000);
  for (const auto& send : sends) send->cancel();
  if (ends.isLocal()) {
    EXPECT_EQ(cancelled(), 4096u);
  }
  expectTheNextComes();
}

TEST_F(RecallManyTest, AgainAndAgain) {
  for (int i = 0; i < 300; ++i) {
    announce(100);
    for (const auto& send : sends) send->cancel();
    ASSERT_TRUE(ends.ended(sends));
    ASSERT_EQ(cancelled(), sends.size());
    sends.clear();
  }
  expectTheNextComes();
}

/// Sender and receiver are threads that know nothing of each other: each message is either
/// received, whole and in its order, or recalled.
TEST(RecallRaceTest, EachIsReceivedOrRecalled) {
  Ends ends(Route::Listener);
  const bool is_local = ends.isLocal();
  const std::uint32_t messages = is_local ? 3000 : 200, end = messages + 1;
  const std::size_t words = (is_local ? 64 << 10 : kAnnouncedBytes) / sizeof(std::uint32_t);
  std::vector<std::uint32_t> received{0};
  std::thread receiver([&] {
    std::vector<std::uint32_t> room(words);
    while (received.back() != end) {
      const auto receive = ends.right->tagRecv(room.data(), words * sizeof room[0], kTag);
      if (!compat::ended({ends.right_worker}, {receive})) return;
      const bool is_whole = std::all_of(room.begin(), room.end(),
                                        [&](std::uint32_t word) { return word == room.front(); });
      received.push_back(is_whole ? room.front() : UINT32_MAX);
    }
  });
  std::vector<std::uint32_t> arrived{0};
  std::vector<std::uint32_t> buffer(words);
  for (std::uint32_t i = 1; i <= messages; ++i) {
    std::fill(buffer.begin(), buffer.end(), i);
    const auto send = ends.left->tagSend(buffer.data(), words * sizeof buffer[0], kTag);
    for (std::uint32_t wait = i * 7919 % 200; wait != 0; --wait) ends.left_worker->progress();
    if (i % 16 != 0) send->cancel();
    EXPECT_TRUE(compat::ended({ends.left_worker}, {send})) << i;
    if (send->getStatus() != UCS_ERR_CANCELED) arrived.push_back(i);
    EXPECT_TRUE(send->getStatus() == UCS_OK || send->getStatus() == UCS_ERR_CANCELED);
  }
  std::fill(buffer.begin(), buffer.end(), end);
  const auto send = ends.left->tagSendSync(buffer.data(), words * sizeof buffer[0], kTag);
  EXPECT_TRUE(compat::ended({ends.left_worker}, {send}));
  arrived.push_back(end);
  receiver.join();
  EXPECT_EQ(received, arrived);
}

/// Whoever drops the request holds nothing up, and the worker ends with it.
TEST(RecallDropTest, AWorkerEndsWithWhatItHasSentToItself) {
  const auto sent = bytes(8 << 20);
  std::atomic<int> ended{0};
  std::weak_ptr<Worker> watched;
  {
    Ends ends(Route::Self);
    watched = ends.left_worker;
    ends.left->tagSend(sent.data(), sent.size(), kTag, false,
                       [&](ucs_status_t, std::shared_ptr<void>) { ++ended; });
  }
  EXPECT_TRUE(watched.expired());
  EXPECT_EQ(ended, 1);
}

}  // namespace
}  // namespace ucxx::core::test
