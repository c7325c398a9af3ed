// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// Contexts beside the first device's primary one: made, destroyed, of other devices.

#include "cuda/cuda_test.h"
#include "cuda/driver/stand_in.h"

namespace gpu {
namespace {

Context currentContext() {
  Context context = nullptr;
  must("cuCtxGetCurrent", driver().getContext(&context));
  return context;
}

unsigned long long idOf(Context context) {
  unsigned long long id = 0;
  must("cuCtxGetId", driver().contextId(context, &id));
  return id;
}

Result answerOfId(Context context) {
  unsigned long long id = 0;
  return driver().contextId(context, &id);
}

unsigned typeOf(Address address) {
  unsigned type = 9;
  int attribute = kMemoryType;
  void* place = &type;
  must("cuPointerGetAttributes", driver().pointerAttributes(1, &attribute, &place, address));
  return type;
}

/// A second context, current until it is destroyed.
class ContextsTest : public CudaTest {
 protected:
  ContextsTest() : first_(currentContext()) {
    must("cuCtxCreate", driver().createContext(&second_, 0, 0));
  }
  ~ContextsTest() override {
    if (second_ != nullptr) destroy();
    driver().setContext(first_);
  }

  void destroy() {
    EXPECT_EQ(driver().destroyContext(second_), kSuccess);
    gone_ = std::exchange(second_, nullptr);
  }

