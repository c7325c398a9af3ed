// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/mpsc_queue.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.h"

namespace ucxx::base {
namespace {

struct Item : MpscNode {
  int producer = 0;
  int number = 0;
};

int popNumber(MpscQueue& queue) { return static_cast<Item*>(queue.pop())->number; }

TEST(MpscQueueTest, EmptyAtFirst) {
  MpscQueue queue;
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.pop(), nullptr);
}

TEST(MpscQueueTest, FirstInFirstOut) {
  MpscQueue queue;
  Item items[3];
  for (int i = 0; i < 3; ++i) {
    items[i].number = i;
    queue.push(&items[i]);
  }
  EXPECT_FALSE(queue.empty());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(popNumber(queue), i);
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.pop(), nullptr);
}

TEST(MpscQueueTest, PushTellsWhetherItWasEmpty) {
  MpscQueue queue;
  Item items[2];
  EXPECT_TRUE(queue.push(&items[0]));
  EXPECT_FALSE(queue.push(&items[1]));
  queue.pop();
  queue.pop();
  ASSERT_TRUE(queue.empty());
  EXPECT_TRUE(queue.push(&items[0]));
}

TEST(MpscQueueTest, PoppedNodeCanBePushedAgain) {
  MpscQueue queue;
  Item items[2];
  queue.push(&items[0]);
  for (int i = 1; i < 100; ++i) {
    Item& next = items[i % 2];
    next.number = i;
    queue.push(&next);
    EXPECT_EQ(popNumber(queue), i - 1);
  }
}

struct Producers {
  static constexpr int kThreads = 3;
  static constexpr int kItems = 30000;

  explicit Producers(MpscQueue& queue) {
    for (int t = 0; t < kThreads; ++t) threads.emplace_back([&, t] { run(queue, t); });
  }
  ~Producers() {
    for (std::thread& thread : threads) thread.join();
  }

  void run(MpscQueue& queue, int producer) {
    for (int i = 0; i < kItems; ++i) {
      auto* item = new Item;
      item->producer = producer;
      item->number = i;
      if (queue.push(item)) ++seen_empty;
    }
  }

  std::atomic<int> seen_empty{0};
  std::vector<std::thread> threads;
};

TEST(MpscQueueTest, KeepsEachProducersOrder) {
  const auto deadline = Clock::now() + std::chrono::seconds(60);
  MpscQueue queue;
  Producers producers(queue);
  std::vector<int> next(Producers::kThreads, 0);
  int left = Producers::kThreads * Producers::kItems;
  while (left > 0 && Clock::now() < deadline) {
    std::unique_ptr<Item> item(static_cast<Item*>(queue.pop()));
    if (item == nullptr) continue;
    ASSERT_EQ(item->number, next[item->producer]++);
    --left;
  }
  EXPECT_EQ(left, 0);
  EXPECT_TRUE(queue.empty());
  EXPECT_GE(producers.seen_empty, 1);
}

// The consumer looks only after a push that returned true: none may be lost.
TEST(MpscQueueTest, EmptyAndPushAgreeSoThatNoWakeUpIsLost) {
  const auto deadline = Clock::now() + std::chrono::seconds(60);
  MpscQueue queue;
  constexpr int kItems = 20000;
  std::atomic<int> wakeups{0};
  const auto produce = [&](std::deque<Item>& items) {
    for (Item& item : items) {
      if (queue.push(&item)) wakeups.fetch_add(1);
    }
  };
  std::deque<Item> first(kItems);
  std::deque<Item> second(kItems);
  std::thread one(produce, std::ref(first));
  std::thread two(produce, std::ref(second));
  int left = 2 * kItems;
  while (left > 0 && Clock::now() < deadline) {
    if (wakeups.exchange(0) == 0) continue;  // asleep
    while (!queue.empty() && Clock::now() < deadline) {
      if (queue.pop() != nullptr) --left;
    }
  }
  one.join();
  two.join();
  EXPECT_EQ(left, 0);
}

}  // namespace
}  // namespace ucxx::base
