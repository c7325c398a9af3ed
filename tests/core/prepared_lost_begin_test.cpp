// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A begin of a start that repeats is taken back while the iteration before is in progress: what is
// to be ready after it is of no iteration, and the iteration in progress goes on.

#include "core/prepared_group.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

class PreparedLostBeginTest : public PreparedGroupTest {
 protected:
  /// One iteration is in progress, with all of its partitions ready; a second begin waits for it.
  void startTwice(const ConditionOptions& options) {
    prepare(kParts);
    fill(3);
    start_ = Condition::host(options);
    started_ = startAll(start_, {sends_[0]}, StartUntil::Begun);
    parts_ = sends_[0]->ready(ready_, 0, kParts);
    start_.trigger();
    ready_.trigger();
    ASSERT_TRUE(ends_.until([&] { return ready_.epoch() == 1; }));
    ASSERT_EQ(sends_[0]->iterations(), 1u);
    start_.trigger();
  }
  void expectThePartsAreLost() {
    ASSERT_TRUE(ends_.ended({parts_}));
    EXPECT_EQ(parts_->getStatus(), UCS_ERR_CANCELED);
  }
  void expectTheIterationEnds() {
    EXPECT_EQ(sends_[0]->getStatus(), UCS_INPROGRESS);
    receives_[0]->start();
    ASSERT_TRUE(
        ends_.until([&] { return sends_[0]->isCompleted() && receives_[0]->isCompleted(); }));
    EXPECT_EQ(sends_[0]->getStatus(), UCS_OK);
    EXPECT_EQ(sends_[0]->iterations(), 1u);
    EXPECT_TRUE(targets_[0]->has(3));
  }

  Condition start_;
  const Condition ready_ = Condition::host(repeating());
  std::shared_ptr<Request> started_, parts_;
};

TEST_P(PreparedLostBeginTest, ByACancelWithPartitionsBehindIt) {
  startTwice(repeating());
  ready_.trigger();
  started_->cancel();
  ASSERT_TRUE(ends_.ended({started_}));
  EXPECT_EQ(started_->getStatus(), UCS_ERR_CANCELED);
  expectThePartsAreLost();
  expectTheIterationEnds();
}

TEST_P(PreparedLostBeginTest, ByACancelBeforeThePartitionsAreTriggered) {
  startTwice(repeating());
  started_->cancel();
  ASSERT_TRUE(ends_.ended({started_}));
  ready_.trigger();
  expectThePartsAreLost();
  expectTheIterationEnds();
}

TEST_P(PreparedLostBeginTest, ByALimitOfTime) {
  ConditionOptions options = repeating();
  options.transfer_timeout = 20ms;
  startTwice(options);
  ready_.trigger();
  ASSERT_TRUE(ends_.ended({started_}));
  EXPECT_EQ(started_->getStatus(), UCS_ERR_TIMED_OUT);
  expectThePartsAreLost();
  expectTheIterationEnds();
}

/// Not that of the first plan.
TEST_P(PreparedLostBeginTest, TheReasonIsOfThePlanThatHasFailed) {
  prepare(kParts);
  const Condition now = Condition::host(repeating());
  const auto started = startAll(now, sends(), StartUntil::Begun);
  ASSERT_TRUE(ends_.ended({sends_[1]->close()}));
  now.trigger();
  ASSERT_TRUE(ends_.ended({started}));
  const std::string text = messageOf([&] { started->checkError(); });
  EXPECT_NE(text.find("closed at this end"), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(All, PreparedLostBeginTest, groupKinds(), nameOfGroup);

}  // namespace
}  // namespace ucxx::core::test
