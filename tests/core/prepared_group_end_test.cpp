// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// How posts that start several plans end otherwise than by their iterations.

#include <algorithm>
#include <thread>

#include <gmock/gmock.h>

#include "core/prepared_group.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

class PreparedGroupEndTest : public PreparedGroupTest {
 protected:
  /// To another worker, which the sending one reaches by another endpoint.
  void addAPeer() {
    third_ = ends_.context->createWorker();
    third_->startProgressThread(ProgressOptions{});
    there_ = ends_.left_worker->createEndpointFromWorkerAddress(third_->getAddress());
    here_ = third_->createEndpointFromWorkerAddress(ends_.left_worker->getAddress());
    sends_.push_back(there_->prepareSend(sources_[0]->data(), kBytes, Tag{40}, {kParts}));
    receives_.push_back(here_->prepareRecv(target_.data(), kBytes, Tag{40}, {kParts}));
    ASSERT_TRUE(ends_.until([&] { return !there_->getPeerAddress().empty(); }));
  }
  static bool hasNoEndpoints(Worker& worker) {
    const WorkerReport report = worker.report();
    return report.ended.empty() && std::ranges::all_of(report.peers, [](const auto& peer) {
             return peer.endpoints.empty();
           });
  }
  void expectOneIteration(std::size_t plan, unsigned seed) {
    sources_[plan]->fill(seed);
    ASSERT_TRUE(
        ends_.until([&] { return receives_[plan]->isCompleted() && sends_[plan]->isCompleted(); }));
    EXPECT_EQ(sends_[plan]->getStatus(), UCS_OK);
  }

  Memory target_{ends_.context, Owner::User, kBytes};
  std::shared_ptr<Worker> third_;
  std::shared_ptr<Endpoint> there_, here_;
};

TEST_P(PreparedGroupEndTest, ACancelBeforeTheTriggerBeginsNone) {
  prepare(kParts);
  const Condition start = Condition::host(), ready = Condition::host();
  const auto started = startAll(start, sends(), StartUntil::Begun);
  const auto parts = sends_[1]->ready(ready, 0, kParts);
  ASSERT_TRUE(areArmed(2));
  started->cancel();
  ASSERT_TRUE(ends_.ended({started}));
  EXPECT_EQ(started->getStatus(), UCS_ERR_CANCELED);
  ready.trigger();
  ASSERT_TRUE(ends_.ended({parts}));
  EXPECT_EQ(parts->getStatus(), UCS_ERR_CANCELED);
  for (const auto& send : sends_) EXPECT_EQ(send->iterations(), 0u);
  startAll(sends());
  startAll(receives());
  fill(1);
  readyAll();
  ASSERT_TRUE(areDone(1));
}

TEST_P(PreparedGroupEndTest, ACancelTakesBackWhatHasNotBegun) {
  prepare(kParts);
  for (const StartUntil until : {StartUntil::Ended, StartUntil::Begun}) {
    const std::uint64_t before = receives_[1]->iterations();
    receives_[0]->start();  // its next one waits
    const Condition now = Condition::host();
    const auto started = startAll(now, receives(), until);
    now.trigger();
    ASSERT_TRUE(haveBegun({receives_[1], receives_[2]}, before + 1));
    started->cancel();
    if (until == StartUntil::Begun) {
      ASSERT_TRUE(ends_.ended({started}));
    } else {
      (void)ends_.right_worker->report();  // the cancel comes before it
      EXPECT_FALSE(started->isCompleted());
    }
    fill(1);
    startAll(sends());
    readyAll();
    ASSERT_TRUE(ends_.ended({started}));
    EXPECT_EQ(started->getStatus(), UCS_ERR_CANCELED);
    ASSERT_TRUE(areDone(before + 1));
  }
}

