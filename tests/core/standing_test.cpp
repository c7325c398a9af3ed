// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Multi-buffer messages that an endpoint takes as they come, before anybody receives them.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <span>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

constexpr std::size_t kSize = kAnnouncedBytes;

/// Several frames of other sizes: small ones, which travel with the table, and large ones.
class Message {
 public:
  explicit Message(std::vector<std::size_t> sizes, unsigned seed = 1) {
    for (const std::size_t size : sizes) frames_.push_back(bytes(size, seed++));
  }
  std::shared_ptr<Request> send(Endpoint& endpoint, Tag tag = kTag) const {
    std::vector<const void*> buffers;
    std::vector<std::size_t> sizes;
    for (const auto& frame : frames_) {
      buffers.push_back(frame.data());
      sizes.push_back(frame.size());
    }
    return endpoint.tagMultiSend(buffers, sizes, std::vector<int>(sizes.size()), tag);
  }
  /// `receive` has ended with it.
  bool isIn(const std::shared_ptr<Request>& receive) const {
    const auto& received = static_cast<RequestTagMulti&>(*receive)._bufferRequests;
    if (receive->getStatus() != UCS_OK || received.size() != frames_.size()) return false;
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      Buffer& buffer = *received[i]->buffer;
      const auto* const first = static_cast<const std::byte*>(buffer.data());
      if (!std::ranges::equal(std::span(first, buffer.getSize()), frames_[i])) return false;
    }
    return true;
  }

 private:
  std::vector<std::vector<std::byte>> frames_;
};

/// Nothing is fetched without a receive but by a standing one.
class StandingTest : public testing::TestWithParam<Route> {
 protected:
  std::shared_ptr<Request> receive(Tag tag = kTag) const {
    return ends_.right->tagMultiRecv(tag, TagMaskFull);
  }
  bool isHere(Tag tag = kTag) const { return ends_.right_worker->tagProbe(tag)->isMatched(); }
  bool isSaid(const std::string& text) const {
    return ends_.right_worker->describe().find(text) != std::string::npos;
  }

