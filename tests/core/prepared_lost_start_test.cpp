// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Starts of prepared transfers that end before a condition begins them, and what was posted after
// them.

#include <functional>
#include <memory>
#include <thread>

#include <ucxx/condition.h>
#include <ucxx/prepared.h>

#include "core/conditional.h"
#include "core/loop/loop.h"
#include "core/prepared_memory.h"

namespace ucxx::core::test {
namespace {

/// How a start ends that never begins.
enum class Loss { WhileArmed, OfRepeating, TimeIsUp, AtItsPost, AtItsTrigger };

std::string nameOf(Loss loss) {
  const char* names[] = {"WhileArmed", "OfRepeating", "TimeIsUp", "AtItsPost", "AtItsTrigger"};
  return names[static_cast<int>(loss)];
}

class PreparedLostStartTest : public testing::TestWithParam<std::tuple<Route, Mode, Loss>> {
 protected:
  static constexpr std::size_t kBytes = 4096, kParts = 4;

  /// A start that is lost, and the partitions after it, whose conditions are triggered in order.
  void loseAStart() {
    const Loss loss = std::get<Loss>(GetParam());
    ConditionOptions options;
    options.repeat = loss == Loss::OfRepeating;
    if (loss == Loss::TimeIsUp) options.start_timeout = std::chrono::milliseconds(20);
    const Condition start = Condition::host(options), ready = Condition::host();
    std::shared_ptr<Request> lost, parts;
    const auto post = [&] {
      lost = send_->start(start);
      parts = send_->ready(ready, 0, kParts);
    };
    const auto trigger = [&] {
      start.trigger();
      ready.trigger();
    };
    switch (loss) {
      case Loss::AtItsPost:
        whileTheLoopIsBusy([&] {
          post();
          lost->cancel();
          trigger();
        });
        break;
      case Loss::AtItsTrigger:
        post();
        ASSERT_TRUE(areArmed());
        whileTheLoopIsBusy([&] {
          trigger();
          lost->cancel();
        });
        break;
      case Loss::TimeIsUp:
        post();
        ASSERT_TRUE(ends_.ended({lost}));
        trigger();
        break;
      default:
        post();
        ASSERT_TRUE(areArmed());
        lost->cancel();
        ASSERT_TRUE(ends_.ended({lost}));
        trigger();
    }
    ASSERT_TRUE(ends_.ended({lost, parts}));
    EXPECT_EQ(lost->getStatus(), loss == Loss::TimeIsUp ? UCS_ERR_TIMED_OUT : UCS_ERR_CANCELED);
    EXPECT_EQ(parts->getStatus(), UCS_ERR_CANCELED);
  }
  void expectIteration(unsigned iteration) {
    ASSERT_TRUE(ends_.until([&] {
      return send_->iterations() == iteration && send_->isCompleted() &&
             receive_->iterations() == iteration && receive_->isCompleted();
    })) << send_->describe()
        << receive_->describe();
    EXPECT_EQ(send_->getStatus(), UCS_OK);
    EXPECT_EQ(receive_->getStatus(), UCS_OK);
    EXPECT_TRUE(target_.has(iteration));
  }
  void makeReadyByACondition() {
    const Condition now = Condition::host();
    const auto parts = send_->ready(now, 0, kParts);
    now.trigger();
    ASSERT_TRUE(ends_.ended({parts}));
    EXPECT_EQ(parts->getStatus(), UCS_OK);
  }

  Ends ends_{std::get<Route>(GetParam()), std::get<Mode>(GetParam())};
  Memory source_{ends_.context, Owner::Library, kBytes};
  Memory target_{ends_.context, Owner::Library, kBytes};
  std::shared_ptr<PreparedSend> send_ =
      ends_.left->prepareSend(source_.data(), kBytes, Tag{9}, {kParts});
  std::shared_ptr<PreparedRecv> receive_ =
      ends_.right->prepareRecv(target_.data(), kBytes, Tag{9}, {kParts});

