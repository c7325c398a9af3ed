// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Small messages inside a machine: sent in the call that posts them, and taken without a stop where
// a receive waits.

#include <cstring>
#include <numeric>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

constexpr Move kSmallMoves[] = {Move::Tag, Move::Stream, Move::Am, Move::AmCallback, Move::Multi};
constexpr std::size_t kSmallSizes[] = {1, 8, 9, 100, 1000, 2500};

class AtOnceTest : public testing::TestWithParam<Move> {
 protected:
  AtOnceTest() { registerReceiver(*ends_.right_worker, received_); }
  static Move move() { return GetParam(); }
  void endsInItsCallAndComesWhole(bool is_posted_first);

  /// Little, so that much of it waits.
  static WorkerOptions littleCredit() {
    WorkerOptions options;
    options.unexpected_bytes = 64 << 10;
    return options;
  }
  Received received_;
  Ends ends_{Route::Listener, Mode::Caller, littleCredit()};
};

void AtOnceTest::endsInItsCallAndComesWhole(bool is_posted_first) {
  if (!ends_.isLocal()) return;  // UCX has its own way
  for (const std::size_t size : kSmallSizes) {
    SCOPED_TRACE(size);
    std::unique_ptr<Receiving> receiving;
    const auto receive = [&] {
      receiving = std::make_unique<Receiving>(move(), *ends_.right, size, received_);
    };
    if (is_posted_first) receive();
    const auto before = ends_.left_worker->stats().inline_completions;
    Sending sending(move(), *ends_.left, bytes(size));
    EXPECT_TRUE(sending.request->isCompleted());
    EXPECT_EQ(ends_.left_worker->stats().inline_completions, before + 1);
    EXPECT_EQ(sending.request->getStatus(), UCS_OK);
    if (!is_posted_first) receive();
    ASSERT_TRUE(ends_.until([&] { return receiving->hasEnded(); }));
    EXPECT_TRUE(receiving->payload() == sending.payload());
    if (move() == Move::AmCallback) {
      EXPECT_EQ(received_.last->getRecvHeader(), "of " + std::to_string(size));
    }
  }
  EXPECT_EQ(ends_.left_worker->stats().messages_sent, std::size(kSmallSizes));
  EXPECT_EQ(ends_.right_worker->stats().messages_received, std::size(kSmallSizes));
}

TEST_P(AtOnceTest, EndsInItsCallAndIsTakenAtOnce) {
  endsInItsCallAndComesWhole(true);
  if (ends_.isLocal()) {
    EXPECT_EQ(ends_.right_worker->stats().unexpected_messages, 0u);
  }
}

TEST_P(AtOnceTest, EndsInItsCallAndWaitsForItsReceive) { endsInItsCallAndComesWhole(false); }

TEST_P(AtOnceTest, ThrowsOnAClosedEndpoint) {
  auto close = ends_.left->close();
  EXPECT_THROW(Sending(move(), *ends_.left, bytes(8)), Error);
  ASSERT_TRUE(ends_.ended({close}));
  EXPECT_THROW(Sending(move(), *ends_.left, bytes(8)), Error);
}

/// More than the peer takes without a receive: what is over it waits, and nothing is lost.
TEST_P(AtOnceTest, WaitsWhereThereIsNoRoom) {
  std::vector<std::unique_ptr<Sending>> sent;
  for (int i = 0; i < 500; ++i)
    sent.push_back(std::make_unique<Sending>(move(), *ends_.left, bytes(1000, 100 + i)));
  for (auto& one : sent) {
    Receiving receiving(move(), *ends_.right, 1000, received_);
    ASSERT_TRUE(ends_.until([&] { return receiving.hasEnded() || move() == Move::AmCallback; }));
    if (move() == Move::AmCallback) break;  // they need no receive
    ASSERT_TRUE(receiving.payload() == one->payload());
  }
  ASSERT_TRUE(ends_.until([&] {
    return std::all_of(sent.begin(), sent.end(),
                       [](const auto& one) { return one->request->isCompleted(); });
  }));
  const int all = static_cast<int>(sent.size());
  EXPECT_TRUE(ends_.until([&] { return move() != Move::AmCallback || received_.count == all; }));
}

class SmallThreadsTest : public testing::TestWithParam<std::tuple<Move, Mode>> {
 protected:
  static Move move() { return std::get<0>(GetParam()); }
  Received received_;
};

