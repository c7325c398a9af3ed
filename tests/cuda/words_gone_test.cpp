// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// After cudaDeviceReset: each use of the words says so, and nothing crashes or hangs.

#include <optional>

#include <ucxx/prepared.h>

#include "cuda/launches.h"
#include "cuda/stand_in_process.h"
#include "cuda/streams.h"

namespace ucxx::cuda::test {
namespace {

constexpr const char* kGone = "cudaDeviceReset was called";
constexpr Tag kArmed{0x58}, kOther{0x59};

void reset() {
  gpu::must("cuDevicePrimaryCtxReset", driver().resetContext(0));
  base::cuda::Context context = nullptr;
  gpu::must("cuDevicePrimaryCtxRetain", driver().retainContext(&context, 0));
}

/// Two ends that have used a stream, and then the reset. The condition is of before.
struct After {
  After() : ends(Route::Address, Mode::Adaptive) {
    const Handle stream = gpu::makeStream();
    condition = Condition::stream(stream);
    auto receive = ends.right->tagRecv(&word, 8, kTag, TagMaskFull);
    is_right = ends.ended({send(*condition), receive});
    reset();
    now = gpu::makeStream();
  }
  std::shared_ptr<Request> send(const Condition& with) {
    return ends.left->tagSendBuilder(&word, 8, kTag).condition(with).build();
  }

 private:
  struct WithDevice {
    WithDevice() { gpu::useDevice(); }
  };
  WithDevice device_;

 public:
  Ends ends;
  std::uint64_t word = 1;
  std::optional<Condition> condition;
  Handle now = nullptr;  // made afterwards
  bool is_right = false;
};

/// In a process of its own: what is gone there would be gone for the tests that follow.
void expectGone(void (*use)(After&)) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  expectWith("", [=] {
    After after;
    return after.is_right && isSaid(kGone, [&] { use(after); }) &&
           after.ends.left_worker->stats().armed_requests == 0;
  });
}

TEST(WordsGoneTest, APostOfAStreamSaysSo) {
  expectGone([](After& after) { after.send(Condition::stream(after.now)); });
}
TEST(WordsGoneTest, APostWithAConditionOfBeforeSaysSo) {
  expectGone([](After& after) { after.send(*after.condition); });
}
TEST(WordsGoneTest, AWaitSaysSo) {
  expectGone([](After& after) {
    after.ends.right->tagRecv(&after.word, 8, kTag, TagMaskFull)->waitOn(after.now);
  });
}
TEST(WordsGoneTest, AttachingSaysSo) {
  expectGone([](After&) { attach(); });
}
TEST(WordsGoneTest, AConditionOfAKernelSaysSo) {
  expectGone([](After&) { Condition::kernel(); });
}
TEST(WordsGoneTest, AHandleForKernelsSaysSo) {
  expectGone(
      [](After& after) { after.ends.left->prepareSend(&after.word, 8, kTag)->deviceHandle(); });
}
TEST(WordsGoneTest, AConditionOfAGraphSaysSo) {
  expectGone([](After&) {
    base::cuda::Graph graph = nullptr;
    gpu::must("cuGraphCreate", driver().createGraph(&graph, 0));
    Condition::graph(graph);
  });
}
TEST(WordsGoneTest, ABatchSaysSo) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  expectWith("", [] {
    Streams streams;
    std::uint64_t word = 1;
    StreamBatch batch(streams.stream);
    const auto sent =
        streams.ends.left->tagSendBuilder(&word, 8, kTag).condition(streams.condition()).build();
    reset();
    const bool is_right = isSaid(kGone, [&] { batch.submit(); }) && streams.ends.ended({sent}) &&
                          sent->getStatus() == UCS_ERR_CANCELED;
    std::_Exit(is_right ? 0 : 1);  // the stream has gone
    return is_right;
  });
}

/// Until the context is used again the driver itself says it.
TEST(WordsGoneTest, SoDoesTheDriver) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  expectWith("", [] {
    gpu::useDevice();
    const Handle stream = gpu::makeStream();
    gpu::must("cuDevicePrimaryCtxReset", driver().resetContext(0));
    return isSaid("CUDA_ERROR_CONTEXT_IS_DESTROYED", [&] { Condition::stream(stream); }) &&
           isSaid(kGone, [&] { Condition::stream(stream); });
  });
}

/// What is armed and what has the words of a kernel: their loop goes on, and a close ends them.
TEST(WordsGoneTest, WhatIsUnderWayEndsWithItsEndpoint) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  expectWith("", [] {
    gpu::useDevice();
    attach();
    gpu::Words words;
    Ends ends(Route::Address, Mode::Adaptive);
    std::uint64_t sent = 1, came = 0;
    const auto send = ends.left->prepareSend(&sent, 8, kTag);
    const auto receive = ends.right->prepareRecv(&came, 8, kTag);
    (void)send->deviceHandle();
    receive->start();
    send->start();  // no kernel makes its partition ready
    const Handle stream = gpu::makeStream();
    gpu::must("wait", driver().waitValue64(stream, words.at(0), 1, base::cuda::kGreaterOrEqual));
    const auto armed =
        ends.left->tagSendBuilder(&sent, 8, kArmed).condition(Condition::stream(stream)).build();
    reset();
    auto there = ends.right->tagRecv(&came, 8, kOther, TagMaskFull);
    const bool goes_on = ends.ended({ends.left->tagSend(&sent, 8, kOther), there});
    armed->cancel();
    return goes_on && ends.ended({armed, send->close(), receive->close()});
  });
}

/// A reset before the first use takes nothing of it.
TEST(WordsGoneTest, WhoHadNotAttachedMayGoOn) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  expectWith("", [] {
    gpu::useDevice();
    reset();
    Streams streams;
    std::uint64_t word = 1, came = 0;
    auto receive = streams.ends.right->tagRecv(&came, 8, kTag, TagMaskFull);
    auto sent =
        streams.ends.left->tagSendBuilder(&word, 8, kTag).condition(streams.condition()).build();
    return streams.ends.ended({sent, receive}) && came == 1;
  });
}

}  // namespace
}  // namespace ucxx::cuda::test
