// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// How endpoints close, and what becomes of what is pending on both sides.

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

struct Closed {
  std::atomic<int> calls{0};
  std::atomic<ucs_status_t> status{UCS_INPROGRESS};
  void watch(Endpoint& endpoint) {
    endpoint.setCloseCallback(
        [this](ucs_status_t reason, std::shared_ptr<void>) {
          status = reason;
          ++calls;
        },
        nullptr);
  }
};

class CloseTest : public testing::TestWithParam<std::tuple<Route, Mode>> {
 protected:
  static WorkerOptions quick() {
    WorkerOptions options;
    options.close_timeout = 200ms;
    return options;
  }
  bool isSelf() const { return std::get<0>(GetParam()) == Route::Self; }
  const std::vector<std::byte> large_ = bytes(kAnnouncedBytes);  // outlives the workers
  Ends ends_{std::get<0>(GetParam()), std::get<1>(GetParam()), quick()};
  Received received_;
};

TEST_P(CloseTest, WhatWasSentBeforeArrives) {
  if (isSelf()) return;
  Closed closed;
  closed.watch(*ends_.right);
  for (const Protocol& protocol : kProtocols) {
    SCOPED_TRACE(protocol.name);
    Receiving receiving(Move::Tag, *ends_.right, protocol.size, received_);
    if (closed.calls != 0) break;
    Sending sending(Move::Tag, *ends_.left, bytes(protocol.size));
    if (protocol.size == kProtocols[2].size) {
      auto close = ends_.left->close();
      ASSERT_TRUE(ends_.ended({close}));
      EXPECT_EQ(close->getStatus(), UCS_OK);
    }
    ASSERT_TRUE(ends_.ended({sending.request, receiving.request}));
    EXPECT_TRUE(receiving.payload() == sending.payload());
  }
  ASSERT_TRUE(ends_.until([&] { return closed.calls != 0; }));
  EXPECT_EQ(closed.status, UCS_ERR_CONNECTION_RESET);
  EXPECT_FALSE(ends_.left->isAlive());
  EXPECT_FALSE(ends_.right->isAlive());
  EXPECT_THROW(ends_.right->raiseOnError(), ConnectionResetError);
}

TEST_P(CloseTest, PendingReceivesEndOnBothSides) {
  Closed left, right;
  left.watch(*ends_.left);
  if (!isSelf()) right.watch(*ends_.right);
  std::vector<std::unique_ptr<Receiving>> mine, theirs;
  for (const Move move : {Move::Tag, Move::Wildcard, Move::Stream, Move::Am, Move::Multi}) {
    mine.push_back(std::make_unique<Receiving>(move, *ends_.left, 100, received_));
    theirs.push_back(std::make_unique<Receiving>(move, *ends_.right, 100, received_));
  }
  auto close = ends_.left->close();
  ASSERT_NE(close, nullptr);
  Requests all{close};
  for (auto& one : mine) all.push_back(one->request);
  for (auto& one : theirs) all.push_back(one->request);
  ASSERT_TRUE(ends_.ended(all));
  for (auto& one : mine) EXPECT_EQ(one->request->getStatus(), UCS_ERR_CANCELED);
  for (auto& one : theirs)
    EXPECT_EQ(one->request->getStatus(), isSelf() ? UCS_ERR_CANCELED : UCS_ERR_CONNECTION_RESET);
  EXPECT_EQ(left.calls, 1);
  EXPECT_EQ(left.status, UCS_OK);
  EXPECT_EQ(right.calls, isSelf() ? 0 : 1);
  EXPECT_EQ(ends_.left->close(), nullptr);
  EXPECT_EQ(ends_.right->close(), nullptr);
}

TEST_P(CloseTest, SendThatNobodyReceivesDoesNotHoldIt) {
  Sending sending(Move::Tag, *ends_.left, bytes(kAnnouncedBytes));
  const auto begin = Clock::now();
  auto close = ends_.left->close();
  ASSERT_TRUE(ends_.ended({close}));
  EXPECT_LT(Clock::now() - begin, 2s);
  EXPECT_FALSE(ends_.left->isAlive());
  std::vector<std::byte> received(kAnnouncedBytes);
  auto receive = ends_.right_worker->tagRecv(received.data(), received.size(), kTag);
  // The message was announced before the close: it can be had, or both know that it cannot.
  if (!ends_.until([&] { return sending.request->isCompleted(); }))
    FAIL() << ends_.left_worker->describe();
  if (sending.request->getStatus() == UCS_OK) {
    ASSERT_TRUE(ends_.ended({receive}))
        << ends_.right_worker->describe() << ends_.left_worker->describe();
    EXPECT_TRUE(received == sending.payload());
  }
  receive->cancel();
  ASSERT_TRUE(ends_.ended({receive}));
}