/// The start is lost after it has begun: the partitions of that iteration are not.
TEST_P(PreparedGroupEndTest, PartitionsOfTheLastIterationAreNotLost) {
  prepare(kParts);
  const Condition start = Condition::host(repeating()), ready = Condition::host(repeating());
  const auto started = startAll(start, sends(), StartUntil::Begun);
  const auto parts = sends_[0]->ready(ready, 0, kParts);
  start.trigger();
  ASSERT_TRUE(haveBegun(sends(), 1));
  started->cancel();
  ASSERT_TRUE(ends_.ended({started}));
  receives_[0]->start();
  fill(4);
  ready.trigger();
  ASSERT_TRUE(ends_.until([&] { return sends_[0]->isCompleted() && receives_[0]->isCompleted(); }));
  EXPECT_EQ(sends_[0]->getStatus(), UCS_OK);
  EXPECT_TRUE(targets_[0]->has(4));
  EXPECT_FALSE(parts->isCompleted());
  ready.trigger();  // of no iteration
  ASSERT_TRUE(ends_.ended({parts}));
  EXPECT_EQ(parts->getStatus(), UCS_ERR_CANCELED);
  EXPECT_EQ(sends_[0]->getStatus(), UCS_OK);
}

TEST_P(PreparedGroupEndTest, TheOthersBeginWhenOnePlanIsClosed) {
  prepare(kParts);
  for (const StartUntil until : {StartUntil::Ended, StartUntil::Begun}) {
    const std::uint64_t before = receives_[1]->iterations();
    const Condition now = Condition::host();
    const auto started = startAll(now, receives(), until);
    ASSERT_TRUE(ends_.ended({receives_[0]->close()}));
    EXPECT_FALSE(started->isCompleted());
    now.trigger();
    ASSERT_TRUE(haveBegun({receives_[1], receives_[2]}, before + 1));
    for (std::size_t i = 1; i < kCount; ++i) {
      sends_[i]->start();
      sends_[i]->ready();
    }
    ASSERT_TRUE(ends_.ended({started}));
    EXPECT_EQ(started->getStatus(), UCS_ERR_CANCELED);
    EXPECT_THAT(messageOf([&] { started->checkError(); }),
                testing::HasSubstr("closed at this end"));
    for (std::size_t i = 1; i < kCount; ++i)
      ASSERT_TRUE(ends_.until([&, i] { return receives_[i]->isCompleted(); }));
  }
}

TEST_P(PreparedGroupEndTest, AFailureEndsWhatRepeatsForAll) {
  prepare(kParts);
  const Condition now = Condition::host(repeating());
  const auto started = startAll(now, sends(), StartUntil::Begun);
  now.trigger();
  ASSERT_TRUE(haveBegun(sends(), 1));
  ASSERT_TRUE(ends_.ended({sends_[0]->close()}));
  startAll({receives_[1], receives_[2]});
  sends_[1]->ready();
  sends_[2]->ready();
  ASSERT_TRUE(ends_.until([&] { return sends_[1]->isCompleted() && sends_[2]->isCompleted(); }));
  EXPECT_FALSE(started->isCompleted());
  now.trigger();
  ASSERT_TRUE(ends_.ended({started}));
  EXPECT_EQ(started->getStatus(), UCS_ERR_CANCELED);
  ASSERT_TRUE(haveBegun({sends_[1], sends_[2]}, 2));
  now.trigger();
  ASSERT_TRUE(ends_.until([&] { return now.epoch() == 3; }));
  EXPECT_EQ(sends_[1]->iterations(), 2u);
}

TEST_P(PreparedGroupEndTest, TheCloseOfTheOnlyEndpointEndsWhatIsArmed) {
  prepare();
  const Condition later = Condition::host();
  const auto started = startAll(later, sends());
  ASSERT_TRUE(areArmed(1));
  ASSERT_TRUE(ends_.ended({ends_.left->close()}));
  ASSERT_TRUE(ends_.ended({started}));
  EXPECT_EQ(started->getStatus(), UCS_ERR_CANCELED);
}

TEST_P(PreparedGroupEndTest, TheCloseOfOneOfTheEndpointsDoesNot) {
  prepare(kParts);
  addAPeer();
  for (const StartUntil until : {StartUntil::Begun, StartUntil::Ended}) {
    const Condition now = Condition::host();
    const auto started = startAll(now, {sends_[0], sends_[kCount]}, until);
    ASSERT_TRUE(areArmed(1));
    if (until == StartUntil::Begun) {
      ASSERT_TRUE(ends_.ended({there_->close()}));
    }
    EXPECT_FALSE(started->isCompleted());
    now.trigger();
    receives_[0]->start();
    ASSERT_TRUE(ends_.until([&] { return sends_[0]->getStatus() == UCS_INPROGRESS; }));
    sends_[0]->ready();
    ASSERT_TRUE(ends_.ended({started}));
    EXPECT_NE(started->getStatus(), UCS_OK);
    expectOneIteration(0, 5);
  }
}

