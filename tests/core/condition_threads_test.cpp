// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Several threads post with a condition, trigger it, cancel, and close it, all at once.

#include <atomic>
#include <thread>
#include <vector>

#include "core/conditional.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

constexpr Mode kSomeModes[] = {Mode::Caller, Mode::Adaptive, Mode::Blocking, Mode::Delayed};

/// Joins them at its end.
class Threads {
 public:
  ~Threads() { join(); }
  template <class Body>
  void start(std::size_t count, Body body) {
    for (std::size_t i = 0; i < count; ++i) threads_.emplace_back(body, i);
  }
  void join() {
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::vector<std::thread> threads_;
};

class ConditionThreadsTest : public testing::TestWithParam<Mode> {
 protected:
  ~ConditionThreadsTest() override { ends_.leave(); }
  std::shared_ptr<Request> postReceive(const Condition& condition, int& room) {
    return ends_.left->tagRecvBuilder(&room, sizeof room, kConditionalTag)
        .condition(condition)
        .build();
  }
  std::shared_ptr<Request> postFlush(const Condition& condition) {
    return ends_.left->flushBuilder().condition(condition).build();
  }

  Ends ends_{Route::Address, GetParam()};
};

TEST_P(ConditionThreadsTest, TriggersOfAllCount) {
  constexpr std::uint64_t kThreads = 3, kTriggers = 300;
  const auto condition = Condition::host(repeating());
  const Requests requests{postFlush(condition), postFlush(condition)};
  Threads threads;
  threads.start(kThreads, [&](std::size_t) {
    for (std::uint64_t i = 0; i < kTriggers; ++i) condition.trigger();
  });
  threads.start(1, [&](std::size_t) {
    for (std::uint64_t epoch = 1; epoch < kThreads * kTriggers; epoch += 7)
      EXPECT_TRUE(condition.wait(epoch, compat::kDeadline)) << condition.epoch();
  });
  ASSERT_TRUE(ends_.until([&] { return condition.epoch() == kThreads * kTriggers; }));
  threads.join();
  EXPECT_EQ(condition.lastStatus(), UCS_OK);
  condition.close();
  ASSERT_TRUE(ends_.ended(requests));
  for (const auto& request : requests) EXPECT_EQ(request->getStatus(), UCS_OK);
}

/// What is posted before the trigger starts, what comes after it is refused, and nothing is lost
/// between.
TEST_P(ConditionThreadsTest, PostsRaceWithTheTrigger) {
  for (int round = 0; round < 20; ++round) {
    const auto condition = Condition::host();
    Requests first{postFlush(condition)};
    std::array<Requests, 3> accepted;
    std::atomic<int> refused{0};
    Threads threads;
    threads.start(accepted.size(), [&](std::size_t t) {
      try {
        for (int i = 0; i < 200; ++i) accepted[t].push_back(postFlush(condition));
      } catch (const InvalidParamError&) {
        ++refused;
      }
    });
    if (round % 2 != 0) std::this_thread::yield();
    condition.trigger();
    threads.join();
    for (const Requests& requests : accepted)
      first.insert(first.end(), requests.begin(), requests.end());
    ASSERT_TRUE(ends_.ended(first)) << ends_.left_worker->describe();
    for (const auto& request : first) EXPECT_EQ(request->getStatus(), UCS_OK);
    ASSERT_TRUE(ends_.until([&] { return condition.epoch() == 1; }));  // after the last of them
  }
}

/// Each request ends once, with success or cancelled, and nothing stays armed.
TEST_P(ConditionThreadsTest, CloseRacesWithTriggersAndCancels) {
  for (int round = 0; round < 20; ++round) {
    const auto condition = Condition::host(repeating());
    Requests requests;
    for (int i = 0; i < 100; ++i) requests.push_back(postFlush(condition));
    std::atomic<std::uint64_t> triggered{0};
    Threads threads;
    threads.start(2, [&](std::size_t) {
      try {
        for (int i = 0; i < 50; ++i, ++triggered) condition.trigger();
      } catch (const InvalidParamError&) {  // it is closed
      }
    });
    threads.start(1, [&](std::size_t) {
      for (std::size_t i = 0; i < requests.size(); i += 3) requests[i]->cancel();
    });
    threads.start(1, [&](std::size_t) { condition.close(); });
    threads.join();
    ASSERT_TRUE(ends_.ended(requests)) << ends_.left_worker->describe();
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const ucs_status_t status = requests[i]->getStatus();
      EXPECT_TRUE(status == UCS_OK || (i % 3 == 0 && status == UCS_ERR_CANCELED)) << i;
    }
    ASSERT_TRUE(ends_.until([&] { return condition.isOver(); }));
    EXPECT_LE(condition.epoch(), triggered);
    EXPECT_EQ(ends_.left_worker->stats().armed_requests, 0u);
  }
}

/// More than start in one round; some are cancelled after others of the same epoch have started.
TEST_P(ConditionThreadsTest, CancelInTheMiddleOfAnEpoch) {
  constexpr std::size_t kCount = 400;
  const auto condition = Condition::host();
  std::vector<int> rooms(kCount);
  Requests requests;
  for (int& room : rooms) requests.push_back(postReceive(condition, room));
  Threads threads;
  threads.start(1, [&](std::size_t) {
    for (std::size_t i = kCount; i-- > 100;) requests[i]->cancel();
  });
  condition.trigger();
  threads.join();
  // The order of the posts is that of the messages.
  std::vector<int> values(kCount);
  Requests sends;
  for (std::size_t i = 0; i < 100; ++i) {
    values[i] = static_cast<int>(i) + 1;
    sends.push_back(ends_.right->tagSend(&values[i], sizeof values[i], kConditionalTag));
  }
  ASSERT_TRUE(ends_.ended(requests)) << ends_.left_worker->describe();
  ASSERT_TRUE(ends_.ended(sends));
  for (std::size_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(requests[i]->getStatus(), i < 100 ? UCS_OK : UCS_ERR_CANCELED) << i;
    EXPECT_EQ(rooms[i], values[i]);  // 0: nothing came
  }
  ASSERT_TRUE(ends_.until([&] { return condition.epoch() == 1; }));
  EXPECT_EQ(condition.lastStatus(), UCS_ERR_CANCELED);
}

/// Each has its own limit, and they come in no order.
TEST_P(ConditionThreadsTest, ManyLimits) {
  constexpr int kCount = 300;
  std::vector<Condition> conditions;
  Requests requests;
  for (int i = 0; i < kCount; ++i) {
    ConditionOptions options;
    options.start_timeout = std::chrono::milliseconds(1 + i * 7919 % 40);
    conditions.push_back(Condition::host(options));
    requests.push_back(postFlush(conditions.back()));
  }
  ASSERT_TRUE(ends_.ended(requests));
  for (const auto& request : requests) EXPECT_EQ(request->getStatus(), UCS_ERR_TIMED_OUT);
}

INSTANTIATE_TEST_SUITE_P(All, ConditionThreadsTest, testing::ValuesIn(kSomeModes),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::core::test
