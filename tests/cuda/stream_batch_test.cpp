// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Batches of posts, and how they end.

#include <memory>
#include <stdexcept>
#include <thread>

#include "core/condition/condition_words.h"
#include "cuda/streams.h"

namespace ucxx::cuda::test {
namespace {

using base::cuda::kSuccess;

class StreamBatchTest : public SendingTest {
 protected:
  /// A capture of its stream has begun before.
  void failToSubmit(StreamBatch& batch) const {
    base::cuda::Graph graph = nullptr;
    ASSERT_EQ(driver().beginCapture(streams_.stream, base::cuda::kRelaxedCapture), kSuccess);
    EXPECT_THROW(batch.submit(), UnsupportedError);
    ASSERT_EQ(driver().endCapture(streams_.stream, &graph), kSuccess);
    EXPECT_EQ(driver().destroyGraph(graph), kSuccess);
  }
};

/// A batch of before would be written again in each launch.
TEST_F(StreamBatchTest, ABatchOfBeforeDoesNotEnterACapture) {
  base::cuda::Graph graph = nullptr;
  StreamBatch batch(streams_.stream);
  const auto request = send(streams_.condition());
  ASSERT_EQ(driver().beginCapture(streams_.stream, base::cuda::kRelaxedCapture), kSuccess);
  EXPECT_THROW(batch.submit(), UnsupportedError);
  ASSERT_EQ(driver().endCapture(streams_.stream, &graph), kSuccess);
  std::size_t nodes = 9;
  ASSERT_EQ(driver().graphNodes(graph, nullptr, &nodes), kSuccess);
  EXPECT_EQ(nodes, 0);
  ASSERT_EQ(driver().destroyGraph(graph), kSuccess);
  ASSERT_TRUE(streams_.ends.ended({request}));
  EXPECT_EQ(request->getStatus(), UCS_ERR_CANCELED);
}

TEST_F(StreamBatchTest, OfBatchesOnOneStreamTheOutermostCollects) {
  std::uint64_t sent[]{1, 2, 3}, came[3] = {};
  Requests requests;
  const auto post = [&](std::size_t i) {
    requests.push_back(streams_.ends.right->tagRecv(&came[i], 8, kTag, TagMaskFull));
    requests.push_back(streams_.ends.left->tagSendBuilder(&sent[i], 8, kTag)
                           .condition(streams_.condition())
                           .build());
  };
  StreamBatch outer(streams_.stream);
  post(0);
  {
    StreamBatch inner(streams_.stream);
    post(1);
  }
  EXPECT_TRUE(
      streams_.ends.until([&] { return streams_.ends.left_worker->stats().armed_requests == 2; }));
  post(2);
  outer.submit();
  ASSERT_TRUE(streams_.ends.ended(requests));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(came[i], sent[i]);
}

/// The stream that is full waits for one whose batch is open.
TEST_F(StreamBatchTest, APostThatWaitsForRoomSubmitsAllBatches) {
  constexpr int kMost = 256;
  const Handle other = gpu::makeStream();
  std::uint64_t came = 0;
  Requests requests;
  StreamBatch batch(other);
  requests.push_back(streams_.ends.right->tagRecv(&came, 8, kTag, TagMaskFull));
  requests.push_back(streams_.ends.left->tagSendBuilder(&word_, 8, kTag)
                         .condition(Condition::stream(other))
                         .build());
  requests.back()->waitOn(streams_.stream);
  for (int i = 0; i <= kMost; ++i)
    requests.push_back(streams_.ends.left->flushBuilder().condition(streams_.condition()).build());
  ASSERT_TRUE(streams_.ends.ended(requests));
}

/// With places that nobody gives back, the second round would wait for ever.
TEST_F(StreamBatchTest, WhatHasEndedAndDoesNotEnterTheStreamHasNoPlaceThere) {
  for (int round = 0; round < 3; ++round) {
    StreamBatch batch(streams_.stream);
    Requests requests;
    {
      const Condition closes = streams_.condition();
      for (int i = 0; i < 200; ++i) requests.push_back(send(closes));
      closes.close();
    }
    ASSERT_TRUE(streams_.ends.ended(requests));
    ASSERT_NO_FATAL_FAILURE(failToSubmit(batch));
  }
}

/// Nobody writes them later.
TEST_F(StreamBatchTest, WordsOfPostsThatDoNotEnterTheStreamAreFree) {
  constexpr std::size_t kPosts = 200;
  for (std::size_t posted = 0; posted <= core::ConditionWords::kGrowing; posted += kPosts) {
    StreamBatch batch(streams_.stream);
    Requests requests;
    for (std::size_t i = 0; i < kPosts; ++i) requests.push_back(send(streams_.condition()));
    ASSERT_NO_FATAL_FAILURE(failToSubmit(batch));
    ASSERT_TRUE(streams_.ends.ended(requests));
    for (const auto& one : requests) ASSERT_EQ(one->getStatus(), UCS_ERR_CANCELED);
  }
  EXPECT_TRUE(Condition::host());
  std::uint64_t came = 0;
  const auto received = streams_.ends.right->tagRecv(&came, 8, kTag, TagMaskFull);
  ASSERT_TRUE(streams_.ends.ended({send(streams_.condition()), received}));
  EXPECT_EQ(came, word_);
}

TEST_F(StreamBatchTest, AnExceptionThroughABatchSubmitsIt) {
  std::uint64_t came = 0;
  std::shared_ptr<Request> request;
  try {
    const StreamBatch batch(streams_.stream);
    request = send(streams_.condition());
    throw std::runtime_error("of the program");
  } catch (const std::runtime_error&) {
  }
  ASSERT_TRUE(
      streams_.ends.ended({request, streams_.ends.right->tagRecv(&came, 8, kTag, TagMaskFull)}));
}

/// Its own thread alone may touch what it has collected.
TEST_F(StreamBatchTest, ABatchThatEndsInAnotherThreadIsSubmittedByTheNextPost) {
  std::uint64_t came[2] = {};
  auto batch = std::make_unique<StreamBatch>(streams_.stream);
  const auto collected = send(streams_.condition());
  std::thread([&] { batch.reset(); }).join();
  EXPECT_FALSE(collected->isCompleted());
  const auto next = send(streams_.condition());
  ASSERT_TRUE(streams_.ends.ended({collected, next,
                                   streams_.ends.right->tagRecv(&came[0], 8, kTag, TagMaskFull),
                                   streams_.ends.right->tagRecv(&came[1], 8, kTag, TagMaskFull)}));
}

TEST_F(StreamBatchTest, AThreadThatEndsSubmitsItsBatches) {
  std::uint64_t came = 0;
  std::unique_ptr<StreamBatch> batch;
  std::shared_ptr<Request> request;
  std::thread([&] {
    gpu::useDevice();
    batch = std::make_unique<StreamBatch>(streams_.stream);
    request = send(streams_.condition());
  }).join();
  EXPECT_TRUE(
      streams_.ends.ended({request, streams_.ends.right->tagRecv(&came, 8, kTag, TagMaskFull)}));
  batch.reset();
}

}  // namespace
}  // namespace ucxx::cuda::test
