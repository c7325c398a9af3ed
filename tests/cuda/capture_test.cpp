// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// What a capture takes, what it refuses, how it ends.

#include "cuda/cuda_test.h"

namespace gpu {
namespace {

constexpr int kThreadLocalCapture = 1;
constexpr Result kUnsupported = 900, kInvalidated = 901, kUnjoined = 904, kImplicit = 906,
                 kCapturedEvent = 907, kWrongThread = 908;

class CaptureTest : public CudaTest {
 protected:
  Stream begin(int mode) {
    const Stream stream = makeStream();
    EXPECT_EQ(driver().beginCapture(stream, mode), kSuccess);
    return stream;
  }
  Result end(Stream stream) { return driver().endCapture(stream, &graph_); }

  /// A call during a capture, in the capture's thread.
  struct Outcome {
    Result call, end;
    bool operator==(const Outcome&) const = default;
  };
  Outcome during(int mode, const std::function<Result()>& call) {
    const Stream stream = begin(mode);
    const Result result = call();
    return {result, end(stream)};
  }
  Outcome globally(const std::function<Result()>& call) { return during(kGlobalCapture, call); }
  Outcome relaxed(const std::function<Result()>& call) { return during(kRelaxedCapture, call); }

  int statusOf(Stream stream) {
    int status = 9;
    EXPECT_EQ(driver().captureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr, nullptr),
              kSuccess);
    return status;
  }
  std::size_t nodes() {
    std::size_t count = 0;
    EXPECT_EQ(driver().graphNodes(graph_, nullptr, &count), kSuccess);
    return count;
  }

