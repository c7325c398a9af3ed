// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer that passed the door and asks for memory that is none of its, or answers what nobody
// asked.

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/onesided/accesses.h"
#include "core/onesided/atomic_update.h"
#include "core/onesided/memory_key.h"
#include "core/onesided/served.h"
#include "sim/content.h"
#include "sim/hostile_fixture.h"

namespace ucxx::sim {
namespace {

using core::AtomicUpdate;
using core::MessageKind;
using core::Served;

constexpr std::size_t kSize = 4096;
constexpr std::size_t kGuard = 4096;

std::vector<std::byte> asBytes(const AtomicUpdate& update) {
  std::vector<std::byte> bytes(sizeof update);
  std::memcpy(bytes.data(), &update, sizeof update);
  return bytes;
}

/// The worker has memory that the peer knows.
class HostileAccessTest : public HostileTest {
 protected:
  HostileAccessTest() {
    const auto context = std::dynamic_pointer_cast<Context>(peer_.worker->getParent());
    handle_ = createMemoryHandle(context, kSize, room_.data() + kGuard);
    name_ = core::readMemoryKey(handle_->createRemoteKey()->serialize()).value().name();
  }
  ~HostileAccessTest() override {
    const auto is_guard = [](std::byte byte) { return byte == kUntouched; };
    EXPECT_TRUE(std::all_of(room_.begin(), room_.begin() + kGuard, is_guard));
    EXPECT_TRUE(std::all_of(room_.end() - kGuard, room_.end(), is_guard));
  }
  std::byte* memory() { return room_.data() + kGuard; }
  bool isUntouched() {
    return std::all_of(room_.begin(), room_.end(), [](std::byte b) { return b == kUntouched; });
  }

  core::WireHeader access(MessageKind kind, std::uint64_t offset, std::uint64_t length) {
    core::WireHeader header = peer_.next(kind);
    header.endpoint = name_;
    header.argument = offset;
    header.length = length;
    return header;
  }
  void put(std::uint64_t offset, std::size_t size) {
    peer_.send(access(MessageKind::Put, offset, size), std::vector<std::byte>(size));
    peer_.progress();
  }
  void update(std::uint64_t offset, const AtomicUpdate& update) {
    peer_.send(access(MessageKind::Atomic, offset, sizeof update), asBytes(update));
    peer_.progress();
  }
  void settle() {
    peer_.send(peer_.next(MessageKind::Settle));
    peer_.progress();
  }
  std::vector<core::WireHeader> answers() const {
    std::vector<core::WireHeader> answers = peer_.received();
    std::erase_if(answers, [](const auto& one) { return one.kind != MessageKind::Answer; });
    return answers;
  }
  /// The newest answer says so.
  void expectAnswer(std::size_t count, ucs_status_t status, std::size_t length) {
    const auto all = answers();
    ASSERT_EQ(all.size(), count);
    EXPECT_EQ(core::statusFrom(all.back().argument, UCS_ERR_IO_ERROR), status);
    EXPECT_EQ(all.back().length, length);
    EXPECT_TRUE(peer_.isLinked());
  }

