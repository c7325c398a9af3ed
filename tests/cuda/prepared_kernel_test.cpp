// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Prepared transfers whose partitions kernels make ready and await.

#include <gmock/gmock.h>

#include <ucxx/prepared.h>

#include "cuda/condition_module.h"
#include "cuda/streams.h"

namespace ucxx::cuda::test {
namespace {

constexpr std::size_t kFrom = 8, kTo = 16, kPartitions = 4;  // words
constexpr std::size_t kBytes = 128 * kPartitions;            // a partition begins with one of these

template <class... Arguments>
void launchOne(const char* name, Handle stream, unsigned threads, Arguments... arguments) {
  void* places[]{&arguments...};
  ASSERT_EQ(
      driver().launch(conditionKernel(name), 1, 1, 1, threads, 1, 1, 0, stream, places, nullptr),
      base::cuda::kSuccess);
}

class PreparedKernelTest : public testing::TestWithParam<std::tuple<Route, Mode>> {
 protected:
  PreparedKernelTest() {
    attach();
    warmConditionKernels(streams_.stream);
  }
  void prepare(std::size_t contributors = 1, std::size_t receivers = kPartitions) {
    Ends& ends = streams_.ends;
    send_ =
        ends.left->prepareSend(&streams_.words[kFrom], kBytes, kTag, {kPartitions, contributors});
    receive_ = ends.right->prepareRecv(&streams_.words[kTo], kBytes, kTag, {receivers});
    const bool moves = streams_.options.caller_progresses;
    sender_ = send_->deviceHandle(moves);
    receiver_ = receive_->deviceHandle(moves);
  }
  KernelWord* word(std::size_t index) const {
    return reinterpret_cast<KernelWord*>(streams_.words.at(index));
  }
  /// Kernels leave the iteration in word 24.
  void makeReady(KernelWord first, KernelWord last, unsigned threads = 1) {
    launchOne("make_ready", streams_.stream, threads, sender_, first, last, word(24));
  }
  /// ... and the status in word 25.
  void wait(device::Prepared* plan, KernelWord iteration) {
    launchOne("wait_iteration", streams_.stream, 1, plan, iteration, word(25));
  }
  void expectStatus(ucs_status_t status) {
    ASSERT_TRUE(drains("the kernels", streams_.stream));
    EXPECT_EQ(static_cast<std::int64_t>(streams_.words[25].load()), status);
  }
  void fill(std::uint64_t value) {
    for (std::size_t i = 0; i < kPartitions; ++i) streams_.words[kFrom + i] = value + i;
  }
  bool has(std::uint64_t value, std::size_t partition) const {
    return streams_.words[kTo + partition] == value + partition;
  }

