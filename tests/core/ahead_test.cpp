// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Both sides send first: what is announced is fetched before there is a receive.

#include <algorithm>
#include <atomic>
#include <memory>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

constexpr std::size_t kLarge = 1 << 20;

struct Case {
  Move move;
  Route route;
};
std::string nameOf(const testing::TestParamInfo<Case>& info) {
  return nameOf(info.param.move) + nameOf(info.param.route);
}
std::vector<Case> allCases() {
  std::vector<Case> cases;
  for (const Route route : kRoutes)
    for (const Move move : {Move::Tag, Move::TagIov, Move::Wildcard, Move::Stream, Move::Am,
                            Move::AmIov, Move::Multi})
      cases.push_back({move, route});
  return cases;
}

/// A message from left to right waits for its receive.
void expectWaits(const Ends& ends, Move move, std::size_t size) {
  Received none;
  const Sending sending(move, *ends.left, bytes(size));
  EXPECT_TRUE(staysPending(ends, sending.request));
  Receiving receiving(move, *ends.right, size, none);
  ASSERT_TRUE(ends.ended({sending.request, receiving.request}));
  EXPECT_TRUE(receiving.payload() == sending.payload());
}

class AheadTest : public testing::TestWithParam<Case> {
 protected:
  Received none_;
};

TEST_P(AheadTest, BothSendFirst) {
  Ends ends(GetParam().route);
  for (const std::size_t size :
       {(std::size_t{16} << 10) + 1, std::size_t{64} << 10, kLarge, std::size_t{8} << 20}) {
    SCOPED_TRACE(size);
    Sending there(GetParam().move, *ends.left, bytes(size, 1));
    Sending back(GetParam().move, *ends.right, bytes(size, 2));
    ASSERT_TRUE(ends.ended({there.request, back.request}));
    EXPECT_EQ(there.request->getStatus(), UCS_OK);
    EXPECT_EQ(back.request->getStatus(), UCS_OK);
    Receiving right(GetParam().move, *ends.right, size, none_);
    ASSERT_TRUE(ends.ended({right.request}));
    EXPECT_TRUE(right.payload() == there.payload());
    Receiving left(GetParam().move, *ends.left, size, none_);
    ASSERT_TRUE(ends.ended({left.request}));
    EXPECT_TRUE(left.payload() == back.payload());
  }
}

/// In the order in which they were sent, whatever of them has come.
TEST_P(AheadTest, OrderIsKept) {
  Ends ends(GetParam().route);
  const std::size_t sizes[] = {kLarge, 100, 300'000, 17 << 10, 0, 64 << 10, 40'000};
  std::vector<std::unique_ptr<Sending>> sent;
  Requests requests;
  for (const std::size_t size : sizes) {
    if (size == 0 && GetParam().move == Move::Stream) continue;
    sent.push_back(std::make_unique<Sending>(GetParam().move, *ends.left,
                                             bytes(size, static_cast<unsigned>(sent.size() + 1))));
    requests.push_back(sent.back()->request);
  }
  ASSERT_TRUE(ends.ended(requests));
  for (const auto& one : sent) {
    Receiving receiving(GetParam().move, *ends.right, one->payload().size(), none_);
    ASSERT_TRUE(ends.ended({receiving.request}));
    EXPECT_TRUE(receiving.payload() == one->payload());
  }
}

/// A receive that comes while the payload does takes it over.
TEST_P(AheadTest, ReceiveWhileItComes) {
  Ends ends(GetParam().route);
  for (unsigned i = 0; i < 30; ++i) {
    Sending sending(GetParam().move, *ends.left, bytes(kLarge + i, i + 1));
    const auto end = Clock::now() + std::chrono::microseconds(100 * i);
    ASSERT_TRUE(ends.until([&] { return Clock::now() > end; }));
    Receiving receiving(GetParam().move, *ends.right, kLarge + i, none_);
    ASSERT_TRUE(ends.ended({sending.request, receiving.request}));
    EXPECT_TRUE(receiving.payload() == sending.payload()) << i;
  }
}

