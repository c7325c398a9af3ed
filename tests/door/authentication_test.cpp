// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A handshake with a secret: whoever does not know it, or says the words of others, is not talked
// to, and learns nothing but that.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "door/conversation.h"

namespace ucxx::door::test {
namespace {

TEST(AuthenticationTest, BothProveThemselvesHoweverTheBytesAreCut) {
  for (const std::size_t chunk : {1, 2, 7, 24, 25, 100000}) {
    auto from = caller();
    auto to = answerer();
    for (int turn = 0; turn < 4; ++turn) {
      feed(to, take(from), chunk);
      if (to.state() == State::Asked) to.welcome(makeHello(2));
      feed(from, take(to), chunk);
    }
    EXPECT_EQ(to.state(), State::Established);
    EXPECT_EQ(from.state(), State::Established);
    EXPECT_EQ(from.hello(), makeHello(2));
    Hello asked = to.hello();
    EXPECT_TRUE(asked.challenge);
    asked.challenge = {};
    EXPECT_EQ(asked, makeHello(1));
  }
}

TEST(AuthenticationTest, RefusalsAreProvenToo) {
  Conversation talk;
  auto to = answerer();
  auto from = caller();
  feed(to, take(from));
  feed(from, take(to));
  feed(to, take(from));
  const Refused nearer{Refusal::Nearer, 1, 2, {3, 4}, {5, 6}};
  to.refuse(nearer);
  feed(from, take(to));
  EXPECT_EQ(to.state(), State::Refused);
  EXPECT_EQ(from.state(), State::Refused);
  EXPECT_EQ(from.refused(), nearer);
}

TEST(AuthenticationTest, NoByteBehindTheLastFrameIsTaken) {
  Conversation talk;
  Bytes more = talk.welcome;
  more.push_back(std::byte{0xb1});
  std::size_t taken = 0;
  while (talk.from.wanted() > 0) {
    const std::size_t count = talk.from.wanted();
    talk.from.receive(std::span(more).subspan(taken, count));
    taken += count;
  }
  EXPECT_EQ(talk.from.state(), State::Established);
  EXPECT_EQ(taken, talk.welcome.size());
}

TEST(AuthenticationTest, WrongSecretFailsOnBothSidesAlike) {
  auto from = caller(kOtherSecret);
  auto to = answerer();
  feed(to, take(from));
  feed(from, take(to));
  feed(to, take(from));
  EXPECT_EQ(to.state(), State::Talking);  // its refusal is to be sent; nobody was asked
  feed(from, take(to));
  expectFailed(to);
  expectFailed(from);
}

TEST(AuthenticationTest, SecretsOfOneBeginningDiffer) {
  const auto longer = secretOf(std::string("what the friends know") + '\0');
  auto from = caller(longer);
  auto to = answerer();
  feed(to, take(from));
  feed(from, take(to));
  feed(to, take(from));
  feed(from, take(to));
  expectFailed(to);
  expectFailed(from);
}

TEST(AuthenticationTest, MissingSecretFailsOnBothSidesAlike) {
  for (const auto& [calls, answers] : {std::pair(kSecret, SharedSecret()), {nullptr, kSecret}}) {
    auto from = caller(calls);
    auto to = answerer(answers);
    feed(to, take(from));
    EXPECT_EQ(to.state(), State::Talking);
    feed(from, take(to));
    expectFailed(to);
    expectFailed(from);
  }
}

TEST(AuthenticationTest, AnswererSaysNothingButItsChallengeBefore) {
  auto from = caller();
  auto to = answerer();
  feed(to, take(from));
  const Bytes said = take(to);
  const Decoded decoded = decode(said, kLimits);
  EXPECT_EQ(decoded.frame.kind, FrameKind::Challenge);
  EXPECT_EQ(decoded.consumed, said.size());
  EXPECT_EQ(said.size(), kFrameHeaderBytes + sizeof(base::Id128));
}

/// Bytes behind the fields are a newer peer's, and covered all the same.
TEST(AuthenticationTest, CallersWordsCannotBeReplayed) {
  Conversation talk;
  feed(talk.from, talk.welcome);
  ASSERT_EQ(talk.from.state(), State::Established);
  auto to = answerer();
  feed(to, talk.hello);
  EXPECT_NE(take(to), talk.challenge);
  feed(to, talk.proof);
  EXPECT_EQ(reasonIn(take(to)), Refusal::Authentication);
  expectFailed(to);
}

TEST(AuthenticationTest, AnswerersWordsCannotBeReplayed) {
  const Conversation talk;
  auto from = caller();
  take(from);
  feed(from, talk.challenge);
  take(from);
  feed(from, talk.welcome);
  expectFailed(from);
  EXPECT_FALSE(from.hello().worker);
}

TEST(AuthenticationTest, WordsCannotBeReflected) {
  auto from = caller();
  const Bytes hello = take(from);
  feed(from, hello);
  expectFailed(from);

  // Its own proof as that of the one it called, behind a welcome of the stranger's.
  from = caller();
  take(from);
  feed(from, encodeChallenge({1, 2}));
  const Bytes proof = take(from);
  feed(from, encode(FrameKind::Welcome, makeHello(2)));
  feed(from, proof);
  expectFailed(from);

  // What it proves to the one, handed to the door that the other half of its process opens.
  auto to = answerer();
  auto other = caller();
  feed(to, take(other));
  const Bytes challenge = take(to);
  from = caller();
  take(from);
  feed(from, challenge);
  feed(to, take(from));
  take(to);
  expectFailed(to);
}

TEST(AuthenticationTest, ProofsOfTheOtherRoleAreNone) {
  auto from = caller();
  auto to = answerer();
  Transcript transcript;
  const Bytes hello = take(from);
  transcript.add(hello);
  feed(to, hello);
  const Bytes challenge = take(to);
  transcript.add(challenge);
  feed(to, encode(prove(*kSecret, Prover::Answerer, transcript)));
  take(to);
  expectFailed(to);

  feed(from, challenge);
  take(from);
  const Bytes welcome = encode(FrameKind::Welcome, makeHello(2));
  transcript.add(welcome);
  feed(from, welcome);
  feed(from, encode(prove(*kSecret, Prover::Caller, transcript)));
  expectFailed(from);
}

TEST(AuthenticationTest, OtherFramesThanTheExpectedAreNoProof) {
  const Conversation talk;
  const std::vector<Bytes> frames{talk.hello, talk.challenge,
                                  encode(FrameKind::Welcome, makeHello(2)), encode(Proof{})};
  for (const Bytes& frame : frames) {
    auto to = answerer();
    feed(to, talk.hello);
    take(to);
    feed(to, frame);
    take(to);
    EXPECT_EQ(to.state(), State::Refused);
    auto first = caller();
    take(first);
    feed(first, frame);
    const bool is_challenge = frame == talk.challenge;
    EXPECT_EQ(first.state(), is_challenge ? State::Talking : State::Refused);
    auto last = caller();
    take(last);
    feed(last, talk.challenge);
    take(last);
    feed(last, encode(FrameKind::Welcome, makeHello(2)));
    feed(last, frame);
    expectFailed(last);
  }
}

/// Whoever answers at an address could otherwise lead its callers elsewhere.
TEST(AuthenticationTest, RefusalsWithoutProofAreNotActedOn) {
  for (const Refusal reason :
       {Refusal::Existing, Refusal::Crossing, Refusal::Closing, Refusal::WrongWorker,
        Refusal::Nearer, Refusal::NeedsUcx, Refusal::UcxFailed, Refusal::LocalFailed,
        static_cast<Refusal>(1000)}) {
    const Bytes bytes = encode(Refused{reason, 1, 2, {3, 4}, {5, 6}});
    auto early = caller();
    take(early);
    feed(early, bytes);
    expectFailed(early);
    auto late = caller();
    take(late);
    feed(late, encodeChallenge({1, 2}));
    take(late);
    feed(late, bytes);
    feed(late, encode(Proof{}));
    expectFailed(late);
  }
}

TEST(AuthenticationTest, BusyDoorNeedsNoProofAndTellsNoMore) {
  for (const bool is_challenged : {false, true}) {
    auto from = caller();
    if (is_challenged) {
      take(from);
      feed(from, encodeChallenge({1, 2}));
    }
    feed(from, encode(Refused{Refusal::Busy, 1, 2, {3, 4}, {5, 6}}));
    EXPECT_EQ(from.state(), State::Refused);
    EXPECT_EQ(from.refused(), Refused{.reason = Refusal::Busy});
  }
}

TEST(AuthenticationTest, WelcomeMayBecomeARefusalUntilItsFirstByteIsOut) {
  auto from = caller();
  auto to = answerer();
  feed(to, take(from));
  feed(from, take(to));
  feed(to, take(from));
  to.welcome(makeHello(2), {5});
  to.refuse({.reason = Refusal::Closing});
  feed(from, take(to));
  EXPECT_EQ(from.refused().reason, Refusal::Closing);
}

TEST(AuthenticationTest, DescriptorsGoWithHelloAndAnswerOnly) {
  auto from = Handshake::calling(kLimits, makeHello(), {3, 4}, kSecret.get());
  EXPECT_EQ(from.enclosed().size(), 2u);
  EXPECT_FALSE(from.isAtStart());  // a challenge comes without
  auto to = answerer();
  EXPECT_TRUE(to.isAtStart());
  feed(to, take(from));
  EXPECT_FALSE(to.isAtStart());
  feed(from, take(to));
  EXPECT_TRUE(from.enclosed().empty());
  EXPECT_TRUE(from.isAtStart());
  feed(to, take(from));
  to.welcome(makeHello(2), {5});
  EXPECT_EQ(to.enclosed().size(), 1u);
}

// What is known about HMAC-SHA256 elsewhere: this implementation is that one.
TEST(ProofTest, IsAnHmacOverPurposeVersionRoleAndDigests) {
  Transcript transcript;
  EXPECT_EQ(transcript.digests().size(), 0u);
  transcript.add(std::as_bytes(std::span("abc", 3)));
  EXPECT_EQ(transcript.digests().size(), 32u);
  EXPECT_EQ(transcript.digests().front(), std::byte{0xba});  // FIPS 180-2, appendix B.1
  EXPECT_EQ(transcript.digests().back(), std::byte{0xad});
  const Proof one = prove(*kSecret, Prover::Caller, transcript);
  EXPECT_EQ(one, prove(*kSecret, Prover::Caller, transcript));
  EXPECT_NE(one, prove(*kSecret, Prover::Answerer, transcript));
  EXPECT_NE(one, prove(*kOtherSecret, Prover::Caller, transcript));
  transcript.add({});
  EXPECT_NE(one, prove(*kSecret, Prover::Caller, transcript));
}

}  // namespace
}  // namespace ucxx::door::test
