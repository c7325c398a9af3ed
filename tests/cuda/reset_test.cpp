// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// After cuDevicePrimaryCtxReset, which cudaDeviceReset calls.

#include "cuda/cuda_test.h"

namespace gpu {
namespace {

constexpr unsigned kNobody = 0, kHost = 1;

class ResetTest : public CudaTest {
 protected:
  static void reset() { ASSERT_EQ(driver().resetContext(0), kSuccess); }
  /// As the next call of the runtime does.
  static Context retainAgain() {
    Context context = nullptr;
    must("cuDevicePrimaryCtxRetain", driver().retainContext(&context, 0));
    return context;
  }
  static unsigned typeOf(Address address) {
    unsigned type = 9;
    int attribute = kMemoryType;
    void* place = &type;
    EXPECT_EQ(driver().pointerAttributes(1, &attribute, &place, address), kSuccess);
    return type;
  }
};

TEST_F(ResetTest, CallsAnswerUntilTheContextIsRetained) {
  Context before = nullptr, now = nullptr;
  ASSERT_EQ(driver().getContext(&before), kSuccess);
  reset();
  Stream stream = nullptr;
  EXPECT_EQ(driver().createStream(&stream, kNonBlocking), kContextIsDestroyed);
  EXPECT_EQ(driver().getContext(&now), kSuccess);
  EXPECT_EQ(now, before);
  EXPECT_EQ(retainAgain(), before);
  EXPECT_EQ(driver().createStream(&stream, kNonBlocking), kSuccess);
}

TEST_F(ResetTest, AnotherDeviceIsRefused) { EXPECT_NE(driver().resetContext(1), kSuccess); }

TEST_F(ResetTest, StreamsAreGone) {
  const Stream stream = makeStream();
  reset();
  retainAgain();
  unsigned long long id = 0;
  EXPECT_EQ(driver().streamId(stream, &id), kInvalidHandle);
}

TEST_F(ResetTest, MemoryIsKnownNoMore) {
  Address device = 0;
  ASSERT_EQ(driver().allocate(&device, 8), kSuccess);
  EXPECT_EQ(typeOf(words_.at(0)), kHost);
  reset();
  EXPECT_EQ(typeOf(words_.at(0)), kNobody);
  EXPECT_EQ(typeOf(device), kNobody);
  retainAgain();
  EXPECT_EQ(driver().writeValue64(makeStream(), words_.at(0), 1, 0), 1) << "INVALID_VALUE";
}

TEST_F(ResetTest, WhatWasRegisteredStaysMappedAndWhatTheDriverGaveDoesNot) {
  void* pinned = nullptr;
  ASSERT_EQ(driver().allocateHost(&pinned, 8, 0), kSuccess);
  words_[0] = 5;
  reset();
  EXPECT_EQ(words_[0], 5u);
  EXPECT_DEATH(*static_cast<volatile char*>(pinned) = 1, "");
}

/// It comes back at once, and the stream never goes on.
TEST_F(ResetTest, AStreamThatWaitsIsAbandoned) {
  const Stream stream = waitingStream();
  ASSERT_EQ(driver().writeValue64(stream, words_.at(1), 1, 0), kSuccess);
  const Aside waits([&] { return driver().synchronizeStream(stream); });
  EXPECT_FALSE(waits.endsWithin(kShort));
  reset();
  EXPECT_TRUE(waits.endsWithin(kLong));
  EXPECT_EQ(waits.result(), kContextIsDestroyed);
  open();
  EXPECT_FALSE(eventually([&] { return words_[1] == 1; }, kShort));
}

TEST_F(ResetTest, NewStreamsRun) {
  const Stream before = waitingStream();
  EXPECT_NE(before, nullptr);
  reset();
  retainAgain();
  const Words words;
  ASSERT_EQ(driver().writeValue64(makeStream(), words.at(0), 1, 0), kSuccess);
  EXPECT_TRUE(eventually([&] { return words[0] == 1; }, kLong));
}

/// What waits for ever after a reset is no hang.
TEST(ResetSettingTest, TheWatchdogIsQuiet) {
  UCXX_EXPECT_WITH("watchdog=200ms", 0, "", {
    useDevice();
    const Words words;
    bool is_right = driver().waitValue64(makeStream(), words.at(0), 1, kGreaterOrEqual) == kSuccess;
    is_right = is_right && driver().resetContext(0) == kSuccess;
    std::this_thread::sleep_for(std::chrono::milliseconds(600));  // for what must not happen
    return is_right;
  });
}

}  // namespace
}  // namespace gpu
