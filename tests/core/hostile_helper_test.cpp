// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer of this machine that helps a worker to copy its payload, in its own way.

#include "core/hostile_sender.h"

namespace ucxx::core::test {
namespace {

/// What the peer writes into the chunk words while the worker copies its chunk `at`.
struct Mischief {
  const char* name;
  int at;  // from 1: until its end
  std::uint64_t (*claims)(std::uint64_t round);
  std::uint64_t (*done)(std::uint64_t round);
  ucs_status_t status;  // of the receive; IN_PROGRESS: until the peer has hung up
};

template <int kFront, int kBack, int kRoundsLater = 0>
std::uint64_t claims(std::uint64_t round) {
  return claimsOf(round + kRoundsLater, kFront, kBack);
}
template <int kDone, bool kFailed = false, int kRoundsLater = 0>
std::uint64_t done(std::uint64_t round) {
  return doneOf(round + kRoundsLater, kDone, kFailed);
}
std::uint64_t zeros(std::uint64_t) { return 0; }
std::uint64_t ones(std::uint64_t) { return UINT64_MAX; }

class HostileHelperTest : public HostileSenderTest, public testing::WithParamInterface<Mischief> {};

TEST_P(HostileHelperTest, HarmsItsOwnLinkOnly) {
  const Mischief& mischief = GetParam();
  const Room& room = receive();
  copyHooks().on_read = [&](int count) {
    if (count != mischief.at) return;
    if (mischief.done != nullptr) words().done = mischief.done(round());
    if (mischief.claims != nullptr) words().claims = mischief.claims(round());
  };
  announce(address());
  switch (mischief.status) {
    case UCS_OK:
      expectReceived(room);
      return expectStays();
    case UCS_INPROGRESS:
      settle();
      EXPECT_FALSE(hasEnded());
      expectStays();
      peer_->hangUp();
      expectEnds(UCS_ERR_CONNECTION_RESET);
      EXPECT_TRUE(until([&] { return hasEnded(); }));
      EXPECT_EQ(request().getStatus(), UCS_ERR_CONNECTION_RESET);
      return;
    default:
      expectEnds(mischief.status);
      EXPECT_EQ(statusOf(request()), ucs_status_string(mischief.status));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, HostileHelperTest,
    testing::Values(
        Mischief{"DoneWithNothing", 1, nullptr, done<1>, UCS_OK},
        Mischief{"FailedAtNothing", 1, nullptr, done<0, true>, UCS_OK},
        Mischief{"NonsenseWithNothing", 1, nullptr, ones, UCS_OK},
        Mischief{"NonsenseAtLast", 4, nullptr, ones, UCS_OK},
        Mischief{"FailedAtOne", 1, claims<1, 3>, done<0, true>, UCS_OK},
        Mischief{"NeverDone", 1, claims<1, 3>, nullptr, UCS_INPROGRESS},
        Mischief{"NotAllDone", 1, claims<1, 1>, done<2>, UCS_INPROGRESS},
        Mischief{"DoneInNoRound", 1, claims<1, 3>, zeros, UCS_INPROGRESS},
        Mischief{"DoneInTheNextRound", 1, claims<1, 3>, done<1, false, 1>, UCS_INPROGRESS},
        Mischief{"DoneTooMany", 1, claims<1, 3>, done<2>, UCS_ERR_INVALID_PARAM},
        Mischief{"DoneFarTooMany", 1, claims<1, 3>, done<0xffffff>, UCS_ERR_INVALID_PARAM},
        Mischief{"FailedAtTwo", 1, claims<1, 2>, done<0, true>, UCS_ERR_INVALID_PARAM},
        Mischief{"FailedBehindAll", 1, claims<1, 3>, done<1, true>, UCS_ERR_INVALID_PARAM},
        Mischief{"MoreThanThereAre", 1, claims<1, 5>, nullptr, UCS_ERR_INVALID_PARAM},
        Mischief{"FrontMovedBack", 2, claims<1, 4>, nullptr, UCS_ERR_INVALID_PARAM},
        Mischief{"FrontMovedOn", 1, claims<2, 4>, nullptr, UCS_ERR_INVALID_PARAM},
        Mischief{"BeforeTheFront", 2, claims<2, 1>, nullptr, UCS_ERR_INVALID_PARAM},
        Mischief{"NextRound", 1, claims<1, 4, 1>, nullptr, UCS_ERR_INVALID_PARAM},
        Mischief{"Zeros", 1, zeros, nullptr, UCS_ERR_INVALID_PARAM},
        Mischief{"Ones", 1, ones, ones, UCS_ERR_INVALID_PARAM},
        Mischief{"ZerosAtLast", 4, zeros, zeros, UCS_ERR_INVALID_PARAM}),
    [](const auto& info) { return info.param.name; });

TEST_F(HostileSenderTest, ChunksThatAreGivenBackEndTheLink) {
  receive();
  copyHooks().on_read = [&](int count) {
    if (count < 3) words().claims = claimsOf(round(), count, kChunks - 2 + count);
  };
  announce(address());
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_EQ(statusOf(request()), ucs_status_string(UCS_ERR_INVALID_PARAM));
}

/// What a peer sends may be wrong, but only that.
TEST_F(HostileSenderTest, HelperThatCopiesNothingIsBelieved) {
  const Room& room = receive();
  copyHooks().on_read = [&](int) {
    words().done = doneOf(round(), kChunks - 1);
    words().claims = claimsOf(round(), 1, 1);
  };
  announce(address());
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(request().getStatus(), UCS_OK);
  EXPECT_EQ(room.content().back(), std::byte{0xcc});
  expectStays();
}

TEST_F(HostileSenderTest, NonsenseOfAHelperOfAClosedEndpointEndsTheLink) {
  post(kSize,
       [&](Room& room) { return ends_[0]->tagRecv(room.data(), room.size(), kTag, TagMaskFull); });
  copyHooks().on_read = [&](int count) {
    if (count == 1) words().claims = claimsOf(round(), 1, 2);
  };
  announce(address());
  settle();
  const auto close = ends_[0]->close();
  ASSERT_TRUE(until([&] { return close->isCompleted(); }));
  EXPECT_FALSE(hasEnded());
  expectStays();
  words().done = doneOf(round(), 3);
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(hasEnded());
}

TEST_F(HostileSenderTest, WordsOfNoPayloadMayHoldAnything) {
  for (local::ChunkMemory& words : peer_->workersEnd().chunks)
    words.claims = words.done = UINT64_MAX;
  const Room& room = receive();
  announce(address());
  expectReceived(room);
  for (local::ChunkMemory& words : peer_->workersEnd().chunks) words.claims = words.done = 0;
  expectStays();
}

/// Whoever says that it has left promises nothing about what was copied.
TEST_F(HostileSenderTest, WhoHasLeftIsNotBelieved) {
  receive();
  copyHooks().on_read = [&](int) { peer_->ownEnd().left = 1; };
  announce(address());
  expectRefused(UCS_ERR_CONNECTION_RESET);
}

TEST_F(HostileSenderTest, WhoHangsUpInMidCopyIsNotBelieved) {
  receive();
  copyHooks().on_read = [&](int count) {
    if (count == 2) peer_->hangUp();
  };
  announce(address());
  expectEnds(UCS_ERR_CONNECTION_RESET);
  EXPECT_EQ(request().getStatus(), UCS_ERR_CONNECTION_RESET);
}

}  // namespace
}  // namespace ucxx::core::test
