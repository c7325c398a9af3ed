// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Transfers that kernels start and wait for.

#include <optional>
#include <vector>

#include "core/condition/condition_words.h"
#include "cuda/condition_module.h"
#include "cuda/streams.h"

namespace ucxx::cuda::test {
namespace {

using base::cuda::kSuccess;

template <class... Arguments>
void launch(const char* name, Handle stream, unsigned threads, Arguments... arguments) {
  void* places[]{&arguments...};
  ASSERT_EQ(
      driver().launch(conditionKernel(name), 1, 1, 1, threads, 1, 1, 0, stream, places, nullptr),
      kSuccess);
}

KernelWord* wordAt(const gpu::Words& words, std::size_t index) {
  return reinterpret_cast<KernelWord*>(words.at(index));
}

/// What kernels leave in a word of theirs.
ucs_status_t statusIn(const gpu::Words& words, std::size_t index) {
  return static_cast<ucs_status_t>(static_cast<std::int64_t>(words[index].load()));
}

class KernelFixture {
 protected:
  explicit KernelFixture(Route route = Route::Address, Mode mode = Mode::Adaptive)
      : streams_(route, mode) {
    attach();
    warmConditionKernels(streams_.stream);
  }
  void trigger(const Condition& condition) {
    launch("trigger_condition", streams_.stream, 1, condition.deviceHandle(),
           wordAt(streams_.words, 10));
  }
  /// A kernel waits, and leaves the status in word 11.
  void wait(const Condition& condition, KernelWord epoch) {
    launch("wait_condition", streams_.stream, 1, condition.deviceHandle(), epoch,
           wordAt(streams_.words, 11));
  }
  void expectStatus(ucs_status_t status) {
    ASSERT_TRUE(drains("the kernels", streams_.stream));
    EXPECT_EQ(statusIn(streams_.words, 11), status);
  }
  std::shared_ptr<Request> receive(const Condition& condition) {
    return streams_.ends.right->tagRecvBuilder(&streams_.words[3], 8, kTag)
        .condition(condition)
        .build();
  }
  static ConditionOptions repeating() { return core::test::repeating(); }