/// A receive that has taken it over, while it comes or later, gives it back when nobody wants it.
TEST_P(AheadTest, GivenBack) {
  Ends ends(GetParam().route);
  for (unsigned i = 0; i < 8; ++i) {
    SCOPED_TRACE(i);
    const auto fetched = ends.right_worker->stats().fetched_ahead;
    Sending sending(GetParam().move, *ends.left, bytes(kAnnouncedBytes + i, i + 1));
    ASSERT_TRUE(ends.until([&] { return ends.right_worker->stats().fetched_ahead != fetched; }));
    if (i % 3 == 0) {
      ASSERT_TRUE(ends.ended({sending.request}));  // all is here
    }
    Receiving first(GetParam().move, *ends.right, kAnnouncedBytes + i, none_);
    if (i % 3 == 1) {
      ASSERT_TRUE(ends.ended({first.request}));
    }
    EXPECT_TRUE(first.request->giveBack());
    Receiving next(GetParam().move, *ends.right, kAnnouncedBytes + i, none_);
    ASSERT_TRUE(ends.ended({sending.request, first.request, next.request}));
    EXPECT_EQ(first.request->getStatus(), UCS_ERR_CANCELED);
    EXPECT_TRUE(next.payload() == sending.payload());
  }
}

INSTANTIATE_TEST_SUITE_P(All, AheadTest, testing::ValuesIn(allCases()),
                         [](const auto& info) { return nameOf(info); });

/// What is not fetched without a receive.
class NotAheadTest : public testing::TestWithParam<Route> {};

TEST_P(NotAheadTest, SynchronousSends) {
  Ends ends(GetParam());
  auto sent = bytes(kLarge);
  std::vector<std::byte> room(kLarge);
  const std::vector<ucp_dt_iov_t> blocks{{sent.data(), 5}, {sent.data() + 5, kLarge - 5}};
  const Requests sends{ends.left->tagSendSync(sent.data(), kLarge, kTag),
                       ends.left->tagSendSync(blocks, kTag)};
  for (const auto& send : sends) EXPECT_TRUE(staysPending(ends, send));
  for (const auto& send : sends) {
    ASSERT_TRUE(ends.ended({ends.right->tagRecv(room.data(), kLarge, kTag), send}));
    EXPECT_TRUE(room == sent);
  }
  EXPECT_EQ(ends.right_worker->stats().fetched_ahead, 0u);
}

TEST_P(NotAheadTest, WhatAnAllocatorIsToHold) {
  Ends ends(GetParam());
  std::atomic<int> allocated{0};
  ends.right_worker->registerAmAllocator(UCS_MEMORY_TYPE_HOST, [&](std::size_t size) {
    ++allocated;
    return std::make_shared<HostBuffer>(size);
  });
  for (const Move move : {Move::Am, Move::Multi}) expectWaits(ends, move, kLarge);
  EXPECT_GE(allocated, 2);
}

TEST_P(NotAheadTest, WithoutTheOption) {
  Ends ends(GetParam(), Mode::Caller, withoutFetchAhead());
  for (const Move move : {Move::Tag, Move::Stream, Move::Am, Move::Multi})
    expectWaits(ends, move, kAnnouncedBytes);
}

INSTANTIATE_TEST_SUITE_P(All, NotAheadTest, testing::ValuesIn(kRoutes),
                         [](const auto& info) { return nameOf(info.param); });

class AheadLimitTest : public testing::TestWithParam<bool> {
 protected:
  static constexpr std::size_t kRoom = 12 << 20;  // two messages, not three
  static WorkerOptions limited(bool of_worker) {
    WorkerOptions options;
    (of_worker ? options.fetch_ahead_bytes : options.unexpected_bytes) = kRoom;
    return options;
  }
  Ends ends_{Route::Address, Mode::Caller, limited(GetParam())};
};

