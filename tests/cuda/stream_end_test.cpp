// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// However a transfer ends, and whatever is wrong: the stream goes on.

#include <atomic>
#include <thread>

#include <sys/wait.h>

#include "base/clock.h"
#include "core/condition/condition_words.h"
#include "core/loop/loop.h"
#include "cuda/streams.h"

namespace ucxx::cuda::test {
namespace {

using namespace std::chrono_literals;
using base::cuda::kSuccess;

class StreamEndTest : public SendingTest {
 protected:
  std::shared_ptr<Request> armed() {
    auto request = send(streams_.condition());
    streams_.letWait(request);
    streams_.write(1);
    return request;
  }
  /// The stream has come to what it writes behind the wait.
  void expectTheStreamGoesOn() {
    streams_.open();
    EXPECT_TRUE(drains("the stream", streams_.stream));
    EXPECT_TRUE(streams_.isWritten(1));
  }
};

TEST_F(StreamEndTest, CancelledWhileArmed) {
  streams_.shut();
  const auto request = armed();
  request->cancel();
  ASSERT_TRUE(streams_.ends.ended({request}));
  EXPECT_EQ(request->getStatus(), UCS_ERR_CANCELED);
  expectTheStreamGoesOn();
}

TEST_F(StreamEndTest, CancelledWhenStarted) {
  std::uint64_t came = 0;
  const auto request =
      streams_.ends.left->tagRecvBuilder(&came, 8, kTag).condition(streams_.condition()).build();
  streams_.letWait(request);
  streams_.write(1);
  ASSERT_TRUE(
      streams_.ends.until([&] { return streams_.ends.left_worker->stats().armed_requests == 0; }));
  EXPECT_FALSE(request->isCompleted());
  request->cancel();
  ASSERT_TRUE(streams_.ends.ended({request}));
  EXPECT_EQ(request->getStatus(), UCS_ERR_CANCELED);
  expectTheStreamGoesOn();
}

TEST_F(StreamEndTest, TimedOutWhileArmed) {
  streams_.options.start_timeout = 20ms;
  streams_.shut();
  const auto request = armed();
  ASSERT_TRUE(streams_.ends.ended({request}));
  EXPECT_EQ(request->getStatus(), UCS_ERR_TIMED_OUT);
  expectTheStreamGoesOn();
}

TEST_F(StreamEndTest, TimedOutWhenStarted) {
  streams_.options.transfer_timeout = 20ms;
  std::uint64_t came = 0;
  const auto request =
      streams_.ends.left->tagRecvBuilder(&came, 8, kTag).condition(streams_.condition()).build();
  streams_.letWait(request);
  streams_.write(1);
  ASSERT_TRUE(streams_.ends.ended({request}));
  EXPECT_EQ(request->getStatus(), UCS_ERR_TIMED_OUT);
  expectTheStreamGoesOn();
}

TEST_F(StreamEndTest, ItsEndpointCloses) {
  streams_.shut();
  const auto request = armed();
  const auto close = streams_.ends.left->close();
  ASSERT_TRUE(streams_.ends.ended({request, close}));
  EXPECT_EQ(request->getStatus(), UCS_ERR_CANCELED);
  EXPECT_THROW(send(streams_.condition()), Error);
  expectTheStreamGoesOn();
}

TEST_F(StreamEndTest, ItsPeerLeaves) {
  streams_.shut();
  const auto request = armed();
  streams_.ends.right = nullptr;
  streams_.ends.right_worker = nullptr;
  ASSERT_TRUE(compat::until({streams_.ends.left_worker}, [&] { return request->isCompleted(); }));
  EXPECT_NE(request->getStatus(), UCS_OK);
  expectTheStreamGoesOn();
}

/// What waits for the stream goes with the worker; the write that comes afterwards starts nothing,
/// and nobody has its word before.
TEST_F(StreamEndTest, ItsWorkerEnds) {
  streams_.shut();
  std::atomic<int> cancelled{0};
  for (int i = 0; i < 100; ++i) {
    const auto count = [&](ucs_status_t status, const auto&) { cancelled += status != UCS_OK; };
    streams_.letWait(streams_.ends.left->tagSendBuilder(&word_, 8, kTag)
                         .callbackFunction(count)
                         .condition(streams_.condition())
                         .build());
  }
  streams_.write(1);
  streams_.ends.leave();
  EXPECT_EQ(cancelled, 100);
  std::vector<std::unique_ptr<core::ConditionWords>> others;
  for (int i = 0; i < 200; ++i) others.push_back(std::make_unique<core::ConditionWords>());
  expectTheStreamGoesOn();
  for (const auto& words : others) EXPECT_EQ(words->trigger(), words->base());
}

TEST_F(StreamEndTest, ItsConditionIsClosed) {
  streams_.shut();
  const Condition condition = streams_.condition();
  const auto request = send(condition);
  streams_.letWait(request);
  streams_.write(1);
  condition.close();
  ASSERT_TRUE(streams_.ends.ended({request}));
  EXPECT_EQ(request->getStatus(), UCS_ERR_CANCELED);
  expectTheStreamGoesOn();
}

/// The stream has not come there yet, and nobody looks at its word any more.
TEST_F(StreamEndTest, AfterACloseTheLoopSleeps) {
  streams_.shut();
  const Condition condition = streams_.condition();
  const auto request = send(condition);
  core::Loop& loop = streams_.ends.left_worker->loop();
  const auto hasToLook = [&] {
    base::TimePoint next{};
    loop.posts.run([&] { next = loop.watch.nextLook(base::Clock::now()); });
    return next != base::TimePoint::max();
  };
  ASSERT_TRUE(streams_.ends.until([&] { return hasToLook(); }));
  condition.close();
  ASSERT_TRUE(streams_.ends.ended({request}));
  EXPECT_TRUE(streams_.ends.until([&] { return !hasToLook(); }));
}

TEST_F(StreamEndTest, ItsRequestIsDropped) {
  streams_.shut();
  (void)armed();
  std::uint64_t came = 0;
  const auto received = streams_.ends.right->tagRecv(&came, 8, kTag, TagMaskFull);
  expectTheStreamGoesOn();
  ASSERT_TRUE(streams_.ends.ended({received}));
}

TEST_F(StreamEndTest, IsDescribed) {
  streams_.shut();
  const auto request = armed();
  ASSERT_TRUE(
      streams_.ends.until([&] { return streams_.ends.left_worker->stats().armed_requests == 1; }));
  unsigned long long id = 0;
  ASSERT_EQ(driver().streamId(streams_.stream, &id), kSuccess);
  const std::string text = streams_.ends.left_worker->describe();
  EXPECT_NE(text.find("stream " + std::to_string(id) + ", which has not reached it"),
            std::string::npos)
      << text;
  expectTheStreamGoesOn();
}

TEST_F(StreamEndTest, ACallbackCannotWaitForRoom) {
  constexpr int kMost = 256;
  streams_.shut();
  for (int i = 0; i < kMost; ++i) send(streams_.condition());
  std::string said;
  const Condition condition = streams_.condition();
  const auto in_callback = streams_.ends.left->flush(
      false, [&](ucs_status_t, const auto&) { said = messageOf([&] { send(condition); }); },
      nullptr);
  ASSERT_TRUE(streams_.ends.ended({in_callback}));
  EXPECT_NE(said.find("256 transfers of stream"), std::string::npos) << said;
}

TEST_F(StreamEndTest, WrongUsesAreErrors) {
  const auto says = [&](const char* words, const auto& call) {
    const std::string text = messageOf(call);
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  ConditionOptions repeating;
  repeating.repeat = true;
  ConditionOptions negative;
  negative.start_timeout = -1ms;
  const auto request = streams_.ends.right->tagRecv(&word_, 8, kTag, TagMaskFull);
  for (const Handle legacy : {Handle{}, base::cuda::legacyStream()}) {
    says("legacy default stream", [&] { Condition::stream(legacy); });
    says("legacy default stream", [&] { StreamBatch batch(legacy); });
    says("legacy default stream", [&] { request->waitOn(legacy); });
  }
  says("repeat is set", [&] { Condition::stream(streams_.stream, repeating); });
  says("start_timeout is -1 ms", [&] { Condition::stream(streams_.stream, negative); });
  request->cancel();
}

/// While the write waits for room in the driver.
TEST_F(StreamEndTest, ItsConditionIsClosedDuringThePost) {
  constexpr int kRoom = 1020;  // that of an H200
  const Condition condition = streams_.condition();
  streams_.shut();
  std::shared_ptr<Request> request;
  std::atomic<bool> is_full{false};
  std::thread poster([&] {
    gpu::useDevice();
    for (int i = 0; i < kRoom; ++i) streams_.write(2);
    is_full = true;
    try {
      request = send(condition);
      request->waitOn(streams_.stream);
    } catch (const InvalidParamError&) {  // it was closed before, on a machine that is busy
    }
  });
  EXPECT_TRUE(streams_.ends.until([&] { return is_full.load(); }));
  std::this_thread::sleep_for(20ms);  // nothing tells that it is inside the driver
  condition.close();
  streams_.open();
  poster.join();
  ASSERT_TRUE(request == nullptr || streams_.ends.ended({request}));
  ASSERT_TRUE(drains("the stream", streams_.stream));
}

/// The transfer has ended, and its place is still to be reached.
TEST_F(StreamEndTest, ACancelledPostCountsAsEnded) {
  streams_.shut();
  const Condition condition = streams_.condition();
  const auto request = send(condition);
  request->cancel();
  EXPECT_TRUE(condition.wait(1, compat::kDeadline));
  EXPECT_EQ(condition.epoch(), 1);
  EXPECT_EQ(condition.lastStatus(), UCS_ERR_CANCELED);
  streams_.open();
  ASSERT_TRUE(drains("the stream", streams_.stream));
  EXPECT_EQ(condition.epoch(), 1);
}

/// A call that is unsafe in captures would end that of the other stream.
TEST_F(StreamEndTest, WaitingForRoomEndsNoCapture) {
  constexpr int kMost = 256;
  const Handle other = gpu::makeStream();
  base::cuda::Graph graph = nullptr;
  streams_.shut();
  Requests requests;
  const Condition condition = streams_.condition();
  for (int i = 0; i < kMost; ++i)
    requests.push_back(streams_.ends.left->flushBuilder().condition(condition).build());
  ASSERT_EQ(driver().beginCapture(other, base::cuda::kGlobalCapture), kSuccess);
  std::thread poster([&] {
    gpu::useDevice();
    requests.push_back(streams_.ends.left->flushBuilder().condition(condition).build());
  });
  std::this_thread::sleep_for(kShort);  // it waits for room
  EXPECT_EQ(driver().endCapture(other, &graph), kSuccess);
  streams_.open();
  poster.join();
  ASSERT_TRUE(streams_.ends.ended(requests));
  ASSERT_EQ(driver().destroyGraph(graph), kSuccess);
}

/// Words whose writes have not come are nobody's; when they have come, they are free again.
TEST_F(StreamEndTest, LateWordsAreFreeWhenTheyAreWritten) {
  constexpr int kPosts = 200;
  Requests posted;
  streams_.shut();
  for (int i = 0; i < kPosts; ++i) {
    const Condition condition = streams_.condition();
    posted.push_back(streams_.ends.left->flushBuilder().condition(condition).build());
    condition.close();
  }
  ASSERT_TRUE(streams_.ends.ended(posted));
  posted.clear();
  std::vector<std::unique_ptr<core::ConditionWords>> all;
  const auto take = [&] { all.push_back(std::make_unique<core::ConditionWords>()); };
  EXPECT_THROW(for (std::size_t i = 0; i <= core::ConditionWords::kGrowing - kPosts; ++i) take(),
               NoResourceError);
  EXPECT_GE(all.size(), core::ConditionWords::kGrowing - kPosts - 10);
  streams_.open();
  ASSERT_TRUE(drains("the stream", streams_.stream));
  // The loop may still have the last one of them.
  for (int i = 0; i < kPosts; ++i)
    ASSERT_TRUE(streams_.ends.until([&] { return messageOf(take) == "no exception"; })) << i;
}

TEST_F(StreamEndTest, WithoutAProgressThreadItIsAnError) {
  Ends ends(Route::Address, Mode::Caller);
  std::uint64_t came = 0;
  const auto received = ends.right->tagRecv(&came, 8, kTag, TagMaskFull);
  const auto post = [&](ConditionOptions options) {
    return ends.left->tagSendBuilder(&word_, 8, kTag)
        .condition(Condition::stream(streams_.stream, options))
        .build();
  };
  EXPECT_NE(messageOf([&] { post({}); }).find("startProgressThread"), std::string::npos);
  EXPECT_NE(messageOf([&] { received->waitOn(streams_.stream); }).find("caller_progresses"),
            std::string::npos);
  ConditionOptions options;
  options.caller_progresses = true;
  const auto sent = post(options);
  received->waitOn(streams_.stream, true);
  ASSERT_TRUE(ends.ended({received, sent}));
  EXPECT_EQ(came, word_);
}

TEST_F(StreamEndTest, ManagedMemoryIsAnError) {
  const ManagedWord managed;
  Endpoint& end = *streams_.ends.left;
  const std::vector<ucp_dt_iov_t> blocks{{.buffer = &word_, .length = 8},
                                         {.buffer = managed.data(), .length = 8}};
  const auto plan = end.prepareSend(managed.data(), 8, kTag);
  const std::function<void(const Condition&)> posts[]{
      [&](const Condition& when) {
        end.tagSendBuilder(managed.data(), 8, kTag).condition(when).build();
      },
      [&](const Condition& when) { end.tagSendBuilder(blocks, kTag).condition(when).build(); },
      [&](const Condition& when) { end.tagRecvBuilder(blocks, kTag).condition(when).build(); },
      [&](const Condition& when) {
        end.tagMultiSendBuilder({&word_, managed.data()}, {8, 8}, {0, 0}, kTag)
            .condition(when)
            .build();
      },
      [&](const Condition& when) { plan->start(when); }};
  for (const auto& post : posts)
    EXPECT_NE(messageOf([&] { post(streams_.condition()); }).find("managed memory"),
              std::string::npos);
  EXPECT_TRUE(streams_.ends.ended({plan->close()}));
}

TEST_F(StreamEndTest, AForkedChildHasNone) {
  const Condition condition = streams_.condition();
  const pid_t child = ::fork();
  if (child == 0) {
    const bool is_error =
        messageOf([&] { send(condition); }).find("fork") != std::string::npos &&
        messageOf([&] { Condition::stream(streams_.stream); }).find("fork") != std::string::npos &&
        messageOf([] { attach(); }).find("fork") != std::string::npos;
    ::_exit(is_error ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(StreamEndTest, FourThousandAndNinetySixWait) {
  std::vector<std::unique_ptr<core::ConditionWords>> all;
  for (std::size_t i = 0; i < core::ConditionWords::kGrowing; ++i)
    all.push_back(std::make_unique<core::ConditionWords>());
  const auto request = streams_.ends.right->tagRecv(&word_, 8, kTag, TagMaskFull);
  EXPECT_THROW(send(streams_.condition()), NoResourceError);
  EXPECT_THROW(request->waitOn(streams_.stream), NoResourceError);
  all.clear();
  request->waitOn(streams_.stream);
  request->cancel();
  streams_.write(1);
  expectTheStreamGoesOn();
}

}  // namespace
}  // namespace ucxx::cuda::test
