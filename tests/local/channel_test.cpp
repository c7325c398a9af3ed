// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Two hubs of one process, and the channels between them.

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <ucxx/exception.h>

#include "base/poller.h"
#include "local/choices.h"
#include "local/hub.h"

namespace ucxx::local {
namespace {

using Message = std::pair<std::string, std::string>;

std::span<const std::byte> bytesOf(const std::string& text) {
  return std::as_bytes(std::span(text));
}
std::string textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A worker's part: what comes is kept with the channel that it came by.
struct Side {
  Side() : hub(poller, events()) {}
  Events events() {
    Events events;
    events.owner = this;
    events.onMessage = [](void* self, void* context, std::span<const std::byte> header,
                          std::span<const std::byte> payload) {
      auto& side = *static_cast<Side*>(self);
      side.messages.emplace_back(textOf(header), textOf(payload));
      side.contexts.push_back(context);
      if (side.reaction) side.reaction();
      return payload.size();
    };
    events.onBroken = [](void* self, void*) { ++static_cast<Side*>(self)->broken; };
    events.onDeath = [](void* self, void*) { ++static_cast<Side*>(self)->dead; };
    events.hasSleepers = [](void*) { return false; };
    return events;
  }

  base::Poller poller;
  Hub hub;
  std::deque<Message> messages;
  std::vector<void*> contexts;
  std::function<void()> reaction;
  int broken = 0;
  int dead = 0;
};

/// What ends with it.
struct Ended final : base::Completion {
  Ended() {
    done = [](base::Completion& self, ucs_status_t status) {
      static_cast<Ended&>(self).status = status;
    };
  }
  ucs_status_t status = UCS_INPROGRESS;
};

std::vector<base::FileDescriptor> copiesOf(const std::vector<int>& numbers) {
  std::vector<base::FileDescriptor> copies;
  for (const int each : numbers) copies.push_back(base::duplicate(each));
  return copies;
}

base::SharedMemory segmentOf(const Channel& caller) {
  return base::SharedMemory::map(base::duplicate(caller.descriptors().front()),
                                 Channel::kSegmentBytes, Channel::kSparseBytes);
}

struct Pair {
  Pair(Side& left_side, Side& right_side) {
    left = Channel::call(left_side.hub);
    right = Channel::answer(right_side.hub, left->terms(), copiesOf(left->descriptors()));
    left->join(right->terms(), copiesOf(right->descriptors()));
    left->begin(-1);
    right->begin(-1);
  }
  std::unique_ptr<Channel> left, right;
};

class ChannelTest : public testing::Test {
 protected:
  const std::string header_ = "h";
  Side left_, right_;
  Pair pair_{left_, right_};
};

/// With more than there is room for: in the ring, or the bulk ring.
class FullChannelTest : public ChannelTest, public testing::WithParamInterface<std::size_t> {
 protected:
  ~FullChannelTest() override { pair_.left->cancelSends(); }
  ucs_status_t send(const std::string& payload, Ended& end) {
    const auto fragment = GetParam() == 8000 ? std::nullopt : std::optional(Way::Cached);
    return pair_.left->send(bytesOf(header_), payload.data(), payload.size(), end, fragment);
  }
  /// From left to right; what became of the last message.
  ucs_status_t sendTooMuch() {
    for (Ended& end : ends_) end.status = send(payload_, end);
    return ends_.back().status;
  }

