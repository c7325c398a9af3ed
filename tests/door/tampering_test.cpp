// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A handshake with a secret whose words are changed or cut on their way.
#include <cstddef>
#include <span>

#include <gtest/gtest.h>

#include "door/conversation.h"

namespace ucxx::door::test {
namespace {

TEST(TamperingTest, WordsTruncatedAtEveryByteLeadNowhere) {
  const Conversation whole;
  for (std::size_t length = 0; length < whole.hello.size(); ++length) {
    auto to = answerer();
    feed(to, std::span(whole.hello).first(length));
    EXPECT_EQ(to.state(), State::Talking);
    EXPECT_TRUE(to.pending().empty());
  }
  for (std::size_t length = 0; length < kProofFrameBytes; ++length) {
    auto to = answerer();
    auto from = caller();
    feed(to, take(from));
    feed(from, take(to));
    const Bytes proof = take(from);
    feed(to, std::span(proof).first(length));
    EXPECT_EQ(to.state(), State::Talking);
    EXPECT_TRUE(to.pending().empty());
  }
  for (std::size_t length = 0; length < whole.welcome.size(); ++length) {
    Conversation talk;
    feed(talk.from, std::span(talk.welcome).first(length));
    EXPECT_EQ(talk.from.state(), State::Talking);
  }
}

TEST(TamperingTest, EveryByteOfAHelloIsCovered) {
  const Conversation sample;
  for (std::size_t at = 0; at < bodyBytes(sample.hello); ++at) {
    auto from = caller();
    auto to = answerer();
    feed(to, changed(take(from), at));
    const Bytes said = take(to);
    if (decode(said, kLimits).frame.kind == FrameKind::Challenge) {
      feed(from, said);
      feed(to, take(from));
      EXPECT_EQ(reasonIn(take(to)), Refusal::Authentication) << at;
    }
    EXPECT_EQ(to.state(), State::Refused) << at;  // or what it says makes no sense
  }
}

TEST(TamperingTest, EveryByteOfAChallengeIsCovered) {
  for (std::size_t at = 0; at < sizeof(base::Id128); ++at) {
    auto from = caller();
    auto to = answerer();
    feed(to, take(from));
    feed(from, changed(take(to), at));
    feed(to, take(from));
    EXPECT_EQ(reasonIn(take(to)), Refusal::Authentication) << at;
    expectFailed(to);
  }
}

TEST(TamperingTest, EveryByteOfAWelcomeIsCovered) {
  const Conversation sample;
  const std::size_t answer = sample.welcome.size() - kProofFrameBytes;
  for (std::size_t at = 0; at < answer - kFrameHeaderBytes; ++at) {
    Conversation talk;
    feed(talk.from, changed(talk.welcome, at));
    EXPECT_NE(talk.from.state(), State::Established) << at;
    EXPECT_NE(talk.from.state(), State::Talking) << at;
    EXPECT_FALSE(talk.from.hello().worker) << at;
  }
}

TEST(TamperingTest, EveryByteOfAProofIsCompared) {
  for (std::size_t at = 0; at < sizeof(Proof); ++at) {
    const Conversation talk;
    auto from = caller();
    auto to = answerer();
    feed(to, take(from));
    feed(from, take(to));
    feed(to, changed(take(from), at));
    take(to);
    expectFailed(to);
  }
}

TEST(TamperingTest, FieldsThatOnlyNewerPeersKnowAreCovered) {
  auto from = caller();
  Bytes hello = take(from);
  hello.insert(hello.end(), 5, std::byte{7});
  const std::size_t length = bodyBytes(hello);
  for (int i = 0; i < 4; ++i) hello[12 + i] = static_cast<std::byte>(length >> (8 * i) & 0xff);
  auto to = answerer();
  feed(to, changed(hello, length - 1));
  feed(from, take(to));
  feed(to, take(from));
  take(to);
  expectFailed(to);
}

}  // namespace
}  // namespace ucxx::door::test
