// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Many threads and one worker.

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

constexpr int kThreads = 8;
constexpr std::uint32_t kMessages = 200;

class ThreadsTest : public testing::TestWithParam<Mode> {
 protected:
  Ends ends_{Route::Listener, GetParam()};
  bool hasMover() const { return GetParam() != Mode::Caller; }

  /// Runs `work(i)` on threads while somebody progresses.
  template <class Work>
  void inThreads(Work work) {
    std::atomic<int> running{kThreads};
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        work(t);
        --running;
      });
    }
    EXPECT_TRUE(ends_.until([&] { return running == 0; })) << ends_.left_worker->describe();
    for (auto& thread : threads) thread.join();
  }
};

TEST_P(ThreadsTest, EachThreadsOrderIsKept) {
  std::vector<std::vector<std::uint32_t>> received(kThreads, std::vector<std::uint32_t>(kMessages));
  Requests receives;
  for (int t = 0; t < kThreads; ++t) {
    for (auto& one : received[static_cast<std::size_t>(t)])
      receives.push_back(ends_.right_worker->tagRecv(&one, 4, Tag{static_cast<ucp_tag_t>(t)}));
  }
  std::vector<Requests> sends(kThreads);
  std::vector<std::vector<std::uint32_t>> sent = received;
  inThreads([&](int t) {
    for (std::uint32_t i = 0; i < kMessages; ++i) {
      auto& value = sent[static_cast<std::size_t>(t)][i] = i;
      sends[static_cast<std::size_t>(t)].push_back(
          ends_.left->tagSend(&value, 4, Tag{static_cast<ucp_tag_t>(t)}));
    }
  });
  ASSERT_TRUE(ends_.ended(receives));
  for (auto& of_thread : sends) ASSERT_TRUE(ends_.ended(of_thread));
  for (auto& of_thread : received)
    for (std::uint32_t i = 0; i < kMessages; ++i) ASSERT_EQ(of_thread[i], i);
}

TEST_P(ThreadsTest, EachThreadSendsReceivesAndWaits) {
  inThreads([&](int t) {
    for (std::uint32_t i = 0; i < 30; ++i) {
      const std::uint32_t sent = i * 8 + static_cast<std::uint32_t>(t);
      std::uint32_t received = 0;
      const Tag tag{0x100u + static_cast<ucp_tag_t>(t)};
      auto receive = ends_.right->tagRecv(&received, 4, tag);
      auto send = ends_.left->tagSend(&sent, 4, tag);
      const auto end = Clock::now() + compat::kDeadline;
      while (!(send->isCompleted() && receive->isCompleted()) && Clock::now() < end) {
        if (!hasMover()) ends_.left_worker->progress(), ends_.right_worker->progress();
        std::this_thread::yield();
      }
      ASSERT_TRUE(receive->isCompleted() && send->isCompleted());
      ASSERT_EQ(received, sent);
    }
  });
}

TEST_P(ThreadsTest, WaitsOfManyThreads) {
  inThreads([&](int t) {
    for (std::uint32_t i = 0; i < 20; ++i) {
      std::uint32_t received = 0;
      const Tag tag{0x200u + static_cast<ucp_tag_t>(t)};
      auto receive = ends_.right->tagRecv(&received, 4, tag);
      auto send = ends_.left->tagSend(&i, 4, tag);
      ASSERT_TRUE(send->wait(compat::kDeadline));
      ASSERT_TRUE(receive->wait(compat::kDeadline));
      ASSERT_EQ(received, i);
    }
  });
}

TEST_P(ThreadsTest, CancelsRaceWithMatches) {
  std::atomic<int> matched{0};
  inThreads([&](int t) {
    std::vector<std::byte> buffer(8);
    for (int i = 0; i < 50; ++i) {
      static constexpr Tag tag{0x300};
      if (t % 2 == 0) {
        (void)ends_.left->tagSend(&tag, 8, tag);
        continue;
      }
      auto receive = ends_.right->tagRecv(buffer.data(), 8, tag);
      receive->cancel();
      ASSERT_TRUE(receive->wait(compat::kDeadline));
      if (receive->getStatus() == UCS_OK) ++matched;
    }
  });
  // Every message is somewhere, once.
  const int sent = kThreads / 2 * 50;
  std::uint64_t received = 0;
  while (matched < sent) {
    auto rest = ends_.right->tagRecv(&received, 8, Tag{0x300});
    ASSERT_TRUE(ends_.ended({rest})) << matched;
    ASSERT_EQ(received, 0x300u);
    ++matched;
  }
  EXPECT_FALSE(ends_.right_worker->tagProbe(Tag{0x300})->isMatched());
}

INSTANTIATE_TEST_SUITE_P(All, ThreadsTest,
                         testing::Values(Mode::Caller, Mode::Event, Mode::Polling, Mode::Adaptive,
                                         Mode::Delayed),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::core::test