TEST_P(CloseTest, BlockingCloseEndsInTime) {
  Receiving receiving(Move::Am, *ends_.left, 1, received_);
  ends_.left->closeBlocking();
  EXPECT_TRUE(receiving.request->isCompleted());
  EXPECT_FALSE(ends_.left->isAlive());
  ends_.left->closeBlocking();
  ASSERT_TRUE(ends_.until([&] { return !ends_.right->isAlive(); }));
}

TEST_P(CloseTest, DroppingTheEndpointCloses) {
  if (isSelf()) return;
  Closed left, right;
  left.watch(*ends_.left);
  right.watch(*ends_.right);
  Sending sending(Move::Tag, *ends_.left, bytes(1000));
  auto request = sending.request;
  Receiving receiving(Move::Tag, *ends_.right, 1000, received_);
  ASSERT_TRUE(ends_.ended({request, receiving.request}));
  sending.request = request = nullptr;  // a request holds its endpoint
  ends_.left = nullptr;
  ASSERT_TRUE(ends_.until([&] { return left.calls == 1 && right.calls == 1; }));
  EXPECT_EQ(left.status, UCS_OK);
}

TEST_P(CloseTest, SendAfterCloseFails) {
  auto close = ends_.left->close();
  ASSERT_TRUE(ends_.ended({close}));
  EXPECT_THROW(ends_.left->tagSend(nullptr, 0, kTag), Error);
  EXPECT_THROW(ends_.left->amRecv(), Error);
  EXPECT_THROW(ends_.left->flush(), Error);
  EXPECT_EQ(ends_.left->getHandle(), nullptr);
}

TEST_P(CloseTest, SendAfterThePeersCloseEndsWithItsStatus) {
  if (isSelf()) return;
  auto close = ends_.left->close();
  ASSERT_TRUE(ends_.until([&] { return !ends_.right->isAlive(); }));
  for (const Move move : kMoves) {
    Sending sending(move, *ends_.right, bytes(10));
    ASSERT_TRUE(ends_.ended({sending.request}));
    EXPECT_EQ(sending.request->getStatus(), UCS_ERR_CONNECTION_RESET) << nameOf(move);
  }
  ASSERT_TRUE(ends_.ended({close}));
}

TEST_P(CloseTest, TwiceAtOnceEndsBoth) {
  for (int i = 0; i < 20; ++i) {
    auto endpoint =
        ends_.left_worker->createEndpointFromWorkerAddress(ends_.right_worker->getAddress());
    auto peer =
        ends_.right_worker->createEndpointFromWorkerAddress(ends_.left_worker->getAddress());
    (void)endpoint->tagSend(large_.data(), i < 3 ? large_.size() : 100,
                            kTag);  // the first close waits for it
    Requests closes{endpoint->close(), endpoint->close()};
    ASSERT_NE(closes[0], nullptr);
    std::erase(closes, nullptr);
    ASSERT_TRUE(ends_.ended(closes)) << i;
    EXPECT_FALSE(endpoint->isAlive());
  }
}

TEST_P(CloseTest, FromTwoThreadsAtOnceEndsBoth) {
  for (int i = 0; i < 20; ++i) {
    auto endpoint =
        ends_.left_worker->createEndpointFromWorkerAddress(ends_.right_worker->getAddress());
    auto peer =
        ends_.right_worker->createEndpointFromWorkerAddress(ends_.left_worker->getAddress());
    (void)endpoint->tagSend(large_.data(), i < 3 ? large_.size() : 100, kTag);
    Requests closes(2);
    std::atomic<bool> closed{false};
    std::thread other([&] {
      closes[1] = endpoint->close();
      closed = true;
    });
    closes[0] = endpoint->close();
    const bool returned = ends_.until([&] { return closed.load(); });
    other.join();
    ASSERT_TRUE(returned);
    std::erase(closes, nullptr);
    EXPECT_FALSE(closes.empty());
    ASSERT_TRUE(ends_.ended(closes)) << i;
  }
}

TEST_P(CloseTest, FromACompletionCallback) {
  std::shared_ptr<Request> close;
  std::atomic<bool> called{false};
  std::vector<std::byte> buffer(8);
  auto receive = ends_.right->tagRecv(buffer.data(), 8, kTag, TagMaskFull, false,
                                      [&](ucs_status_t, std::shared_ptr<void>) {
                                        close = ends_.right->close();
                                        called = true;
                                      });
  Sending sending(Move::Tag, *ends_.left, bytes(8));
  ASSERT_TRUE(ends_.until([&] { return called.load(); }));
  ASSERT_TRUE(ends_.ended({close, receive, sending.request}));
  ASSERT_TRUE(ends_.until([&] { return !ends_.left->isAlive() && !ends_.right->isAlive(); }));
}