TEST_P(SmallThreadsTest, SendAndReceiveAtOnce) {
  constexpr int kThreads = 4, kEach = 500;
  Ends ends(Route::Listener, std::get<1>(GetParam()));
  registerReceiver(*ends.right_worker, received_);
  std::vector<std::unique_ptr<Receiving>> receiving;
  for (int i = 0; i < kThreads * kEach; ++i)
    receiving.push_back(std::make_unique<Receiving>(move(), *ends.right, 8, received_));
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int each = 0; each < kEach; ++each) {
        const Sending sending(move(), *ends.left, bytes(8));
        EXPECT_TRUE(ends.ended({sending.request}));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  if (move() == Move::AmCallback) {
    EXPECT_TRUE(ends.until([&] { return received_.count == kThreads * kEach; }));
    return;
  }
  for (const auto& one : receiving) ASSERT_TRUE(ends.until([&] { return one->hasEnded(); }));
  for (const auto& one : receiving) EXPECT_TRUE(one->payload() == bytes(8));
}

INSTANTIATE_TEST_SUITE_P(All, AtOnceTest, testing::ValuesIn(kSmallMoves),
                         [](const auto& info) { return nameOf(info.param); });
INSTANTIATE_TEST_SUITE_P(All, SmallThreadsTest,
                         testing::Combine(testing::ValuesIn(kSmallMoves),
                                          testing::Values(Mode::Caller, Mode::Event,
                                                          Mode::Polling)),
                         [](const auto& info) {
                           return nameOf(std::get<0>(info.param)) + nameOf(std::get<1>(info.param));
                         });

/// One order for all kinds, whether or not a receive waits.
TEST(MixedSmallTest, KindsKeepTheirOrder) {
  Received received;
  Ends ends(Route::Listener);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::unique_ptr<Receiving>> receiving;
    std::vector<std::unique_ptr<Sending>> sent;
    for (int i = 0; i < 12; ++i) {
      const Move move = kSmallMoves[(round + i * i) % 3];  // of several frames: next test
      if ((round + i) % 3 != 0)
        receiving.push_back(std::make_unique<Receiving>(move, *ends.right, 8, received));
      else
        receiving.push_back(nullptr);
      sent.push_back(std::make_unique<Sending>(move, *ends.left, bytes(8, 1000 * round + i)));
    }
    for (int i = 0; i < 12; ++i) {
      if (receiving[i] != nullptr) continue;
      const Move move = kSmallMoves[(round + i * i) % 3];
      receiving[i] = std::make_unique<Receiving>(move, *ends.right, 8, received);
    }
    Requests all;
    for (const auto& one : receiving) all.push_back(one->request);
    ASSERT_TRUE(ends.ended(all));
    for (int kind = 0; kind < 3; ++kind) {
      std::vector<std::byte> want, got;
      for (int i = 0; i < 12; ++i) {
        if ((round + i * i) % 3 == kind) {
          const auto& payload = sent[i]->payload();
          want.insert(want.end(), payload.begin(), payload.end());
        }
      }
      // Receives that were posted early come before those that were posted late.
      for (const bool late : {false, true}) {
        for (int i = 0; i < 12; ++i) {
          if ((round + i * i) % 3 != kind || ((round + i) % 3 == 0) != late) continue;
          const auto payload = receiving[i]->payload();
          got.insert(got.end(), payload.begin(), payload.end());
        }
      }
      EXPECT_TRUE(want == got) << "round " << round << ", kind " << kind;
    }
  }
}

TEST(SmallCallbackTest, IsCalledOnceInTheCall) {
  Ends ends(Route::Listener);
  if (!ends.isLocal()) return;
  const auto sent = bytes(8);
  int tags = 0, messages = 0;
  auto data = std::make_shared<int>(7);
  const auto called = [&](int& count) {
    return [&count, &data](ucs_status_t status, std::shared_ptr<void> arg) {
      EXPECT_EQ(status, UCS_OK);
      EXPECT_EQ(arg, data);
      ++count;
    };
  };
  const auto tag = ends.left->tagSend(sent.data(), 8, kTag, false, called(tags), data);
  EXPECT_EQ(tags, 1);
  EXPECT_TRUE(tag->isCompleted());
  const auto am = ends.left->amSend(sent.data(), 8, UCS_MEMORY_TYPE_HOST, std::nullopt, false,
                                    called(messages), data);
  EXPECT_EQ(messages, 1);
  EXPECT_TRUE(am->isCompleted());
  EXPECT_THROW(am->getRecvBuffer(), std::runtime_error);
  EXPECT_EQ(data.use_count(), 1);  // nothing of the call is left
}

