// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/id128.h"

#include <set>

#include <gtest/gtest.h>

namespace ucxx::base {
namespace {

TEST(Id128Test, RandomOnesDiffer) {
  std::set<Id128> ids;
  std::set<std::uint64_t> numbers;
  for (int i = 0; i < 1000; ++i) {
    ids.insert(randomId128());
    numbers.insert(randomU64());
  }
  EXPECT_EQ(ids.size(), 1000u);
  EXPECT_EQ(numbers.size(), 1000u);
  EXPECT_FALSE(ids.contains(Id128{}));
}

TEST(Id128Test, ZeroIsNone) {
  EXPECT_FALSE(Id128{});
  EXPECT_TRUE((Id128{0, 1}));
  EXPECT_TRUE((Id128{1, 0}));
}

TEST(Id128Test, TextIsHexadecimalAndPadded) {
  EXPECT_EQ(toString(Id128{0x0123456789abcdef, 0xf}), "0123456789abcdef000000000000000f");
}

}  // namespace
}  // namespace ucxx::base
