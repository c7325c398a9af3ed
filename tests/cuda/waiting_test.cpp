// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// What waits for a stream that waits, what does not; full launch queues, connections, the watchdog.

#include "cuda/cuda_test.h"
#include "gpu/kernels.h"

namespace gpu {
namespace {

constexpr std::uint64_t kEntries = 1020;
constexpr std::chrono::milliseconds kStall{1000};  // after which nothing is thought to move

class WaitingTest : public CudaTest {};

TEST_F(WaitingTest, WhatGivesMemoryBackWaits) {
  static char pages[8192];
  Address device = 0;
  void* pinned = nullptr;
  ASSERT_EQ(driver().allocate(&device, 8), kSuccess);
  ASSERT_EQ(driver().allocateHost(&pinned, 8, 0), kSuccess);
  ASSERT_EQ(driver().registerHost(pages, sizeof pages, 0), kSuccess);
  EXPECT_TRUE(waits([&] { return driver().free(device); }));
  EXPECT_TRUE(waits([&] { return driver().freeHost(pinned); }));
  EXPECT_TRUE(waits([&] { return driver().unregisterHost(pages); }));
}

TEST_F(WaitingTest, ContextAndModulesWait) {
  Module module = nullptr;
  EXPECT_TRUE(waits([] { return driver().synchronize(); }));
  EXPECT_TRUE(waits([&] { return driver().loadModule(&module, kKernels); }));
  EXPECT_TRUE(waits([&] { return driver().unloadModule(module); }));
}

/// A kernel of a module that was not there before.
Kernel newKernel() {
  Module module = nullptr;
  Kernel kernel = nullptr;
  must("cuModuleLoadData", driver().loadModule(&module, kKernels));
  must("cuModuleGetFunction", driver().getFunction(&kernel, module, "write_word"));
  return kernel;
}

Result launchWriteWord(Kernel kernel, const Words& words, Stream stream) {
  Address word = words.at(2);
  std::uint64_t value = 1;
  void* arguments[]{&word, &value};
  return driver().launch(kernel, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr);
}

TEST_F(WaitingTest, TheFirstLaunchOfAModuleWaitsAndNoOther) {
  const Stream other = makeStream();
  const Kernel kernel = newKernel();
  EXPECT_TRUE(waits([&] { return launchWriteWord(kernel, words_, other); }));
  EXPECT_TRUE(comesBack([&] { return launchWriteWord(kernel, words_, other); }));
}

TEST(WaitingSettingTest, ALaunchOfAnEagerModuleDoesNotWait) {
  UCXX_EXPECT_WITH("", 0, "", {
    ::setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    useDevice();
    const Words words;
    const Stream stream = makeStream(), other = makeStream();
    const Kernel kernel = newKernel();
    must("gate", driver().waitValue64(stream, words.at(0), 1, kGreaterOrEqual));
    must("launch", launchWriteWord(kernel, words, other));
    const bool runs = eventually([&] { return words[2] == 1; });
    words[0] = 1;
    return runs && drains("the gate", stream);
  });
}

TEST_F(WaitingTest, OthersComeBack) {
  static char pages[8192];
  Address device = 0, more = 0, pooled = 0;
  void* pinned = nullptr;
  Stream other = makeStream(), third = makeStream(), made = nullptr;
  Event event = nullptr;
  ASSERT_EQ(driver().allocate(&device, 64), kSuccess);
  ASSERT_EQ(driver().createEvent(&event, 2), kSuccess);
  EXPECT_TRUE(comesBack([&] { return driver().allocate(&more, 8); }));
  EXPECT_TRUE(comesBack([&] { return driver().allocateHost(&pinned, 8, 0); }));
  EXPECT_TRUE(comesBack([&] { return driver().registerHost(pages, sizeof pages, 0); }));
  EXPECT_TRUE(comesBack([&] { return driver().allocateAsync(&pooled, 8, other); }));
  EXPECT_TRUE(comesBack([&] { return driver().freeAsync(pooled, other); }));
  EXPECT_TRUE(comesBack([&] { return driver().copyIn(device, pages, 64); }));
  EXPECT_TRUE(comesBack([&] { return driver().copyOut(pages, device, 64); }));
  EXPECT_TRUE(comesBack([&] { return driver().fill8(device, 0, 64); }));
  EXPECT_TRUE(comesBack([&] { return driver().createStream(&made, kNonBlocking); }));
  EXPECT_TRUE(comesBack([&] { return driver().destroyStream(third); }));
  EXPECT_TRUE(comesBack([&] { return driver().synchronizeStream(other); }));
  EXPECT_TRUE(comesBack([&] { return driver().recordEvent(event, other); }));
  EXPECT_TRUE(comesBack([&] { return driver().flushWrites(0, 100); }));
}

class QueueTest : public CudaTest {
 protected:
  /// How many of these fit behind a stream that waits, until the caller is held up.
  std::uint64_t fits(const std::function<Result(Stream)>& one) {
    const Stream stream = waitingStream();
    std::atomic<std::uint64_t> count{0};
    std::atomic<bool> goes_on{true};
    const Aside aside([&] {
      Result result = kSuccess;
      for (; goes_on && result == kSuccess; ++count) result = one(stream);
      return result;
    });
    std::uint64_t before = ~0ull;
    while (before != count) {
      before = count;
      EXPECT_FALSE(aside.endsWithin(kStall));
    }
    EXPECT_EQ(driver().queryStream(makeStream()), kSuccess);  // others are not held up
    EXPECT_EQ(driver().writeValue64(makeStream(), words_.at(3), 1, 0), kSuccess);
    EXPECT_TRUE(eventually([&] { return words_[3] == 1; }));
    goes_on = false;
    open();
    EXPECT_TRUE(aside.endsWithin(kPatience));
    EXPECT_TRUE(drains("what fits", stream));
    words_[0] = words_[3] = 0;
    return before;
  }
};

TEST_F(QueueTest, HoldsUpWhoFillsIt) {
  EXPECT_EQ(fits([&](Stream s) { return driver().writeValue64(s, words_.at(1), 1, 0); }), kEntries);
}

TEST_F(QueueTest, HoldsAsManyBatchesUnlessTheyAreLong) {
  const auto batches = [&](std::size_t count) {
    return fits([=, this](Stream s) { return enqueue(s, Operations(count, write(words_, 1, 1))); });
  };
  EXPECT_EQ(batches(3), kEntries);
  EXPECT_EQ(batches(255), 363u);
}

TEST_F(QueueTest, HoldsEventsToo) {
  Event event = nullptr;
  ASSERT_EQ(driver().createEvent(&event, 2), kSuccess);
  EXPECT_EQ(fits([&](Stream stream) { return driver().recordEvent(event, stream); }), kEntries);
}

/// How many streams may wait until another one stands still.
std::uint64_t streamsThatMayWait() {
  useDevice();
  const Words words;
  const Stream free_stream = makeStream();
  std::vector<Stream> waiting;
  for (bool goes_on = true; goes_on;) {
    waiting.push_back(makeStream());
    must("wait", driver().waitValue64(waiting.back(), words.at(0), 1, kGreaterOrEqual));
    must("write", driver().writeValue64(free_stream, words.at(1), waiting.size(), 0));
    goes_on = eventually([&] { return words[1] == waiting.size(); }, kStall);
  }
  words[0] = 1;
  for (const Stream stream : waiting) drains("a stream that waited", stream);
  drains("the other one", free_stream);
  return waiting.size() - 1;
}

TEST(ConnectionsTest, OneStreamFewerMayWait) { EXPECT_EQ(streamsThatMayWait(), 7u); }

TEST(ConnectionsTest, AreAsManyAsIsAsked) {
  UCXX_EXPECT_WITH("connections=1", 0, "", { return streamsThatMayWait() == 0; });
  UCXX_EXPECT_WITH("connections=3", 0, "", { return streamsThatMayWait() == 2; });
  UCXX_EXPECT_WITH("", 0, "", {
    ::setenv("CUDA_DEVICE_MAX_CONNECTIONS", "5", 1);
    return streamsThatMayWait() == 4;
  });
}

TEST(ConnectionsTest, ACopyBehindStreamsThatWaitStandsStill) {
  UCXX_EXPECT_WITH("connections=1,watchdog=2s", 124, "it waits for the legacy stream", {
    useDevice();
    const Words words;
    Address device = 0;
    std::uint64_t host = 0;
    must("cuMemAlloc", driver().allocate(&device, 8));
    must("gate", driver().waitValue64(makeStream(), words.at(0), 1, kGreaterOrEqual));
    return driver().copyIn(device, &host, 8) == kSuccess;
  });
}

TEST(WatchdogTest, TellsTheCallThatHangs) {
  UCXX_EXPECT_WITH("watchdog=2s", 124, "is in cuCtxSynchronize: it waits for all streams", {
    useDevice();
    const Words words;
    must("gate", driver().waitValue64(makeStream(), words.at(0), 1, kGreaterOrEqual));
    return driver().synchronize() == kSuccess;
  });
}

TEST(WatchdogTest, TellsTheStreamAndTheWord) {
  const auto hang = [] {
    useDevice();
    const Words words;
    words[0] = 4;
    const Stream stream = makeStream();
    must("gate", driver().waitValue64(stream, words.at(0), 5, kGreaterOrEqual));
    must("write", driver().writeValue64(stream, words.at(1), 1, 0));
    return eventually([] { return false; }, std::chrono::milliseconds(8000));
  };
  EXPECT_EXIT(runWith("watchdog=2s", hang), testing::ExitedWithCode(124),
              testing::AllOf(testing::HasSubstr("runs cuStreamWaitValue64, 1 entries behind it"),
                             testing::HasSubstr("is 4, awaited: at least 5")));
}

TEST(WatchdogTest, TellsOfAFullQueue) {
  UCXX_EXPECT_WITH("watchdog=2s", 124, "is in cuStreamWriteValue64: the launch queue of stream", {
    useDevice();
    const Words words;
    const Stream stream = makeStream();
    must("gate", driver().waitValue64(stream, words.at(0), 1, kGreaterOrEqual));
    for (;;) must("write", driver().writeValue64(stream, words.at(1), 1, 0));
    return true;
  });
}

}  // namespace
}  // namespace gpu
