// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/loop/deadlines.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace ucxx::core {
namespace {

using namespace std::chrono_literals;

base::TimePoint at(std::int64_t ns) { return base::TimePoint(std::chrono::nanoseconds(ns)); }

class DeadlinesTest : public testing::Test {
 protected:
  struct Item {
    Item(DeadlinesTest& its_test, int its_name) : test(its_test), name(its_name) {}
    void onTime() {
      test.acted.push_back(name);
      if (test.act) test.act(*this);
    }
    DeadlinesTest& test;
    const int name;
    Deadline deadline{test.all, *this, [](Item& it) { it.onTime(); }};
  };

  std::vector<int> actedBy(std::int64_t now) {
    acted.clear();
    all.onTime(at(now));
    return acted;
  }

  Deadlines all;
  std::vector<int> acted;
  std::function<void(Item&)> act;
};

using Names = std::vector<int>;

TEST_F(DeadlinesTest, NoneIsNever) {
  Item one(*this, 1);
  EXPECT_FALSE(one.deadline.isSet());
  EXPECT_EQ(all.next(), base::TimePoint::max());
  one.deadline.set(base::TimePoint::max());
  EXPECT_FALSE(one.deadline.isSet());
  EXPECT_EQ(actedBy(1000), Names());
}

TEST_F(DeadlinesTest, ThoseThatAreDueActInTheirOrderAndOnce) {
  Item one(*this, 1), two(*this, 2), three(*this, 3);
  three.deadline.set(at(30));
  one.deadline.set(at(10));
  two.deadline.set(at(20));
  EXPECT_EQ(all.next(), at(10));
  EXPECT_EQ(actedBy(9), Names());
  EXPECT_EQ(actedBy(20), Names({1, 2}));
  EXPECT_FALSE(one.deadline.isSet());
  EXPECT_EQ(one.deadline.when(), base::TimePoint::max());
  EXPECT_EQ(all.next(), at(30));
  EXPECT_EQ(actedBy(100), Names({3}));
  EXPECT_EQ(actedBy(100), Names());
}

TEST_F(DeadlinesTest, ThoseOfOneTimeActInTheOrderInWhichTheyWereSet) {
  std::vector<std::unique_ptr<Item>> items;
  Names names;
  for (int i = 0; i < 100; ++i) {
    items.push_back(std::make_unique<Item>(*this, i));
    items.back()->deadline.set(at(i % 7 == 0 ? 5 : 10));
  }
  EXPECT_EQ(actedBy(5).size(), 15u);
  for (int i = 0; i < 100; ++i)
    if (i % 7 != 0) names.push_back(i);
  EXPECT_EQ(actedBy(10), names);
}

TEST_F(DeadlinesTest, NoLaterLeavesWhatIsDueBefore) {
  Item one(*this, 1);
  one.deadline.setNoLater(at(20));
  one.deadline.setNoLater(at(30));
  EXPECT_EQ(one.deadline.when(), at(20));
  one.deadline.setNoLater(at(10));
  EXPECT_EQ(one.deadline.when(), at(10));
}

TEST_F(DeadlinesTest, TheLastTimeCounts) {
  Item one(*this, 1), two(*this, 2);
  one.deadline.set(at(10));
  two.deadline.set(at(20));
  one.deadline.set(at(30));
  EXPECT_EQ(all.next(), at(20));
  two.deadline.set(at(5));
  one.deadline.clear();
  EXPECT_EQ(actedBy(100), Names({2}));
}

TEST_F(DeadlinesTest, OneThatGoesIsNotDue) {
  auto one = std::make_unique<Item>(*this, 1);
  Item two(*this, 2);
  one->deadline.set(at(10));
  two.deadline.set(at(20));
  one.reset();
  EXPECT_EQ(all.next(), at(20));
  EXPECT_EQ(actedBy(100), Names({2}));
}

TEST_F(DeadlinesTest, WhatAnActSetsIsNotDueBeforeTheNextCall) {
  Item one(*this, 1), two(*this, 2);
  act = [&](Item& it) {
    it.deadline.set(at(0));
    two.deadline.set(at(50));
  };
  one.deadline.set(at(10));
  EXPECT_EQ(actedBy(50), Names({1}));
  EXPECT_EQ(all.next(), at(51));
  act = nullptr;
  EXPECT_EQ(actedBy(51), Names({1, 2}));
  one.deadline.set(at(7));
  EXPECT_EQ(all.next(), at(7)) << "outside of an act";
}

TEST_F(DeadlinesTest, AnActMayEndOthers) {
  auto one = std::make_unique<Item>(*this, 1);
  auto two = std::make_unique<Item>(*this, 2);
  one->deadline.set(at(10));
  two->deadline.set(at(10));
  act = [&](Item& it) { (it.name == 1 ? two : one).reset(); };
  EXPECT_EQ(actedBy(10).size(), 1u);
  EXPECT_EQ(all.next(), base::TimePoint::max());
}

TEST_F(DeadlinesTest, AnActThatThrowsLeavesTheOthersDue) {
  Item one(*this, 1), two(*this, 2);
  one.deadline.set(at(10));
  two.deadline.set(at(20));
  act = [](Item& it) {
    if (it.name == 1) throw std::bad_alloc();
  };
  EXPECT_THROW(all.onTime(at(20)), std::bad_alloc);
  EXPECT_EQ(actedBy(20), Names({2}));
}

TEST_F(DeadlinesTest, ManyKeepTheirOrder) {
  constexpr int kItems = 500;
  std::mt19937 random(7);
  std::vector<std::unique_ptr<Item>> items;
  for (int i = 0; i < kItems; ++i) items.push_back(std::make_unique<Item>(*this, i));
  const auto firstOfAll = [&] {
    base::TimePoint first = base::TimePoint::max();
    for (const auto& item : items) first = std::min(first, item->deadline.when());
    return first;
  };
  base::TimePoint now = at(0), last = at(0);
  act = [&](Item&) {
    EXPECT_GE(all.next(), last);
    last = all.next();
  };
  for (int round = 0; round < 20'000; ++round) {
    Item& item = *items[random() % kItems];
    if (random() % 4 == 0)
      item.deadline.clear();
    else
      item.deadline.set(now + base::Duration(random() % 1000));
    ASSERT_EQ(all.next(), firstOfAll());
    if (random() % 50 != 0) continue;
    now += base::Duration(random() % 100);
    last = all.next();
    all.onTime(now);
    ASSERT_GT(all.next(), now);
  }
}

}  // namespace
}  // namespace ucxx::core
