// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer of this machine to whom a worker sends, and that fetches what it sends in its own way.

#include <sys/mman.h>
#include <unistd.h>

#include "core/hostile_local.h"
#include "local/choices.h"

namespace ucxx::core::test {
namespace {

constexpr auto kFetch = MessageKind::Fetch;
constexpr auto kHelp = MessageKind::Help;
constexpr auto kTaken = MessageKind::Taken;
constexpr auto kDrop = MessageKind::Drop;

class HostileReceiverTest : public HostileLocalTest {
 protected:
  static constexpr std::uint32_t kChunkBytes = 64 << 10;
  static constexpr std::uint32_t kItsChunks = 5;  // of that size
  static constexpr std::uint16_t kSlot = 15, kRound = 9;

  HelpTerms terms() {
    return {reinterpret_cast<std::uintptr_t>(target_.data()), kChunkBytes, kSlot, kRound};
  }
  local::ChunkMemory& words() const { return peer_->ownEnd().chunks[kSlot]; }
  /// Lends the worker all chunks.
  void lend() {
    words().done = 0;
    words().claims = claimsOf(kRound, 0, kItsChunks);
  }
  void say(MessageKind kind, std::uint64_t number) {
    kind == kHelp ? peer_->help(number, terms()) : peer_->say(kind, number);
  }
  void TearDown() override {
    HostileLocalTest::TearDown();
    EXPECT_TRUE(target_.isWhole()) << "written beside the peer's buffer";
  }

