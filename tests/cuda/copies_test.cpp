// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// Copies by unified addresses, streams of a priority, ranges of allocations.

#include <array>
#include <cstring>

#include "cuda/cuda_test.h"
#include "cuda/driver/stand_in.h"

namespace gpu {
namespace {

Address addressOf(const void* pointer) { return reinterpret_cast<Address>(pointer); }

/// Memory of each kind, a word each.
class CopiesTest : public CudaTest {
 protected:
  CopiesTest() {
    must("cuMemAlloc", driver().allocate(&device_, 8));
    must("cuMemAllocManaged", driver().allocateManaged(&managed_, 8, 1));
    must("cuMemHostAlloc", driver().allocateHost(&pinned_, 8, 0));
    made_ = stand_in::makeDeviceMemory(8);
    all_ = {device_, managed_, addressOf(pinned_), addressOf(made_), addressOf(&pageable_)};
  }
  ~CopiesTest() override {
    driver().free(device_);
    driver().free(managed_);
    driver().freeHost(pinned_);
    stand_in::freeDeviceMemory(made_);
  }

  Result copy(Address to, Address from, std::size_t size = 8) const {
    return driver().copyAsync(to, from, size, stream_);
  }
  bool isDrained() const { return drains("copies", stream_, kLong); }

  Address device_ = 0, managed_ = 0;
  void* pinned_ = nullptr;
  void* made_ = nullptr;
  std::uint64_t pageable_ = 0;
  std::array<Address, 5> all_{};
  const Stream stream_ = makeStream();
};

TEST_F(CopiesTest, GoInEveryDirection) {
  std::uint64_t value = 1;
  for (const Address from : all_)
    for (const Address to : all_) {
      if (from == to) continue;
      const std::uint64_t sent = ++value;
      std::uint64_t came = 0;
      ASSERT_EQ(copy(from, addressOf(&sent)), kSuccess);
      ASSERT_EQ(copy(to, from), kSuccess);
      ASSERT_EQ(copy(addressOf(&came), to), kSuccess);
      EXPECT_EQ(came, sent);
    }
}

TEST_F(CopiesTest, StayInTheirBlocks) {
  for (const Address each : all_) {
    if (each == addressOf(&pageable_)) continue;
    EXPECT_EQ(copy(each + 1, addressOf(&pageable_)), kInvalidValue);
    EXPECT_EQ(copy(addressOf(&pageable_), each + 1), kInvalidValue);
    EXPECT_EQ(copy(each, each, 9), kInvalidValue);
  }
}

TEST_F(CopiesTest, TakeWhatIsPageableBeforeTheyComeBack) {
  const Stream stream = waitingStream();
  std::uint64_t sent = 7, came = 0;
  ASSERT_EQ(driver().copyAsync(device_, addressOf(&sent), 8, stream), kSuccess);
  sent = 8;
  open();
  ASSERT_EQ(driver().copyAsync(addressOf(&came), device_, 8, stream), kSuccess);
  EXPECT_EQ(came, 7u);  // it was waited for
}

TEST_F(CopiesTest, OfPageLockedMemoryWaitForNobody) {
  const Stream stream = waitingStream();
  std::memset(pinned_, 1, 8);
  must("cuMemsetD8", driver().fill8(device_, 2, 8));
  ASSERT_EQ(driver().copyAsync(addressOf(pinned_), device_, 8, stream), kSuccess);
  EXPECT_EQ(*static_cast<char*>(pinned_), 1);
  open();
  ASSERT_TRUE(drains("a copy", stream, kLong));
  EXPECT_EQ(*static_cast<char*>(pinned_), 2);
}

TEST_F(CopiesTest, MayBeOfStreamsWithAPriority) {
  int least = 1, greatest = 1;
  ASSERT_EQ(driver().priorityRange(&least, &greatest), kSuccess);
  EXPECT_LE(greatest, least);
  EXPECT_EQ(driver().priorityRange(nullptr, nullptr), kSuccess);
  for (const int priority : {greatest - 1, greatest, 0, least, least + 1}) {
    Stream stream = nullptr;
    std::uint64_t came = 0;
    must("cuMemsetD8", driver().fill8(device_, static_cast<unsigned char>(priority), 8));
    ASSERT_EQ(driver().createStreamWithPriority(&stream, kNonBlocking, priority), kSuccess);
    ASSERT_EQ(driver().copyAsync(addressOf(&came), device_, 8, stream), kSuccess);
    EXPECT_EQ(static_cast<signed char>(came), priority);
    EXPECT_EQ(driver().destroyStream(stream), kSuccess);
  }
}

TEST_F(CopiesTest, StreamsWithAPriorityHaveTheFlagsOfOthers) {
  Stream stream = nullptr;
  EXPECT_EQ(driver().createStreamWithPriority(&stream, 2, 0), kInvalidValue);
  EXPECT_EQ(driver().createStreamWithPriority(nullptr, kNonBlocking, 0), kInvalidValue);
}

TEST_F(CopiesTest, RangesAreThoseOfAllocations) {
  Address begin = 0;
  std::size_t size = 0;
  for (const Address each : {device_, managed_, addressOf(made_)}) {
    ASSERT_EQ(driver().addressRange(&begin, &size, each + 7), kSuccess);
    EXPECT_EQ(begin, each);
    EXPECT_EQ(size, 8u);
    EXPECT_EQ(driver().addressRange(nullptr, nullptr, each), kSuccess);
    EXPECT_EQ(driver().addressRange(&begin, &size, each + 8), kNotFound);
  }
  EXPECT_EQ(driver().addressRange(&begin, &size, addressOf(&pageable_)), kNotFound);
}

TEST_F(CopiesTest, AreHeldUntilTheyAreReleased) {
  std::memset(pinned_, 1, 8);
  must("cuMemsetD8", driver().fill8(device_, 2, 8));
  stand_in::holdCopies();
  ASSERT_EQ(copy(addressOf(pinned_), device_), kSuccess);
  ASSERT_EQ(copy(device_, addressOf(made_)), kSuccess);
  EXPECT_EQ(stand_in::copiesInFlight(), 2u);
  const Stream other = makeStream();
  ASSERT_EQ(driver().writeValue64(other, words_.at(1), 1, 0), kSuccess);
  EXPECT_TRUE(drains("another stream", other, kLong));
  EXPECT_FALSE(eventually([&] { return driver().queryStream(stream_) != kNotReady; }, kShort));
  EXPECT_EQ(*static_cast<char*>(pinned_), 1);
  stand_in::releaseCopies();
  ASSERT_TRUE(isDrained());
  EXPECT_EQ(*static_cast<char*>(pinned_), 2);
  EXPECT_EQ(stand_in::copiesInFlight(), 0u);
}

TEST_F(CopiesTest, IntoPageableMemoryHoldUpTheirCallerWhenTheyAreHeld) {
  stand_in::holdCopies();
  const Aside aside([&] {
    useDevice();
    return copy(addressOf(&pageable_), device_);
  });
  EXPECT_FALSE(aside.endsWithin(kShort));
  stand_in::releaseCopies();
  EXPECT_TRUE(aside.endsWithin(kLong));
  EXPECT_EQ(aside.result(), kSuccess);
}

TEST(HeldCopiesTest, AResetTakesThem) {
  UCXX_EXPECT_WITH("watchdog=200ms", 0, "", {
    useDevice();
    Address device = 0;
    must("cuMemAlloc", driver().allocate(&device, 8));
    stand_in::holdCopies();
    must("cuMemcpyAsync", driver().copyAsync(device, device, 8, makeStream()));
    must("cuDevicePrimaryCtxReset", driver().resetContext(0));
    std::this_thread::sleep_for(std::chrono::milliseconds(600));  // for what must not happen
    return stand_in::copiesInFlight() == 0;
  });
}

TEST(HeldCopiesTest, TheWatchdogTellsOfThem) {
  UCXX_EXPECT_WITH("watchdog=200ms", 124, "runs cuMemcpyAsync", {
    useDevice();
    Address device = 0;
    must("cuMemAlloc", driver().allocate(&device, 8));
    stand_in::holdCopies();
    const Stream stream = makeStream();
    must("cuMemcpyAsync", driver().copyAsync(device, device, 8, stream));
    return driver().synchronizeStream(stream) == kSuccess;
  });
}

/// The copy before it is done; it and what is behind it are not, and the error stays.
TEST(FailingCopyTest, ItIsTheNextOne) {
  UCXX_EXPECT_WITH("", 0, "", {
    useDevice();
    const Words words;
    const Stream stream = makeStream();
    const auto copy = [&](std::size_t to) {
      return driver().copyAsync(words.at(to), words.at(0), 8, stream);
    };
    words[0] = 5;
    bool is_right = copy(1) == kSuccess;
    stand_in::failNextCopy();
    is_right = is_right && copy(2) == kSuccess && copy(3) == kSuccess &&
               driver().writeValue64(stream, words.at(4), 1, 0) == kSuccess &&
               eventually([&] { return driver().queryStream(stream) == kIllegalAddress; });
    std::this_thread::sleep_for(kShort);  // for what must not happen
    return is_right && words[1] == 5 && words[2] == 0 && words[3] == 0 && words[4] == 0 &&
           driver().queryStream(stream) == kIllegalAddress && copy(1) == kIllegalAddress;
  });
}

TEST(FailingCopyTest, ItFailsWhenItIsReleased) {
  UCXX_EXPECT_WITH("", 0, "", {
    useDevice();
    const Words words;
    const Stream stream = makeStream();
    stand_in::holdCopies();
    stand_in::failNextCopy(999);
    must("cuMemcpyAsync", driver().copyAsync(words.at(1), words.at(0), 8, stream));
    const bool is_right = driver().queryStream(stream) == kNotReady;
    stand_in::releaseCopies();
    return is_right && driver().synchronizeStream(stream) == 999;
  });
}

TEST(PrimaryContextTest, IsActiveOnceItIsRetained) {
  UCXX_EXPECT_WITH("", 0, "", {
    using State = Result(int, unsigned*, int*);
    const auto state = reinterpret_cast<State*>(exported("cuDevicePrimaryCtxGetState"));
    unsigned flags = 1;
    int active = 1;
    must("cuInit", driver().init(0));
    const bool is_right = state(0, &flags, &active) == kSuccess && flags == 0 && active == 0 &&
                          state(1, &flags, &active) == 101;
    useDevice();
    return is_right && state(0, &flags, &active) == kSuccess && active == 1;
  });
}

}  // namespace
}  // namespace gpu