TEST_P(PreparedGroupEndTest, TheTimeToStartIsUp) {
  prepare();
  ConditionOptions options;
  options.start_timeout = 20ms;
  const auto started = startAll(Condition::host(options), sends());
  ASSERT_TRUE(ends_.ended({started}));
}

TEST_P(PreparedGroupEndTest, TheTimeToEndIsUp) {
  prepare(kParts);
  addAPeer();
  ConditionOptions options;
  options.transfer_timeout = 20ms;
  const Condition now = Condition::host(options);
  const auto started = startAll(now, {sends_[0], sends_[kCount]});
  now.trigger();
  ASSERT_TRUE(ends_.ended({started}));
  EXPECT_EQ(started->getStatus(), UCS_ERR_TIMED_OUT);
  EXPECT_FALSE(ends_.left->isAlive() || there_->isAlive());
}

TEST_P(PreparedGroupEndTest, ItEndsWithTheWorker) {
  prepare(kParts);
  Plans near = receives();
  addAPeer();
  const Condition now = Condition::host(), later = Condition::host(),
                  again = Condition::host(repeating());
  receives_[0]->start();
  Requests all{startAll(now, near), startAll(later, sends()),
               startAll(again, {sends_[0], sends_[1]}, StartUntil::Begun)};
  now.trigger();
  again.trigger();
  ASSERT_TRUE(haveBegun({receives_[1], receives_[2]}, 1));
  const auto lost = startAll(Condition::host(), sends());  // whose condition goes
  ASSERT_TRUE(ends_.ended({lost}));
  near.clear();
  sends_.clear();
  receives_.clear();
  all.clear();
  ends_.leave();
}

/// Of several endpoints, which all go before the trigger.
TEST_P(PreparedGroupEndTest, AllMayBeDroppedBeforeTheTrigger) {
  prepare(kParts);
  addAPeer();
  const Condition now = Condition::host(), never = Condition::host(),
                  again = Condition::host(repeating());
  Plans plans{sends_[0], sends_[kCount]};
  Requests all{startAll(now, plans), startAll(never, plans, StartUntil::Begun),
               startAll(again, plans, StartUntil::Begun)};
  ASSERT_TRUE(areArmed(3));
  sends_.clear();
  receives_.clear();
  plans.clear();
  ends_.left = ends_.right = there_ = here_ = nullptr;
  ASSERT_TRUE(ends_.until([&] { return hasNoEndpoints(*ends_.left_worker); }));
  all[1]->cancel();
  now.trigger();
  again.trigger();
  ASSERT_TRUE(ends_.ended(all));
  for (const auto& one : all) EXPECT_NE(one->getStatus(), UCS_OK);
}

TEST_P(PreparedGroupEndTest, AThreadCancelsWhatAnotherTriggers) {
  if (std::get<Mode>(GetParam()) == Mode::Caller) return;
  prepare();
  for (unsigned i = 0; i < 200; ++i) {
    const Condition now = Condition::host();
    const auto started = startAll(now, sends(), i % 2 == 0 ? StartUntil::Begun : StartUntil::Ended);
    startAll(receives());
    std::thread canceller([&] { started->cancel(); });
    now.trigger();
    canceller.join();
    if (i % 2 == 0) {
      ASSERT_TRUE(ends_.ended({started}));
    }
    for (std::size_t k = 0; k < kCount; ++k) {
      ASSERT_TRUE(ends_.until([&, k] {
        try {
          if (sends_[k]->iterations() == i) sends_[k]->start();  // that was taken back
        } catch (const InvalidParamError&) {
          return false;  // it has not ended yet
        }
        return sends_[k]->isCompleted();
      }));
    }
    ASSERT_TRUE(ends_.ended({started}));
    ASSERT_TRUE(areDone(i + 1));
  }
}

INSTANTIATE_TEST_SUITE_P(All, PreparedGroupEndTest, groupKinds(), nameOfGroup);

}  // namespace
}  // namespace ucxx::core::test