  Ends ends_{GetParam(), Mode::Caller, withoutFetchAhead()};
  const Message message_{{10, kSize, 0, 20'000, kSize}};
};

TEST_P(StandingTest, SendsEndWithoutAReceive) {
  ends_.right->receiveAhead(64 << 20);
  for (const std::vector<std::size_t>& sizes :
       {std::vector<std::size_t>{kSize}, {0, 100'000, 7}, {9000, 9000}, {1}, {}}) {
    const Message message(sizes);
    const auto send = message.send(*ends_.left);
    ASSERT_TRUE(ends_.ended({send}));
    EXPECT_EQ(send->getStatus(), UCS_OK);
    const auto receive = this->receive();
    ASSERT_TRUE(ends_.ended({receive}));
    EXPECT_TRUE(message.isIn(receive));
  }
}

TEST_P(StandingTest, BothSendFirst) {
  ends_.right->receiveAhead(1);
  ends_.left->receiveAhead(1);
  const auto there = message_.send(*ends_.left, Tag{1}), back = message_.send(*ends_.right, Tag{2});
  if (ends_.isSelf()) {
    ASSERT_TRUE(ends_.ended({there}));  // one endpoint, which holds one message
    ASSERT_TRUE(ends_.ended({receive(Tag{1}), back}));
    return;
  }
  ASSERT_TRUE(ends_.ended({there, back}));
  const auto right = receive(Tag{1}), left = ends_.left->tagMultiRecv(Tag{2}, TagMaskFull);
  ASSERT_TRUE(ends_.ended({right, left}));
  EXPECT_TRUE(message_.isIn(right));
  EXPECT_TRUE(message_.isIn(left));
}

/// Beyond its room a message waits for its receive, or until what is there has been received.
TEST_P(StandingTest, TheRestWaits) {
  ends_.right->receiveAhead(3 * kSize);  // one message, not two
  Requests sends;
  for (int i = 0; i < 4; ++i) sends.push_back(message_.send(*ends_.left, Tag(i)));
  ASSERT_TRUE(ends_.ended({sends[0]}));
  EXPECT_TRUE(staysPending(ends_, sends[1]));
  EXPECT_TRUE(isSaid(" of " + std::to_string(3 * kSize) + " bytes received ahead"));
  const auto last = receive(Tag{3});
  ASSERT_TRUE(ends_.ended({last, sends[3]}));
  EXPECT_TRUE(message_.isIn(last));
  EXPECT_TRUE(staysPending(ends_, sends[1]));
  const auto first = receive(Tag{0});
  ASSERT_TRUE(ends_.ended({first, sends[1]}));
  EXPECT_TRUE(message_.isIn(first));
  EXPECT_TRUE(staysPending(ends_, sends[2]));
  ends_.right->receiveAhead(64 << 20);  // more room
  ASSERT_TRUE(ends_.ended({sends[2]}));
  for (const Tag tag : {Tag{1}, Tag{2}}) {
    const auto receive = this->receive(tag);
    ASSERT_TRUE(ends_.ended({receive}));
    EXPECT_TRUE(message_.isIn(receive));
  }
  EXPECT_TRUE(isSaid(" 0 of "));
}

TEST_P(StandingTest, OneOfAnySizeIsTaken) {
  ends_.right->receiveAhead(1);
  const auto first = message_.send(*ends_.left, Tag{1}),
             second = message_.send(*ends_.left, Tag{2});
  ASSERT_TRUE(ends_.ended({first}));
  EXPECT_TRUE(staysPending(ends_, second));
  const auto receive = this->receive(Tag{1});
  ASSERT_TRUE(ends_.ended({receive, second}));
  EXPECT_TRUE(message_.isIn(receive));
}

TEST_P(StandingTest, InTheOrderOfTheirSends) {
  ends_.right->receiveAhead(2 * kSize);
  std::vector<Message> messages;
  Requests sends;
  for (const std::size_t size : {kSize, std::size_t{100}, std::size_t{100'000}, kSize, kSize / 2,
                                 std::size_t{0}, std::size_t{50'000}})
    messages.emplace_back(std::vector<std::size_t>{size, 1}, static_cast<unsigned>(size + 1));
  for (const Message& message : messages) sends.push_back(message.send(*ends_.left));
  for (const Message& message : messages) {
    const auto receive = this->receive();
    ASSERT_TRUE(ends_.ended({receive}));
    EXPECT_TRUE(message.isIn(receive));
  }
  ASSERT_TRUE(ends_.ended(sends));
}

TEST_P(StandingTest, WhatWaitsAlreadyIsTaken) {
  const auto send = message_.send(*ends_.left);
  EXPECT_TRUE(staysPending(ends_, send));
  ends_.right->receiveAhead(1);
  ASSERT_TRUE(ends_.ended({send}));
  const auto receive = this->receive();
  ASSERT_TRUE(ends_.ended({receive}));
  EXPECT_TRUE(message_.isIn(receive));
}

TEST_P(StandingTest, ZeroEndsIt) {
  ends_.right->receiveAhead(1);
  const auto first = message_.send(*ends_.left), second = message_.send(*ends_.left);
  ASSERT_TRUE(ends_.ended({first}));
  ends_.right->receiveAhead(0);
  const auto receive = this->receive();
  ASSERT_TRUE(ends_.ended({receive}));
  EXPECT_TRUE(message_.isIn(receive));
  EXPECT_TRUE(staysPending(ends_, second));
  const auto next = this->receive();
  ASSERT_TRUE(ends_.ended({next, second}));
  EXPECT_TRUE(message_.isIn(next));
  ends_.right->receiveAhead(0);
}

/// Another one between the same workers does without.
TEST_P(StandingTest, IsOfOneEndpoint) {
  if (GetParam() != Route::Address) return;
  const auto left =
      ends_.left_worker->createEndpointFromWorkerAddress(ends_.right_worker->getAddress());
  const auto right =
      ends_.right_worker->createEndpointFromWorkerAddress(ends_.left_worker->getAddress());
  ends_.right->receiveAhead(64 << 20);
  const auto its = message_.send(*left, Tag{1}), taken = message_.send(*ends_.left, Tag{2});
  ASSERT_TRUE(ends_.ended({taken}));
  EXPECT_TRUE(staysPending(ends_, its));
  ASSERT_TRUE(ends_.ended({right->tagMultiRecv(Tag{1}, TagMaskFull), its}));
}

/// A receive that takes it while it comes, at whatever instant, and perhaps gives it back.
TEST_P(StandingTest, ReceivesWhileItComes) {
  ends_.right->receiveAhead(1);
  for (unsigned i = 0; i < 30; ++i) {
    const Message message({kSize, 30, 40'000}, i + 1);
    const auto send = message.send(*ends_.left);
    const auto end = Clock::now() + std::chrono::microseconds(100 * i);
    ASSERT_TRUE(ends_.until([&] { return Clock::now() > end; }));
    auto receive = this->receive();
    if (i % 3 == 0) {
      EXPECT_TRUE(receive->giveBack());
      receive = this->receive();
    }
    ASSERT_TRUE(ends_.ended({send, receive}));
    EXPECT_TRUE(message.isIn(receive));
  }
  EXPECT_TRUE(isSaid(" 0 of 1 bytes received ahead"));
}

TEST_P(StandingTest, CancelledSendsThatHaveBeenTakenEnd) {
  ends_.right->receiveAhead(64 << 20);
  for (unsigned i = 0; i < 20; ++i) {
    const auto send = message_.send(*ends_.left);
    const auto end = Clock::now() + std::chrono::microseconds(50 * i);
    ASSERT_TRUE(ends_.until([&] { return Clock::now() > end; }));
    send->cancel();
    ASSERT_TRUE(ends_.ended({send}));
    if (send->getStatus() != UCS_OK) {
      EXPECT_EQ(send->getStatus(), UCS_ERR_CANCELED);
      continue;
    }
    const auto receive = this->receive();
    ASSERT_TRUE(ends_.ended({receive}));
    EXPECT_TRUE(message_.isIn(receive));
  }
  EXPECT_TRUE(ends_.until([&] { return !isHere(); }));
}

/// What this side has not received when it closes goes; sends of it do not wait for anybody.
TEST_P(StandingTest, ClosingDropsWhatIsHeld) {
  ends_.right->receiveAhead(1);
  const auto first = message_.send(*ends_.left), second = message_.send(*ends_.left),
             small = Message({3}).send(*ends_.left);
  ASSERT_TRUE(ends_.ended({first}));
  ASSERT_TRUE(ends_.until([&] { return isHere(); }));
  ASSERT_TRUE(ends_.ended({ends_.right->close(std::chrono::milliseconds(0))}));
  EXPECT_FALSE(isHere());
  ASSERT_TRUE(ends_.ended({second, small}));
  ends_.right->receiveAhead(1);
}

TEST_P(StandingTest, DroppingTheEndpointDropsWhatIsHeld) {
  if (ends_.isSelf()) return;
  ends_.right->receiveAhead(64 << 20);
  ASSERT_TRUE(ends_.ended({message_.send(*ends_.left)}));
  ASSERT_TRUE(ends_.ended({ends_.left->close()}));
  ASSERT_TRUE(ends_.until([&] { return !ends_.right->isAlive(); }));
  EXPECT_TRUE(isHere());
  ends_.right = nullptr;
  EXPECT_TRUE(ends_.until([&] { return !isHere(); }));
}

/// What came before the peer's close is received behind it.
TEST_P(StandingTest, TheSenderCloses) {
  if (ends_.isSelf()) return;
  ends_.right->receiveAhead(64 << 20);
  const auto send = message_.send(*ends_.left);
  ASSERT_TRUE(ends_.ended({send, ends_.left->close()}));
  EXPECT_EQ(send->getStatus(), UCS_OK);
  ASSERT_TRUE(ends_.until([&] { return !ends_.right->isAlive(); }));
  const auto receive = this->receive();
  ASSERT_TRUE(ends_.ended({receive}));
  EXPECT_TRUE(message_.isIn(receive));
}

/// The worker of the sender goes while a message comes.
TEST_P(StandingTest, TheSenderGoes) {
  if (ends_.isSelf()) return;
  for (unsigned i = 0; i < 6; ++i) {
    Ends ends(GetParam(), Mode::Caller, withoutFetchAhead());
    ends.right->receiveAhead(1);
    message_.send(*ends.left);
    message_.send(*ends.left);
    const auto end = Clock::now() + std::chrono::microseconds(500 * i);
    ASSERT_TRUE(ends.until([&] { return Clock::now() > end; }));
    ends.left = nullptr;
    ends.left_worker = nullptr;
    const std::shared_ptr<Worker> right = ends.right_worker;
    ASSERT_TRUE(compat::until({right}, [&] { return !ends.right->isAlive(); }));
    const auto first = ends.right->tagMultiRecv(kTag, TagMaskFull),
               second = ends.right->tagMultiRecv(kTag, TagMaskFull);
    ASSERT_TRUE(compat::ended({right}, {first, second}));
    EXPECT_TRUE(first->getStatus() != UCS_OK || message_.isIn(first));
    EXPECT_NE(second->getStatus(), UCS_OK);
  }
}

TEST_P(StandingTest, AnAllocatorHoldsTheFrames) {
  std::atomic<int> allocated{0};
  ends_.right_worker->registerAmAllocator(UCS_MEMORY_TYPE_HOST, [&](std::size_t size) {
    ++allocated;
    return std::make_shared<HostBuffer>(size);
  });
  ends_.right->receiveAhead(1);
  ASSERT_TRUE(ends_.ended({message_.send(*ends_.left)}));
  EXPECT_EQ(allocated, 3);
  const auto receive = this->receive();
  ASSERT_TRUE(ends_.ended({receive}));
  EXPECT_TRUE(message_.isIn(receive));
}

/// ... and may do anything: the message that it is asked for goes with its endpoint, or to a
/// receive.
TEST_P(StandingTest, AnAllocatorClosesTheEndpoint) {
  std::shared_ptr<Request> close;
  ends_.right_worker->registerAmAllocator(UCS_MEMORY_TYPE_HOST, [&](std::size_t size) {
    if (close == nullptr) close = ends_.right->close(std::chrono::milliseconds(0));
    ends_.right->receiveAhead(0);
    return std::make_shared<HostBuffer>(size);
  });
  ends_.right->receiveAhead(1);
  const auto send = message_.send(*ends_.left);
  ASSERT_TRUE(ends_.until([&] { return close != nullptr && close->isCompleted(); }));
  ASSERT_TRUE(ends_.ended({send}));
  EXPECT_FALSE(isHere());
}

TEST_P(StandingTest, AnAllocatorReceivesTheMessage) {
  std::shared_ptr<Request> receive;
  ends_.right_worker->registerAmAllocator(UCS_MEMORY_TYPE_HOST, [&](std::size_t size) {
    if (receive == nullptr) receive = ends_.right->tagMultiRecv(kTag, TagMaskFull);
    return std::make_shared<HostBuffer>(size);
  });
  ends_.right->receiveAhead(1);
  const auto send = message_.send(*ends_.left);
  ASSERT_TRUE(ends_.until([&] { return receive != nullptr && receive->isCompleted(); }));
  ASSERT_TRUE(ends_.ended({send}));
  EXPECT_TRUE(message_.isIn(receive));
}

/// Its receive asks once more, and is told.
TEST_P(StandingTest, AnAllocatorThatFails) {
  ends_.right_worker->registerAmAllocator(
      UCS_MEMORY_TYPE_HOST, [&](std::size_t) -> std::shared_ptr<Buffer> { return nullptr; });
  ends_.right->receiveAhead(1);
  const auto send = message_.send(*ends_.left);
  EXPECT_TRUE(staysPending(ends_, send));
  const auto receive = this->receive();
  ASSERT_TRUE(ends_.ended({receive, send}));
  EXPECT_EQ(receive->getStatus(), UCS_ERR_NO_MEMORY);
  EXPECT_TRUE(isSaid(" 0 of 1 bytes received ahead"));
}

/// Whose sender has no credit: the table is announced, and the frames come all the same.
TEST_P(StandingTest, OneOfAnySizeWithoutCredit) {
  WorkerOptions options = withoutFetchAhead();
  options.unexpected_bytes = 4 << 10;
  Ends ends(GetParam(), Mode::Caller, options);
  ends.right->receiveAhead(1);
  const Message message({5000, kSize, 5000, kSize});
  for (int i = 0; i < 3; ++i) {
    const auto first = message.send(*ends.left), second = message.send(*ends.left);
    ASSERT_TRUE(ends.ended({first}));
    for (int k = 0; k < 2; ++k) {
      const auto receive = ends.right->tagMultiRecv(kTag, TagMaskFull);
      ASSERT_TRUE(ends.ended({receive}));
      EXPECT_TRUE(message.isIn(receive));
    }
    ASSERT_TRUE(ends.ended({second}));
  }
}

/// Switching it off and on again does not forget what is held.
TEST_P(StandingTest, OffAndOnAgain) {
  ends_.right->receiveAhead(1);
  const auto first = message_.send(*ends_.left), second = message_.send(*ends_.left);
  ASSERT_TRUE(ends_.ended({first}));
  ends_.right->receiveAhead(0);
  ends_.right->receiveAhead(1);
  EXPECT_TRUE(staysPending(ends_, second));
  const auto receive = this->receive();
  ASSERT_TRUE(ends_.ended({receive, second}));
  EXPECT_TRUE(message_.isIn(receive));
}

/// It waits for its receive, which says what is wrong.
TEST_P(StandingTest, WhatIsOverTheLimitsIsNotTaken) {
  WorkerOptions options = withoutFetchAhead();
  options.multi_frames = 3;
  Ends ends(GetParam(), Mode::Caller, options);
  ends.right->receiveAhead(64 << 20);
  const auto send = message_.send(*ends.left);
  EXPECT_TRUE(staysPending(ends, send));
  const auto receive = ends.right->tagMultiRecv(kTag, TagMaskFull);
  ASSERT_TRUE(ends.ended({send, receive}));
  EXPECT_EQ(receive->getStatus(), UCS_ERR_EXCEEDS_LIMIT);
}

/// More than its sender has credit for: tables are announced, too.
TEST_P(StandingTest, ManyWithoutAReceive) {
  WorkerOptions options = withoutFetchAhead();
  options.unexpected_bytes = 32 << 10;
  Ends ends(GetParam(), Mode::Caller, options);
  ends.right->receiveAhead(256 << 20);
  const Message message({5000, 30'000, 5000, 9000});
  Requests sends;
  for (int i = 0; i < 300; ++i) sends.push_back(message.send(*ends.left));
  ASSERT_TRUE(ends.ended(sends));
  for (int i = 0; i < 300; ++i) {
    const auto receive = ends.right->tagMultiRecv(kTag, TagMaskFull);
    ASSERT_TRUE(ends.ended({receive}));
    ASSERT_TRUE(message.isIn(receive)) << i;
  }
  EXPECT_NE(ends.right_worker->describe().find(" 0 of "), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, StandingTest, testing::ValuesIn(kRoutes),
                         [](const auto& info) { return nameOf(info.param); });

/// Whoever moves the worker, and sleeps.
class StandingModeTest : public testing::TestWithParam<Mode> {};

TEST_P(StandingModeTest, SleepersTake) {
  Ends ends(Route::Listener, GetParam(), withoutFetchAhead());
  ends.right->receiveAhead(2 * kSize);
  const Message message({kSize, 3});
  const auto first = message.send(*ends.left), second = message.send(*ends.left);
  ASSERT_TRUE(ends.ended({first}));
  const auto receive = ends.right->tagMultiRecv(kTag, TagMaskFull);
  ASSERT_TRUE(ends.ended({receive, second}));
  EXPECT_TRUE(message.isIn(receive));
}

INSTANTIATE_TEST_SUITE_P(All, StandingModeTest, testing::ValuesIn(kModes),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::core::test
