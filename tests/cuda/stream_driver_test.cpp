// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// What only the stand-in can show: calls that fail, calls that are counted, streams that are gone.

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <ucxx/prepared.h>

#include "cuda/driver/stand_in.h"
#include "cuda/stand_in_process.h"
#include "cuda/streams.h"

namespace ucxx::cuda::test {
namespace {

using base::cuda::kSuccess;

TEST(StreamDriverTest, WhatTheDriverLacksIsSaid) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto use = [] {
    gpu::useDevice();
    Condition::stream(gpu::makeStream());
  };
  expectWith("attribute.122=0", [&] { return isSaid("attribute 122 is 0", use); });
  expectWith("fail=cuMemHostRegister=2", [&] { return isSaid("cuMemHostRegister", use); });
  expectWith("fail=cuStreamGetId=201",
             [&] { return isSaid("no context of CUDA is current", use); });
  expectWith("", [] { return isSaid("no context of CUDA is current", [] { attach(); }); });
}

/// Each call of a post fails once, after all that went before: an error, and nothing is left.
TEST(StreamDriverTest, AnyCallOfAPostMayFail) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  for (const char* call : {"cuStreamBatchMemOp", "cuStreamIsCapturing", "cuCtxGetCurrent"}) {
    const std::string settings = std::string("fail=") + call + ":5=999";
    expectWith(settings.c_str(), [] {
      Streams streams;
      std::uint64_t word = 1;
      int failures = 0;
      Requests posted;
      for (int i = 0; i < 10; ++i) {
        try {
          posted.push_back(streams.ends.left->tagSendBuilder(&word, 8, kTag)
                               .condition(streams.condition())
                               .build());
        } catch (const Error&) {
          ++failures;
        }
      }
      return failures == 1 && streams.ends.ended(posted) &&
             streams.ends.left_worker->stats().armed_requests == 0;
    });
  }
}

/// A driver may crash that is given such a stream.
using StreamGoneTest = SendingTest;

TEST_F(StreamGoneTest, ADestroyedStreamIsAnError) {
  const Handle stream = gpu::makeStream();
  const Condition condition = Condition::stream(stream);
  ASSERT_EQ(driver().destroyStream(stream), kSuccess);
  EXPECT_THROW(send(condition), InvalidParamError);
  EXPECT_THROW(Condition::stream(stream), InvalidParamError);
  EXPECT_EQ(streams_.ends.left_worker->stats().armed_requests, 0);
}

TEST_F(StreamGoneTest, ABatchOfADestroyedStreamEndsItsTransfers) {
  const Handle stream = gpu::makeStream();
  const Condition condition = Condition::stream(stream);
  StreamBatch batch(stream);
  const auto request = send(condition);
  request->waitOn(stream);
  ASSERT_EQ(driver().destroyStream(stream), kSuccess);
  EXPECT_THROW(batch.submit(), Error);
  batch.submit();  // nothing is left in it
  ASSERT_TRUE(streams_.ends.ended({request}));
  EXPECT_EQ(request->getStatus(), UCS_ERR_CANCELED);
}

/// How often a batch of so many posts, each with its wait, calls the driver.
std::uint64_t callsOfABatch(std::size_t posts) {
  Streams streams;
  std::uint64_t came = 0;
  Requests requests;
  const auto before = stand_in::callsOf("cuStreamBatchMemOp");
  {
    StreamBatch batch(streams.stream);
    for (std::size_t i = 0; i < posts; ++i) {
      requests.push_back(streams.ends.right->tagRecv(&came, 8, kTag, TagMaskFull));
      requests.push_back(streams.ends.left->tagSendBuilder(&streams.words[2], 8, kTag)
                             .condition(streams.condition())
                             .build());
      streams.letWait(requests.back());
    }
  }
  const auto calls = stand_in::callsOf("cuStreamBatchMemOp") - before;
  EXPECT_TRUE(streams.ends.ended(requests));
  return calls;
}

TEST(StreamCallsTest, ABatchIsOneCall) { EXPECT_EQ(callsOfABatch(8), 1); }
TEST(StreamCallsTest, AFullBatchIsSubmitted) { EXPECT_EQ(callsOfABatch(200), 2); }

/// A post is a write, and a wait for it is another operation of the stream.
TEST(StreamCallsTest, StartsOfSeveralPlansAreOneWriteAndOneWait) {
  Streams streams;
  std::vector<std::shared_ptr<Prepared>> plans;
  for (std::size_t i = 0; i < 8; ++i)
    plans.push_back(streams.ends.left->prepareRecv(&streams.words[8 + i], 8, Tag{i}));
  const auto before = stand_in::callsOf("cuStreamBatchMemOp");
  const auto callsSince = [&] { return stand_in::callsOf("cuStreamBatchMemOp") - before; };
  const auto started = startAll(streams.condition(), plans, StartUntil::Begun);
  EXPECT_EQ(callsSince(), 1);
  waitAllOn(streams.stream, plans);
  EXPECT_EQ(callsSince(), 2);
  for (const auto& plan : plans) EXPECT_TRUE(streams.ends.ended({plan->close()}));
  EXPECT_TRUE(drains("the stream", streams.stream));
  const auto ended = startAll(streams.condition(), plans);
  EXPECT_EQ(callsSince(), 3);
  EXPECT_TRUE(streams.ends.ended({started, ended}));
}

}  // namespace
}  // namespace ucxx::cuda::test