  const Context first_;
  Context second_ = nullptr, gone_ = nullptr;
};

TEST_F(ContextsTest, AreMadeCurrent) {
  EXPECT_NE(second_, first_);
  EXPECT_EQ(currentContext(), second_);
  int device = -1;
  EXPECT_EQ(driver().contextDevice(&device), kSuccess);
  EXPECT_EQ(device, 0);
  destroy();
  EXPECT_EQ(currentContext(), first_);
}

TEST_F(ContextsTest, HaveAnIdEach) {
  EXPECT_NE(idOf(first_), idOf(second_));
  EXPECT_EQ(idOf(nullptr), idOf(second_));
  EXPECT_EQ(idOf(second_), idOf(second_));
  EXPECT_EQ(answerOfId(reinterpret_cast<Context>(this)), kInvalidContext);
}

TEST_F(ContextsTest, AnIdIsNeverUsedAgain) {
  const unsigned long long id = idOf(second_);
  destroy();
  Context third = nullptr;
  ASSERT_EQ(driver().createContext(&third, 0, 0), kSuccess);
  EXPECT_NE(idOf(third), id);
  EXPECT_NE(third, gone_);
  EXPECT_EQ(driver().destroyContext(third), kSuccess);
}

TEST_F(ContextsTest, AreRefusedWhenTheyAreGone) {
  destroy();
  EXPECT_EQ(answerOfId(gone_), kContextIsDestroyed);
  EXPECT_EQ(driver().setContext(gone_), kInvalidContext);
  EXPECT_EQ(driver().destroyContext(gone_), kInvalidContext);
  EXPECT_EQ(currentContext(), first_);
}

TEST_F(ContextsTest, ThePrimaryOneIsNotDestroyed) {
  EXPECT_EQ(driver().destroyContext(first_), kInvalidContext);
  EXPECT_EQ(driver().destroyContext(nullptr), kInvalidContext);
}

TEST_F(ContextsTest, StayCurrentInOtherThreads) {
  Result made = kSuccess;
  std::atomic<bool> is_current{false}, is_gone{false};
  std::thread thread([&] {
    Stream stream = nullptr;
    must("cuCtxSetCurrent", driver().setContext(second_));
    is_current = true;
    while (!is_gone) letOthersRun();
    made = driver().createStream(&stream, kNonBlocking);
  });
  while (!is_current) letOthersRun();
  destroy();
  is_gone = true;
  thread.join();
  EXPECT_EQ(made, kContextIsDestroyed);
}

TEST_F(ContextsTest, TakeTheirStreamsAndEventsWithThem) {
  Event event = nullptr;
  const Stream stream = makeStream();
  ASSERT_EQ(driver().createEvent(&event, 0), kSuccess);
  destroy();
  EXPECT_EQ(driver().queryStream(stream), kInvalidHandle);
  EXPECT_EQ(driver().synchronizeStream(stream), kInvalidHandle);
  EXPECT_EQ(driver().destroyStream(stream), kInvalidHandle);
  EXPECT_EQ(driver().queryEvent(event), kInvalidHandle);
}

TEST_F(ContextsTest, LeaveOthersWhatTheyHave) {
  must("cuCtxSetCurrent", driver().setContext(first_));
  Address device = 0;
  const Stream stream = waitingStream();
  ASSERT_EQ(driver().allocate(&device, 8), kSuccess);
  destroy();
  EXPECT_EQ(driver().queryStream(stream), kNotReady);
  EXPECT_EQ(typeOf(device), kDeviceMemory);
  EXPECT_EQ(typeOf(words_.at(0)), kHostMemory);
  open();
  EXPECT_TRUE(drains("the first context's stream", stream, kLong));
  EXPECT_EQ(driver().free(device), kSuccess);
}

TEST_F(ContextsTest, TakeMemoryWithThemButNotThatOfPools) {
  Address device = 0, pooled = 0;
  void* pinned = nullptr;
  ASSERT_EQ(driver().allocate(&device, 8), kSuccess);
  ASSERT_EQ(driver().allocateAsync(&pooled, 8, nullptr), kSuccess);
  ASSERT_EQ(driver().allocateHost(&pinned, 8, 0), kSuccess);
  destroy();
  EXPECT_EQ(typeOf(device), 0u);
  EXPECT_EQ(typeOf(reinterpret_cast<Address>(pinned)), 0u);
  EXPECT_EQ(typeOf(pooled), kDeviceMemory);
  EXPECT_EQ(driver().free(pooled), kSuccess);
}

TEST_F(ContextsTest, WaitForTheirOwnStreams) {
  must("cuCtxSetCurrent", driver().setContext(first_));
  const Stream stream = waitingStream();
  must("cuCtxSetCurrent", driver().setContext(second_));
  EXPECT_EQ(driver().synchronize(), kSuccess);
  EXPECT_EQ(driver().queryStream(stream), kNotReady);
  open();
  EXPECT_TRUE(drains("the first context's stream", stream, kLong));
}

TEST_F(ContextsTest, WhoWaitsForAStreamComesBackWhenItIsGone) {
  const Stream stream = waitingStream();
  const Aside waits([&] {
    must("cuCtxSetCurrent", driver().setContext(second_));
    return driver().synchronizeStream(stream);
  });
  EXPECT_FALSE(waits.endsWithin(kShort));
  destroy();
  EXPECT_TRUE(waits.endsWithin(kLong));
  EXPECT_EQ(waits.result(), kContextIsDestroyed);
}

TEST_F(ContextsTest, StreamsAndEventsTellTheirs) {
  const Stream stream = makeStream();
  Event event = nullptr;
  Context of_own = nullptr, of_legacy = nullptr;
  ASSERT_EQ(driver().createEvent(&event, 0), kSuccess);
  must("cuCtxSetCurrent", driver().setContext(first_));
  EXPECT_EQ(driver().streamContext(stream, &of_own), kSuccess);
  EXPECT_EQ(of_own, second_);
  EXPECT_EQ(driver().streamContext(nullptr, &of_legacy), kSuccess);
  EXPECT_EQ(of_legacy, first_);
  EXPECT_EQ(driver().recordEvent(event, stream), kSuccess);
  EXPECT_EQ(driver().recordEvent(event, makeStream()), kInvalidHandle);
}

TEST_F(ContextsTest, TestsMakeMemoryOfThem) {
  void* const memory = stand_in::makeDeviceMemory(8, {.context = second_});
  Context context = nullptr;
  EXPECT_EQ(driver().pointerAttribute(&context, kContextOf, reinterpret_cast<Address>(memory)),
            kSuccess);
  EXPECT_EQ(context, second_);
  stand_in::freeDeviceMemory(memory);
}

TEST_F(ContextsTest, StreamsOfAllCopy) {
  Address device = 0;
  std::uint64_t sent = 5, came = 0;
  ASSERT_EQ(driver().allocate(&device, 8), kSuccess);
  const Stream stream = makeStream();
  must("cuCtxSetCurrent", driver().setContext(first_));
  EXPECT_EQ(driver().copyInAsync(device, &sent, 8, stream), kSuccess);
  EXPECT_EQ(driver().copyOutAsync(&came, device, 8, stream), kSuccess);
  EXPECT_EQ(came, 5u);
}

TEST_F(ContextsTest, KernelsRunInStreamsOfTheirOwn) {
  must("cuCtxSetCurrent", driver().setContext(first_));
  warmKernels();
  must("cuCtxSetCurrent", driver().setContext(second_));
  std::uint64_t word = 1;
  Address address = words_.at(1);
  void* arguments[]{&address, &word};
  const Stream stream = makeStream();
  must("cuCtxSetCurrent", driver().setContext(first_));
  EXPECT_EQ(
      driver().launch(kernelOf("write_word"), 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr),
      kInvalidHandle);
}

TEST(ContextSettingTest, AResetIsOfOneDeviceAndChangesTheId) {
  UCXX_EXPECT_WITH("devices=2", 0, "", {
    useDevice();
    Context second = nullptr;
    must("cuDevicePrimaryCtxRetain", driver().retainContext(&second, 1));
    const Context first = currentContext();
    const unsigned long long id = idOf(second);
    const unsigned long long other = idOf(first);
    const Stream stream = makeStream();
    must("cuDevicePrimaryCtxReset", driver().resetContext(1));
    bool is_right = answerOfId(second) == kContextIsDestroyed &&
                    driver().queryStream(stream) == kSuccess && idOf(first) == other;
    must("cuDevicePrimaryCtxRetain", driver().retainContext(&second, 1));
    return is_right && idOf(second) != id && driver().destroyStream(stream) == kSuccess;
  });
}

TEST(ContextSettingTest, OfADeviceThatIsThere) {
  UCXX_EXPECT_WITH("devices=2", 0, "", {
    must("cuInit", driver().init(0));
    Context context = nullptr;
    int device = 0;
    return driver().createContext(&context, 0, 2) == 101 &&
           driver().createContext(&context, 0, 1) == kSuccess &&
           driver().contextDevice(&device) == kSuccess && device == 1 &&
           driver().destroyContext(context) == kSuccess &&
           driver().contextDevice(&device) == kInvalidContext;
  });
}

}  // namespace
}  // namespace gpu
