// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// When what has ended did so, long afterwards too.

#include "core/request/history.h"

#include <chrono>

#include <gtest/gtest.h>

namespace ucxx::core {
namespace {

using namespace std::chrono_literals;
using Days = std::chrono::duration<std::int64_t, std::ratio<86400>>;

/// What is told `age` after the end of an operation that took so long.
EndedOperation told(base::Duration age, base::Duration took) {
  History history;
  const base::TimePoint until(Days(3));
  history.add({.since = until - took, .until = until});
  EndedOperation result;
  history.visit(until + age, [&](const EndedOperation& op) { result = op; });
  return result;
}

TEST(HistoryTest, AgesAreRightForTwoYears) {
  for (const base::Duration age :
       {base::Duration(0ms), base::Duration(50ms), base::Duration(70s), base::Duration(Days(25)),
        base::Duration(Days(27)), base::Duration(Days(51)), base::Duration(Days(60)),
        base::Duration(Days(700))}) {
    const EndedOperation op = told(age, 0ms);
    const auto wrong = base::TimePoint(Days(3)) - op.until;
    EXPECT_LE(std::chrono::abs(wrong), 20ms) << age.count();
  }
}

TEST(HistoryTest, AnEndThatIsYoungerThanNowIsNow) {
  const EndedOperation op = told(-500ms, 0ms);
  EXPECT_EQ(op.until, base::TimePoint(Days(3)) - 500ms);
}

TEST(HistoryTest, WhatItTook) {
  for (const base::Duration took :
       {base::Duration(0ms), base::Duration(7ms), base::Duration(100s), base::Duration(Days(40))}) {
    const EndedOperation op = told(1h, took);
    EXPECT_LE(std::chrono::abs(op.until - op.since - took), 2ms) << took.count();
  }
  EXPECT_GE(told(1h, Days(100)).until - told(1h, Days(100)).since, Days(52) - 1h * 24);
  EXPECT_EQ(told(1h, -5ms).until, told(1h, -5ms).since);
}

}  // namespace
}  // namespace ucxx::core
