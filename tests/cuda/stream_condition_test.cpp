// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Transfers that a stream of CUDA starts, and streams that wait for transfers.

#include <chrono>
#include <thread>

#include "cuda/streams.h"

namespace ucxx::cuda::test {
namespace {

using namespace std::chrono_literals;

class StreamConditionTest : public testing::TestWithParam<std::tuple<Waits, Route, Mode>> {
 protected:
  Streams streams_{std::get<Route>(GetParam()), std::get<Mode>(GetParam())};
};

TEST_P(StreamConditionTest, StartsWhenTheStreamGetsThere) {
  Conditional conditional(std::get<Waits>(GetParam()), streams_.ends);
  streams_.shut();
  conditional.prepare(7);
  const auto request = conditional.post(streams_.condition());
  streams_.letWait(request);
  streams_.write(1);
  std::this_thread::sleep_for(10ms);  // nothing happens, however long
  EXPECT_FALSE(request->isCompleted());
  conditional.checkUntouched();
  EXPECT_FALSE(streams_.isWritten(1));
  streams_.open();
  ASSERT_TRUE(streams_.ends.ended({request}));
  EXPECT_EQ(request->getStatus(), UCS_OK);
  ASSERT_TRUE(drains("the stream", streams_.stream));
  EXPECT_TRUE(streams_.isWritten(1));
  conditional.check(request);
}

INSTANTIATE_TEST_SUITE_P(
    All, StreamConditionTest,
    testing::Combine(testing::ValuesIn(kWaits), testing::Values(Route::Self, Route::Address),
                     testing::Values(Mode::Event, Mode::Polling, Mode::Adaptive)),
    [](const auto& info) {
      return nameOf(std::get<0>(info.param)) + nameOf(std::get<1>(info.param)) +
             nameOf(std::get<2>(info.param));
    });

class StreamTest : public testing::TestWithParam<Mode> {
 protected:
  std::shared_ptr<Request> send(std::size_t word, Tag tag, const Condition& condition) {
    return streams_.ends.left->tagSendBuilder(&streams_.words[word], 8, tag)
        .condition(condition)
        .build();
  }
  std::shared_ptr<Request> receive(std::uint64_t& to, Tag tag) {
    return streams_.ends.right->tagRecv(&to, 8, tag, TagMaskFull);
  }
  Streams streams_{Route::Address, GetParam()};
};

TEST_P(StreamTest, CarriesWhatTheStreamHasWrittenBefore) {
  std::uint64_t came[3] = {};
  Requests requests;
  streams_.shut();
  for (std::uint64_t i = 0; i < 3; ++i) {
    requests.push_back(receive(came[i], kTag));
    streams_.write(2, i + 10);
    const auto sent = send(2, kTag, streams_.condition());
    streams_.letWait(sent);
    requests.push_back(sent);
  }
  streams_.open();
  ASSERT_TRUE(streams_.ends.ended(requests));
  for (std::uint64_t i = 0; i < 3; ++i) EXPECT_EQ(came[i], i + 10);
}

TEST_P(StreamTest, GoesOnWhenAnyRequestEnds) {
  std::uint64_t came = 0;
  const auto request = receive(came, kTag);
  request->waitOn(streams_.stream, true);
  streams_.write(1);
  std::this_thread::sleep_for(5ms);  // nothing happens, however long
  EXPECT_FALSE(streams_.isWritten(1));
  streams_.words[2] = 42;
  ASSERT_TRUE(streams_.ends.ended({streams_.ends.left->tagSend(&streams_.words[2], 8, kTag)}));
  ASSERT_TRUE(drains("the stream", streams_.stream));
  EXPECT_TRUE(streams_.isWritten(1));
  EXPECT_EQ(came, 42);
  request->waitOn(streams_.stream, true);  // of one that has ended: nothing
  ASSERT_TRUE(drains("the stream", streams_.stream));
}

/// Whoever waits is the other stream, and the request is dropped.
TEST_P(StreamTest, AnotherStreamWaits) {
  const Handle other = gpu::makeStream();
  std::uint64_t came = 0;
  const auto received = receive(came, kTag);
  received->waitOn(other, true);
  ASSERT_EQ(driver().writeValue64(other, streams_.words.at(3), 1, 0), base::cuda::kSuccess);
  streams_.shut();
  send(2, kTag, streams_.condition())->waitOn(other, true);
  EXPECT_EQ(driver().queryStream(other), base::cuda::kNotReady);
  streams_.open();
  ASSERT_TRUE(drains("the other stream", other));
  EXPECT_TRUE(received->isCompleted());
}

TEST_P(StreamTest, StartsInTheOrderOfTheStream) {
  constexpr std::uint64_t kCount = 200;
  std::vector<std::uint64_t> sent(kCount), came(kCount);
  Requests requests;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    sent[i] = i;
    requests.push_back(receive(came[i], kTag));
  }
  streams_.shut();
  for (std::uint64_t i = 0; i < kCount; ++i) {
    requests.push_back(streams_.ends.left->tagSendBuilder(&sent[i], 8, kTag)
                           .condition(streams_.condition())
                           .build());
    if (i == kCount / 2) streams_.open();
  }
  ASSERT_TRUE(streams_.ends.ended(requests));
  for (std::uint64_t i = 0; i < kCount; ++i) EXPECT_EQ(came[i], i);
}

TEST_P(StreamTest, ManyThreadsPostToOneStream) {
  constexpr std::uint64_t kCount = 100, kThreads = 3;
  std::vector<std::uint64_t> came(kCount * kThreads);
  Requests received;
  for (std::uint64_t i = 0; i < came.size(); ++i)
    received.push_back(receive(came[i], Tag{1 + i / kCount}));
  std::vector<std::uint64_t> numbers(kCount);
  for (std::uint64_t i = 0; i < kCount; ++i) numbers[i] = i;
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      gpu::useDevice();
      for (std::uint64_t i = 0; i < kCount; ++i) {
        streams_.ends.left->tagSendBuilder(&numbers[i], 8, Tag{1 + t})
            .condition(streams_.condition())
            .build()
            ->waitOn(streams_.stream, true);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  ASSERT_TRUE(streams_.ends.ended(received));
  for (std::uint64_t i = 0; i < came.size(); ++i) EXPECT_EQ(came[i], i % kCount) << i;
}

/// The condition counts them, and is of one worker.
TEST_P(StreamTest, OneConditionMarksManyPlaces) {
  const Condition condition = streams_.condition();
  std::uint64_t came[2] = {};
  EXPECT_EQ(condition.epoch(), 0);
  EXPECT_EQ(condition.lastStatus(), UCS_INPROGRESS);
  const Requests received{receive(came[0], kTag), receive(came[1], kTag)};
  streams_.shut();
  streams_.write(2, 1);
  const auto first = send(2, kTag, condition);
  streams_.letWait(first);
  streams_.write(2, 2);
  const auto second = send(2, kTag, condition);
  EXPECT_THROW(condition.trigger(), InvalidParamError);
  EXPECT_THROW(streams_.ends.right->flushBuilder().condition(condition).build(), InvalidParamError);
  streams_.open();
  EXPECT_TRUE(condition.wait(2, compat::kDeadline));
  EXPECT_EQ(condition.lastStatus(), UCS_OK);
  EXPECT_FALSE(condition.isOver());
  condition.close();
  EXPECT_TRUE(condition.isOver());
  EXPECT_THROW(send(2, kTag, condition), InvalidParamError);
  ASSERT_TRUE(streams_.ends.ended(received));
  EXPECT_EQ(came[0], 1);
  EXPECT_EQ(came[1], 2);
}

TEST_P(StreamTest, NothingOfABatchIsInTheStreamBeforeItsEnd) {
  std::uint64_t came[8] = {};
  Requests requests;
  for (auto& one : came) requests.push_back(receive(one, kTag));
  {
    StreamBatch batch(streams_.stream);
    for ([[maybe_unused]] auto& one : came) {
      requests.push_back(send(2, kTag, streams_.condition()));
      streams_.letWait(requests.back());
    }
    streams_.words[2] = 5;
    ASSERT_TRUE(drains("the stream", streams_.stream));
    EXPECT_FALSE(requests.back()->isCompleted());
  }
  ASSERT_TRUE(streams_.ends.ended(requests));
  for (const auto one : came) EXPECT_EQ(one, 5);
}

/// The driver takes 255 operations at once.
TEST_P(StreamTest, ABatchMayBeLong) {
  constexpr std::size_t kCount = 200;  // two operations each
  std::uint64_t came = 0;
  Requests requests;
  {
    StreamBatch batch(streams_.stream);
    for (std::size_t i = 0; i < kCount; ++i) {
      requests.push_back(receive(came, kTag));
      requests.push_back(send(2, kTag, streams_.condition()));
      streams_.letWait(requests.back());
    }
  }
  ASSERT_TRUE(streams_.ends.ended(requests));
}

TEST_P(StreamTest, TheNextPostWaitsWhereManyAreOnTheirWay) {
  constexpr std::size_t kMost = 256;
  std::vector<std::uint64_t> came(kMost + 1);
  Requests requests;
  for (auto& one : came) requests.push_back(receive(one, kTag));
  streams_.shut();
  for (std::size_t i = 0; i < kMost; ++i) requests.push_back(send(2, kTag, streams_.condition()));
  std::atomic<bool> is_posted{false};
  std::thread poster([&] {
    gpu::useDevice();
    const auto last = send(2, kTag, streams_.condition());
    is_posted = true;
    EXPECT_TRUE(streams_.ends.ended({last}));
  });
  std::this_thread::sleep_for(kShort);  // nothing happens, however long
  EXPECT_FALSE(is_posted);
  streams_.open();
  poster.join();
  ASSERT_TRUE(streams_.ends.ended(requests));
}

/// The driver still has the writes of the posts that have ended.
TEST_P(StreamTest, PlacesAreFreeWhenTheStreamHasComeToThem) {
  constexpr std::size_t kMost = 256;
  std::uint64_t came = 0;
  streams_.shut();
  Requests requests;
  const auto receiveIn = [&](const Condition& condition) {
    requests.push_back(
        streams_.ends.right->tagRecvBuilder(&came, 8, kTag).condition(condition).build());
  };
  {
    const Condition closes = streams_.condition();
    for (std::size_t i = 0; i < kMost; ++i) receiveIn(closes);
    closes.close();
  }
  ASSERT_TRUE(streams_.ends.ended(requests));
  std::atomic<bool> is_posted{false};
  std::thread poster([&] {
    gpu::useDevice();
    receiveIn(streams_.condition());
    is_posted = true;
  });
  std::this_thread::sleep_for(kShort);  // nothing happens, however long
  EXPECT_FALSE(is_posted);
  streams_.open();
  poster.join();
  ASSERT_TRUE(streams_.ends.ended({streams_.ends.left->tagSend(&streams_.words[2], 8, kTag)}));
  ASSERT_TRUE(streams_.ends.ended(requests));
}

INSTANTIATE_TEST_SUITE_P(All, StreamTest,
                         testing::Values(Mode::Event, Mode::Polling, Mode::Blocking, Mode::Adaptive,
                                         Mode::Delayed),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::cuda::test
