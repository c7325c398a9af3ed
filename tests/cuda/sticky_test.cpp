// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// After an error that stays.

#include "cuda/cuda_test.h"

namespace gpu {
namespace {

constexpr Address kNowhere = 8;

class StickyTest : public CudaTest {
 protected:
  StickyTest() { warmKernels(); }

  /// A kernel writes where nothing is.
  void fail() {
    launch("write_word", failing_, {kNowhere, 1});
    EXPECT_TRUE(eventually([&] { return driver().queryStream(failing_) == kIllegalAddress; }));
  }

  const Stream failing_ = makeStream();
};

TEST_F(StickyTest, NothingThatWaitsGoesOn) {
  const Stream stream = waitingStream();
  ASSERT_EQ(driver().writeValue64(stream, words_.at(1), 1, 0), kSuccess);
  fail();
  open();
  EXPECT_FALSE(eventually([&] { return words_[1] == 1; }, kShort));
  EXPECT_EQ(driver().queryStream(stream), kIllegalAddress);
  EXPECT_EQ(driver().synchronizeStream(stream), kIllegalAddress);
}

TEST_F(StickyTest, CallsAnswerTheError) {
  Address device = 0;
  fail();
  EXPECT_EQ(driver().writeValue64(failing_, words_.at(1), 1, 0), kIllegalAddress);
  EXPECT_EQ(driver().synchronize(), kIllegalAddress);
  EXPECT_EQ(driver().allocate(&device, 8), kIllegalAddress);
  EXPECT_EQ(driver().unregisterHost(&words_[0]), kIllegalAddress);
}

TEST_F(StickyTest, WhoWaitsInACallComesBackWithIt) {
  const Stream stream = waitingStream();
  const Aside aside([&] { return driver().synchronizeStream(stream); });
  EXPECT_FALSE(aside.endsWithin(kShort));
  fail();
  EXPECT_TRUE(aside.endsWithin(kPatience));
  EXPECT_EQ(aside.result(), kIllegalAddress);
}

TEST_F(StickyTest, PointersAreStillKnown) {
  Address device = 0;
  ASSERT_EQ(driver().allocate(&device, 8), kSuccess);
  fail();
  const auto type_of = [](Address address) {
    unsigned type = 9;
    int attribute = 2;
    void* place = &type;
    EXPECT_EQ(driver().pointerAttributes(1, &attribute, &place, address), kSuccess);
    return type;
  };
  EXPECT_EQ(type_of(device), 2u);
  EXPECT_EQ(type_of(words_.at(0)), 1u);
  EXPECT_EQ(type_of(reinterpret_cast<Address>(&device)), 0u);
}

TEST_F(StickyTest, ACopyMayFailSoToo) {
  Address device = 0;
  ASSERT_EQ(driver().allocate(&device, 8), kSuccess);
  EXPECT_EQ(driver().copyIn(device, reinterpret_cast<void*>(kNowhere), 8), kIllegalAddress);
  EXPECT_EQ(driver().synchronize(), kIllegalAddress);
}

}  // namespace
}  // namespace gpu
