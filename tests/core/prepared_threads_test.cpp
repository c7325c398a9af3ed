// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Several threads make partitions ready while another one waits, and one is caught in the middle.

#include <csignal>
#include <random>

#include <sys/mman.h>
#include <unistd.h>

#include <ucxx/pool.h>
#include <ucxx/prepared.h>

#include "core/conditional.h"
#include "core/plan/plan_wire.h"
#include "core/prepared_memory.h"

namespace ucxx::core::test {
namespace {

class PreparedThreadsTest
    : public testing::TestWithParam<std::tuple<Route, Owner, Mode, std::size_t>> {};

TEST_P(PreparedThreadsTest, Contribute) {
  const auto& [route, owner, mode, each] = GetParam();
  constexpr std::size_t kCount = 96, kThreads = 4;
  constexpr unsigned kIterations = 20;
  Ends ends(route, mode);
  Memory source(ends.context, owner, each * kCount), target(ends.context, owner, each * kCount);
  auto send = ends.left->prepareSend(source.data(), source.size(), Tag{1}, {kCount});
  auto receive = ends.right->prepareRecv(target.data(), target.size(), Tag{1}, {kCount});
  std::atomic<unsigned> begun{0}, done{0};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      for (unsigned i = 1; i <= kIterations; ++i) {
        while (begun < i) std::this_thread::yield();
        std::vector<std::size_t> mine;
        for (std::size_t k = t; k < kCount; k += kThreads) mine.push_back(k);
        std::shuffle(mine.begin(), mine.end(), random);
        for (const std::size_t k : mine) send->ready(k);
        ++done;
      }
    });
  }
  std::thread receiver([&] {
    for (unsigned i = 1; i <= kIterations; ++i) {
      receive->start();
      const bool is_there = receive->wait(compat::kDeadline);
      EXPECT_TRUE(is_there) << receive->describe();
      EXPECT_TRUE(target.has(i)) << i;
    }
  });
  for (unsigned i = 1; i <= kIterations; ++i) {
    source.fill(i);
    send->start();
    begun = i;
    EXPECT_TRUE(send->wait(compat::kDeadline)) << send->describe();
    while (done < i * kThreads) std::this_thread::yield();
  }
  receiver.join();
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(send->getStatus(), UCS_OK);
}

/// Each ends with the iteration that it was made in, whichever comes to the loop first.
TEST_P(PreparedThreadsTest, MakeRequestsWhileIterationsPass) {
  const auto& [route, owner, mode, each] = GetParam();
  Ends ends(route, mode);
  Memory source(ends.context, owner, each), target(ends.context, owner, each);
  auto send = ends.left->prepareSend(source.data(), each, Tag{1});
  auto receive = ends.right->prepareRecv(target.data(), each, Tag{1});
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      while (!stop) {
        const auto request = receive->request();
        EXPECT_TRUE(request->wait(compat::kDeadline)) << receive->describe();
      }
    });
  }
  for (int i = 0; i < 200; ++i) {
    startAll({receive, send});
    EXPECT_TRUE(ends.until([&] { return receive->isCompleted() && send->isCompleted(); }));
  }
  stop = true;
  for (auto& thread : threads) thread.join();
}