  const std::string payload_ = std::string(GetParam(), 'x');
  std::deque<Ended> ends_ = std::deque<Ended>(GetParam() == 8000 ? 20 : 140);
};
INSTANTIATE_TEST_SUITE_P(Rings, FullChannelTest, testing::Values(8000, 16000),
                         [](const auto& info) { return info.param == 8000 ? "Records" : "Bulk"; });

TEST_F(ChannelTest, MessagesArriveInOrderBothWays) {
  Ended unused;
  int context = 0;
  pair_.right->context = &context;
  for (int i = 0; i < 10; ++i) {
    const std::string header = "h" + std::to_string(i);
    ASSERT_EQ(pair_.left->send(bytesOf(header), "payload", 7, unused), UCS_OK);
    ASSERT_EQ(pair_.right->send(bytesOf(header), nullptr, 0, unused), UCS_OK);
  }
  EXPECT_TRUE(right_.hub.progress());
  EXPECT_TRUE(left_.hub.progress());
  EXPECT_FALSE(right_.hub.progress());
  ASSERT_EQ(right_.messages.size(), 10u);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(right_.messages[i], Message("h" + std::to_string(i), "payload"));
    EXPECT_EQ(left_.messages[i], Message("h" + std::to_string(i), ""));
    EXPECT_EQ(right_.contexts[i], &context);
  }
}

TEST_F(ChannelTest, FullRingHoldsSendsBackInOrder) {
  const std::string payload(10000, 'x');
  const iovec halves[] = {{const_cast<char*>(payload.data()), 4000},
                          {const_cast<char*>(payload.data()) + 4000, 6000}};
  std::deque<Ended> ends(40);
  std::deque<std::string> headers;
  for (int i = 0; i < 40; ++i) {
    const std::string& header = headers.emplace_back(std::to_string(i));
    ends[i].status = i % 2 == 0 ? pair_.left->send(bytesOf(header), payload.data(), 10000, ends[i])
                                : pair_.left->send(bytesOf(header), std::span(halves), ends[i]);
  }
  Ended flushed;
  EXPECT_EQ(ends.front().status, UCS_OK);
  EXPECT_EQ(ends.back().status, UCS_INPROGRESS);
  EXPECT_EQ(pair_.left->flush(flushed), UCS_INPROGRESS);
  EXPECT_FALSE(left_.hub.progress());  // nobody reads
  for (int i = 0; i < 100 && flushed.status == UCS_INPROGRESS; ++i) {
    right_.hub.progress();
    left_.hub.progress();
  }
  EXPECT_EQ(flushed.status, UCS_OK);
  while (right_.hub.progress()) {
  }
  ASSERT_EQ(right_.messages.size(), 40u);
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(ends[i].status, UCS_OK);
    EXPECT_EQ(right_.messages[i], Message(std::to_string(i), payload));
  }
  EXPECT_EQ(pair_.left->flush(flushed), UCS_OK);
}

TEST_P(FullChannelTest, WhatWaitsIsCancelled) {
  ASSERT_EQ(sendTooMuch(), UCS_INPROGRESS);
  pair_.left->cancelSends();
  EXPECT_EQ(ends_.front().status, UCS_OK);
  EXPECT_EQ(ends_.back().status, UCS_ERR_CANCELED);
  EXPECT_FALSE(left_.hub.progress());
}

TEST_P(FullChannelTest, SleepAfterACancelFindsNothingThatWaitsForRoom) {
  ASSERT_EQ(sendTooMuch(), UCS_INPROGRESS);
  pair_.left->cancelSends();
  EXPECT_FALSE(left_.hub.announceSleep());  // the hub still takes the channel for one that waits
  left_.hub.endSleep();
  EXPECT_FALSE(left_.hub.progress());
  EXPECT_FALSE(left_.hub.isHoldingBack());
  EXPECT_TRUE(left_.hub.announceSleep());
  left_.hub.endSleep();
}

TEST_F(ChannelTest, WhatNoRingCanHoldIsRefused) {
  const std::string payload(1 << 20, 'x');
  Ended end;
  EXPECT_EQ(pair_.left->send({}, payload.data(), payload.size(), end), UCS_ERR_EXCEEDS_LIMIT);
}

TEST_F(ChannelTest, SleeperIsRungAndLooksAgain) {
  Ended unused;
  while (right_.hub.progress()) {
  }
  ASSERT_TRUE(right_.hub.announceSleep());
  EXPECT_EQ(right_.poller.dispatch(0), 0);
  ASSERT_EQ(pair_.left->send(bytesOf("h"), nullptr, 0, unused), UCS_OK);
  EXPECT_EQ(right_.poller.dispatch(1000), 1);
  right_.hub.endSleep();
  EXPECT_FALSE(right_.hub.announceSleep());  // it has come
  EXPECT_TRUE(right_.hub.progress());
}

TEST_P(FullChannelTest, SleepingSenderIsRungWhenThereIsRoom) {
  ASSERT_EQ(sendTooMuch(), UCS_INPROGRESS);
  ASSERT_TRUE(left_.hub.announceSleep());
  while (right_.hub.progress()) {
  }
  EXPECT_EQ(left_.poller.dispatch(1000), 1);
  left_.hub.endSleep();
  EXPECT_TRUE(left_.hub.progress());
  EXPECT_EQ(ends_.back().status, UCS_OK);
}

TEST_P(FullChannelTest, SleepingSenderIsRungWhileTheReceiverStillHasMore) {
  ASSERT_EQ(sendTooMuch(), UCS_INPROGRESS);
  ASSERT_TRUE(left_.hub.announceSleep());
  const auto sent = static_cast<std::size_t>(
      std::ranges::count_if(ends_, [](const Ended& end) { return end.status == UCS_OK; }));
  int rung = 0;
  while (rung == 0 && right_.messages.size() < sent) {
    EXPECT_TRUE(right_.hub.progress());
    rung = left_.poller.dispatch(0);
  }
  EXPECT_EQ(rung, 1);
  EXPECT_LT(right_.messages.size(), sent / 2);
  left_.hub.endSleep();
}