TEST(SmallCallbackTest, MayPostAndEndsInOrder) {
  Ends ends(Route::Listener);
  if (!ends.isLocal()) return;
  std::vector<int> order;
  constexpr int kDeep = 40;  // more than are done one inside the other
  // The buffer of a send that has to wait must stay.
  std::vector<int> depths(kDeep);
  std::iota(depths.begin(), depths.end(), 0);
  std::function<void(int)> next = [&](int depth) {
    if (depth == kDeep) return;
    ends.left->tagSend(&depths[depth], sizeof(int), kTag, false, [&, depth](ucs_status_t, auto) {
      order.push_back(depth);
      next(depth + 1);
    });
  };
  next(0);
  ASSERT_TRUE(ends.until([&] { return order.size() == kDeep; }));
  EXPECT_EQ(order, depths);
  for (int i = 0; i < kDeep; ++i) {
    int got = -1;
    ASSERT_TRUE(ends.ended({ends.right->tagRecv(&got, sizeof got, kTag)}));
    EXPECT_EQ(got, i);
  }
}

/// To the own worker, too, where the receive ends first: its callback's flush waits for the send's.
TEST(SmallCallbackTest, AFlushWaitsForItOnTheOwnWorker) {
  Ends ends(Route::Self);
  const auto sent = bytes(8);
  std::vector<std::byte> got(8);
  std::vector<std::string> order;
  std::shared_ptr<Request> flush;
  const auto receive =
      ends.left->tagRecv(got.data(), 8, kTag, TagMaskFull, false, [&](ucs_status_t, auto) {
        order.emplace_back("received");
        flush = ends.left->flush(false, [&](ucs_status_t, auto) { order.emplace_back("flushed"); });
      });
  const auto send = ends.left->tagSend(sent.data(), 8, kTag, false,
                                       [&](ucs_status_t, auto) { order.emplace_back("sent"); });
  ASSERT_TRUE(ends.ended({receive, send, flush}));
  EXPECT_EQ(order, (std::vector<std::string>{"received", "sent", "flushed"}));
}

TEST(SmallCallbackTest, ASingleThreadHasThemToo) {
  WorkerOptions options;
  options.single_thread = true;
  Ends ends(Route::Listener, Mode::Caller, options);
  const auto sent = bytes(8);
  std::vector<std::byte> got(8);
  for (int i = 0; i < 100; ++i) {
    int ended = 0;
    const auto count = [&](ucs_status_t, std::shared_ptr<void>) { ++ended; };
    const auto receive = ends.right->tagRecv(got.data(), 8, kTag, TagMaskFull, false, count);
    const auto send = ends.left->tagSend(sent.data(), 8, kTag, false, count);
    ASSERT_TRUE(ends.ended({receive, send}));
    EXPECT_EQ(ended, 2);
    EXPECT_TRUE(got == sent);
  }
}

/// What has been sent in its call is before a flush and a close that follow.
TEST(SmallCallbackTest, FlushAndCloseComeBehind) {
  Ends ends(Route::Listener);
  std::vector<std::byte> got(8);
  const auto sent = bytes(8);
  const auto send = ends.left->tagSend(sent.data(), 8, kTag);
  const auto flush = ends.left->flush();
  ASSERT_TRUE(ends.ended({send, flush}));
  const auto last = ends.left->streamSend(sent.data(), 8, false);
  const auto close = ends.left->close();
  const auto receive = ends.right->tagRecv(got.data(), 8, kTag);
  std::vector<std::byte> bytes_of_stream(8);
  const auto stream = ends.right->streamRecv(bytes_of_stream.data(), 8, false);
  ASSERT_TRUE(ends.ended({last, close, receive, stream}));
  EXPECT_EQ(close->getStatus(), UCS_OK);
  EXPECT_TRUE(got == sent);
  EXPECT_TRUE(bytes_of_stream == sent);
}

