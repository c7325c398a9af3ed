// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer of this machine that is to write landing words of a prepared receive: it writes none of
// them, or anything.

#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>

#include <ucxx/memory_handle.h>
#include <ucxx/pool.h>

#include "core/hostile_plan.h"
#include "core/plan/marks.h"

namespace ucxx::core::test {
namespace {

/// The worker receives into library memory, and has told this peer where its landing words are.
class HostilePlanWordsTest : public HostilePlanTest {
 protected:
  ~HostilePlanWordsTest() override { receive_ = nullptr; }  // before its memory
  void receiveInLibraryMemory(std::uint64_t id = 1) {
    memory_ = createMemoryHandle(createContext({{"UCXX_LOCAL", "only"}}), kEach * kCount);
    receive_ = ends_[0]->prepareRecv(data(), kEach * kCount, kTag, {kCount});
    receive_->start();
    const std::size_t told = heard(MessageKind::PlanReady);
    PlanOffer next = offer();
    next.id = id;
    tell(next);
    ASSERT_TRUE(until([&] { return heard(MessageKind::PlanReady) == told + 1; }));
    PlanAnswer answer;
    ASSERT_EQ(last(MessageKind::PlanAnswer).payload.size(), sizeof answer);
    std::memcpy(&answer, last(MessageKind::PlanAnswer).payload.data(), sizeof answer);
    ASSERT_EQ(answer.data, memory_->getBaseAddress());
    ASSERT_NE(answer.landing, 0u);
    words_ = reinterpret_cast<Marks::Word*>(answer.landing);  // both are in this process
  }
  std::byte* data() const { return reinterpret_cast<std::byte*>(memory_->getBaseAddress()); }
  void set(std::uint64_t value) {
    for (std::size_t i = 0; i < kCount; ++i) words_[i] = value;
  }
  /// As an honest sender pushes.
  void push(std::uint64_t iteration) {
    std::memcpy(data(), payload_.data(), kEach * kCount);
    set(iteration);
  }
  void expectNothingArrives() {
    settle();
    EXPECT_FALSE(receive_->wait(std::chrono::milliseconds(1)));
    EXPECT_EQ(receive_->getStatus(), UCS_INPROGRESS) << receive_->describe();
    for (std::size_t i = 0; i < kCount; ++i) EXPECT_FALSE(receive_->arrived(i)) << i;
  }
  void expectAllArrive() {
    ASSERT_TRUE(until([&] { return receive_->isCompleted(); })) << receive_->describe();
    EXPECT_EQ(receive_->getStatus(), UCS_OK);
    EXPECT_TRUE(receive_->arrived(0) && receive_->arrived(kCount - 1));
    EXPECT_EQ(std::memcmp(data(), payload_.data(), kEach * kCount), 0);
  }
  /// This peer has closed its end, too.
  void expectCloses(std::uint64_t id = 1) {
    const std::size_t told = heard(MessageKind::PlanClose);
    const auto closed = receive_->close();
    settle();
    EXPECT_EQ(heard(MessageKind::PlanClose), told + 1);
    EXPECT_FALSE(closed->isCompleted());  // this peer may still write
    say(MessageKind::PlanClosed, id, 0, false);
    EXPECT_TRUE(until([&] { return closed->isCompleted(); }));
    EXPECT_EQ(closed->getStatus(), UCS_OK);
  }

  std::shared_ptr<MemoryHandle> memory_;
  Marks::Word* words_ = nullptr;
};

TEST_F(HostilePlanWordsTest, HonestSenderPushes) {
  ASSERT_NO_FATAL_FAILURE(receiveInLibraryMemory());
  expectNothingArrives();
  push(1);
  ASSERT_NO_FATAL_FAILURE(expectAllArrive());
  expectCloses();
  expectStays();
}

/// Nothing comes: a wait is over in time, the plan closes, and its memory is the next one's.
TEST_F(HostilePlanWordsTest, WordsThatAreNeverSetHoldThePlanAlone) {
  settle();
  const std::uint64_t used = poolStats().used_bytes;
  ASSERT_NO_FATAL_FAILURE(receiveInLibraryMemory());
  expectNothingArrives();
  expectCloses();
  EXPECT_EQ(receive_->getStatus(), UCS_ERR_CANCELED);
  receive_ = nullptr;
  memory_ = nullptr;
  EXPECT_TRUE(until([&] { return poolStats().used_bytes <= used; })) << poolStats().used_bytes;
  ASSERT_NO_FATAL_FAILURE(receiveInLibraryMemory(2));
  push(1);
  ASSERT_NO_FATAL_FAILURE(expectAllArrive());
  expectCloses(2);
  expectStays();
}

/// Other iterations, and numbers that differ from this one in their upper half alone.
TEST_F(HostilePlanWordsTest, WordsThatAreNonsenseAreNoArrival) {
  ASSERT_NO_FATAL_FAILURE(receiveInLibraryMemory());
  push(1);
  ASSERT_NO_FATAL_FAILURE(expectAllArrive());
  receive_->start();
  ASSERT_TRUE(until([&] { return heard(MessageKind::PlanReady) == 2; }));
  constexpr std::uint64_t kUpper = std::uint64_t{1} << 32;
  for (const std::uint64_t value : {std::uint64_t{1}, std::uint64_t{0}, std::uint64_t{3},
                                    UINT64_MAX, kUpper | 2, kUpper << 31 | 2}) {
    SCOPED_TRACE(value);
    set(value);
    expectNothingArrives();
  }
  push(2);
  words_[kCount - 1] = 3;  // one of them is enough
  settle();
  EXPECT_TRUE(receive_->arrived(0));
  EXPECT_FALSE(receive_->arrived(kCount - 1));
  EXPECT_EQ(receive_->getStatus(), UCS_INPROGRESS);
  push(2);
  ASSERT_NO_FATAL_FAILURE(expectAllArrive());
  expectCloses();
  expectStays();
}

/// The same partition by a word and by a message.
TEST_F(HostilePlanWordsTest, MessageAfterTheWordEndsTheLink) {
  ASSERT_NO_FATAL_FAILURE(receiveInLibraryMemory());
  words_[1] = 1;
  send({.first = 1});
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_EQ(receive_->getStatus(), UCS_ERR_INVALID_PARAM) << receive_->describe();
  receive_ = nullptr;
}

}  // namespace
}  // namespace ucxx::core::test