TEST_F(ChannelTest, OneLookTakesManySmallMessagesButOneLargeOne) {
  Ended unused;
  for (int i = 0; i < choices::kTakenAtOnce; ++i)
    pair_.left->send(bytesOf(header_), "x", 1, unused);
  EXPECT_TRUE(right_.hub.progress());
  EXPECT_EQ(right_.messages.size(), std::size_t{choices::kTakenAtOnce});
  right_.messages.clear();
  const std::string large(choices::kPiece, 'x');
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(pair_.left->send(bytesOf(header_), large.data(), large.size(), unused), UCS_OK);
  EXPECT_TRUE(right_.hub.progress());
  EXPECT_EQ(right_.messages.size(), 1u);
}

TEST_P(FullChannelTest, SleepingSenderIsRungBeforeTheReceiverSleeps) {
  ASSERT_EQ(sendTooMuch(), UCS_INPROGRESS);
  ASSERT_TRUE(left_.hub.announceSleep());
  while (right_.hub.progress()) {  // takes all that is there
  }
  ASSERT_TRUE(right_.hub.announceSleep());
  EXPECT_EQ(left_.poller.dispatch(1000), 1);
  left_.hub.endSleep();
  right_.hub.endSleep();
}

TEST_P(FullChannelTest, AllOfItArrivesInItsOrder) {
  std::string payload = payload_;
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    payload.replace(0, 3, std::to_string(100 + i));
    ends_[i].status = send(payload, ends_[i]);
    const bool waits = ends_[i].status == UCS_INPROGRESS;
    ASSERT_TRUE(!waits || pair_.left->keepPayload(ends_[i]));
  }
  while (right_.hub.progress() || left_.hub.progress()) {
  }
  ASSERT_EQ(right_.messages.size(), ends_.size());
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    EXPECT_EQ(ends_[i].status, UCS_OK);
    EXPECT_EQ(right_.messages[i].second.substr(0, 4), std::to_string(100 + i) + "x");
  }
}

TEST_F(ChannelTest, BulkMemoryIsGivenBackAfterAWhile) {
  const std::string payload(16000, 'x');
  Ended unused;
  EXPECT_FALSE(pair_.left->hasBulkMemory());
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(pair_.left->send(bytesOf(header_), payload.data(), 16000, unused, Way::Cached),
                UCS_OK);
      ASSERT_TRUE(right_.hub.progress());
    }
    EXPECT_TRUE(pair_.left->hasBulkMemory());
    EXPECT_FALSE(pair_.right->hasBulkMemory());
    EXPECT_TRUE(pair_.left->giveBackBulkMemory());  // it was used
    ASSERT_EQ(pair_.left->send(bytesOf(header_), payload.data(), 16000, unused, Way::Cached),
              UCS_OK);
    EXPECT_TRUE(pair_.left->giveBackBulkMemory());
    EXPECT_TRUE(pair_.left->giveBackBulkMemory());  // it is not consumed
    while (right_.hub.progress()) {
    }
    EXPECT_FALSE(pair_.left->giveBackBulkMemory());
    EXPECT_FALSE(pair_.left->hasBulkMemory());
  }
  EXPECT_EQ(right_.messages.size(), 303u);
  for (const Message& message : right_.messages) EXPECT_EQ(message.second, payload);
}

TEST_F(ChannelTest, FragmentsSayHowTheyWereWritten) {
  const std::string payload(16000, 'x');
  for (const Way way : {Way::Cached, Way::Streaming}) {
    ASSERT_TRUE(pair_.left->hasBulkRoomFor(16000));
    ASSERT_TRUE(pair_.left->trySendFragment(header_, payload.data(), 16000, way, true));
    ASSERT_TRUE(right_.hub.progress());
    EXPECT_EQ(pair_.right->note().way, way);
    EXPECT_EQ(pair_.right->note().bytes, 16000u);
    EXPECT_NE(pair_.right->note().cycles, 0u);
    EXPECT_EQ(right_.messages.back().second, payload);
  }
}

