// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Buffers of the library, which peers on this machine map, where the kernel refuses to copy.

#include <cstdlib>

#include <sys/wait.h>
#include <unistd.h>

#include "core/operations.h"
#include "refuse_copies.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kSize = 3 << 20;

std::byte* dataOf(HostBuffer& buffer) { return static_cast<std::byte*>(buffer.data()); }

class LibraryMemoryTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!ucxx::test::refuseCopies()) GTEST_SKIP() << "no seccomp filter here";
  }
  void turn(const std::shared_ptr<Worker>& worker) {
    for (int i = 0; i < 1000; ++i) worker->progress();
  }
  bool isOn(const std::shared_ptr<Worker>& worker, const Requests& requests) {
    return compat::ended({worker}, requests);
  }
  Ends ends_{Route::Listener};
  const std::vector<std::byte> sent_ = bytes(kSize);
  std::vector<std::byte> room_ = std::vector<std::byte>(kSize);
  HostBuffer from_{sent_.data(), kSize};
  HostBuffer into_{kSize};
};

TEST_F(LibraryMemoryTest, IsCopiedFromWithoutItsSender) {
  auto send = ends_.left->tagSend(from_.data(), kSize, kTag);
  ASSERT_TRUE(ends_.arrived(ends_.right_worker, kTag));
  auto receive = ends_.right->tagRecv(room_.data(), kSize, kTag);
  ASSERT_TRUE(isOn(ends_.right_worker, {receive}));
  EXPECT_EQ(receive->getStatus(), UCS_OK);
  EXPECT_TRUE(room_ == sent_);
  EXPECT_FALSE(send->isCompleted());
  EXPECT_TRUE(ends_.ended({send}));
}

TEST_F(LibraryMemoryTest, IsWrittenToWithoutItsReceiver) {
  std::memset(into_.data(), 0, kSize);
  auto send = ends_.left->tagSend(sent_.data(), kSize, kTag);
  ASSERT_TRUE(ends_.arrived(ends_.right_worker, kTag));
  auto receive = ends_.right->tagRecv(into_.data(), kSize, kTag);
  turn(ends_.right_worker);
  EXPECT_FALSE(receive->isCompleted());
  EXPECT_TRUE(compat::until({ends_.left_worker},
                            [&] { return std::equal(sent_.begin(), sent_.end(), dataOf(into_)); }));
  EXPECT_TRUE(ends_.ended({send, receive}));
  EXPECT_EQ(receive->getStatus(), UCS_OK);
}

TEST_F(LibraryMemoryTest, OfBothSidesIsCopiedByBoth) {
  for (const std::size_t size :
       {std::size_t{16 << 10} + 1, std::size_t{64 << 10}, std::size_t{1 << 20}, kSize}) {
    SCOPED_TRACE(size);
    std::memset(into_.data(), 0, kSize);
    auto send = ends_.left->tagSend(from_.data(), size, kTag);
    auto receive = ends_.right->tagRecv(into_.data(), size, kTag);
    ASSERT_TRUE(ends_.ended({send, receive}));
    EXPECT_EQ(receive->getStatus(), UCS_OK);
    EXPECT_TRUE(std::equal(sent_.begin(), sent_.begin() + static_cast<std::ptrdiff_t>(size),
                           dataOf(into_)));
  }
}

TEST_F(LibraryMemoryTest, DescribeSaysThatTheKernelRefuses) {
  const std::string text = ends_.left_worker->describe();
  EXPECT_NE(text.find("the kernel copies nothing"), std::string::npos) << text;
}

TEST_F(LibraryMemoryTest, PartsOfABufferAreCopied) {
  constexpr std::size_t kOffset = 100'001, kPart = 1'234'567;
  auto send = ends_.left->tagSend(dataOf(from_) + kOffset, kPart, kTag);
  auto receive = ends_.right->tagRecv(dataOf(into_) + 7, kPart, kTag);
  ASSERT_TRUE(ends_.ended({send, receive}));
  EXPECT_TRUE(std::equal(dataOf(into_) + 7, dataOf(into_) + 7 + kPart, dataOf(from_) + kOffset));
}