  static constexpr Outcome kRefused{kUnsupported, kInvalidated}, kFine{kSuccess, kSuccess};
  const Stream other_ = makeStream();
  Graph graph_ = nullptr;
};

TEST_F(CaptureTest, UnsafeCallsEndItInModeGlobal) {
  static char pages[4096];
  Address device = 0;
  void* pinned = nullptr;
  EXPECT_EQ(globally([&] { return driver().allocate(&device, 8); }), kRefused);
  EXPECT_EQ(globally([&] { return driver().allocateHost(&pinned, 8, 0); }), kRefused);
  EXPECT_EQ(globally([&] { return driver().registerHost(pages, 4096, 0); }), kRefused);
  EXPECT_EQ(globally([&] { return driver().unregisterHost(pages); }), kRefused);
  EXPECT_EQ(globally([&] { return driver().queryStream(other_); }), kRefused);
  EXPECT_EQ(globally([&] { return driver().synchronize(); }), kRefused);
  EXPECT_EQ(graph_, nullptr);
}

TEST_F(CaptureTest, SafeCallsDoNot) {
  Stream stream = nullptr;
  Address device = 0;
  ASSERT_EQ(driver().allocate(&device, 8), kSuccess);
  EXPECT_EQ(globally([&] { return driver().createStream(&stream, kNonBlocking); }), kFine);
  EXPECT_EQ(globally([&] { return driver().writeValue64(other_, words_.at(1), 1, 0); }), kFine);
  EXPECT_EQ(globally([&] { return driver().copyIn(device, &device, 8); }), kFine);
}

TEST_F(CaptureTest, ModeRelaxedAllowsAll) {
  static char pages[4096];
  Address device = 0;
  EXPECT_EQ(relaxed([&] { return driver().allocate(&device, 8); }), kFine);
  EXPECT_EQ(relaxed([&] { return driver().registerHost(pages, 4096, 0); }), kFine);
  EXPECT_EQ(relaxed([&] { return driver().queryStream(other_); }), kFine);
  EXPECT_EQ(relaxed([&] { return driver().free(device); }), kFine);
}

TEST_F(CaptureTest, AnotherThreadEndsAGlobalOneUnlessItIsRelaxed) {
  const auto query = [this](int mode) {
    Result result = kSuccess;
    std::thread([&] {
      useDevice();
      EXPECT_EQ(driver().exchangeCaptureMode(&mode), kSuccess);
      result = driver().queryStream(other_);
    }).join();
    return result;
  };
  EXPECT_EQ(globally([&] { return query(kGlobalCapture); }), kRefused);
  EXPECT_EQ(globally([&] { return query(kThreadLocalCapture); }), kFine);
  EXPECT_EQ(globally([&] { return query(kRelaxedCapture); }), kFine);
  EXPECT_EQ(during(kThreadLocalCapture, [&] { return query(kGlobalCapture); }), kFine);
  EXPECT_EQ(during(kThreadLocalCapture, [&] { return driver().queryStream(other_); }), kRefused);
}

TEST_F(CaptureTest, NothingRunsOfWhatIsCaptured) {
  const Stream stream = begin(kRelaxedCapture);
  EXPECT_EQ(statusOf(stream), 1);
  EXPECT_EQ(statusOf(other_), 0);
  EXPECT_EQ(enqueue(stream, {write(words_, 1, 1), wait(words_, 2, 1)}), kSuccess);
  EXPECT_EQ(driver().writeValue64(stream, words_.at(3), 1, 0), kSuccess);
  EXPECT_EQ(end(stream), kSuccess);
  EXPECT_TRUE(drains("a stream that was captured", stream));
  EXPECT_EQ(words_[1], 0u);
  EXPECT_EQ(nodes(), 2u);  // a batch is one
}

TEST_F(CaptureTest, TheStreamItselfIsNotToBeWaitedFor) {
  for (const auto& call : {driver().queryStream, driver().synchronizeStream}) {
    const Stream stream = begin(kRelaxedCapture);
    EXPECT_EQ(call(stream), kUnsupported);
    EXPECT_EQ(statusOf(stream), 2);
    EXPECT_EQ(driver().writeValue64(stream, words_.at(1), 1, 0), kInvalidated);
    EXPECT_EQ(end(stream), kInvalidated);
    EXPECT_EQ(statusOf(stream), 0);
  }
}

TEST_F(CaptureTest, TheLegacyStreamDoesNotGoWithABlockingOne) {
  EXPECT_EQ(driver().beginCapture(nullptr, kRelaxedCapture), kUnsupported);
  Stream blocking = nullptr;
  ASSERT_EQ(driver().createStream(&blocking, 0), kSuccess);
  ASSERT_EQ(driver().beginCapture(blocking, kRelaxedCapture), kSuccess);
  EXPECT_EQ(driver().writeValue64(nullptr, words_.at(1), 1, 0), kImplicit);
  EXPECT_EQ(end(blocking), kInvalidated);
}

TEST_F(CaptureTest, BeginsAndEndsOnceAndInItsThread) {
  EXPECT_EQ(end(other_), kIllegalState);
  const Stream stream = begin(kGlobalCapture);
  EXPECT_EQ(driver().beginCapture(stream, kGlobalCapture), kIllegalState);
  Result result = kSuccess;
  std::thread([&] {
    useDevice();
    Graph graph = nullptr;
    result = driver().endCapture(stream, &graph);
  }).join();
  EXPECT_EQ(result, kWrongThread);
  EXPECT_EQ(end(stream), kInvalidated);
}

TEST_F(CaptureTest, OtherStreamsJoinByEventsAndHaveToComeBack) {
  Event there = nullptr, back = nullptr;
  ASSERT_EQ(driver().createEvent(&there, 2), kSuccess);
  ASSERT_EQ(driver().createEvent(&back, 2), kSuccess);
  for (const bool comes_back : {false, true}) {
    const Stream stream = begin(kRelaxedCapture), joined = makeStream();
    ASSERT_EQ(driver().writeValue64(stream, words_.at(1), 1, 0), kSuccess);
    ASSERT_EQ(driver().recordEvent(there, stream), kSuccess);
    ASSERT_EQ(driver().waitEvent(joined, there, 0), kSuccess);
    EXPECT_EQ(driver().queryEvent(there), kCapturedEvent);
    EXPECT_EQ(statusOf(joined), 1);
    ASSERT_EQ(driver().writeValue64(joined, words_.at(2), 1, 0), kSuccess);
    ASSERT_EQ(driver().recordEvent(back, joined), kSuccess);
    if (comes_back) {
      ASSERT_EQ(driver().waitEvent(stream, back, 0), kSuccess);
    }
    EXPECT_EQ(end(stream), comes_back ? kSuccess : kUnjoined);
    EXPECT_EQ(statusOf(joined), 0);
  }
  EXPECT_EQ(nodes(), 2u);
}

TEST_F(CaptureTest, NodesMayBeAddedToItsGraph) {
  const Stream stream = begin(kRelaxedCapture);
  ASSERT_EQ(driver().writeValue64(stream, words_.at(1), 1, 0), kSuccess);
  int status = 0;
  Graph graph = nullptr;
  const Node* after = nullptr;
  std::size_t count = 0;
  ASSERT_EQ(driver().captureInfo(stream, &status, nullptr, &graph, &after, nullptr, &count),
            kSuccess);
  ASSERT_EQ(count, 1u);
  Context context = nullptr;
  ASSERT_EQ(driver().getContext(&context), kSuccess);
  Operations operations{write(words_, 2, 1)};
  const BatchNode parameters{.context = context, .count = 1, .operations = operations.data()};
  Node node = nullptr;
  ASSERT_EQ(driver().addBatchNode(&node, graph, after, count, &parameters), kSuccess);
  ASSERT_EQ(driver().updateCapture(stream, &node, nullptr, 1, 1), kSuccess);
  ASSERT_EQ(driver().writeValue64(stream, words_.at(3), 1, 0), kSuccess);
  EXPECT_EQ(end(stream), kSuccess);
  EXPECT_EQ(nodes(), 3u);
}

}  // namespace
}  // namespace gpu
