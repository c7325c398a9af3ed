// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// However a transfer of a graph ends: each launch goes on.

#include <thread>

#include "cuda/launches.h"

namespace ucxx::cuda::test {
namespace {

class GraphEndTest : public GraphTest {
 protected:
  GraphEndTest() { launches_.make(); }
  Condition condition(ConditionOptions options = {}) const {
    return Condition::graph(launches_.graph(), {}, options);
  }
  void expectLaunchesGoOn(const Condition& condition, ucs_status_t status) {
    for (int i = 0; i < 10; ++i) {
      launches_.launch();
      ASSERT_TRUE(launches_.done());
      EXPECT_EQ(condition.lastStatus(), status);
    }
  }
  void expectEnd(const std::shared_ptr<Request>& request, ucs_status_t status) {
    ASSERT_TRUE(streams_.ends.ended({request}));
    EXPECT_EQ(request->getStatus(), status);
  }
  /// A device has written the trigger, and the loop has not seen it.
  static bool isTriggered(const Condition& condition) {
    const auto& state = static_cast<const core::TriggeredCondition&>(*condition.state());
    return state.words().trigger() == 1;
  }
};

TEST_F(GraphEndTest, CancelledWhileArmed) {
  const Condition waits = condition();
  const auto request = receive(3, waits);
  request->cancel();
  expectEnd(request, UCS_ERR_CANCELED);
  expectLaunchesGoOn(waits, UCS_ERR_CANCELED);
}

TEST_F(GraphEndTest, CancelledWhenStarted) {
  const Condition waits = condition();
  const auto request = receive(3, waits);
  launches_.launch();
  ASSERT_TRUE(hasStarted());
  request->cancel();
  ASSERT_TRUE(launches_.done());
  expectEnd(request, UCS_ERR_CANCELED);
  expectLaunchesGoOn(waits, UCS_ERR_CANCELED);
}

TEST_F(GraphEndTest, ItsEndpointClosesWhileArmed) {
  const Condition waits = condition();
  const auto request = receive(3, waits);
  ASSERT_TRUE(streams_.ends.ended({streams_.ends.right->close()}));
  expectEnd(request, UCS_ERR_CANCELED);
  expectLaunchesGoOn(waits, UCS_ERR_CANCELED);
}

TEST_F(GraphEndTest, ItsEndpointClosesWhenStarted) {
  const Condition waits = condition();
  const auto request = receive(3, waits);
  launches_.launch();
  ASSERT_TRUE(hasStarted());
  ASSERT_TRUE(streams_.ends.ended({streams_.ends.right->close()}));
  ASSERT_TRUE(launches_.done());
  expectEnd(request, UCS_ERR_CANCELED);
  expectLaunchesGoOn(waits, UCS_ERR_CANCELED);
}

TEST_F(GraphEndTest, ThePeerCloses) {
  const Condition waits = condition();
  const auto request = receive(3, waits);
  launches_.launch();
  ASSERT_TRUE(hasStarted());
  streams_.ends.left = nullptr;
  ASSERT_TRUE(launches_.done());
  expectEnd(request, UCS_ERR_CONNECTION_RESET);
  expectLaunchesGoOn(waits, UCS_ERR_CONNECTION_RESET);
}

TEST_F(GraphEndTest, ItsTimeIsUp) {
  ConditionOptions options;
  options.transfer_timeout = std::chrono::milliseconds(20);
  const Condition waits = condition(options);
  const auto request = receive(3, waits);
  launches_.launch();
  ASSERT_TRUE(launches_.done());
  expectEnd(request, UCS_ERR_TIMED_OUT);
  expectLaunchesGoOn(waits, UCS_ERR_TIMED_OUT);
}

TEST_F(GraphEndTest, OneOfTwoFails) {
  const Condition waits = condition();
  const auto cancelled = receive(3, waits, Tag{1});
  const auto received = receive(4, waits, Tag{2});
  cancelled->cancel();
  expectEnd(cancelled, UCS_ERR_CANCELED);
  for (std::uint64_t i = 1; i <= 10; ++i) {
    launches_.launch();
    ASSERT_TRUE(streams_.ends.ended({streams_.ends.left->tagSend(&i, 8, Tag{2})}));
    ASSERT_TRUE(launches_.done());
    EXPECT_EQ(streams_.words[4], i);
  }
  EXPECT_EQ(waits.lastStatus(), UCS_ERR_CANCELED);
  launches_.end();
  expectEnd(received, UCS_OK);
}

TEST_F(GraphEndTest, TheGraphGoesBeforeItsFirstLaunch) {
  const auto request = receive(3, condition());
  launches_.end();
  expectEnd(request, UCS_OK);
}

/// The transfer is under way.
TEST_F(GraphEndTest, TheWorkerEndsInALaunch) {
  receive(3, condition());
  launches_.launch();
  ASSERT_TRUE(hasStarted());
  streams_.ends.leave();
  EXPECT_TRUE(launches_.done());
  launches_.launch();
  EXPECT_TRUE(launches_.done());
}

TEST_F(GraphEndTest, TheWorkerEndsBetweenLaunches) {
  const Condition waits = condition();
  receive(3, waits);
  streams_.ends.leave();
  expectLaunchesGoOn(waits, UCS_ERR_CANCELED);
}

/// Others keep the worker.
TEST_F(GraphEndTest, ItsConditionEndsInALaunchAndBeforeOthers) {
  const Condition waits = condition();
  const auto request = receive(3, waits);
  launches_.launch();
  ASSERT_TRUE(hasStarted());
  streams_.ends.right_worker->endDeviceConditions();
  request->cancel();
  ASSERT_TRUE(launches_.done());
  expectEnd(request, UCS_ERR_CANCELED);
  expectLaunchesGoOn(waits, UCS_ERR_CANCELED);
}

/// The transfer is under way, and stays so.
TEST_F(GraphEndTest, ItsConditionEndsWhereNobodyMovesTheWorker) {
  const Condition waits = condition();
  const auto request = receive(3, waits);
  launches_.launch();
  ASSERT_TRUE(hasStarted());
  streams_.ends.right_worker->stopProgressThread();
  streams_.ends.right_worker->endDeviceConditions();
  ASSERT_TRUE(launches_.done());
  expectLaunchesGoOn(waits, UCS_ERR_CANCELED);
}

TEST_F(GraphEndTest, AfterTheWorkersEndItsWordsAreForTheNextGraph) {
  receive(3, condition());
  streams_.ends.leave();
  launches_.launch();
  ASSERT_TRUE(launches_.done());
  launches_.end();
  const core::ConditionWords words(
      core::ConditionWords::Sort::Toggling);  // the last ones given back
  EXPECT_EQ(words.answer().done, 0u);
  EXPECT_EQ(words.trigger(), 0u);
}

class GraphOfSleeperTest : public testing::TestWithParam<Mode> {};

/// Nobody has to wake it.
TEST_P(GraphOfSleeperTest, ItsRequestsEndWithTheGraph) {
  std::uint64_t word = 1, came[2] = {};
  Streams streams(Route::Address, GetParam());
  Launches launches(streams.stream);
  launches.make();
  const auto post = [&](std::uint64_t& room) {
    return streams.ends.right->tagRecvBuilder(&room, 8, kTag)
        .condition(Condition::graph(launches.graph(), {}, streams.options))
        .build();
  };
  const Requests received{post(came[0]), post(came[1])};
  launches.launch();
  const Requests sent{streams.ends.left->tagSend(&word, 8, kTag),
                      streams.ends.left->tagSend(&word, 8, kTag)};
  ASSERT_TRUE(launches.done());
  ASSERT_TRUE(streams.ends.ended(sent));
  const auto wakeUps = [&] { return streams.ends.right_worker->stats().wake_ups; };
  const std::uint64_t before = wakeUps();
  ASSERT_TRUE(streams.ends.until([&] { return wakeUps() > before + 3; }));  // it sleeps, and looks
  launches.end();
  ASSERT_TRUE(streams.ends.ended(received));
  for (const auto& one : received) EXPECT_EQ(one->getStatus(), UCS_OK);
}

INSTANTIATE_TEST_SUITE_P(All, GraphOfSleeperTest,
                         testing::Values(Mode::Event, Mode::Blocking, Mode::Adaptive),
                         [](const auto& info) { return nameOf(info.param); });

/// Nobody moves the worker any more when a launch triggers.
TEST(GraphOfCallerTest, TheWorkerEndsBeforeItSeesTheTrigger) {
  Streams streams(Route::Address, Mode::Caller);
  streams.options.caller_progresses = true;
  Launches launches(streams.stream);
  launches.make();
  const Condition waits = Condition::graph(launches.graph(), {}, streams.options);
  std::uint64_t word = 0;
  streams.ends.right->tagRecvBuilder(&word, 8, kTag).condition(waits).build();
  const auto& state = static_cast<const core::TriggeredCondition&>(*waits.state());
  launches.launch();
  ASSERT_TRUE(gpu::eventually([&] { return state.words().trigger() == 1; }));
  streams.ends.leave();
  EXPECT_TRUE(launches.done());
  EXPECT_EQ(waits.lastStatus(), UCS_ERR_CANCELED);
  launches.launch();
  EXPECT_TRUE(launches.done());
}

/// CUDA's own thread tells of the end of a graph, and calls no callback of the program.
TEST(GraphOfCallerTest, ItsCallerAloneRunsCallbacks) {
  Streams streams(Route::Address, Mode::Caller);
  streams.options.caller_progresses = true;
  Launches launches(streams.stream);
  launches.make();
  std::uint64_t word = 0;
  std::thread::id told_by;
  const auto request = streams.ends.right->tagRecvBuilder(&word, 8, kTag)
                           .condition(Condition::graph(launches.graph(), {}, streams.options))
                           .callbackFunction([&](ucs_status_t, const std::shared_ptr<void>&) {
                             told_by = std::this_thread::get_id();
                           })
                           .build();
  launches.end();
  ASSERT_TRUE(streams.ends.ended({request}));
  EXPECT_EQ(told_by, std::this_thread::get_id());
}

}  // namespace
}  // namespace ucxx::cuda::test