/// Beyond its room it waits for a receive, or until what is there has been received.
TEST_P(AheadLimitTest, TheRestWaits) {
  const auto sent = bytes(kAnnouncedBytes);
  Requests sends;
  for (int i = 0; i < 5; ++i)
    sends.push_back(ends_.left->tagSend(sent.data(), sent.size(), Tag(i)));
  ASSERT_TRUE(ends_.ended({sends[0], sends[1]}));
  EXPECT_TRUE(staysPending(ends_, sends[2]));
  std::vector<std::byte> room(sent.size());
  ASSERT_TRUE(ends_.ended({ends_.right->tagRecv(room.data(), room.size(), Tag{4}), sends[4]}));
  EXPECT_FALSE(sends[2]->isCompleted());
  ASSERT_TRUE(ends_.ended({ends_.right->tagRecv(room.data(), room.size(), Tag{0}), sends[2]}));
  EXPECT_TRUE(room == sent);
  EXPECT_FALSE(sends[3]->isCompleted());
  for (const int i : {1, 2, 3})
    ASSERT_TRUE(ends_.ended({ends_.right->tagRecv(room.data(), room.size(), Tag(i)), sends[i]}));
}

/// ... of a worker that sleeps, too.
TEST_P(AheadLimitTest, TooLongIsNeverFetched) {
  const auto sent = bytes(kRoom + 1);
  const auto send = ends_.left->tagSend(sent.data(), sent.size(), kTag);
  EXPECT_TRUE(staysPending(ends_, send));
  std::vector<std::byte> room(sent.size());
  ASSERT_TRUE(ends_.ended({ends_.right->tagRecv(room.data(), room.size(), kTag), send}));
  EXPECT_TRUE(room == sent);
}

INSTANTIATE_TEST_SUITE_P(All, AheadLimitTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "Worker" : "Peer"; });

/// Whose messages wait for room in the worker that they go to.
struct Peer {
  Peer(const Ends& ends, std::size_t size)
      : worker(ends.context->createWorker()),
        to(worker->createEndpointFromWorkerAddress(ends.right_worker->getAddress())),
        sent(bytes(size)),
        blocks{{sent.data(), 5}, {sent.data() + 5, size - 5}} {}
  /// Of two blocks, and so announced.
  std::shared_ptr<Request> send(Tag tag) const { return to->tagSend(blocks, tag); }

  const std::shared_ptr<Worker> worker;
  const std::shared_ptr<Endpoint> to;
  std::vector<std::byte> sent;
  const std::vector<ucp_dt_iov_t> blocks;
};

/// All peers share the room of a worker: whoever has got of it comes behind those that wait.
TEST(AheadTurnsTest, PeersGetRoomInTurn) {
  constexpr std::size_t kSize = 300 << 10;  // of a peer, more than one may come at a time
  WorkerOptions options;
  options.fetch_ahead_bytes = 2 * kSize + kSize / 2;
  const Ends ends(Route::Address, Mode::Caller, options);
  const Peer first(ends, kSize), second(ends, kSize), small(ends, kSize / 4);
  const Workers workers{ends.right_worker, first.worker, second.worker, small.worker};
  Requests sends;
  for (int i = 0; i < 4; ++i) sends.push_back(first.send(Tag(i)));
  ASSERT_TRUE(compat::ended(workers, {sends[0], sends[1]}));
  const auto send = second.send(Tag{4});
  ASSERT_TRUE(
      compat::until(workers, [&] { return ends.right_worker->tagProbe(Tag{4})->isMatched(); }));
  // Once it has got room, those before it have been found to lack some.
  ASSERT_TRUE(compat::ended(workers, {small.send(Tag{5})}));
  EXPECT_FALSE(send->isCompleted());
  std::vector<std::byte> room(kSize);
  const auto receive = [&](Tag tag) {
    return ends.right_worker->tagRecv(room.data(), room.size(), tag);
  };
  ASSERT_TRUE(compat::ended(workers, {receive(Tag{0}), sends[2]}));
  EXPECT_FALSE(send->isCompleted());
  ASSERT_TRUE(compat::ended(workers, {receive(Tag{1}), send}));
  EXPECT_FALSE(sends[3]->isCompleted());
  ASSERT_TRUE(compat::ended(workers, {receive(Tag{2}), sends[3]}));
  for (int i = 3; i < 6; ++i) ASSERT_TRUE(compat::ended(workers, {receive(Tag(i))}));
}