  Room target_{kSize};  // the peer's
};

/// What the peer says of one announcement, before the worker looks.
struct Answers {
  const char* name;
  std::vector<MessageKind> kinds;
  bool ends_link;
  std::uint64_t number = 1;  // of the announcement that it names
};

class HostileAnswersTest : public HostileReceiverTest,
                           public testing::WithParamInterface<Answers> {};

TEST_P(HostileAnswersTest, EndTheSendOrTheLink) {
  const Answers& answers = GetParam();
  ASSERT_EQ(send(), 1u);
  ASSERT_EQ(last(MessageKind::Tag).header.announces, 1);
  lend();
  for (const MessageKind kind : answers.kinds) say(kind, answers.number);
  if (answers.ends_link) {
    expectEnds(UCS_ERR_INVALID_PARAM);
    EXPECT_TRUE(hasEnded());
    return;
  }
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(request().getStatus(), UCS_OK);
  expectStays();
}

INSTANTIATE_TEST_SUITE_P(
    All, HostileAnswersTest,
    testing::Values(
        Answers{"HelpUnknown", {kHelp}, true, 2}, Answers{"HelpNone", {kHelp}, true, 0},
        Answers{"TakenUnknown", {kTaken}, true, 2}, Answers{"FetchUnknown", {kFetch}, true, 2},
        Answers{"DropUnknown", {kDrop}, true, UINT64_MAX},
        Answers{"HelpTwice", {kHelp, kHelp}, true}, Answers{"HelpFetched", {kFetch, kHelp}, true},
        Answers{"HelpTaken", {kTaken, kHelp}, true}, Answers{"HelpDropped", {kDrop, kHelp}, true},
        Answers{"FetchTwice", {kFetch, kFetch}, true},
        Answers{"FetchTaken", {kTaken, kFetch}, true},
        Answers{"TakenTwice", {kTaken, kTaken}, true},
        Answers{"TakenFetched", {kFetch, kTaken}, true},
        Answers{"DropFetched", {kFetch, kDrop}, true}, Answers{"DropTaken", {kTaken, kDrop}, true},
        Answers{"HelpFetchedThenTaken", {kHelp, kFetch, kTaken}, true},
        Answers{"TakenWithoutACopy", {kTaken}, false},
        Answers{"HelpThenTaken", {kHelp, kTaken}, false},
        Answers{"HelpThenFetch", {kHelp, kFetch}, false},
        Answers{"HelpThenDrop", {kHelp, kDrop}, false}),
    [](const auto& info) { return info.param.name; });

TEST_F(HostileReceiverTest, HelpsAgainWhenItIsAskedAgain) {
  const std::uint64_t number = send();
  for (int i = 0; i < 3; ++i) {
    lend();
    say(kHelp, number);
    ASSERT_TRUE(until([&] { return words().claims == claimsOf(kRound, 0, 0); }));
    EXPECT_EQ(words().done, doneOf(kRound, kItsChunks));
  }
  EXPECT_TRUE(target_ == bytes(kSize, 5));
  say(kTaken, number);
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  expectStays();
}

/// While the worker writes a chunk, the peer says that the payload is no longer to be copied.
class HostileHaste : public HostileReceiverTest, public testing::WithParamInterface<MessageKind> {};

TEST_P(HostileHaste, EndsTheSendBehindTheChunk) {
  const std::uint64_t number = send();
  lend();
  say(kHelp, number);
  copyHooks().on_write = [&](int count) {
    if (count != 2) return;
    EXPECT_FALSE(hasEnded());
    say(GetParam(), number);
  };
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(request().getStatus(), UCS_OK);
  settle();
  EXPECT_EQ(heard(MessageKind::Piece) != 0, GetParam() == kFetch);
  expectStays();
}

INSTANTIATE_TEST_SUITE_P(All, HostileHaste, testing::Values(kTaken, kFetch, kDrop));

struct Terms {
  const char* name;
  std::uint32_t chunk_bytes;
  std::uint16_t slot, round;
};

class HostileTermsTest : public HostileReceiverTest, public testing::WithParamInterface<Terms> {};

TEST_P(HostileTermsTest, EndTheLink) {
  const Terms& its = GetParam();
  const std::uint64_t number = send();
  peer_->help(number, {terms().to, its.chunk_bytes, its.slot, its.round});
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_EQ(request().getStatus(), UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(target_.isUntouched());
}

INSTANTIATE_TEST_SUITE_P(
    All, HostileTermsTest,
    testing::Values(Terms{"NoSuchSlot", 1 << 20, local::EndMemory::kChunkWords, 1},
                    Terms{"NoSlotAtAll", 1 << 20, UINT16_MAX, 1}, Terms{"NoRound", 1 << 20, 0, 0},
                    Terms{"NoChunks", 0, 0, 1}, Terms{"ChunksOfAByte", 1, 0, 1},
                    Terms{"TooLargeChunks", local::choices::kMostChunk + 1, 0, 1},
                    Terms{"TooSmallChunks", local::choices::kLeastChunk - 1, 0, 1}),
    [](const auto& info) { return info.param.name; });

/// Nobody reads what is announced, so it need not exist.
TEST_F(HostileReceiverTest, MoreChunksThanAWordCountsEndTheLink) {
  static std::byte one{1};
  constexpr std::size_t kHuge = std::size_t{1} << 40;
  post(0, [&](Room&) { return ends_[0]->tagSend(&one, kHuge, kTag); });
  settle();
  peer_->help(1, {terms().to, local::choices::kLeastChunk, kSlot, kRound});
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileReceiverTest, HelpWithAPayloadEndsTheLink) {
  const std::uint64_t number = send();
  WireHeader header = peer_->next(kHelp);
  header.argument = number;
  terms().write(header);
  peer_->send(header, std::vector<std::byte>(8));
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileReceiverTest, HelpThatAnnouncesEndsTheLink) {
  const std::uint64_t number = send();
  WireHeader header = peer_->next(kHelp);
  header.argument = number;
  header.announces = 1;
  peer_->send(header);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

/// One chunk that is larger than the payload.
TEST_F(HostileReceiverTest, AChunkEndsWithThePayload) {
  const std::uint64_t number = send();
  words().claims = claimsOf(kRound, 0, 1);
  peer_->help(number, {terms().to, local::choices::kMostChunk, kSlot, kRound});
  EXPECT_TRUE(until([&] { return words().done == doneOf(kRound, 1); }));
  EXPECT_TRUE(target_ == bytes(kSize, 5));
  expectStays();
}

/// Where the worker is told to write.
class HostileTargetTest : public HostileReceiverTest,
                          public testing::WithParamInterface<std::uint64_t> {
 protected:
  std::uint64_t target() {
    if (GetParam() != 1) return GetParam();
    read_only_ = ::mmap(nullptr, kSize, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return reinterpret_cast<std::uintptr_t>(read_only_);
  }
  ~HostileTargetTest() override {
    if (read_only_ != nullptr) ::munmap(read_only_, kSize);
  }
  void* read_only_ = nullptr;
};

TEST_P(HostileTargetTest, FailsItsChunkOnly) {
  const std::uint64_t number = send();
  lend();
  peer_->help(number, {target(), kChunkBytes, kSlot, kRound});
  ASSERT_TRUE(until([&] { return words().done != 0; }));
  EXPECT_EQ(words().done, doneOf(kRound, 0, true));
  settle();
  EXPECT_EQ(words().claims, claimsOf(kRound, 0, kItsChunks - 1));
  say(kFetch, number);
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(request().getStatus(), UCS_OK);
  expectStays();
}

INSTANTIATE_TEST_SUITE_P(All, HostileTargetTest,
                         testing::Values(0, 1, 4096, 0xdead000000000000, 0xffffffff81000000,
                                         UINT64_MAX - 4095, UINT64_MAX),
                         [](const auto& info) { return "Case" + std::to_string(info.index); });

/// What stands in the claims when the worker looks for a chunk.
class HostileClaimsTest : public HostileReceiverTest,
                          public testing::WithParamInterface<std::uint64_t> {};

TEST_P(HostileClaimsTest, GiveTheWorkerNothing) {
  const std::uint64_t number = send();
  words().claims = GetParam();
  say(kHelp, number);
  settle();
  EXPECT_EQ(words().claims, GetParam());
  EXPECT_EQ(words().done, 0u);
  EXPECT_TRUE(target_.isUntouched());
  expectStays();
}

INSTANTIATE_TEST_SUITE_P(All, HostileClaimsTest,
                         testing::Values(0, UINT64_MAX, claimsOf(9, 0, 0), claimsOf(8, 0, 5),
                                         claimsOf(0, 0, 5), claimsOf(9, 0, 4), claimsOf(9, 0, 6),
                                         claimsOf(9, 0, 0xffffff), claimsOf(9, 5, 5),
                                         claimsOf(9, 6, 5), claimsOf(9, 0xffffff, 5)),
                         [](const auto& info) { return "Case" + std::to_string(info.index); });

/// The claims when the worker has written one chunk, and is about to take the next.
class HostileMovedClaimsTest : public HostileClaimsTest {};

TEST_P(HostileMovedClaimsTest, StopTheWorker) {
  const std::uint64_t number = send();
  lend();
  copyHooks().on_write = [&](int) { words().claims = GetParam(); };
  say(kHelp, number);
  EXPECT_TRUE(until([&] { return words().done == doneOf(kRound, 1); }));
  settle();
  EXPECT_EQ(copyHooks().writes, 1);
  EXPECT_EQ(words().claims, GetParam());
  expectStays();
}

INSTANTIATE_TEST_SUITE_P(All, HostileMovedClaimsTest,
                         testing::Values(0, UINT64_MAX, claimsOf(9, 0, 5), claimsOf(9, 0, 3),
                                         claimsOf(9, 4, 4), claimsOf(9, 5, 4), claimsOf(10, 0, 4),
                                         claimsOf(9, 0, 0xffffff)),
                         [](const auto& info) { return "Case" + std::to_string(info.index); });

/// Two payloads that use one word and one round.
TEST_F(HostileReceiverTest, OneWordForTwoIsHarmless) {
  const std::uint64_t first = send(), second = send();
  lend();
  say(kHelp, first);
  say(kHelp, second);
  settle();
  say(kTaken, first);
  say(kFetch, second);
  EXPECT_TRUE(until([&] { return posted_[0].request->isCompleted() && hasEnded(); }));
  expectStays();
}

TEST_F(HostileReceiverTest, NobodyHelpsOneWhoHasLeft) {
  const std::uint64_t number = send();
  lend();
  peer_->ownEnd().left = 1;
  say(kHelp, number);
  EXPECT_TRUE(until([&] { return words().done == doneOf(kRound, 0, true); }));
  EXPECT_TRUE(target_.isUntouched());
  expectStays();
}

TEST_F(HostileReceiverTest, NobodyHelpsOneWhoHasHungUp) {
  const std::uint64_t number = send();
  lend();
  say(kHelp, number);
  copyHooks().on_write = [&](int) { peer_->hangUp(); };
  expectEnds(UCS_ERR_CONNECTION_RESET);
  EXPECT_EQ(copyHooks().writes, 1);
  EXPECT_EQ(request().getStatus(), UCS_ERR_CONNECTION_RESET);
}

/// It asks for answers, or payloads, and takes none.
TEST_F(HostileReceiverTest, DeafOneHoldsUpNobody) {
  peer_->reads = false;
  for (int i = 0; i < 20; ++i) say(kFetch, send());
  settle();
  expectHonestTalk();
  EXPECT_EQ(pending_->getStatus(), UCS_INPROGRESS);
  peer_->reads = true;
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  expectStays();
}

}  // namespace
}  // namespace ucxx::core::test
