// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Transfers that a graph of CUDA starts and awaits, launch after launch.

#include "core/log_lines.h"
#include "cuda/launches.h"

namespace ucxx::cuda::test {
namespace {

using base::cuda::Exec;
using base::cuda::kSuccess;

class GraphConditionTest : public testing::TestWithParam<std::tuple<Waits, Route, Mode>> {
 protected:
  Streams streams_{std::get<Route>(GetParam()), std::get<Mode>(GetParam())};
};

TEST_P(GraphConditionTest, RepeatsInEachLaunch) {
  Conditional conditional(std::get<Waits>(GetParam()), streams_.ends);
  Launches launches(streams_.stream);
  launches.make();
  const Condition condition = Condition::graph(launches.graph(), {}, streams_.options);
  EXPECT_EQ(condition.node(), nullptr);
  const auto request = conditional.post(condition);
  EXPECT_NE(condition.node(), nullptr);
  for (std::uint8_t i = 1; i <= 5; ++i) {
    conditional.prepare(i);
    launches.launch();
    ASSERT_TRUE(launches.done());
    EXPECT_EQ(condition.epoch(), i);
    EXPECT_EQ(condition.lastStatus(), UCS_OK);
    conditional.check(request);
  }
  EXPECT_FALSE(request->isCompleted());
  launches.end();
  ASSERT_TRUE(streams_.ends.ended({request}));
  EXPECT_EQ(request->getStatus(), UCS_OK);
}

INSTANTIATE_TEST_SUITE_P(All, GraphConditionTest,
                         testing::Combine(testing::ValuesIn([] {
                                            std::vector<Waits> all;
                                            // A value that is compared is that of the post.
                                            for (const Waits waits : kWaits)
                                              if (canRepeat(waits) && waits != Waits::AtomicSwap)
                                                all.push_back(waits);
                                            return all;
                                          }()),
                                          testing::Values(Route::Self, Route::Address),
                                          testing::Values(Mode::Event, Mode::Polling,
                                                          Mode::Adaptive)),
                         [](const auto& info) {
                           return nameOf(std::get<0>(info.param)) +
                                  nameOf(std::get<1>(info.param)) + nameOf(std::get<2>(info.param));
                         });

/// A ring of two in one capture: the number comes back one launch after the other.
TEST_F(GraphTest, ACaptureIsReplayed) {
  attach();
  launches_.begin();
  const auto sent = send(2, streams_.condition());
  const auto came = streams_.ends.right->tagRecvBuilder(&streams_.words[3], 8, kTag)
                        .condition(streams_.condition())
                        .build();
  came->waitOn(streams_.stream);
  launches_.finish();
  for (std::uint64_t i = 1; i <= 1000; ++i) {
    streams_.words[2] = i;
    launches_.launch();
    ASSERT_TRUE(launches_.done());
    ASSERT_EQ(streams_.words[3], i);
  }
  launches_.end();
  ASSERT_TRUE(streams_.ends.ended({sent, came}));
}

/// All of them are enqueued ahead: none is lost.
TEST_F(GraphTest, ManyLaunchesAreAhead) {
  launches_.make();
  const Condition sending = Condition::graph(launches_.graph());
  const auto sent = send(2, sending);
  const Condition receiving = Condition::graph(launches_.graph(), {sending.node()});
  const auto came = receive(3, receiving);
  for (int i = 0; i < 500; ++i) launches_.launch();
  ASSERT_TRUE(drains("the graph", streams_.stream));
  EXPECT_EQ(sending.epoch(), 500);
  EXPECT_EQ(receiving.epoch(), 500);
}

/// As the proposal of UCP has it: a receive, then two sends of what came.
TEST_F(GraphTest, ABroadcast) {
  launches_.make();
  const Condition arrives = Condition::graph(launches_.graph());
  auto here =
      streams_.ends.left->tagRecvBuilder(&streams_.words[2], 8, Tag{1}).condition(arrives).build();
  const Condition leaves[]{Condition::graph(launches_.graph(), {arrives.node()}),
                           Condition::graph(launches_.graph(), {arrives.node()})};
  const Requests sent{send(2, leaves[0], Tag{2}), send(2, leaves[1], Tag{3})};
  std::uint64_t came[2] = {};
  for (std::uint64_t i = 1; i <= 100; ++i) {
    const Requests received{streams_.ends.right->tagRecv(&came[0], 8, Tag{2}, TagMaskFull),
                            streams_.ends.right->tagRecv(&came[1], 8, Tag{3}, TagMaskFull)};
    launches_.launch();
    const auto root = streams_.ends.right->tagSend(&i, 8, Tag{1});
    ASSERT_TRUE(streams_.ends.ended(received));
    ASSERT_TRUE(streams_.ends.ended({root}));
    EXPECT_EQ(came[0], i);
    EXPECT_EQ(came[1], i);
    ASSERT_TRUE(launches_.done());
  }
}

/// Two executable graphs share the words of one node.
TEST_F(GraphTest, TwoLaunchesAtATimeAreToldBusy) {
  launches_.make();
  const Condition condition = Condition::graph(launches_.graph());
  std::uint64_t came = 0;
  const auto request = receive(3, condition);
  Exec two[2] = {};
  const Handle other = gpu::makeStream();
  for (Exec& one : two) ASSERT_EQ(driver().instantiate(&one, launches_.graph(), 0), kSuccess);
  ASSERT_EQ(driver().launchGraph(two[0], streams_.stream), kSuccess);
  ASSERT_TRUE(hasStarted());  // or the two triggers are one
  Lines lines;
  ASSERT_EQ(driver().launchGraph(two[1], other), kSuccess);
  ASSERT_TRUE(streams_.ends.until([&] { return lines.with("launched a second time") != 0; }));
  const Requests sent{streams_.ends.left->tagSend(&came, 8, kTag),
                      streams_.ends.left->tagSend(&came, 8, kTag)};
  ASSERT_TRUE(drains("the first", streams_.stream));
  ASSERT_TRUE(drains("the second", other));
  EXPECT_EQ(condition.lastStatus(), UCS_ERR_BUSY);
  launches_.launch();
  ASSERT_TRUE(launches_.done());
  EXPECT_EQ(condition.lastStatus(), UCS_ERR_BUSY);
  for (const Exec one : two) EXPECT_EQ(driver().destroyExec(one), kSuccess);
}

/// The handle and the request may go right after the post; the graph keeps both.
TEST_F(GraphTest, HandlesMayBeDropped) {
  launches_.make();
  send(2, Condition::graph(launches_.graph()));
  std::uint64_t came = 0;
  for (std::uint64_t i = 1; i <= 3; ++i) {
    streams_.words[2] = i;
    launches_.launch();
    ASSERT_TRUE(streams_.ends.ended({streams_.ends.right->tagRecv(&came, 8, kTag, TagMaskFull)}));
    EXPECT_EQ(came, i);
    ASSERT_TRUE(launches_.done());
  }
  launches_.end();
  EXPECT_TRUE(
      streams_.ends.until([&] { return streams_.ends.left_worker->stats().armed_requests == 0; }));
}

TEST_F(GraphTest, WrongUsesAreErrors) {
  const auto says = [&](const char* words, const auto& call) {
    const std::string text = messageOf(call);
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  says("the graph is null", [&] { Condition::graph(nullptr); });
  launches_.make();
  const Condition none = Condition::graph(launches_.graph());
  says("after[0] is null", [&] { Condition::graph(launches_.graph(), {none.node()}); });
  const Condition condition = Condition::graph(launches_.graph());
  const auto request = send(2, condition);
  says("a graph triggers its transfers", [&] { condition.trigger(); });
  says("another one", [&] { receive(3, condition); });
  const auto later = send(2, condition);
  const auto earlier = streams_.ends.right->tagRecv(&streams_.words[3], 8, kTag, TagMaskFull);
  launches_.launch();
  ASSERT_TRUE(launches_.done());
  says("triggered already", [&] { send(2, condition); });
  launches_.end();
  ASSERT_TRUE(streams_.ends.ended({request, later, earlier}));
}

}  // namespace
}  // namespace ucxx::cuda::test