  std::vector<std::byte> room_ = std::vector<std::byte>(kSize + 2 * kGuard, kUntouched);
  std::shared_ptr<MemoryHandle> handle_;
  std::uint64_t name_ = 0;
};

TEST_F(HostileAccessTest, WhatIsWithinIsServed) {
  put(0, kSize);
  settle();
  expectAnswer(1, UCS_OK, 0);
  EXPECT_EQ(std::count(memory(), memory() + kSize, std::byte{0}), std::ptrdiff_t{kSize});
  peer_.send(access(MessageKind::Get, kSize - 8, 8));
  peer_.progress();
  expectAnswer(2, UCS_OK, 8);
  update(kSize - 8, {.operand = 5, .fetches = 1});
  expectAnswer(3, UCS_OK, 8);
  EXPECT_EQ(memory()[kSize - 8], std::byte{5});
}

/// Places that are not, or not wholly, in that memory.
class HostilePlaceTest : public HostileAccessTest,
                         public testing::WithParamInterface<std::uint64_t> {};

TEST_P(HostilePlaceTest, PutIsRefusedAtTheNextSettle) {
  put(GetParam(), 16);
  settle();
  expectAnswer(1, UCS_ERR_INVALID_PARAM, 0);
  settle();
  expectAnswer(2, UCS_OK, 0);
  EXPECT_TRUE(isUntouched());
}

TEST_P(HostilePlaceTest, GetAndFetchAreRefused) {
  peer_.send(access(MessageKind::Get, GetParam(), 16));
  peer_.progress();
  expectAnswer(1, UCS_ERR_INVALID_PARAM, 0);
  update(GetParam() | 8, {.operand = 1, .fetches = 1});
  expectAnswer(2, UCS_ERR_INVALID_PARAM, 0);
  EXPECT_TRUE(isUntouched());
}

INSTANTIATE_TEST_SUITE_P(All, HostilePlaceTest,
                         testing::Values(kSize, kSize + 8, std::uint64_t{1} << 63, UINT64_MAX - 7,
                                         UINT64_MAX - 15, std::uint64_t{0} - kSize),
                         [](const auto& info) { return "Case" + std::to_string(info.index); });

TEST_F(HostileAccessTest, EndsThatReachOverAreRefused) {
  put(kSize - 8, 16);
  settle();
  expectAnswer(1, UCS_ERR_INVALID_PARAM, 0);
  EXPECT_TRUE(isUntouched());
}

TEST_F(HostileAccessTest, MemoryThatWasGivenUpIsRefused) {
  handle_ = nullptr;
  put(0, 16);
  settle();
  expectAnswer(1, UCS_ERR_INVALID_PARAM, 0);
  EXPECT_TRUE(isUntouched());
}

TEST_F(HostileAccessTest, OtherNamesAreRefused) {
  const std::uint64_t right = name_;
  std::size_t count = 0;
  for (const std::uint64_t name :
       {std::uint64_t{0}, UINT64_MAX, right + 1, right ^ std::uint64_t{1} << 63}) {
    name_ = name;
    put(0, 16);
    settle();
    expectAnswer(++count, UCS_ERR_INVALID_PARAM, 0);
  }
  EXPECT_TRUE(isUntouched());
}

TEST_F(HostileAccessTest, WordThatIsNotAlignedIsRefused) {
  update(1, {.operand = 1, .fetches = 1});
  expectAnswer(1, UCS_ERR_INVALID_PARAM, 0);
  update(4, {.operand = 1});
  settle();
  expectAnswer(2, UCS_ERR_INVALID_PARAM, 0);
  EXPECT_TRUE(isUntouched());
}

/// Messages that nobody who keeps to the rules sends.
class HostileAccessMessageTest : public HostileAccessTest, public testing::WithParamInterface<int> {
 protected:
  void send() {
    const auto room = [](std::size_t size) { return std::vector<std::byte>(size); };
    const auto bad = [&](AtomicUpdate update) {
      peer_.send(access(MessageKind::Atomic, 0, sizeof update), asBytes(update));
    };
    switch (GetParam()) {
      case 0:
        return peer_.send(access(MessageKind::Put, 0, 16), room(8));
      case 1:
        return peer_.send(access(MessageKind::Put, 0, 0));
      case 2:
        return peer_.send(access(MessageKind::Put, 0, Served::kMostBytes + 1),
                          room(Served::kMostBytes + 1));
      case 3:
        return peer_.send(access(MessageKind::Get, 0, 16), room(16));
      case 4:
        return peer_.send(access(MessageKind::Get, 0, 0));
      case 5:
        return peer_.send(access(MessageKind::Get, 0, Served::kMostBytes + 1));
      case 6:
        return peer_.send(access(MessageKind::Get, 0, UINT64_MAX));
      case 7:
        return peer_.send(access(MessageKind::Atomic, 0, 8), room(8));
      case 8:
        return bad({.operation = static_cast<AtomicOperation>(77)});
      case 9:
        return bad({.word_bytes = 3});
      case 10:
        return bad({.word_bytes = 16});
      case 11:
        return bad({.fetches = 2});
      case 12:
        return bad({.operation = AtomicOperation::Add, .compares = 1});
      case 13:
        return peer_.send(access(MessageKind::Settle, 0, 1), room(1));
      case 14:
        return peer_.send(access(MessageKind::Answer, 0, 0));
      default:
        return peer_.send(access(MessageKind::Answer, UINT64_MAX, 100), room(100));
    }
  }
};

TEST_P(HostileAccessMessageTest, EndsTheLink) {
  send();
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(isUntouched());
}
INSTANTIATE_TEST_SUITE_P(All, HostileAccessMessageTest, testing::Range(0, 16));

/// It may have an answer, and ask again, before the worker is told that the answer has left.
TEST_F(HostileAccessTest, AnswersThatAreNotKnownToHaveLeftAreNoHarm) {
  peer_.world.network->stuck = true;
  const std::size_t count = core::Accesses::kMostUnderWay + 10;
  for (std::size_t i = 0; i < count; ++i) {
    peer_.send(access(MessageKind::Get, 0, 8));
    peer_.progress();
  }
  EXPECT_TRUE(peer_.isLinked());
  peer_.world.network->stuck = false;
  peer_.progress();
  expectAnswer(count, UCS_OK, 8);
}

TEST_F(HostileAccessTest, AnswersThatNobodyReadsAreFew) {
  peer_.world.network->stuck = true;
  std::size_t most = 0;
  for (int i = 0; i < 10'000; ++i) {
    peer_.send(access(MessageKind::Get, 0, kSize));
    peer_.progress();
    most = std::max(most, peer_.unsent());
    if (pending_->isCompleted()) break;
  }
  EXPECT_LE(most, Served::kMostAnswers + 1);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

/// The worker's own operations on memory that the peer says it has.
class HostileFetchTest : public HostileTest {
 protected:
  HostileFetchTest() {
    const std::string bytes =
        core::writeMemoryKey({.id = 5, .base = 4096, .size = 1 << 20, .entry = 7});
    key_ = createRemoteKeyFromSerialized(peer_.ends[0], bytes);
  }
  ~HostileFetchTest() override { key_ = nullptr; }
  void get(std::size_t size) {
    request_ = peer_.ends[0]->memGet(room_.data() + kGuard, size, key_, 0);
    peer_.progress();
    EXPECT_EQ(request_->getStatus(), UCS_INPROGRESS);
  }
  void answer(std::uint64_t argument, std::size_t size) {
    core::WireHeader header = peer_.next(MessageKind::Answer);
    header.argument = argument;
    header.length = size;
    peer_.send(header, std::vector<std::byte>(size));
    peer_.progress();
  }
  bool isUntouched() const {
    return std::all_of(room_.begin(), room_.end(), [](std::byte b) { return b == kUntouched; });
  }

  std::vector<std::byte> room_ = std::vector<std::byte>(kSize + 2 * kGuard, kUntouched);
  std::shared_ptr<RemoteKey> key_;
  std::shared_ptr<Request> request_;
};

TEST_F(HostileFetchTest, RightOneEndsTheGet) {
  get(kSize);
  answer(0, kSize);
  EXPECT_EQ(request_->getStatus(), UCS_OK);
  EXPECT_EQ(std::count(room_.begin(), room_.end(), std::byte{0}), std::ptrdiff_t{kSize});
  EXPECT_TRUE(peer_.isLinked());
}

TEST_F(HostileFetchTest, ErrorsAreTakenAsTheyAre) {
  get(8);
  answer(core::argumentOf(UCS_ERR_INVALID_PARAM), 0);
  EXPECT_EQ(request_->getStatus(), UCS_ERR_INVALID_PARAM);
  get(8);
  answer(UINT64_MAX, 0);  // no status of UCX's
  EXPECT_EQ(request_->getStatus(), UCS_ERR_IO_ERROR);
  EXPECT_TRUE(isUntouched());
  EXPECT_TRUE(peer_.isLinked());
}

/// By status and size.
class HostileSizeTest : public HostileFetchTest,
                        public testing::WithParamInterface<std::pair<std::uint64_t, std::size_t>> {
};
TEST_P(HostileSizeTest, EndsTheLink) {
  get(16);
  answer(GetParam().first, GetParam().second);
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(UCS_STATUS_IS_ERR(request_->getStatus()));
  EXPECT_TRUE(isUntouched());
}
INSTANTIATE_TEST_SUITE_P(All, HostileSizeTest,
                         testing::Values(std::pair{0, 0}, std::pair{0, 15}, std::pair{0, 17},
                                         std::pair{0, 60'000},
                                         std::pair{core::argumentOf(UCS_ERR_INVALID_PARAM), 16}),
                         [](const auto& info) { return "Case" + std::to_string(info.index); });

TEST_F(HostileFetchTest, MoreAnswersThanQuestionsEndTheLink) {
  get(8);
  answer(0, 8);
  answer(0, 8);
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_EQ(request_->getStatus(), UCS_OK);
}

TEST_F(HostileFetchTest, PeerThatGoesEndsWhatItWasAsked) {
  get(8);
  peer_.send(peer_.next(MessageKind::Fragment));  // which none is missing
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(UCS_STATUS_IS_ERR(request_->getStatus()));
}

}  // namespace
}  // namespace ucxx::sim
