// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Several plans at one place of a stream or in one node of a graph, and starts that end when the
// iteration has begun, so that kernels behind them make partitions ready.

#include <gmock/gmock.h>

#include <ucxx/prepared.h>

#include "cuda/condition_module.h"
#include "cuda/launches.h"

namespace ucxx::cuda::test {
namespace {

constexpr std::size_t kPartitions = 4, kBytes = 64 * kPartitions;

class PreparedBegunTest : public testing::TestWithParam<Route> {
 protected:
  PreparedBegunTest() {
    attach();
    warmConditionKernels(streams_.stream);
    for (std::size_t i = 0; i < 2; ++i) {
      Ends& ends = streams_.ends;
      sends_[i] = ends.left->prepareSend(buffer(sources_, i), kBytes, Tag{i}, {kPartitions});
      receives_[i] = ends.right->prepareRecv(buffer(targets_, i), kBytes, Tag{i}, {kPartitions});
    }
  }
  ~PreparedBegunTest() override { streams_.open(); }

  static std::byte* buffer(std::vector<std::byte>& memory, std::size_t i) {
    return memory.data() + i * kBytes;
  }
  KernelWord* word(std::size_t index) const {
    return reinterpret_cast<KernelWord*>(streams_.words.at(index));
  }
  template <class... Arguments>
  void launchIn(Handle stream, const char* name, Arguments... arguments) {
    void* places[]{&arguments...};
    ASSERT_EQ(driver().launch(conditionKernel(name), 1, 1, 1, 1, 1, 1, 0, stream, places, nullptr),
              base::cuda::kSuccess);
  }
  template <class... Arguments>
  void launch(const char* name, Arguments... arguments) {
    launchIn(streams_.stream, name, arguments...);
  }
  void makeReady(device::Prepared* handle) { makeReady(handle, streams_.stream); }
  void makeReady(device::Prepared* handle, Handle stream) {
    launchIn(stream, "make_ready", handle, KernelWord{0}, KernelWord{kPartitions}, word(4));
  }
  std::vector<std::shared_ptr<Prepared>> all() const {
    return {receives_[0], receives_[1], sends_[0], sends_[1]};
  }
  void fill(unsigned seed) {
    const auto next = bytes(2 * kBytes, seed);
    std::copy(next.begin(), next.end(), sources_.begin());
  }
  bool areDone(std::uint64_t iteration) const {
    for (const auto& plan : all())
      if (plan->iterations() != iteration || !plan->isCompleted() || plan->getStatus() != UCS_OK)
        return false;
    return true;
  }
  std::size_t nodes() const {
    std::size_t count = 0;
    EXPECT_EQ(driver().graphNodes(launches_.graph(), nullptr, &count), base::cuda::kSuccess);
    return count;
  }