/// No request holds the endpoint any more while the callback runs.
TEST(SmallCallbackTest, MayDropItsEndpointAndItsWorker) {
  Ends ends(Route::Listener);
  if (!ends.isLocal()) return;  // by UCX it may end later, and nobody would move it
  const auto sent = bytes(8);
  bool called = false;
  Endpoint& endpoint = *ends.left;
  const auto request = endpoint.tagSend(sent.data(), 8, kTag, false, [&](ucs_status_t, auto) {
    called = true;
    ends.left = nullptr;
    ends.left_worker = nullptr;
    ends.context = nullptr;
  });
  ASSERT_TRUE(called);
  EXPECT_TRUE(request->isCompleted());
  std::vector<std::byte> got(8);
  const auto receive = ends.right->tagRecv(got.data(), 8, kTag);
  ASSERT_TRUE(compat::until({ends.right_worker}, [&] { return receive->isCompleted(); }));
  EXPECT_TRUE(receive->getStatus() != UCS_OK || got == sent);
}

TEST(SmallStreamTest, PiecesFillTheReceivesThatWait) {
  Ends ends(Route::Listener);
  std::vector<char> first(5), second(6), rest(16);
  const auto whole = ends.right->streamRecv(first.data(), first.size(), false);
  const auto next = ends.right->streamRecv(second.data(), second.size(), false);
  const auto some = ends.right->streamRecvSome(rest.data(), rest.size());
  const std::string text = "abcdefghijklmnop";
  Requests sends;
  std::size_t at = 0;
  for (const std::size_t size : {3, 2, 4, 4, 3}) {  // one piece crosses two receives
    sends.push_back(ends.left->streamSend(text.data() + at, size, false));
    at += size;
  }
  ASSERT_TRUE(ends.ended({whole, next, some}));
  ASSERT_TRUE(ends.ended(sends));
  EXPECT_EQ(std::string(first.begin(), first.end()), "abcde");
  EXPECT_EQ(std::string(second.begin(), second.end()), "fghijk");
  std::string got(rest.data(), some->getReceivedLength());
  while (got.size() < 5) {
    const auto more = ends.right->streamRecvSome(rest.data(), rest.size());
    ASSERT_TRUE(ends.ended({more}));
    got.append(rest.data(), more->getReceivedLength());
  }
  EXPECT_EQ(got, "lmnop");
}

/// A receive that was given back while it waited takes nothing.
TEST(SmallStreamTest, AReceiveThatNobodyWantsTakesNothing) {
  Ends ends(Route::Listener);
  char lost = 0, kept = 0;
  const auto unwanted = ends.right->streamRecv(&lost, 1, false);
  EXPECT_TRUE(unwanted->giveBack());
  const auto wanted = ends.right->streamRecv(&kept, 1, false);
  const char sent = 'x';
  const auto send = ends.left->streamSend(&sent, 1, false);
  ASSERT_TRUE(ends.ended({unwanted, wanted, send}));
  EXPECT_EQ(unwanted->getStatus(), UCS_ERR_CANCELED);
  EXPECT_EQ(kept, 'x');
}

TEST(SmallMultiTest, ManyFramesAndNone) {
  Ends ends(Route::Listener);
  const auto payload = bytes(64);
  for (const std::size_t count : {0, 1, 31, 32, 33, 64}) {
    SCOPED_TRACE(count);
    const std::vector<const void*> buffers(count, payload.data());
    const std::vector<std::size_t> sizes(count, payload.size());
    const std::vector<int> on_device(count, 0);
    const auto receive = ends.right->tagMultiRecv(kTag, TagMaskFull);
    const auto send = ends.left->tagMultiSend(buffers, sizes, on_device, kTag);
    EXPECT_TRUE(std::static_pointer_cast<RequestTagMulti>(send)->_isFilled);
    ASSERT_TRUE(ends.ended({send, receive}));
    EXPECT_EQ(receive->getStatus(), UCS_OK);
    const auto& frames = std::static_pointer_cast<RequestTagMulti>(receive)->_bufferRequests;
    ASSERT_EQ(frames.size(), count);
    for (const auto& frame : frames) {
      EXPECT_TRUE(frame->request->isCompleted());
      ASSERT_EQ(frame->buffer->getSize(), payload.size());
      EXPECT_EQ(std::memcmp(frame->buffer->data(), payload.data(), payload.size()), 0);
    }
  }
}

}  // namespace
}  // namespace ucxx::core::test