/// The timer wakes a loop that sleeps, in every mode.
class AheadModeTest : public testing::TestWithParam<Mode> {};

TEST_P(AheadModeTest, SleepersFetch) {
  Ends ends(Route::Address, GetParam());
  const auto sent = bytes(kAnnouncedBytes);
  const Requests sends{ends.left->tagSend(sent.data(), sent.size(), kTag),
                       ends.right->tagSend(sent.data(), sent.size(), kTag)};
  ASSERT_TRUE(ends.ended(sends));
  std::vector<std::byte> room(sent.size());
  ASSERT_TRUE(ends.ended({ends.right->tagRecv(room.data(), room.size(), kTag)}));
  EXPECT_TRUE(room == sent);
}

INSTANTIATE_TEST_SUITE_P(All, AheadModeTest, testing::ValuesIn(kModes),
                         [](const auto& info) { return nameOf(info.param); });

/// What ends while a payload comes, or is here, without a receive.
class AheadEndTest : public testing::TestWithParam<Route> {
 protected:
  bool isThere(const std::shared_ptr<Request>& send) { return ends_.ended({send}); }
  Ends ends_{GetParam()};
  std::vector<std::byte> sent_ = bytes(kAnnouncedBytes);
  std::vector<std::byte> room_ = std::vector<std::byte>(kAnnouncedBytes);
};

TEST_P(AheadEndTest, CancelledSendsThatHaveBeenTakenEnd) {
  const auto send = ends_.left->tagSend(sent_.data(), sent_.size(), kTag);
  ASSERT_TRUE(ends_.until([&] { return ends_.right_worker->stats().fetched_ahead != 0; }));
  send->cancel();
  ASSERT_TRUE(ends_.ended({send}));
  EXPECT_EQ(send->getStatus(), UCS_OK);
  const auto receive = ends_.right->tagRecv(room_.data(), room_.size(), kTag);
  ASSERT_TRUE(ends_.ended({receive}));
  EXPECT_TRUE(room_ == sent_);
}

/// A probe that takes the message while its payload comes, or before, or after.
TEST_P(AheadEndTest, ProbedMessages) {
  for (unsigned i = 0; i < 20; ++i) {
    const auto send = ends_.left->tagSend(sent_.data(), sent_.size(), kTag);
    ASSERT_TRUE(ends_.arrived(ends_.right_worker, kTag));
    const auto end = Clock::now() + std::chrono::microseconds(200 * i);
    ASSERT_TRUE(ends_.until([&] { return Clock::now() > end; }));
    const auto probe = ends_.right_worker->tagProbe(kTag, TagMaskFull, true);
    ASSERT_TRUE(probe->isMatched());
    EXPECT_EQ(probe->getInfo().length, sent_.size());
    if (i % 3 == 0) continue;  // dropped
    std::fill(room_.begin(), room_.end(), std::byte{});
    const auto receive = ends_.right_worker->tagRecvWithHandle(room_.data(), probe);
    ASSERT_TRUE(ends_.ended({receive, send}));
    EXPECT_EQ(receive->getStatus(), UCS_OK);
    EXPECT_TRUE(room_ == sent_);
  }
}