  Streams streams_{GetParam()};
  Launches launches_{streams_.stream};
  std::vector<std::byte> sources_{2 * kBytes}, targets_{2 * kBytes};
  std::shared_ptr<PreparedSend> sends_[2];
  std::shared_ptr<PreparedRecv> receives_[2];
};

TEST_P(PreparedBegunTest, KernelsBehindTheStartMakePartitionsReady) {
  device::Prepared* const handles[]{sends_[0]->deviceHandle(), sends_[1]->deviceHandle()};
  for (unsigned i = 1; i <= 100; ++i) {
    fill(i);
    receives_[0]->startOn(streams_.stream, StartUntil::Begun)->waitOn(streams_.stream);
    sends_[0]->startOn(streams_.stream, StartUntil::Begun)->waitOn(streams_.stream);
    receives_[1]->start();
    sends_[1]->startOn(streams_.stream);
    for (device::Prepared* const handle : handles) makeReady(handle);
    for (const auto& plan : all()) plan->waitOn(streams_.stream);
    streams_.write(1, i);
    ASSERT_TRUE(drains("the stream", streams_.stream));
    ASSERT_TRUE(streams_.isWritten(1, i));
    ASSERT_TRUE(areDone(i));
    ASSERT_EQ(targets_, sources_);
  }
}

/// As by `waitOn` of each: the iteration of the plan whose condition repeats is that in progress
/// when the stream gets there, though another plan takes longer.
TEST_P(PreparedBegunTest, AStreamAwaitsTheIterationThatWasInProgress) {
  const Ends& ends = streams_.ends;
  ConditionOptions repeating;
  repeating.repeat = true;
  const Condition now = Condition::host(repeating);
  const auto started = startAll(now, {receives_[1]}, StartUntil::Begun);
  const auto begins = [&](std::uint64_t iteration) {
    now.trigger();
    ASSERT_TRUE(ends.until([&] { return receives_[1]->iterations() == iteration; }));
  };
  const auto are_armed = [&](std::uint64_t requests) {
    return ends.until([&] { return ends.right_worker->stats().armed_requests == requests; });
  };
  begins(1);
  receives_[0]->start();
  streams_.shut();  // else its request may start before it is seen to be armed
  waitAllOn(streams_.stream, {receives_[0], receives_[1]});
  streams_.write(1);
  ASSERT_TRUE(are_armed(2));
  streams_.open();
  ASSERT_TRUE(are_armed(1));  // the stream got there
  sends_[1]->start();
  sends_[1]->ready();
  ASSERT_TRUE(ends.until([&] { return receives_[1]->isCompleted(); }));
  begins(2);  // and nobody sends for it
  sends_[0]->start();
  sends_[0]->ready();
  ASSERT_TRUE(drains("the stream", streams_.stream));
  EXPECT_TRUE(streams_.isWritten(1));
  EXPECT_EQ(receives_[1]->getStatus(), UCS_INPROGRESS);
  now.close();
}

/// In one kernel after the other: trigger, await the begin, make ready, and await the end.
TEST_P(PreparedBegunTest, AKernelTriggersTheStart) {
  device::Prepared* const handles[]{sends_[0]->deviceHandle(), sends_[1]->deviceHandle()};
  ConditionOptions options;
  options.repeat = true;
  const Condition now = Condition::kernel(options);
  const auto started = startAll(now, {sends_[0], sends_[1]}, StartUntil::Begun);
  for (KernelWord i = 1; i <= 20; ++i) {
    fill(static_cast<unsigned>(i));
    startAll({receives_[0], receives_[1]});
    launch("trigger_condition", now.deviceHandle(), word(5));
    launch("wait_condition", now.deviceHandle(), i, word(6));
    for (device::Prepared* const handle : handles) makeReady(handle);
    for (const auto& plan : all()) plan->waitOn(streams_.stream);
    streams_.write(1, i);
    ASSERT_TRUE(drains("the stream", streams_.stream));
    ASSERT_TRUE(areDone(i));
    ASSERT_EQ(targets_, sources_);
    ASSERT_EQ(streams_.words[6], static_cast<KernelWord>(UCS_OK));
  }
  now.close();
  ASSERT_TRUE(streams_.ends.ended({started}));
}

TEST_P(PreparedBegunTest, SeveralAreOnePlaceInAStream) {
  device::Prepared* const handles[]{sends_[0]->deviceHandle(), sends_[1]->deviceHandle()};
  streams_.shut();
  const auto started =
      startAll(Condition::stream(streams_.stream), {sends_[0], sends_[1]}, StartUntil::Begun);
  ASSERT_TRUE(
      streams_.ends.until([&] { return streams_.ends.left_worker->stats().armed_requests == 1; }));
  waitAllOn(streams_.stream, {sends_[0], sends_[1]});
  streams_.write(1);
  streams_.open();
  ASSERT_TRUE(streams_.ends.ended({started}));
  EXPECT_EQ(sends_[0]->iterations(), 1u);
  EXPECT_EQ(sends_[1]->iterations(), 1u);
  EXPECT_FALSE(streams_.isWritten(1));
  startAll({receives_[0], receives_[1]});
  const Handle other = gpu::makeStream();
  makeReady(handles[0], other);
  EXPECT_FALSE(streams_.isWritten(1));
  makeReady(handles[1], other);
  ASSERT_TRUE(streams_.ends.until([&] { return streams_.isWritten(1); }));
}

/// Another stream comes to its wait before the start has begun.
TEST_P(PreparedBegunTest, AnotherStreamWaitsForTheIterationThatWasPosted) {
  const Handle other = gpu::makeStream();
  streams_.shut();
  sends_[0]->startOn(streams_.stream, StartUntil::Begun);
  sends_[0]->waitOn(other);
  ASSERT_EQ(driver().writeValue64(other, streams_.words.at(2), 1, 0), base::cuda::kSuccess);
  receives_[0]->start();
  streams_.open();
  ASSERT_TRUE(streams_.ends.until([&] { return sends_[0]->iterations() == 1; }));
  EXPECT_FALSE(streams_.isWritten(2));
  sends_[0]->ready();
  ASSERT_TRUE(streams_.ends.until([&] { return streams_.isWritten(2); }));
}

TEST_P(PreparedBegunTest, AStreamWaitsForOneOfSeveralAlone) {
  const auto started = startAll(Condition::stream(streams_.stream), {receives_[0], receives_[1]});
  receives_[0]->waitOn(streams_.stream);
  streams_.write(1);
  started->waitOn(streams_.stream);
  streams_.write(2);
  sends_[0]->start();
  sends_[0]->ready();
  ASSERT_TRUE(streams_.ends.until([&] { return streams_.isWritten(1); }));
  EXPECT_FALSE(streams_.isWritten(2));
  sends_[1]->start();
  sends_[1]->ready();
  ASSERT_TRUE(streams_.ends.until([&] { return streams_.isWritten(2); }));
}

/// Of what has begun when it gets there.
TEST_P(PreparedBegunTest, AStreamWaitsForTheIterationsOfAStartThatRepeats) {
  const Condition now = Condition::host(repeating());
  const auto started = startAll(now, {receives_[0], receives_[1]}, StartUntil::Begun);
  for (std::uint64_t i = 1; i <= 3; ++i) {
    now.trigger();
    ASSERT_TRUE(streams_.ends.until([&] { return now.epoch() == i; }));
    waitAllOn(streams_.stream, {receives_[0], receives_[1]});
    streams_.write(1, i);
    for (const auto& send : sends_) {
      EXPECT_FALSE(streams_.isWritten(1, i));
      send->start();
      send->ready();
      ASSERT_TRUE(streams_.ends.until([&] { return send->isCompleted(); }));
    }
    ASSERT_TRUE(streams_.ends.until([&] { return streams_.isWritten(1, i); }));
  }
  EXPECT_FALSE(started->isCompleted());
}

TEST_P(PreparedBegunTest, AStreamGoesOnAfterTheEndOfAWorker) {
  startAll(Condition::stream(streams_.stream), {receives_[0], receives_[1]}, StartUntil::Begun);
  waitAllOn(streams_.stream, {receives_[0], receives_[1]});
  streams_.write(1);
  ASSERT_TRUE(streams_.ends.until([&] { return receives_[1]->iterations() == 1; }));
  for (auto& send : sends_) send = nullptr;
  for (auto& receive : receives_) receive = nullptr;
  streams_.ends.leave();
  ASSERT_TRUE(drains("the stream", streams_.stream));
  EXPECT_TRUE(streams_.isWritten(1));
}

TEST_P(PreparedBegunTest, WrongUsesEnqueueNothing) {
  EXPECT_THROW(waitAllOn(streams_.stream, {}), InvalidParamError);
  EXPECT_THROW(waitAllOn(streams_.stream, {sends_[0], nullptr}), InvalidParamError);
  EXPECT_THROW(waitAllOn(nullptr, {sends_[0]}), InvalidParamError);
  EXPECT_THROW(sends_[0]->startOn(nullptr, StartUntil::Begun), InvalidParamError);
  sends_[0]->start();
  launches_.begin();
  EXPECT_THROW(sends_[0]->waitOn(streams_.stream), UnsupportedError);
  launches_.finish();
  EXPECT_EQ(nodes(), 0u);
}

INSTANTIATE_TEST_SUITE_P(All, PreparedBegunTest, testing::Values(Route::Self, Route::Address),
                         [](const auto& info) { return nameOf(info.param); });

/// One worker, so that one node starts both ends.
class PreparedBegunCaptureTest : public PreparedBegunTest {
 protected:
  void launchOften() {
    for (unsigned i = 1; i <= 50; ++i) {
      fill(i);
      launches_.launch();
      ASSERT_TRUE(launches_.done());
      ASSERT_TRUE(areDone(i)) << i;
      ASSERT_EQ(targets_, sources_);
    }
  }
};

/// The kernels come behind the node of the start, and would wait for it in vain.
TEST_P(PreparedBegunCaptureTest, KernelsOfTheSameGraphMakePartitionsReady) {
  device::Prepared* const handles[]{sends_[0]->deviceHandle(), sends_[1]->deviceHandle()};
  launches_.begin();
  const auto started = startAll(Condition::stream(streams_.stream), all(), StartUntil::Begun);
  for (device::Prepared* const handle : handles) makeReady(handle);
  waitAllOn(streams_.stream, all());
  streams_.write(1);
  launches_.finish();
  EXPECT_EQ(nodes(), 5u);  // the start, the kernels, the end, the write
  launchOften();
  EXPECT_FALSE(started->isCompleted());
  launches_.end();
  ASSERT_TRUE(streams_.ends.ended({started}));
  EXPECT_EQ(started->getStatus(), UCS_OK);
}

TEST_P(PreparedBegunCaptureTest, EachPlanHasAnEndOfItsOwn) {
  device::Prepared* const handles[]{sends_[0]->deviceHandle(), sends_[1]->deviceHandle()};
  launches_.begin();
  for (const auto& plan : all()) plan->startOn(streams_.stream, StartUntil::Begun);
  for (device::Prepared* const handle : handles) makeReady(handle);
  for (const auto& plan : all()) plan->waitOn(streams_.stream);
  launches_.finish();
  EXPECT_EQ(nodes(), 7u);  // the starts, the kernels, four ends
  launchOften();
}

TEST_P(PreparedBegunCaptureTest, TheNodeOfSeveralEndsWithTheirIterations) {
  launches_.begin();
  const auto started = startAll(Condition::stream(streams_.stream), all());
  sends_[0]->readyOn(streams_.stream);
  sends_[1]->readyOn(streams_.stream);
  waitAllOn(streams_.stream, all());
  streams_.write(1);
  launches_.finish();
  EXPECT_EQ(nodes(), 2u);
  launchOften();
}

/// The launches are awaited by another stream, outside of the graph.
TEST_P(PreparedBegunCaptureTest, AStreamAwaitsTheIterationOfALaunch) {
  launches_.begin();
  startAll(Condition::stream(streams_.stream), all(), StartUntil::Begun);
  launches_.finish();
  for (unsigned i = 1; i <= 10; ++i) {
    fill(i);
    launches_.launch();
    waitAllOn(streams_.stream, all());
    streams_.write(1, i);
    ASSERT_TRUE(streams_.ends.until([&] { return sends_[1]->iterations() == i; }));
    EXPECT_FALSE(streams_.isWritten(1, i));
    for (const auto& send : sends_) send->ready();
    ASSERT_TRUE(launches_.done());
    ASSERT_TRUE(areDone(i));
    ASSERT_EQ(targets_, sources_);
  }
}

TEST_P(PreparedBegunCaptureTest, LaunchesGoOnAfterTheCloseOfAPlan) {
  launches_.begin();
  const auto started = startAll(Condition::stream(streams_.stream), all(), StartUntil::Begun);
  waitAllOn(streams_.stream, all());
  launches_.finish();
  launches_.launch();
  ASSERT_TRUE(streams_.ends.until([&] { return sends_[1]->iterations() == 1; }));
  for (const auto& send : sends_) ASSERT_TRUE(streams_.ends.ended({send->close()}));
  ASSERT_TRUE(launches_.done());
  launches_.launch();
  ASSERT_TRUE(launches_.done());
  ASSERT_TRUE(streams_.ends.ended({started}));
  EXPECT_EQ(started->getStatus(), UCS_ERR_CONNECTION_RESET);
  launches_.launch();
  ASSERT_TRUE(launches_.done());
}

INSTANTIATE_TEST_SUITE_P(All, PreparedBegunCaptureTest, testing::Values(Route::Self),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::cuda::test