  Streams streams_{std::get<Route>(GetParam()), std::get<Mode>(GetParam())};
  std::shared_ptr<PreparedSend> send_;
  std::shared_ptr<PreparedRecv> receive_;
  device::Prepared* sender_ = nullptr;
  device::Prepared* receiver_ = nullptr;
};

TEST_P(PreparedKernelTest, KernelsMakePartitionsReadyAndAwaitTheEnd) {
  prepare();
  for (KernelWord i = 1; i <= 50; ++i) {
    fill(i);
    startAll({send_, receive_});
    makeReady(2, kPartitions);
    makeReady(0, 2);
    wait(sender_, i);
    expectStatus(UCS_OK);
    EXPECT_EQ(streams_.words[24], i);
    wait(receiver_, i);
    expectStatus(UCS_OK);
    for (std::size_t part = 0; part < kPartitions; ++part) ASSERT_TRUE(has(i, part));
  }
}

/// The next iteration begins as soon as a thread sees the end of this one, before kernels are told.
TEST_P(PreparedKernelTest, KernelsHearOfAnEndAlsoWhenTheNextIterationHasBegun) {
  constexpr KernelWord kTimes = 200;
  prepare();
  for (KernelWord i = 1; i <= kTimes; ++i) {
    makeReady(0, kPartitions);
    wait(sender_, i);
    wait(receiver_, i);
  }
  for (KernelWord i = 1; i <= kTimes; ++i) {
    startAll({send_, receive_});
    ASSERT_TRUE(waitAll({send_, receive_}, compat::kDeadline)) << send_->describe();
  }
  expectStatus(UCS_OK);
  EXPECT_EQ(streams_.words[24], kTimes);
}

TEST_P(PreparedKernelTest, ACallbackMayStartWhatKernelsTakePartIn) {
  Ends& ends = streams_.ends;
  const auto receive = ends.right->prepareRecv(&streams_.words[kTo], kBytes, kTag, {kPartitions});
  const auto send = ends.left->prepareSend(&streams_.words[kFrom], kBytes, kTag, {kPartitions});
  startAll({send, receive});
  send->ready();
  const auto again =
      receive->request([&](ucs_status_t, const std::shared_ptr<void>&) { receive->start(); });
  EXPECT_NE(receive->deviceHandle(streams_.options.caller_progresses), nullptr);
  ASSERT_TRUE(ends.until([&] { return receive->iterations() == 2; }));
}

TEST_P(PreparedKernelTest, SeveralContributeToEachPartition) {
  constexpr unsigned kContributors = 8;
  prepare(kContributors);
  for (KernelWord i = 1; i <= 20; ++i) {
    fill(i);
    startAll({send_, receive_});
    makeReady(0, kPartitions, kContributors - 1);
    ASSERT_TRUE(drains("the kernel", streams_.stream));
    EXPECT_FALSE(receive_->arrived(0));
    makeReady(0, kPartitions);
    wait(receiver_, i);
    wait(sender_, i);
    expectStatus(UCS_OK);
  }
}

TEST_P(PreparedKernelTest, AKernelAwaitsAPartition) {
  prepare();
  for (KernelWord i = 1; i <= 20; ++i) {
    const KernelWord part = i % kPartitions;
    fill(i);
    startAll({send_, receive_});
    makeReady(part, part + 1);
    launchOne("await_partition", streams_.stream, 1, receiver_, part, i, word(kTo + part),
              word(26));
    ASSERT_TRUE(drains("the kernels", streams_.stream));
    EXPECT_EQ(streams_.words[26], i + part);
    EXPECT_FALSE(receive_->isCompleted());
    makeReady(0, part);
    makeReady(part + 1, kPartitions);
    wait(receiver_, i);
    wait(sender_, i);
    expectStatus(UCS_OK);
  }
}

TEST_P(PreparedKernelTest, ReceiversMayHaveFewerPartitions) {
  prepare(1, 2);
  for (KernelWord i = 1; i <= 10; ++i) {
    fill(i);
    startAll({send_, receive_});
    makeReady(0, 2);
    launchOne("await_partition", streams_.stream, 1, receiver_, KernelWord{0}, i, word(kTo + 1),
              word(26));
    ASSERT_TRUE(drains("the kernels", streams_.stream));
    EXPECT_EQ(streams_.words[26], i + 1);
    makeReady(2, kPartitions);
    wait(receiver_, i);
    expectStatus(UCS_OK);
    ASSERT_TRUE(streams_.ends.until([&] { return send_->isCompleted(); }));
  }
}

/// A stream orders kernels and starts; the loop may begin the iteration later than the kernel runs.
TEST_P(PreparedKernelTest, AStreamStartsWhatKernelsMakeReady) {
  prepare();
  for (KernelWord i = 1; i <= 50; ++i) {
    receive_->start(streams_.condition());
    send_->start(streams_.condition());
    makeReady(0, kPartitions);
    send_->waitOn(streams_.stream, streams_.options.caller_progresses);
    receive_->waitOn(streams_.stream, streams_.options.caller_progresses);
  }
  ASSERT_TRUE(drains("the kernels", streams_.stream));
  EXPECT_EQ(send_->iterations(), 50u);
  EXPECT_EQ(streams_.words[24], 50u);
}

TEST_P(PreparedKernelTest, APartitionThatIsNotThereEndsThePlan) {
  prepare();
  startAll({send_, receive_});
  makeReady(kPartitions, kPartitions + 1);
  wait(sender_, 1);
  expectStatus(UCS_ERR_INVALID_PARAM);
  EXPECT_EQ(streams_.words[24], 0u);
  wait(receiver_, 1);
  expectStatus(UCS_ERR_CONNECTION_RESET);
  try {
    send_->checkError();
    ADD_FAILURE();
  } catch (const InvalidParamError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("a kernel has named partition 4, of 4"));
  }
}

TEST_P(PreparedKernelTest, APartitionThatIsReadyTwiceEndsThePlan) {
  prepare();
  startAll({send_, receive_});
  makeReady(1, 2);
  makeReady(1, 2);
  makeReady(0, 1);
  makeReady(2, kPartitions);
  wait(sender_, 1);
  expectStatus(UCS_ERR_INVALID_PARAM);
  EXPECT_THAT(messageOf([&] { send_->checkError(); }),
              testing::HasSubstr("partition 1 ready once more before the end of iteration 1"));
}

TEST_P(PreparedKernelTest, AClosedPlanAnswersItsKernels) {
  prepare();
  receive_->start();
  wait(receiver_, 1);
  ASSERT_TRUE(streams_.ends.ended({receive_->close()}));
  expectStatus(UCS_ERR_CANCELED);
  wait(receiver_, 5);
  expectStatus(UCS_ERR_CANCELED);
}

TEST_P(PreparedKernelTest, AWorkerThatEndsAnswersItsKernels) {
  prepare();
  receive_->start();
  wait(receiver_, 1);
  streams_.ends.leave();
  send_ = nullptr;
  receive_ = nullptr;
  ASSERT_TRUE(drains("the kernels", streams_.stream));
}

TEST_P(PreparedKernelTest, WrongUsesAreErrors) {
  prepare();
  startAll({send_, receive_});
  EXPECT_THROW(send_->ready(0), InvalidParamError);
  EXPECT_THROW(send_->readyOn(streams_.stream), InvalidParamError);
  EXPECT_EQ(send_->deviceHandle(), sender_);
  const auto late = streams_.ends.left->prepareSend(&streams_.words[kFrom], 8, Tag{5});
  late->start();
  EXPECT_THROW(late->deviceHandle(streams_.options.caller_progresses), InvalidParamError);
}

TEST_P(PreparedKernelTest, HandlesAreUsedAgain) {
  for (int i = 0; i < 300; ++i) {
    prepare();
    startAll({send_, receive_});
    makeReady(0, kPartitions);
    wait(receiver_, 1);
    expectStatus(UCS_OK);
  }
}

INSTANTIATE_TEST_SUITE_P(All, PreparedKernelTest,
                         testing::Combine(testing::Values(Route::Self, Route::Address),
                                          testing::Values(Mode::Event, Mode::Adaptive)),
                         [](const auto& info) {
                           return nameOf(std::get<0>(info.param)) + nameOf(std::get<1>(info.param));
                         });

}  // namespace
}  // namespace ucxx::cuda::test