  Streams streams_;
};

class KernelConditionTest : public KernelFixture,
                            public testing::TestWithParam<std::tuple<Waits, Route, Mode>> {
 protected:
  KernelConditionTest() : KernelFixture(std::get<Route>(GetParam()), std::get<Mode>(GetParam())) {}
};

TEST_P(KernelConditionTest, StartsAtTheTrigger) {
  Conditional conditional(std::get<Waits>(GetParam()), streams_.ends);
  const Condition condition = Condition::kernel(streams_.options);
  conditional.prepare(7);
  const auto request = conditional.post(condition);
  EXPECT_FALSE(request->isCompleted());
  trigger(condition);
  wait(condition, 1);
  expectStatus(UCS_OK);
  EXPECT_EQ(streams_.words[10], 1);
  ASSERT_TRUE(streams_.ends.ended({request}));
  conditional.check(request);
  EXPECT_EQ(condition.epoch(), 1);
}

INSTANTIATE_TEST_SUITE_P(All, KernelConditionTest,
                         testing::Combine(testing::ValuesIn(kWaits),
                                          testing::Values(Route::Self, Route::Address),
                                          testing::Values(Mode::Event, Mode::Adaptive)),
                         [](const auto& info) {
                           return nameOf(std::get<0>(info.param)) +
                                  nameOf(std::get<1>(info.param)) + nameOf(std::get<2>(info.param));
                         });

class KernelTest : public KernelFixture, public testing::Test {};

TEST_F(KernelTest, ABlockSendsWhatItHasFilled) {
  constexpr std::size_t kCount = 64, kRounds = 100;
  const gpu::Words out;  // kernels write to what is page-locked
  auto* const from = reinterpret_cast<KernelWord*>(&out[0]);
  std::vector<KernelWord> in(kCount);
  const Condition condition = Condition::kernel(repeating());
  const auto sent =
      streams_.ends.left->tagSendBuilder(from, kCount * 8, kTag).condition(condition).build();
  for (KernelWord i = 1; i <= kRounds; ++i) {
    const auto received = streams_.ends.right->tagRecv(in.data(), kCount * 8, kTag, TagMaskFull);
    launch("fill_and_send", streams_.stream, 8, condition.deviceHandle(), wordAt(out, 0),
           KernelWord{kCount}, i, wordAt(streams_.words, 11));
    expectStatus(UCS_OK);
    ASSERT_TRUE(streams_.ends.ended({received}));
    ASSERT_EQ(in, std::vector<KernelWord>(kCount, i));
  }
  EXPECT_EQ(condition.epoch(), kRounds);
}

/// None of the triggers is lost.
TEST_F(KernelTest, KernelsMayTriggerAtTheSameTime) {
  constexpr KernelWord kEach = 500;
  const Condition condition = Condition::kernel(repeating());
  const auto request = streams_.ends.left->flushBuilder().condition(condition).build();
  const Handle other = gpu::makeStream();
  for (const Handle stream : {streams_.stream, other})
    launch("trigger_often", stream, 1, condition.deviceHandle(), kEach);
  ASSERT_TRUE(drains("the other stream", other));
  wait(condition, 2 * kEach);
  expectStatus(UCS_OK);
  EXPECT_EQ(condition.epoch(), 2 * kEach);
}

/// The words of the next condition are those of the last one, and count on.
TEST_F(KernelTest, ConditionsComeAndGo) {
  for (KernelWord i = 1; i <= 50; ++i) {
    const Condition condition = Condition::kernel();
    const auto sent = streams_.ends.left->tagSendBuilder(&i, 8, kTag).condition(condition).build();
    const auto received = streams_.ends.right->tagRecv(&streams_.words[3], 8, kTag, TagMaskFull);
    trigger(condition);
    wait(condition, 1);
    expectStatus(UCS_OK);
    EXPECT_EQ(streams_.words[10], 1);
    ASSERT_TRUE(streams_.ends.ended({sent, received}));
    EXPECT_EQ(streams_.words[3], i);
  }
}

TEST_F(KernelTest, AGraphOfKernelsTriggersInEachLaunch) {
  const Condition condition = Condition::kernel(repeating());
  const auto request = streams_.ends.left->flushBuilder().condition(condition).build();
  ASSERT_EQ(driver().beginCapture(streams_.stream, base::cuda::kGlobalCapture), kSuccess);
  trigger(condition);
  base::cuda::Graph graph = nullptr;
  base::cuda::Exec exec = nullptr;
  ASSERT_EQ(driver().endCapture(streams_.stream, &graph), kSuccess);
  ASSERT_EQ(driver().instantiate(&exec, graph, 0), kSuccess);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(driver().launchGraph(exec, streams_.stream), kSuccess);
  wait(condition, 20);
  expectStatus(UCS_OK);
  EXPECT_EQ(driver().destroyExec(exec), kSuccess);
  EXPECT_EQ(driver().destroyGraph(graph), kSuccess);
}

TEST_F(KernelTest, WhatFailsIsToldToTheKernel) {
  const Condition condition = Condition::kernel();
  const auto request = receive(condition);
  trigger(condition);
  wait(condition, 1);
  ASSERT_TRUE(
      streams_.ends.until([&] { return streams_.ends.right_worker->stats().armed_requests == 0; }));
  request->cancel();
  expectStatus(UCS_ERR_CANCELED);
}

TEST_F(KernelTest, ItsTimeIsUp) {
  ConditionOptions options;
  options.start_timeout = std::chrono::milliseconds(20);
  const Condition condition = Condition::kernel(options);
  const auto request = receive(condition);
  wait(condition, 1);
  ASSERT_TRUE(streams_.ends.ended({request}));
  EXPECT_EQ(request->getStatus(), UCS_ERR_TIMED_OUT);
  condition.close();
  expectStatus(UCS_ERR_CANCELED);
}

TEST_F(KernelTest, ClosedWhileAKernelWaits) {
  for (const bool repeats : {false, true}) {
    ConditionOptions options;
    options.repeat = repeats;
    const Condition condition = Condition::kernel(options);
    const auto request = receive(condition);
    wait(condition, 1);
    condition.close();
    expectStatus(UCS_ERR_CANCELED);
    ASSERT_TRUE(streams_.ends.ended({request}));
  }
}

/// Nothing was posted with it.
TEST_F(KernelTest, ClosedBeforeAPost) {
  const Condition condition = Condition::kernel();
  wait(condition, 1);
  condition.close();
  expectStatus(UCS_ERR_CANCELED);
}

TEST_F(KernelTest, TheWorkerEndsWhileAKernelWaits) {
  const Condition armed = Condition::kernel(), started = Condition::kernel();
  receive(armed);
  receive(started);
  trigger(started);
  ASSERT_TRUE(drains("the trigger", streams_.stream));
  ASSERT_TRUE(
      streams_.ends.until([&] { return streams_.ends.right_worker->stats().armed_requests == 1; }));
  const Handle other = gpu::makeStream();
  launch("wait_condition", other, 1, started.deviceHandle(), KernelWord{1},
         wordAt(streams_.words, 12));
  wait(armed, 1);
  streams_.ends.leave();
  expectStatus(UCS_ERR_CANCELED);
  ASSERT_TRUE(drains("the other stream", other));
  EXPECT_EQ(statusIn(streams_.words, 12), UCS_ERR_CANCELED);
}

/// One that does not repeat.
TEST_F(KernelTest, ASecondTriggerStartsNothing) {
  const Condition condition = Condition::kernel();
  const auto request = streams_.ends.left->flushBuilder().condition(condition).build();
  launch("trigger_often", streams_.stream, 1, condition.deviceHandle(), KernelWord{3});
  wait(condition, 2);
  expectStatus(UCS_ERR_CANCELED);
  ASSERT_TRUE(streams_.ends.ended({request}));
  EXPECT_EQ(request->getStatus(), UCS_OK);
  EXPECT_EQ(condition.epoch(), 1);
}

TEST_F(KernelTest, WrongUsesAreErrors) {
  const auto says = [](const char* words, const auto& call) {
    const std::string text = messageOf(call);
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  const Condition condition = Condition::kernel();
  says("a kernel triggers the transfers", [&] { condition.trigger(); });
  EXPECT_EQ(Condition().deviceHandle(), nullptr);
  EXPECT_EQ(Condition::host().deviceHandle(), nullptr);
  const auto request = receive(condition);
  says("another one", [&] {
    streams_.ends.left->tagSendBuilder(&streams_.words[2], 8, kTag).condition(condition).build();
  });
  trigger(condition);
  ASSERT_TRUE(drains("the trigger", streams_.stream));
  says("triggered already", [&] { receive(condition); });
  request->cancel();
  Ends without(Route::Address, Mode::Caller);
  says("no progress thread", [&] {
    without.left->tagSendBuilder(&streams_.words[2], 8, kTag)
        .condition(Condition::kernel())
        .build();
  });
  const ManagedWord managed;
  says("managed memory", [&] {
    streams_.ends.left->tagSendBuilder(managed.data(), 8, kTag)
        .condition(Condition::kernel())
        .build();
  });
}

TEST_F(KernelTest, ThereAreAsManyAsConditions) {
  std::vector<Condition> all;
  const std::string text = messageOf([&] {
    while (all.size() <= core::ConditionWords::kGrowing) all.push_back(Condition::kernel());
  });
  EXPECT_NE(text.find("conditions, and a process has no more"), std::string::npos) << text;
  EXPECT_GT(all.size(), 4000);
  all.clear();
  EXPECT_NE(Condition::kernel().deviceHandle(), nullptr);
}

}  // namespace
}  // namespace ucxx::cuda::test