TEST_P(CloseTest, CloseCallbackMayDropTheEndpoint) {
  std::atomic<bool> called{false};
  ends_.left->setCloseCallback(
      [&](ucs_status_t, std::shared_ptr<void>) {
        ends_.left = nullptr;
        called = true;
      },
      nullptr);
  auto close = ends_.right->close();
  ASSERT_TRUE(ends_.until([&] { return called.load(); }));
  ASSERT_TRUE(ends_.ended({close}));
}

std::string nameOfCloseCase(const testing::TestParamInfo<CloseTest::ParamType>& info) {
  return nameOf(std::get<0>(info.param)) + nameOf(std::get<1>(info.param));
}
INSTANTIATE_TEST_SUITE_P(All, CloseTest,
                         testing::Combine(testing::ValuesIn(kRoutes),
                                          testing::Values(Mode::Caller, Mode::Event, Mode::Adaptive,
                                                          Mode::Delayed)),
                         nameOfCloseCase);

/// Whoever closes one end after the other, with one thread, progresses no peer meanwhile.
TEST(CloseLinkTest, BlockingCloseDoesNotWaitForAPeerThatDoesNotProgress) {
  WorkerOptions patient;
  patient.close_timeout = compat::kDeadline;
  Ends ends(Route::Listener, Mode::Caller, patient);
  int in = 0;
  const int out = 7;
  auto send = ends.left->tagSend(&out, sizeof out, kTag);
  ASSERT_TRUE(ends.ended({send}));
  const auto begin = Clock::now();
  ends.left->closeBlocking();
  EXPECT_LT(Clock::now() - begin, patient.close_timeout);
  EXPECT_FALSE(ends.left->isAlive());
  auto receive = ends.right_worker->tagRecv(&in, sizeof in, kTag);
  ASSERT_TRUE(ends.ended({receive}));
  EXPECT_EQ(in, out);
}

/// A receipt, say: its reader may be slower than the peer's close.
TEST(CloseLinkTest, WhatCameBeforeThePeersCloseIsReceivedAfterIt) {
  for (const Move move : {Move::Tag, Move::Multi}) {
    SCOPED_TRACE(nameOf(move));
    Ends ends(Route::Listener);
    Sending sending(move, *ends.left, bytes(100));
    ASSERT_TRUE(ends.ended({sending.request}));
    auto close = ends.left->close();
    ASSERT_TRUE(ends.until([&] { return !ends.right->isAlive(); }));
    Received none;
    Receiving receiving(move, *ends.right, 100, none);
    Receiving in_vain(move, *ends.right, 100, none);
    ASSERT_TRUE(ends.ended({receiving.request, in_vain.request, close}));
    EXPECT_EQ(receiving.request->getStatus(), UCS_OK);
    EXPECT_TRUE(receiving.payload() == sending.payload());
    EXPECT_EQ(in_vain.request->getStatus(), UCS_ERR_CONNECTION_RESET);
  }
}

TEST(CloseLinkTest, OtherEndpointsOfTheLinkGoOn) {
  Ends ends(Route::Listener);
  auto second = ends.left_worker->createEndpointFromWorkerAddress(ends.right_worker->getAddress());
  auto second_peer =
      ends.right_worker->createEndpointFromWorkerAddress(ends.left_worker->getAddress());
  auto close = ends.left->close();
  ASSERT_TRUE(ends.ended({close}));
  ASSERT_TRUE(ends.until([&] { return !ends.right->isAlive(); }));
  Received none;
  Sending sending(Move::Am, *second, bytes(100));
  Receiving receiving(Move::Am, *second_peer, 100, none);
  ASSERT_TRUE(ends.ended({sending.request, receiving.request}));
  EXPECT_TRUE(receiving.payload() == sending.payload());
  EXPECT_TRUE(second->isAlive());
}

/// The left worker ends, once what it sent has arrived and waits for a receive. `was_over`: the
/// send had ended before.
void leaveLeft(Ends& ends, Sending& sending, bool& was_over) {
  (void)ends.left->tagSend(nullptr, 0, Tag{1});
  ASSERT_TRUE(ends.arrived(ends.right_worker, Tag{1}));
  was_over = sending.request->isCompleted();
  sending.request = nullptr;
  ends.left = nullptr;
  ends.left_worker = nullptr;
  ASSERT_TRUE(compat::until({ends.right_worker}, [&] { return !ends.right->isAlive(); }));
  for (int i = 0; i < 1000; ++i) ends.right_worker->progress();
}