/// However its fragments fall at the end of the ring, a payload for which there was room goes
/// whole.
TEST_F(ChannelTest, WhatHasRoomGoesWhole) {
  for (const std::size_t size : {9000, 10'000, 25'000, 40'000, 60'001, 250'000}) {
    const std::string payload(size, 'x');
    const std::size_t each = choices::fragmentOf(size);
    std::size_t sent = 0;
    for (int filling = 0; filling < 300; ++filling) {
      for (; pair_.left->hasBulkRoomFor(size); ++sent) {
        for (std::size_t at = 0; at < size; at += each)
          ASSERT_TRUE(pair_.left->trySendFragment(header_, payload.data(),
                                                  std::min(each, size - at), Way::Cached, at == 0))
              << size << " bytes, message " << sent << ", at " << at;
      }
      right_.messages.clear();
      while (right_.hub.progress()) {
        if (filling % 3 != 0) break;  // it lags
      }
    }
    EXPECT_GT(sent, 300u);
    while (right_.hub.progress()) {
    }
  }
}

TEST_F(ChannelTest, PeersSayWhichWaysTheyWant) {
  EXPECT_EQ(pair_.left->wantedByPeer(64 << 10), Way::Cached);
  pair_.right->want(sizeClassOf(64 << 10), Way::Streaming);
  pair_.right->want(sizeClassOf(256 << 10), Way::Copied);
  EXPECT_EQ(pair_.left->wantedByPeer(64 << 10), Way::Streaming);
  EXPECT_EQ(pair_.left->wantedByPeer(256 << 10), Way::Copied);
  EXPECT_EQ(pair_.left->wantedByPeer(16 << 10), Way::Cached);
  EXPECT_EQ(pair_.right->wantedByPeer(64 << 10), Way::Cached);
}

TEST_F(ChannelTest, NotesThatMakeNoSenseBreakTheChannel) {
  for (const std::uint64_t note :
       {std::uint64_t{0}, std::uint64_t{BulkProducer::kMostFragment} + 1, std::uint64_t{1} << 23}) {
    const int broken = right_.broken;
    auto liar = Channel::call(left_.hub);
    const auto memory = segmentOf(*liar);
    auto victim = Channel::answer(right_.hub, liar->terms(), copiesOf(liar->descriptors()));
    victim->begin(-1);
    Producer ring(memory.bytes().first(RingMemory::bytesFor(RingMemory::kDefaultLines)));
    ASSERT_TRUE(ring.putNote(header_, note));
    right_.hub.progress();
    EXPECT_EQ(right_.broken, broken + 1);
    EXPECT_TRUE(right_.messages.empty());
  }
}

TEST_F(ChannelTest, MessageFromInsideAMessage) {
  Ended unused;
  right_.reaction = [&] {
    if (right_.messages.size() == 5) return;
    ASSERT_EQ(pair_.right->send(bytesOf("answer"), nullptr, 0, unused), UCS_OK);
  };
  for (int i = 0; i < 5; ++i) pair_.left->send(bytesOf("ask"), nullptr, 0, unused);
  right_.hub.progress();
  left_.hub.progress();
  EXPECT_EQ(left_.messages.size(), 4u);
}

TEST_F(ChannelTest, IdlePeersAreHeardAllTheSame) {
  std::vector<std::unique_ptr<Pair>> others;
  for (int i = 0; i < 100; ++i) others.push_back(std::make_unique<Pair>(left_, right_));
  for (int i = 0; i < 3 << 14; ++i) right_.hub.progress();  // all but a few are cold now
  Ended unused;
  for (int round = 0; round < 3; ++round) {
    right_.messages.clear();
    for (const auto& other : others) other->left->send(bytesOf("h"), nullptr, 0, unused);
    for (int i = 0; i < 3; ++i) right_.hub.progress();
    EXPECT_EQ(right_.messages.size(), others.size());
  }
  others.clear();  // their slots are free again
  Pair next(left_, right_);
  next.left->send(bytesOf("h"), nullptr, 0, unused);
  EXPECT_TRUE(right_.hub.progress());
}

/// A channel whose ring the right side leaves to its bell, beside ten others.
class ColdRingTest : public ChannelTest {
 protected:
  ColdRingTest() {
    from_->join(to_->terms(), copiesOf(to_->descriptors()));
    from_->begin(-1);
    to_->begin(-1);
    for (auto& other : others_) other = std::make_unique<Pair>(left_, right_);
  }
  std::atomic<std::uint32_t>& hot() const {
    return reinterpret_cast<RingMemory*>(memory_.bytes().data())->hot;
  }
  ucs_status_t send() { return from_->send(bytesOf("h"), nullptr, 0, unused_); }
  /// The sender takes the ring for one that is polled, and raises no bit.
  void sendUnheard() {
    hot() = 1;
    ASSERT_EQ(send(), UCS_OK);
    hot() = 0;
  }

  Ended unused_;
  std::unique_ptr<Channel> from_ = Channel::call(left_.hub);
  const base::SharedMemory memory_ = segmentOf(*from_);
  std::unique_ptr<Channel> to_ =
      Channel::answer(right_.hub, from_->terms(), copiesOf(from_->descriptors()));
  std::array<std::unique_ptr<Pair>, 10> others_;
};

TEST_F(ColdRingTest, PeerThatSeesLateThatItIsColdIsHeard) {
  for (int i = 0; i < 3 << 14 && hot() != 0; ++i) right_.hub.progress();
  ASSERT_EQ(hot(), 0u);
  ASSERT_NO_FATAL_FAILURE(sendUnheard());
  EXPECT_TRUE(right_.hub.progress());
  ASSERT_EQ(send(), UCS_OK);  // it raises its bit
  for (int i = 0; i < 3; ++i) right_.hub.progress();
  EXPECT_EQ(hot(), 1u);
  EXPECT_EQ(right_.messages.size(), 2u);
}

TEST_F(ColdRingTest, LastRecordOfOneThatDiedBeforeItRangIsSeen) {
  for (int i = 0; i < 3 << 14; ++i) right_.hub.progress();
  ASSERT_EQ(hot(), 0u);
  ASSERT_NO_FATAL_FAILURE(sendUnheard());
  for (int i = 0; i < 100; ++i) right_.hub.progress();
  EXPECT_TRUE(right_.messages.empty());
  to_->expectLast();
  right_.hub.progress();
  EXPECT_EQ(right_.messages.size(), 1u);
}

TEST_F(ChannelTest, SleepsEndLaterAndLaterWhileNothingComes) {
  using namespace std::chrono_literals;
  base::TimePoint now{1h};
  Side alone;
  EXPECT_EQ(alone.hub.nextLook(now), base::TimePoint::max());
  const auto expectPauses = [&](std::initializer_list<base::Duration> pauses) {
    for (const base::Duration pause : pauses) {
      EXPECT_EQ(right_.hub.nextLook(now), now + pause);
      EXPECT_EQ(right_.hub.nextLook(now), now + pause);  // something else has ended the sleep
      now += pause;
    }
  };
  expectPauses({1ms, 10ms, 100ms, 1s, 1s});
  EXPECT_FALSE(right_.hub.progress());
  expectPauses({1s});
  Ended unused;
  ASSERT_EQ(pair_.left->send(bytesOf("h"), nullptr, 0, unused), UCS_OK);
  EXPECT_TRUE(right_.hub.progress());
  expectPauses({1ms, 10ms});
}

TEST_F(ChannelTest, ScribblingPeerIsToldOnceAndDisturbsNobody) {
  auto scribbler = Channel::call(left_.hub);
  const auto memory = segmentOf(*scribbler);
  auto victim = Channel::answer(right_.hub, scribbler->terms(), copiesOf(scribbler->descriptors()));
  victim->begin(-1);
  std::fill(memory.bytes().begin(), memory.bytes().end(), std::byte{0x5a});
  Ended unused;
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(pair_.left->send(bytesOf("h"), nullptr, 0, unused), UCS_OK);
    right_.hub.progress();
  }
  EXPECT_EQ(right_.broken, 1);
  EXPECT_EQ(right_.messages.size(), 10u);
  EXPECT_TRUE(right_.hub.announceSleep());
}

TEST_F(ChannelTest, SenseIsDemandedOfTerms) {
  const auto proposal = Channel::call(left_.hub);
  const auto answer = [&](const std::vector<std::byte>& terms, const std::vector<int>& numbers) {
    return Channel::answer(right_.hub, terms, copiesOf(numbers));
  };
  auto terms = proposal->terms();
  auto numbers = proposal->descriptors();
  EXPECT_NO_THROW(answer(terms, numbers));
  EXPECT_THROW(answer({}, numbers), Error);
  EXPECT_THROW(answer(terms, {}), Error);
  EXPECT_THROW(answer(terms, {numbers[0]}), Error);
  EXPECT_THROW(answer(terms, {numbers[1], numbers[0], numbers[2], numbers[3]}), Error);
  EXPECT_THROW(answer(terms, {numbers[0], numbers[1], numbers[2], numbers[2]}), Error);
  terms[15] = std::byte{0xff};  // its slot
  EXPECT_THROW(answer(terms, numbers), Error);
  terms.front() = std::byte{0};
  EXPECT_THROW(answer(terms, numbers), Error);
  EXPECT_THROW(proposal->join(terms, {}), Error);
}

}  // namespace
}  // namespace ucxx::local