/// Of two threads that make one partition ready, one is refused, and the bytes come once.
TEST_P(PreparedThreadsTest, OneIsReadyOnce) {
  const auto& [route, owner, mode, each] = GetParam();
  constexpr std::size_t kCount = 16;
  Ends ends(route, mode);
  Memory source(ends.context, owner, each * kCount), target(ends.context, owner, each * kCount);
  auto send = ends.left->prepareSend(source.data(), source.size(), Tag{1}, {kCount});
  auto receive = ends.right->prepareRecv(target.data(), target.size(), Tag{1}, {kCount});
  for (unsigned i = 1; i <= 20; ++i) {
    source.fill(i);
    startAll({send, receive});
    std::atomic<std::size_t> refused{0}, begun{0};
    const auto all = [&] {
      ++begun;
      while (begun != 2) std::this_thread::yield();
      for (std::size_t k = 0; k < kCount; ++k) {
        try {
          send->ready(k);
        } catch (const InvalidParamError&) {
          ++refused;
        }
      }
    };
    std::thread other(all);
    all();
    other.join();
    EXPECT_EQ(refused, kCount);
    ASSERT_TRUE(ends.until([&] { return send->isCompleted() && receive->isCompleted(); }));
    EXPECT_TRUE(target.has(i)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, PreparedThreadsTest,
    testing::Combine(testing::Values(Route::Address), testing::Values(Owner::Library, Owner::User),
                     testing::Values(Mode::Caller, Mode::Adaptive, Mode::Blocking),
                     testing::Values(std::size_t{64}, std::size_t{12'000})),
    [](const auto& info) {
      return nameOf(std::get<1>(info.param)) + nameOf(std::get<2>(info.param)) +
             std::to_string(std::get<3>(info.param));
    });

/// Closed by several threads while others make partitions ready.
TEST(PreparedRaceTest, CloseAmidReady) {
  for (int i = 0; i < 10; ++i) {
    Ends ends(Route::Address, Mode::Adaptive);
    Memory source(ends.context, Owner::Library, 64 * 64),
        target(ends.context, Owner::Library, 64 * 64);
    auto send = ends.left->prepareSend(source.data(), source.size(), Tag{1}, {64});
    auto receive = ends.right->prepareRecv(target.data(), target.size(), Tag{1}, {64});
    startAll({send, receive});
    send->ready();  // the ends know each other then
    ASSERT_TRUE(receive->wait(compat::kDeadline));
    ASSERT_TRUE(send->wait(compat::kDeadline));
    startAll({send, receive});
    std::thread contributor([&] {
      for (std::size_t k = 0; k < 64; ++k) send->ready(k);
    });
    auto closed = i % 2 == 0 ? receive->close() : send->close();
    contributor.join();
    EXPECT_TRUE(closed->wait(compat::kDeadline));
    EXPECT_TRUE(send->wait(compat::kDeadline));
    EXPECT_TRUE(receive->wait(compat::kDeadline));
  }
}

/// Nothing else tells that an iteration has begun which a condition starts.
TEST(PreparedRaceTest, WhoSeesTheIterationMayMakeItReady) {
  constexpr std::size_t kCount = kMostPartitions;  // to reset them takes long
  constexpr std::uint64_t kIterations = 200;
  Ends ends(Route::Address, Mode::Adaptive);
  Memory source(ends.context, Owner::Library, kCount), target(ends.context, Owner::Library, kCount);
  auto send = ends.left->prepareSend(source.data(), kCount, Tag{1}, {kCount});
  auto receive = ends.right->prepareRecv(target.data(), kCount, Tag{1}, {kCount});
  const Condition start = Condition::host(repeating());
  const auto started = send->start(start);
  std::atomic<std::uint64_t> wanted{0};
  std::thread triggering([&] {
    for (std::uint64_t i = 1; i <= kIterations; ++i) {
      while (wanted < i) std::this_thread::yield();
      start.trigger();
    }
  });
  for (std::uint64_t i = 1; i <= kIterations && !HasFailure(); ++i) {
    source.fill(static_cast<unsigned>(i));
    receive->start();
    wanted = i;
    EXPECT_TRUE(in(compat::kDeadline, [&] { return send->iterations() == i; }));
    EXPECT_NO_THROW(send->ready(kCount - 1)) << i;
    EXPECT_NO_THROW(send->ready(0, kCount - 1)) << i;
    EXPECT_TRUE(send->wait(compat::kDeadline)) << send->describe();
    EXPECT_TRUE(receive->wait(compat::kDeadline)) << receive->describe();
    EXPECT_TRUE(target.has(static_cast<unsigned>(i))) << i;
  }
  wanted = kIterations;
  triggering.join();
}

/// A page that can be read only when the test lets it: whoever reads it before waits there.
class Gate {
 public:
  Gate() : page_(::mmap(nullptr, kBytes, kOpen, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    EXPECT_NE(page_, MAP_FAILED);
    struct sigaction action {};
    action.sa_handler = [](int) {
      is_reached = true;
      while (!is_open) ::usleep(100);
    };
    ::sigaction(SIGSEGV, &action, &before_);
  }
  ~Gate() {
    ::sigaction(SIGSEGV, &before_, nullptr);
    ::munmap(page_, kBytes);
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  static constexpr std::size_t kBytes = 4096;
  void* data() const { return page_; }
  bool hasBeenReached() const { return is_reached; }
  void close() {
    is_open = false;
    is_reached = false;
    EXPECT_EQ(::mprotect(page_, kBytes, PROT_NONE), 0);
  }
  void open() {
    EXPECT_EQ(::mprotect(page_, kBytes, kOpen), 0);
    is_open = true;
  }

 private:
  static constexpr int kOpen = PROT_READ | PROT_WRITE;
  static inline std::atomic<bool> is_open{false}, is_reached{false};
  void* page_;
  struct sigaction before_ {};
};

TEST(PreparedRaceTest, WhoIsInsideIsWaitedFor) {
  Ends ends(Route::Address, Mode::Adaptive);
  if (!ends.isLocal()) return;  // elsewhere the thread copies nothing
  Gate gate;
  Memory target(ends.context, Owner::Library, Gate::kBytes);
  const std::uint64_t used = poolStats().used_bytes;
  auto send = ends.left->prepareSend(gate.data(), Gate::kBytes, Tag{1}, {2});
  auto receive = ends.right->prepareRecv(target.data(), Gate::kBytes, Tag{1}, {2});
  startAll({receive, send});
  send->ready();
  ASSERT_TRUE(receive->wait(compat::kDeadline));
  ASSERT_TRUE(send->wait(compat::kDeadline));
  gate.close();
  startAll({receive, send});
  std::thread contributor([&] { send->ready(0); });
  EXPECT_TRUE(in(compat::kDeadline, [&] { return gate.hasBeenReached(); }));
  auto closed = receive->close();
  EXPECT_FALSE(closed->wait(std::chrono::milliseconds(50)));
  EXPECT_GT(poolStats().used_bytes, used);
  gate.open();
  contributor.join();
  EXPECT_TRUE(closed->wait(compat::kDeadline));
  EXPECT_EQ(receive->getStatus(), UCS_ERR_CANCELED);
  EXPECT_TRUE(send->wait(compat::kDeadline));
  EXPECT_EQ(send->getStatus(), UCS_ERR_CONNECTION_RESET);
  closed = send->close();
  EXPECT_TRUE(closed->wait(compat::kDeadline));
  send = nullptr;
  receive = nullptr;
  closed = nullptr;
  EXPECT_TRUE(in(compat::kDeadline, [&] { return poolStats().used_bytes <= used; }));
}

}  // namespace
}  // namespace ucxx::core::test
