// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// What is posted in a stream that is captured: which node it is in, and what comes after it.

#include <vector>

#include "cuda/launches.h"

namespace ucxx::cuda::test {
namespace {

using base::cuda::kSuccess;
using base::cuda::Node;

class GraphCaptureTest : public GraphTest {
 protected:
  GraphCaptureTest() { attach(); }
  void expectSaid(const char* words, const std::function<void()>& call) {
    const std::string text = messageOf(call);
    EXPECT_NE(text.find(words), std::string::npos) << text;
  }
  std::size_t nodes() const {
    std::size_t count = 0;
    EXPECT_EQ(driver().graphNodes(launches_.graph(), nullptr, &count), kSuccess);
    return count;
  }
  /// `to` comes after what `from` has done so far.
  static void order(Handle from, Handle to) {
    base::cuda::Event event = nullptr;
    constexpr unsigned kNoTiming = 2;
    ASSERT_EQ(driver().createEvent(&event, kNoTiming), kSuccess);
    ASSERT_EQ(driver().recordEvent(event, from), kSuccess);
    ASSERT_EQ(driver().waitEvent(to, event, 0), kSuccess);
    EXPECT_EQ(driver().destroyEvent(event), kSuccess);
  }
};

/// As two ranks do that exchange their edges: each posts its receive first.
class GraphExchangeTest : public GraphCaptureTest,
                          public testing::WithParamInterface<std::size_t> {};

TEST_P(GraphExchangeTest, BothMayReceiveFirst) {
  struct Side {
    Endpoint& endpoint;
    Launches& launches;
    Condition condition;
    std::vector<std::uint64_t> out, in;
  };
  const std::size_t size = GetParam(), count = size / 8;
  const Handle other = gpu::makeStream();
  Launches others(other);
  const std::vector<std::uint64_t> none(count);
  Side sides[]{{*streams_.ends.left, launches_, streams_.condition(), none, none},
               {*streams_.ends.right, others, Condition::stream(other), none, none}};
  Requests posted;
  for (Side& side : sides) {
    side.launches.begin();
    posted.push_back(
        side.endpoint.tagRecvBuilder(side.in.data(), size, kTag).condition(side.condition).build());
    posted.push_back(side.endpoint.tagSendBuilder(side.out.data(), size, kTag)
                         .condition(side.condition)
                         .build());
    side.launches.finish();
  }
  for (Side& side : sides) side.launches.instantiate();
  for (std::uint64_t i = 1; i <= 20; ++i) {
    sides[0].out.assign(count, i);
    sides[1].out.assign(count, 1000 + i);
    for (Side& side : sides) side.launches.launch();
    for (Side& side : sides) ASSERT_TRUE(side.launches.done());
    EXPECT_EQ(sides[0].in, sides[1].out);
    EXPECT_EQ(sides[1].in, sides[0].out);
  }
  for (Side& side : sides) side.launches.end();
  ASSERT_TRUE(streams_.ends.ended(posted));
}

INSTANTIATE_TEST_SUITE_P(Sizes, GraphExchangeTest,
                         testing::Values(std::size_t{8}, std::size_t{1} << 20),
                         testing::PrintToStringParamName());

TEST_F(GraphCaptureTest, PostsInARowAreInOneNodeUpToAWait) {
  launches_.begin();
  const auto first = send(2, streams_.condition(), Tag{1});
  const auto second = send(3, streams_.condition(), Tag{2});
  first->waitOn(streams_.stream);
  const auto third = send(4, streams_.condition(), Tag{3});
  second->waitOn(streams_.stream);
  launches_.finish();
  EXPECT_EQ(nodes(), 2);
  std::uint64_t came[3] = {};
  Requests receives;
  for (std::uint64_t i = 0; i < 3; ++i)
    receives.push_back(streams_.ends.right->tagRecv(&came[i], 8, Tag{i + 1}, TagMaskFull));
  for (std::size_t word = 2; word < 5; ++word) streams_.words[word] = word;
  launches_.launch();
  ASSERT_TRUE(launches_.done());
  ASSERT_TRUE(streams_.ends.ended(receives));
  EXPECT_EQ(came[0] * 100 + came[1] * 10 + came[2], 234);
  launches_.end();
  ASSERT_TRUE(streams_.ends.ended({first, second, third}));
}

/// What came in a launch leaves in the same launch.
TEST_F(GraphCaptureTest, APostAfterAWaitSendsWhatCame) {
  launches_.begin();
  const auto came = streams_.ends.left->tagRecvBuilder(&streams_.words[2], 8, Tag{1})
                        .condition(streams_.condition())
                        .build();
  came->waitOn(streams_.stream);
  const auto sent = send(2, streams_.condition(), Tag{2});
  launches_.finish();
  for (std::uint64_t i = 1; i <= 50; ++i) {
    std::uint64_t back = 0;
    const auto receive = streams_.ends.right->tagRecv(&back, 8, Tag{2}, TagMaskFull);
    launches_.launch();
    const auto root = streams_.ends.right->tagSend(&i, 8, Tag{1});
    ASSERT_TRUE(streams_.ends.ended({receive, root}));
    EXPECT_EQ(back, i);
    ASSERT_TRUE(launches_.done());
  }
  launches_.end();
  ASSERT_TRUE(streams_.ends.ended({came, sent}));
}

TEST_F(GraphCaptureTest, AnotherStreamComesAfterTheTransfer) {
  const Handle side = gpu::makeStream();
  launches_.begin();
  order(streams_.stream, side);
  const auto came = receive(3, Condition::stream(side));
  came->waitOn(streams_.stream);  // joins it
  streams_.write(4);
  launches_.finish();
  launches_.launch();
  EXPECT_FALSE(streams_.isWritten(4));
  ASSERT_TRUE(streams_.ends.ended({send(2, Condition())}));
  ASSERT_TRUE(launches_.done());
  EXPECT_TRUE(streams_.isWritten(4));
  launches_.end();
  ASSERT_TRUE(streams_.ends.ended({came}));
}

/// Else what the other stream does next would wait for the later post, too.
TEST_F(GraphCaptureTest, AWaitOfAnotherStreamEndsTheNode) {
  const Handle side = gpu::makeStream();
  launches_.begin();
  order(streams_.stream, side);
  const auto first = receive(3, streams_.condition(), Tag{1});
  first->waitOn(side);
  ASSERT_EQ(driver().writeValue64(side, streams_.words.at(4), 1, 0), kSuccess);
  const auto second = receive(5, streams_.condition(), Tag{2});
  order(side, streams_.stream);
  launches_.finish();
  ASSERT_EQ(nodes(), 3);
  launches_.launch();
  ASSERT_TRUE(streams_.ends.ended({send(2, Condition(), Tag{1})}));
  ASSERT_TRUE(streams_.ends.until([&] { return streams_.isWritten(4); }));
  ASSERT_TRUE(streams_.ends.ended({send(2, Condition(), Tag{2})}));
  ASSERT_TRUE(launches_.done());
  launches_.end();
  ASSERT_TRUE(streams_.ends.ended({first, second}));
}

/// The node is there all the same.
TEST_F(GraphCaptureTest, ARequestThatHasEndedJoinsItsStream) {
  const Handle side = gpu::makeStream();
  launches_.begin();
  order(streams_.stream, side);
  const auto came = receive(3, Condition::stream(side));
  came->cancel();
  ASSERT_TRUE(streams_.ends.ended({came}));
  came->waitOn(streams_.stream);
  launches_.finish();
  launches_.launch();
  EXPECT_TRUE(launches_.done());
}

TEST_F(GraphCaptureTest, ACaptureAwaitsOnlyWhatItHasPosted) {
  const auto before = streams_.ends.right->tagRecv(&streams_.words[3], 8, kTag, TagMaskFull);
  const Handle other = gpu::makeStream();
  launches_.begin();
  expectSaid("post it in the capture", [&] { before->waitOn(streams_.stream); });
  const auto sent = send(2, streams_.condition(), Tag{2});
  expectSaid("is of a graph", [&] { sent->waitOn(other); });
  launches_.finish();
  Launches others(other);
  others.begin();
  expectSaid("post it in the capture", [&] { sent->waitOn(other); });
  others.finish();
  before->cancel();
  launches_.end();
  ASSERT_TRUE(streams_.ends.ended({before, sent}));
}

TEST_F(GraphCaptureTest, AClosedConditionPostsNothing) {
  const Condition condition = streams_.condition();
  condition.close();
  launches_.begin();
  expectSaid("its condition is closed", [&] { send(2, condition); });
  launches_.finish();
  EXPECT_EQ(nodes(), 0);
}

/// The graph never comes into being, or goes: so do the requests.
TEST_F(GraphCaptureTest, ACaptureThatFailsEndsItsRequests) {
  launches_.begin();
  const auto sent = send(2, streams_.condition());
  EXPECT_NE(driver().synchronizeStream(streams_.stream), kSuccess);  // which breaks the capture
  base::cuda::Graph graph = nullptr;
  EXPECT_NE(driver().endCapture(streams_.stream, &graph), kSuccess);
  ASSERT_TRUE(streams_.ends.ended({sent}));
  EXPECT_EQ(sent->getStatus(), UCS_OK);
}

}  // namespace
}  // namespace ucxx::cuda::test