 private:
  bool areArmed() const {
    return ends_.until([&] { return ends_.left_worker->stats().armed_requests == 2; });
  }
  /// The loop hears of all that another thread does at once, afterwards.
  void whileTheLoopIsBusy(const std::function<void()>& act) const {
    ends_.left_worker->loop().posts.run([&] { std::thread(act).join(); });
  }
};

class PreparedRepeatedStartTest : public PreparedLostStartTest {};

TEST_P(PreparedLostStartTest, PartitionsOfItAreOfNoIteration) {
  receive_->start();
  ASSERT_NO_FATAL_FAILURE(loseAStart());
  EXPECT_EQ(send_->iterations(), 0u);
  source_.fill(1);
  send_->start();
  ASSERT_NO_FATAL_FAILURE(makeReadyByACondition());
  expectIteration(1);
}

/// Their bytes may not be there yet.
TEST_P(PreparedLostStartTest, PartitionsOfItAreNotOfTheIterationBefore) {
  startAll({send_, receive_});
  ASSERT_NO_FATAL_FAILURE(loseAStart());
  EXPECT_FALSE(receive_->arrived(0));
  source_.fill(1);
  send_->ready();
  ASSERT_NO_FATAL_FAILURE(expectIteration(1));
  source_.fill(2);
  receive_->start();
  const Condition now = Condition::host();
  const auto next = send_->start(now);
  now.trigger();
  ASSERT_NO_FATAL_FAILURE(makeReadyByACondition());
  ASSERT_TRUE(ends_.ended({next}));
  expectIteration(2);
}

/// A repetition of it, which waits for the end of the iteration before.
TEST_P(PreparedRepeatedStartTest, PartitionsOfARepetitionThatIsLostAreNotOfTheIterationBefore) {
  startAll({send_, receive_});
  ConditionOptions options;
  options.repeat = true;
  const Condition start = Condition::host(options), ready = Condition::host();
  const auto lost = send_->start(start);
  const auto parts = send_->ready(ready, 0, kParts);
  start.trigger();
  ready.trigger();
  ASSERT_TRUE(ends_.until([&] { return ends_.left_worker->stats().armed_requests == 1; }));
  EXPECT_FALSE(parts->isCompleted());
  lost->cancel();
  ASSERT_TRUE(ends_.ended({lost, parts}));
  EXPECT_EQ(lost->getStatus(), UCS_ERR_CANCELED);
  EXPECT_EQ(parts->getStatus(), UCS_ERR_CANCELED);
  EXPECT_FALSE(receive_->arrived(0));
  source_.fill(1);
  send_->ready();
  expectIteration(1);
}

/// What is posted keeps no worker: who drops all has done with it.
TEST_P(PreparedRepeatedStartTest, PostsKeepNoWorker) {
  const Condition start = Condition::host(), ready = Condition::host();
  (void)send_->start(start);
  (void)send_->ready(ready, 0, kParts);
  const std::weak_ptr<Worker> worker = ends_.left_worker;
  send_.reset();
  ends_.left.reset();
  ends_.left_worker.reset();
  EXPECT_TRUE(compat::until({ends_.right_worker}, [&] { return worker.expired(); }));
}

INSTANTIATE_TEST_SUITE_P(All, PreparedRepeatedStartTest,
                         testing::Combine(testing::Values(Route::Address),
                                          testing::Values(Mode::Caller, Mode::Adaptive),
                                          testing::Values(Loss::OfRepeating)),
                         [](const auto& info) { return nameOf(std::get<1>(info.param)); });
INSTANTIATE_TEST_SUITE_P(All, PreparedLostStartTest,
                         testing::Combine(testing::Values(Route::Self, Route::Address),
                                          testing::Values(Mode::Caller, Mode::Adaptive),
                                          testing::Values(Loss::WhileArmed, Loss::OfRepeating,
                                                          Loss::TimeIsUp, Loss::AtItsPost,
                                                          Loss::AtItsTrigger)),
                         [](const auto& info) {
                           return nameOf(std::get<0>(info.param)) +
                                  nameOf(std::get<1>(info.param)) + nameOf(std::get<2>(info.param));
                         });

}  // namespace
}  // namespace ucxx::core::test