/// It is written past the caches (local/choices.h).
TEST_F(LibraryMemoryTest, MoreThanCachesHoldIsCopied) {
  constexpr std::size_t kMuch = (24 << 20) + 12'345;
  const std::vector<std::byte> much = bytes(kMuch);
  HostBuffer from{much.data(), kMuch}, into{kMuch};
  auto send = ends_.left->tagSend(from.data(), kMuch, kTag);
  auto receive = ends_.right->tagRecv(into.data(), kMuch, kTag);
  ASSERT_TRUE(ends_.ended({send, receive}));
  EXPECT_EQ(std::memcmp(into.data(), much.data(), kMuch), 0);
}

TEST_F(LibraryMemoryTest, OtherMemoryGoesThroughTheRing) {
  auto send = ends_.left->tagSend(sent_.data(), kSize, kTag);
  auto receive = ends_.right->tagRecv(room_.data(), kSize, kTag);
  ASSERT_TRUE(ends_.ended({send, receive}));
  EXPECT_TRUE(room_ == sent_);
}

TEST_F(LibraryMemoryTest, IsNotWrittenToAfterItsEnd) {
  std::memset(into_.data(), 0, kSize);
  auto send = ends_.left->tagSend(sent_.data(), kSize, kTag);
  ASSERT_TRUE(ends_.arrived(ends_.right_worker, kTag));
  auto receive = ends_.right->tagRecv(into_.data(), kSize, kTag);
  turn(ends_.right_worker);
  auto close = ends_.right->close();
  ASSERT_TRUE(isOn(ends_.right_worker, {receive}));  // nobody has begun to write
  EXPECT_EQ(receive->getStatus(), UCS_ERR_CANCELED);
  EXPECT_TRUE(ends_.ended({send, close}));
  turn(ends_.left_worker);
  EXPECT_TRUE(std::all_of(dataOf(into_), dataOf(into_) + kSize,
                          [](std::byte byte) { return byte == std::byte{0}; }));
}

TEST_F(LibraryMemoryTest, MoreIntoItThanThereAreChunkWords) {
  constexpr std::size_t kCount = 40, kEach = 200'000;
  std::vector<std::unique_ptr<HostBuffer>> rooms;
  Requests all;
  for (unsigned i = 0; i < kCount; ++i) {
    rooms.push_back(std::make_unique<HostBuffer>(kEach));
    all.push_back(ends_.left->tagSend(sent_.data() + i, kEach, Tag{i}));
    all.push_back(ends_.right->tagRecv(rooms[i]->data(), kEach, Tag{i}));
  }
  ASSERT_TRUE(ends_.ended(all));
  for (unsigned i = 0; i < kCount; ++i)
    EXPECT_EQ(std::memcmp(rooms[i]->data(), sent_.data() + i, kEach), 0) << i;
}

TEST_F(LibraryMemoryTest, ReleasedBuffersAreEndedByFree) {
  void* memory = from_.release();
  EXPECT_EQ(std::memcmp(memory, sent_.data(), kSize), 0);
  EXPECT_EQ(from_.getSize(), 0u);
  std::free(memory);
}

TEST_F(LibraryMemoryTest, AForkedChildReadsWhatWasReceived) {
  auto send = ends_.left->tagSend(from_.data(), kSize, kTag);
  auto receive = ends_.right->tagRecv(into_.data(), kSize, kTag);
  ASSERT_TRUE(ends_.ended({send, receive}));
  const pid_t child = ::fork();
  if (child == 0) ::_exit(std::equal(sent_.begin(), sent_.end(), dataOf(into_)) ? 0 : 1);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

/// What the library allocates by itself to receive into.
class LibraryReceiveTest : public LibraryMemoryTest, public testing::WithParamInterface<Move> {};

TEST_P(LibraryReceiveTest, Arrives) {
  for (int round = 0; round < 3; ++round) {
    Received none;
    Sending sending(GetParam(), *ends_.left, sent_);
    Receiving receiving(GetParam(), *ends_.right, kSize, none);
    ASSERT_TRUE(ends_.ended({sending.request, receiving.request}));
    EXPECT_TRUE(receiving.payload() == sent_);
  }
}

INSTANTIATE_TEST_SUITE_P(All, LibraryReceiveTest, testing::Values(Move::Am, Move::Multi),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::core::test