/// What arrived before its link ended can still be had, once; what did not ends with the reason.
class LeftOverTest : public testing::TestWithParam<std::tuple<Move, int>> {};
TEST_P(LeftOverTest, ArrivedMessageOutlivesItsPeer) {
  const Move move = std::get<0>(GetParam());
  const std::size_t size = kProtocols[std::get<1>(GetParam())].size;
  Ends ends(Route::Address, Mode::Caller, withoutFetchAhead());
  const auto sent = bytes(size);
  Sending sending(move, *ends.left, sent);
  bool was_over = false;
  ASSERT_NO_FATAL_FAILURE(leaveLeft(ends, sending, was_over));
  // In between it depends on the channel and the move.
  if (size <= kAtOnceBytes || size == kAnnouncedBytes) {
    EXPECT_EQ(was_over, size <= kAtOnceBytes);
  }
  Received none;
  Receiving receiving(move, *ends.right, size, none);
  ASSERT_TRUE(compat::ended({ends.right_worker}, {receiving.request}));
  const ucs_status_t status = receiving.request->getStatus();
  if (was_over)
    EXPECT_TRUE(status == UCS_OK && receiving.payload() == sent) << ucs_status_string(status);
  else
    EXPECT_NE(status, UCS_OK);
}
INSTANTIATE_TEST_SUITE_P(All, LeftOverTest,
                         testing::Combine(testing::Values(Move::Tag, Move::Stream, Move::Am,
                                                          Move::AmIov, Move::Multi),
                                          testing::Range(0, 3)),
                         [](const auto& info) {
                           return nameOf(std::get<0>(info.param)) +
                                  kProtocols[std::get<1>(info.param)].name;
                         });

TEST(CloseLinkTest, MultiThatLostItsFramesFails) {
  Ends ends(Route::Address, Mode::Caller, withoutFetchAhead());
  Sending sending(Move::Multi, *ends.left, bytes(kAnnouncedBytes));
  bool was_over = true;
  ASSERT_NO_FATAL_FAILURE(leaveLeft(ends, sending, was_over));
  EXPECT_FALSE(was_over);
  auto self = ends.right_worker->createEndpointFromWorkerAddress(ends.right_worker->getAddress());
  auto receive = self->tagMultiRecv(kTag, TagMaskFull);
  for (int i = 0; i < 1000 && !receive->isCompleted(); ++i) ends.right_worker->progress();
  // Either it was forgotten with its link, or it ends with an error: it cannot be had.
  EXPECT_NE(receive->getStatus(), UCS_OK);
}

TEST(CloseLinkTest, BufferThatGoesToTwoPeersEndsForEachAlone) {
  Ends ends(Route::Address);
  auto other = createContext()->createWorker();
  auto to_other = ends.left_worker->createEndpointFromWorkerAddress(other->getAddress());
  const auto sent = bytes(8 << 20);
  auto first = ends.left->tagSend(sent.data(), sent.size(), kTag);
  auto second = to_other->tagSend(sent.data(), sent.size(), kTag);
  ASSERT_TRUE(ends.arrived(ends.right_worker, kTag));
  ASSERT_TRUE(
      compat::until({other, ends.left_worker}, [&] { return other->tagProbe(kTag)->isMatched(); }));
  ends.right = nullptr;
  ends.right_worker = nullptr;
  ASSERT_TRUE(compat::ended({ends.left_worker}, {first}));  // its receiver had no use for it
  EXPECT_FALSE(second->isCompleted());
  std::vector<std::byte> received(sent.size());
  ASSERT_TRUE(compat::ended({other, ends.left_worker},
                            {second, other->tagRecv(received.data(), received.size(), kTag)}));
  EXPECT_TRUE(received == sent);
}

TEST(CloseLinkTest, AWorkerGoesWhileItsPeerFloodsIt) {
  for (const std::size_t size : {std::size_t{9000}, std::size_t{60000}, kAnnouncedBytes}) {
    SCOPED_TRACE(size);
    Ends ends(Route::Listener);
    const auto sent = bytes(size);
    Requests requests;
    for (int i = 0; i < 500; ++i) {
      requests.push_back(ends.left->tagSend(sent.data(), size, Tag{1}));
      ends.left_worker->progress();
    }
    ends.listener = nullptr;
    ends.right = nullptr;
    ends.right_worker = nullptr;
    ASSERT_TRUE(compat::ended({ends.left_worker}, requests));
    EXPECT_FALSE(ends.left->isAlive());
  }
}

TEST(CloseCallbackTest, IsCalledAtOnceWhenTheEndpointHasFailed) {
  Ends ends(Route::Listener);
  ends.left.reset();
  ASSERT_TRUE(ends.until([&] { return !ends.right->isAlive(); }));
  Closed closed;
  closed.watch(*ends.right);
  EXPECT_EQ(closed.calls, 1);
  EXPECT_EQ(closed.status, UCS_ERR_CONNECTION_RESET);
}

}  // namespace
}  // namespace ucxx::core::test
