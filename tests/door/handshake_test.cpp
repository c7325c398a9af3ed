// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/handshake.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "door/world.h"

namespace ucxx::door::test {
namespace {

using State = Handshake::State;

const Limits kAnyLimits;

/// Moves up to `chunk` bytes from one side's output to the other side's input.
bool carry(Handshake& from, Handshake& to, std::size_t chunk) {
  const std::size_t count = std::min({chunk, from.pending().size(), to.wanted()});
  const std::vector<std::byte> bytes(from.pending().begin(),
                                     from.pending().begin() + static_cast<std::ptrdiff_t>(count));
  from.sent(count);
  to.receive(bytes);
  return count > 0;
}

void feed(Handshake& handshake, const std::vector<std::byte>& bytes) {
  std::span<const std::byte> left(bytes);
  while (!left.empty() && handshake.wanted() > 0) {
    const std::size_t count = std::min(left.size(), handshake.wanted());
    handshake.receive(left.first(count));
    left = left.subspan(count);
  }
}

void sendAll(Handshake& handshake) { handshake.sent(handshake.pending().size()); }

TEST(HandshakeTest, BothAreIntroducedHoweverTheBytesAreCut) {
  for (const std::size_t chunk : {1, 2, 7, 24, 25, 100000}) {
    auto caller = Handshake::calling(kAnyLimits, makeHello(1));
    auto answerer = Handshake::answering(kAnyLimits);
    while (carry(caller, answerer, chunk)) EXPECT_EQ(caller.state(), State::Talking);
    ASSERT_EQ(answerer.state(), State::Asked);
    EXPECT_EQ(answerer.hello(), makeHello(1));
    answerer.welcome(makeHello(2));
    EXPECT_EQ(answerer.state(), State::Talking);  // until the answer is out
    while (carry(answerer, caller, chunk)) {
    }
    EXPECT_EQ(answerer.state(), State::Established);
    EXPECT_EQ(caller.state(), State::Established);
    EXPECT_EQ(caller.hello(), makeHello(2));
  }
}

TEST(HandshakeTest, RefusalReachesTheCaller) {
  auto caller = Handshake::calling(kAnyLimits, makeHello());
  auto answerer = Handshake::answering(kAnyLimits);
  while (carry(caller, answerer, 100)) {
  }
  const Refused refused{Refusal::Existing, 1, 2, {3, 4}, {}};
  answerer.refuse(refused);
  EXPECT_EQ(answerer.refused(), refused);
  while (carry(answerer, caller, 100)) {
  }
  EXPECT_EQ(answerer.state(), State::Refused);
  EXPECT_EQ(caller.state(), State::Refused);
  EXPECT_EQ(caller.refused(), refused);
}

TEST(HandshakeTest, TakesNoByteBehindItsFrame) {
  auto answerer = Handshake::answering(kAnyLimits);
  auto bytes = encode(FrameKind::Hello, makeHello());
  std::size_t taken = 0;
  while (answerer.wanted() > 0) {
    const std::size_t count = answerer.wanted();
    answerer.receive(std::span(bytes).subspan(taken, count));
    taken += count;
  }
  EXPECT_EQ(taken, bytes.size());
  answerer.receive(bytes);  // not wanted: ignored
  EXPECT_EQ(answerer.state(), State::Asked);
}

TEST(HandshakeTest, GarbageEndsBothSidesWithoutAWord) {
  Handshake both[] = {Handshake::answering(kAnyLimits),
                      Handshake::calling(kAnyLimits, makeHello())};
  for (Handshake& handshake : both) {
    feed(handshake, std::vector(3, std::byte{'G'}));
    EXPECT_EQ(handshake.state(), State::Garbage);
    EXPECT_TRUE(handshake.pending().empty());
    EXPECT_EQ(handshake.wanted(), 0u);
  }
}

TEST(HandshakeTest, AnswererSaysWhyAHelloIsBad) {
  auto bytes = encode(FrameKind::Hello, makeHello());
  bytes.back() ^= std::byte{1};
  auto answerer = Handshake::answering(kAnyLimits);
  feed(answerer, bytes);
  EXPECT_EQ(decode(answerer.pending(), kAnyLimits).frame.refused.reason, Refusal::Malformed);
  sendAll(answerer);
  EXPECT_EQ(answerer.state(), State::Refused);
}

TEST(HandshakeTest, AnswererWantsAHelloFirst) {
  for (const auto& bytes : {encode(FrameKind::Welcome, makeHello()), encode(Refused{})}) {
    auto answerer = Handshake::answering(kAnyLimits);
    feed(answerer, bytes);
    EXPECT_EQ(answerer.state(), State::Talking);
    EXPECT_EQ(answerer.refused().reason, Refusal::Malformed);
  }
}

TEST(HandshakeTest, CallerWantsAnAnswerNotAHello) {
  auto caller = Handshake::calling(kAnyLimits, makeHello());
  sendAll(caller);
  feed(caller, encode(FrameKind::Hello, makeHello()));
  EXPECT_EQ(caller.state(), State::Garbage);
}

TEST(HandshakeTest, WelcomeBeforeTheHelloIsOutIsGarbage) {
  auto caller = Handshake::calling(kAnyLimits, makeHello());
  feed(caller, encode(FrameKind::Welcome, makeHello()));
  EXPECT_EQ(caller.state(), State::Garbage);
}

TEST(HandshakeTest, BusyDoorMaySpeakBeforeTheHelloIsOut) {
  auto caller = Handshake::calling(kAnyLimits, makeHello());
  feed(caller, encode(Refused{.reason = Refusal::Busy}));
  EXPECT_EQ(caller.state(), State::Refused);
  EXPECT_EQ(caller.refused().reason, Refusal::Busy);
  EXPECT_TRUE(caller.pending().empty());
}

TEST(HandshakeTest, AnswerOverTheCallersLimitsIsARefusal) {
  Limits limits;
  limits.hello_bytes = 200;
  auto caller = Handshake::calling(limits, makeHello());
  sendAll(caller);
  feed(caller, encode(FrameKind::Welcome, makeHello()));
  EXPECT_EQ(caller.state(), State::Refused);
  EXPECT_EQ(caller.refused().reason, Refusal::TooLarge);
}

TEST(HandshakeTest, DescriptorsGoWithTheFirstByteOnly) {
  auto caller = Handshake::calling(kAnyLimits, makeHello(), {3, 4});
  EXPECT_EQ(caller.wanted(), 1u);
  EXPECT_TRUE(caller.isAtStart());
  EXPECT_EQ(caller.enclosed().size(), 2u);
  caller.sent(1);
  EXPECT_TRUE(caller.enclosed().empty());
}

TEST(HandshakeTest, StrayDescriptorsAreMalformed) {
  auto answerer = Handshake::answering(kAnyLimits);
  answerer.receiveStray();
  EXPECT_EQ(decode(answerer.pending(), kAnyLimits).frame.refused.reason, Refusal::Malformed);
  EXPECT_EQ(answerer.wanted(), 0u);
  auto caller = Handshake::calling(kAnyLimits, makeHello());
  caller.receiveStray();
  EXPECT_EQ(caller.state(), State::Garbage);
}

TEST(HandshakeTest, WelcomeMayBecomeARefusalUntilItsFirstByteIsOut) {
  for (const std::size_t already_out : {0, 1}) {
    auto answerer = Handshake::answering(kAnyLimits);
    feed(answerer, encode(FrameKind::Hello, makeHello()));
    answerer.welcome(makeHello(2), {5});
    answerer.sent(already_out);
    answerer.refuse({.reason = Refusal::Busy});
    EXPECT_TRUE(answerer.enclosed().empty());
    sendAll(answerer);
    EXPECT_EQ(answerer.state(), already_out == 0 ? State::Refused : State::Established);
  }
}

TEST(HandshakeTest, AnswersWithoutAQuestionAreIgnored) {
  auto answerer = Handshake::answering(kAnyLimits);
  answerer.welcome(makeHello());
  answerer.refuse({});
  EXPECT_TRUE(answerer.pending().empty());
  EXPECT_EQ(answerer.state(), State::Talking);
  answerer.sent(100);
  EXPECT_EQ(answerer.state(), State::Talking);
}

}  // namespace
}  // namespace ucxx::door::test
