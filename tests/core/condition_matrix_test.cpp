// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Every operation that waits for a condition, over every way to meet, in every progress mode.

#include <tuple>

#include "core/conditional.h"

namespace ucxx::core::test {
namespace {

class ConditionMatrixTest : public testing::TestWithParam<std::tuple<Waits, Route, Mode>> {
 protected:
  Waits waits() const { return std::get<Waits>(GetParam()); }
  /// Both loops have had time for what nobody has asked them to do.
  void letPass() { ASSERT_TRUE(ends_.ended({ends_.left->flush(), ends_.right->flush()})); }

  Ends ends_{std::get<Route>(GetParam()), std::get<Mode>(GetParam())};
};

TEST_P(ConditionMatrixTest, StartsAtTheTrigger) {
  for (const std::size_t size : {64, 20000, 300000}) {
    SCOPED_TRACE(size);
    Conditional conditional(waits(), ends_, size);
    const auto condition = Condition::host();
    const auto request = conditional.post(condition);
    conditional.prepare(1);
    letPass();
    if (HasFatalFailure()) return;
    EXPECT_FALSE(request->isCompleted());
    conditional.checkUntouched();
    EXPECT_EQ(ends_.left_worker->stats().armed_requests, 1u);
    EXPECT_EQ(condition.epoch(), 0u);
    condition.trigger();
    ASSERT_TRUE(ends_.ended({request})) << ends_.left_worker->describe();
    EXPECT_EQ(request->getStatus(), UCS_OK);
    ASSERT_TRUE(ends_.until([&] { return condition.epoch() == 1; }));
    EXPECT_EQ(condition.lastStatus(), UCS_OK);
    EXPECT_EQ(ends_.left_worker->stats().armed_requests, 0u);
    conditional.check(request);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ConditionMatrixTest, RepeatsAtEachTrigger) {
  ConditionOptions options;
  options.repeat = true;
  const auto condition = Condition::host(options);
  Conditional conditional(waits(), ends_);
  if (!canRepeat(waits())) {
    EXPECT_THROW((void)conditional.post(condition), UnsupportedError);
    return;
  }
  if (waits() == Waits::AtomicSwap) return;  // what it compares with is an argument
  const auto request = conditional.post(condition);
  for (std::uint64_t epoch = 1; epoch <= 5; ++epoch) {
    SCOPED_TRACE(epoch);
    conditional.prepare(static_cast<std::uint8_t>(epoch));
    condition.trigger();
    ASSERT_TRUE(ends_.until([&] { return condition.epoch() == epoch; }));
    EXPECT_EQ(condition.lastStatus(), UCS_OK);
    EXPECT_FALSE(request->isCompleted());
    conditional.check(request);
    if (HasFatalFailure()) return;
  }
  condition.close();
  ASSERT_TRUE(ends_.ended({request}));
  EXPECT_EQ(request->getStatus(), UCS_OK);
}

std::string nameOfCase(const testing::TestParamInfo<ConditionMatrixTest::ParamType>& info) {
  return nameOf(std::get<0>(info.param)) + nameOf(std::get<1>(info.param)) +
         nameOf(std::get<2>(info.param));
}

INSTANTIATE_TEST_SUITE_P(All, ConditionMatrixTest,
                         testing::Combine(testing::ValuesIn(kWaits), testing::ValuesIn(kRoutes),
                                          testing::ValuesIn(kModes)),
                         nameOfCase);

}  // namespace
}  // namespace ucxx::core::test
