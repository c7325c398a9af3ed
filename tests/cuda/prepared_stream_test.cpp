// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Prepared transfers that streams and graphs start and await.

#include <ucxx/prepared.h>

#include "cuda/launches.h"

namespace ucxx::cuda::test {
namespace {

constexpr std::size_t kSource = 8, kTarget = 16, kParts = 4;  // words
constexpr std::size_t kEach = 128;  // bytes of a partition, which begins with one of these

class PreparedStreamTest : public testing::Test {
 protected:
  explicit PreparedStreamTest(Route route = Route::Address) : streams_(route) {}
  void prepare(std::size_t partitions = 1) {
    Ends& ends = streams_.ends;
    const std::size_t bytes = kEach * kParts;
    send_ = ends.left->prepareSend(&streams_.words[kSource], bytes, kTag, {partitions});
    receive_ = ends.right->prepareRecv(&streams_.words[kTarget], bytes, kTag, {partitions});
  }
  void write(std::uint64_t value) {
    for (std::size_t i = 0; i < kParts; ++i) streams_.write(kSource + i, value);
  }
  bool has(std::uint64_t value) const {
    for (std::size_t i = 0; i < kParts; ++i)
      if (streams_.words[kTarget + i] != value) return false;
    return true;
  }

  Streams streams_;
  std::shared_ptr<PreparedSend> send_;
  std::shared_ptr<PreparedRecv> receive_;
};

TEST_F(PreparedStreamTest, BeginsWhenTheStreamGetsThere) {
  prepare();
  streams_.shut();
  write(7);
  const auto sent = send_->startOn(streams_.stream);
  const auto received = receive_->startOn(streams_.stream);
  receive_->waitOn(streams_.stream);
  streams_.write(1);
  EXPECT_FALSE(streams_.ends.left_worker->tagProbe(kTag)->isMatched());
  EXPECT_EQ(send_->iterations(), 0u);
  EXPECT_FALSE(streams_.isWritten(1));
  streams_.open();
  ASSERT_TRUE(streams_.ends.ended({sent, received}));
  EXPECT_TRUE(has(7));
  ASSERT_TRUE(streams_.ends.until([&] { return streams_.isWritten(1); }));
}

TEST_F(PreparedStreamTest, AThousandIterationsAreEnqueuedAhead) {
  prepare();
  for (std::uint64_t i = 1; i <= 1000; ++i) {
    write(i);
    send_->startOn(streams_.stream);
    receive_->startOn(streams_.stream);
    send_->waitOn(streams_.stream);
    receive_->waitOn(streams_.stream);
  }
  ASSERT_TRUE(drains("the stream", streams_.stream));
  EXPECT_TRUE(has(1000));
  EXPECT_EQ(receive_->iterations(), 1000u);
}

TEST_F(PreparedStreamTest, AStreamMakesPartitionsReady) {
  prepare(kParts);
  for (std::uint64_t i = 1; i <= 50; ++i) {
    receive_->start();
    send_->startOn(streams_.stream);
    for (std::size_t part = 0; part < kParts; ++part) {
      streams_.write(kSource + part, i);
      send_->readyOn(streams_.stream, part, part + 1);
    }
    send_->waitOn(streams_.stream);
    receive_->waitOn(streams_.stream);
    ASSERT_TRUE(drains("the stream", streams_.stream));
    ASSERT_TRUE(has(i));
  }
}

TEST_F(PreparedStreamTest, AStreamAwaitsWhatAThreadHasStarted) {
  prepare(kParts);
  receive_->start();
  receive_->waitOn(streams_.stream);
  streams_.write(1);
  send_->start();
  send_->ready(0, kParts - 1);
  EXPECT_FALSE(streams_.isWritten(1));
  send_->ready(kParts - 1);
  ASSERT_TRUE(streams_.ends.until([&] { return streams_.isWritten(1); }));
  send_->waitOn(streams_.stream);  // of one that has ended, and of one that never began
  const auto other = streams_.ends.left->prepareSend(&streams_.words[kSource], 8, Tag{3});
  other->waitOn(streams_.stream);
  EXPECT_TRUE(drains("the stream", streams_.stream));
}

/// That of the posted start ends with the condition.
TEST_F(PreparedStreamTest, AStreamAwaitsTheIterationOfAStartThatRepeats) {
  prepare();
  const Condition now = Condition::host(repeating());
  const auto received = receive_->start(now);
  for (std::uint64_t i = 1; i <= 3; ++i) {
    now.trigger();
    ASSERT_TRUE(streams_.ends.until([&] { return receive_->iterations() == i; }));
    receive_->waitOn(streams_.stream);
    streams_.write(1, i);
    EXPECT_FALSE(streams_.isWritten(1, i));
    send_->start();
    ASSERT_TRUE(streams_.ends.until([&] { return streams_.isWritten(1, i); }));
    ASSERT_TRUE(streams_.ends.until([&] { return send_->isCompleted(); }));
  }
  receive_->waitOn(streams_.stream);  // of one that has ended
  ASSERT_TRUE(drains("the stream", streams_.stream));
  EXPECT_FALSE(received->isCompleted());
}

/// Its place in the stream stays.
TEST_F(PreparedStreamTest, PartitionsOfAStartThatWasCancelledWhileArmedAreOfNoIteration) {
  prepare(kParts);
  receive_->start();
  for (std::uint64_t i = 1; i <= 2; ++i) {  // where none is in progress, and where one is
    streams_.words[0] = 0;
    streams_.shut();
    const auto lost = send_->startOn(streams_.stream);
    const auto parts = send_->readyOn(streams_.stream);
    lost->cancel();
    ASSERT_TRUE(streams_.ends.ended({lost}));
    EXPECT_EQ(lost->getStatus(), UCS_ERR_CANCELED);
    streams_.open();
    ASSERT_TRUE(streams_.ends.ended({parts}));
    EXPECT_EQ(parts->getStatus(), UCS_ERR_CANCELED);
    EXPECT_FALSE(receive_->arrived(0));
    if (i == 1) send_->start();
  }
  write(7);
  ASSERT_TRUE(drains("the stream", streams_.stream));
  send_->ready();
  ASSERT_TRUE(streams_.ends.until([&] { return send_->isCompleted() && receive_->isCompleted(); }));
  EXPECT_TRUE(has(7));
  receive_->start();
  write(8);
  const Requests next{send_->startOn(streams_.stream), send_->readyOn(streams_.stream)};
  ASSERT_TRUE(streams_.ends.ended(next));
  ASSERT_TRUE(streams_.ends.until([&] { return receive_->isCompleted(); }));
  EXPECT_EQ(receive_->getStatus(), UCS_OK);
  EXPECT_TRUE(has(8));
}

/// One worker, so that one node starts both ends.
class PreparedCaptureTest : public PreparedStreamTest {
 protected:
  PreparedCaptureTest() : PreparedStreamTest(Route::Self) {}
};

TEST_F(PreparedCaptureTest, EachLaunchOfACaptureIsAnIteration) {
  prepare();
  Launches launches(streams_.stream);
  attach();
  launches.begin();
  streams_.write(1);
  send_->startOn(streams_.stream);
  receive_->startOn(streams_.stream);
  receive_->waitOn(streams_.stream);
  streams_.write(2);
  launches.finish();
  for (std::uint64_t i = 1; i <= 100; ++i) {
    streams_.words[2] = 0;
    for (std::size_t k = 0; k < kParts; ++k) streams_.words[kSource + k] = i;
    launches.launch();
    ASSERT_TRUE(launches.done());
    ASSERT_TRUE(has(i));
    ASSERT_TRUE(streams_.isWritten(2));
    ASSERT_EQ(receive_->iterations(), i);
  }
}

TEST_F(PreparedStreamTest, AStreamGoesOnAfterACloseOfThePlan) {
  prepare();
  for (int i = 0; i < 5; ++i) {
    receive_->startOn(streams_.stream);
    receive_->waitOn(streams_.stream);
  }
  ASSERT_TRUE(streams_.ends.until([&] { return receive_->iterations() == 1; }));
  ASSERT_TRUE(streams_.ends.ended({receive_->close()}));
  ASSERT_TRUE(drains("the stream", streams_.stream));
  const auto late = receive_->startOn(streams_.stream);
  receive_->waitOn(streams_.stream);
  ASSERT_TRUE(drains("the stream", streams_.stream));
  EXPECT_EQ(late->getStatus(), UCS_ERR_CANCELED);
}

TEST_F(PreparedStreamTest, AStreamGoesOnAfterTheEndOfAWorker) {
  prepare();
  receive_->startOn(streams_.stream);
  receive_->waitOn(streams_.stream);
  ASSERT_TRUE(streams_.ends.until([&] { return receive_->iterations() == 1; }));
  send_ = nullptr;
  receive_ = nullptr;
  streams_.ends.leave();
  ASSERT_TRUE(drains("the stream", streams_.stream));
}

TEST_F(PreparedStreamTest, WrongUsesEnqueueNothing) {
  prepare(kParts);
  EXPECT_THROW(send_->startOn(nullptr), InvalidParamError);
  EXPECT_THROW(send_->readyOn(nullptr), InvalidParamError);
  EXPECT_THROW(send_->readyOn(streams_.stream, 0, kParts + 1), InvalidParamError);
  EXPECT_THROW(receive_->waitOn(nullptr), InvalidParamError);
  EXPECT_TRUE(drains("the stream", streams_.stream));
}

TEST(PreparedStreamModeTest, NeedsAProgressThread) {
  const Streams streams(Route::Address, Mode::Caller);
  const auto send = streams.ends.left->prepareSend(&streams.words[kSource], 8, kTag);
  EXPECT_THROW(send->startOn(streams.stream), InvalidParamError);
  EXPECT_THROW(send->deviceHandle(), InvalidParamError);
  send->start();
  EXPECT_THROW(send->waitOn(streams.stream), InvalidParamError);
}

}  // namespace
}  // namespace ucxx::cuda::test
