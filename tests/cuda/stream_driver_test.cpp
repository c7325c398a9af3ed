// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// What only the stand-in can show: calls that fail, calls that are counted, streams that are gone.

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "core/log_lines.h"
#include "cuda/driver/stand_in.h"
#include "cuda/streams.h"

namespace ucxx::cuda::test {
namespace {

using base::cuda::kSuccess;

/// A process with these settings of the stand-in, that ends with 0 if `body` says so.
void expectWith(const char* settings, const std::function<bool()>& body) {
  EXPECT_EXIT(
      {
        ::setenv("UCXX_CUDA_STAND_IN", settings, 1);
        std::exit(body() ? 0 : 1);
      },
      testing::ExitedWithCode(0), "")
      << settings;
}

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

TEST(StreamDriverTest, LaunchesThatBlockAreToldOf) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  for (const char* value : {"1", "0"}) {
    expectWith("", [&] {
      ::setenv("CUDA_LAUNCH_BLOCKING", value, 1);
      core::test::Lines lines;
      gpu::useDevice();
      attach();
      attach();
      return lines.with("CUDA_LAUNCH_BLOCKING is 1") == (value[0] == '1' ? 1 : 0);
    });
  }
}

/// With 8 connections: seven streams may wait.
TEST(StreamDriverTest, StreamsThatMayHoldUpAllConnectionsAreToldOnce) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  expectWith("", [] {
    ::unsetenv("CUDA_DEVICE_MAX_CONNECTIONS");
    const Streams streams;
    core::test::Lines lines;
    std::vector<Handle> handles;
    Requests posted;
    std::vector<std::size_t> told;
    for (int i = 0; i < 10; ++i) {
      handles.push_back(gpu::makeStream());
      driver().waitValue64(handles.back(), streams.words.at(9), 1, base::cuda::kGreaterOrEqual);
      posted.push_back(streams.ends.left->tagSendBuilder(&streams.words[8], 8, kTag)
                           .condition(Condition::stream(handles.back()))
                           .build());
      told.push_back(lines.with("CUDA_DEVICE_MAX_CONNECTIONS=32"));
    }
    streams.words[9] = 1;
    return streams.ends.ended(posted) &&
           told == std::vector<std::size_t>{0, 0, 0, 0, 0, 0, 0, 1, 1, 1};
  });
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

}  // namespace
}  // namespace ucxx::cuda::test