/// Too short a receive ends; so does the message.
TEST_P(AheadEndTest, TruncatedReceives) {
  for (unsigned i = 0; i < 20; ++i) {
    const auto send = ends_.left->tagSend(sent_.data(), sent_.size(), kTag);
    const auto end = Clock::now() + std::chrono::microseconds(200 * i);
    ASSERT_TRUE(ends_.until([&] { return Clock::now() > end; }));
    const auto receive = ends_.right->tagRecv(room_.data(), 10, kTag);
    ASSERT_TRUE(ends_.ended({receive, send}));
    EXPECT_EQ(receive->getStatus(), UCS_ERR_MESSAGE_TRUNCATED);
  }
  EXPECT_TRUE(ends_.until(
      [&] { return ends_.right_worker->describe().find("fetched ahead") == std::string::npos; }));
}

/// What came before the sender's end is received behind it.
TEST_P(AheadEndTest, TheSenderCloses) {
  if (ends_.isSelf()) return;
  for (const Move move : {Move::Tag, Move::Stream, Move::Am, Move::Multi}) {
    SCOPED_TRACE(nameOf(move));
    Ends ends(GetParam());
    Received none;
    Sending sending(move, *ends.left, bytes(kLarge));
    const auto close = ends.left->close();
    ASSERT_TRUE(ends.ended({sending.request, close}));
    EXPECT_EQ(sending.request->getStatus(), UCS_OK);
    ASSERT_TRUE(ends.until([&] { return !ends.right->isAlive(); }));
    Receiving receiving(move, *ends.right, kLarge, none);
    ASSERT_TRUE(ends.ended({receiving.request}));
    EXPECT_TRUE(receiving.payload() == sending.payload());
  }
}

/// The receiver closes, at whatever instant; with a receive that has taken the payload over or not.
TEST_P(AheadEndTest, TheReceiverCloses) {
  for (const Move move : {Move::Tag, Move::Stream, Move::Am, Move::Multi}) {
    for (unsigned i = 0; i < 4; ++i) {
      SCOPED_TRACE(nameOf(move) + std::to_string(i));
      Ends ends(GetParam());
      Received none;
      Sending sending(move, *ends.left, bytes(kAnnouncedBytes));
      const auto end = Clock::now() + std::chrono::microseconds(800 * i);
      ASSERT_TRUE(ends.until([&] { return Clock::now() > end; }));
      std::unique_ptr<Receiving> receiving;
      if (i % 2 == 0)
        receiving = std::make_unique<Receiving>(move, *ends.right, kAnnouncedBytes, none);
      const auto close = ends.right->close();
      ASSERT_TRUE(ends.ended({close}));
      if (receiving != nullptr) {
        ASSERT_TRUE(ends.ended({receiving->request}));
        receiving->request = nullptr;
      }
      sending.request = nullptr;
      ends.leave();
    }
  }
}

/// The worker of either side goes while payloads come.
TEST_P(AheadEndTest, WorkersGo) {
  for (const Move move : {Move::Tag, Move::Stream, Move::Am, Move::Multi}) {
    for (unsigned i = 0; i < 4; ++i) {
      SCOPED_TRACE(nameOf(move) + std::to_string(i));
      Received none;
      Ends ends(GetParam());
      Sending sending(move, *ends.left, bytes(kAnnouncedBytes));
      Sending other(move, *ends.left, bytes(kAnnouncedBytes));
      const auto end = Clock::now() + std::chrono::microseconds(1000 * i);
      ASSERT_TRUE(ends.until([&] { return Clock::now() > end; }));
      Receiving receiving(move, *ends.right, kAnnouncedBytes, none);
      sending.request = other.request = nullptr;  // they keep their worker
      if (!ends.isSelf() && i % 2 != 0) {
        ends.left = nullptr;
        ends.left_worker = nullptr;
        ASSERT_TRUE(compat::ended({ends.right_worker}, {receiving.request}));
        if (receiving.request->getStatus() == UCS_OK) {
          EXPECT_TRUE(receiving.payload() == sending.payload());
        }
      }
      receiving.request = nullptr;
      ends.leave();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, AheadEndTest, testing::ValuesIn(kRoutes),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::core::test
