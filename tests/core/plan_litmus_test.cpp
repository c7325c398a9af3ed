// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The order of what several threads write and read of a plan: the bytes of a partition before the
// word that says that they have come.

#include <numeric>
#include <random>

#include <ucxx/prepared.h>

#include "core/litmus.h"
#include "core/prepared_memory.h"
#include "local/choices.h"

namespace ucxx::core::test {
namespace {

constexpr std::size_t kContributors = 3, kPushed = 12;

/// A plan that contributors push, each a third of the partitions, while a reader looks at them.
/// Nobody moves the workers: all of it is loads and stores.
class PlanLitmusTest : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (!ends_.isLocal()) return;
    runOnce();  // the ends know each other
    ASSERT_TRUE(ends_.until([&] { return isPushed(); })) << send_->explain().toString();
  }
  bool isPushed() const { return send_->explain().way.starts_with("pushed: "); }
  void runOnce() {
    startAll({receive_, send_});
    send_->ready();
    ASSERT_TRUE(ends_.until([&] { return send_->isCompleted() && receive_->isCompleted(); }));
  }
  std::size_t words() const { return GetParam() / sizeof(std::uint64_t); }
  std::uint64_t* wordsOf(Memory& memory, std::size_t partition) const {
    return reinterpret_cast<std::uint64_t*>(memory.data()) + partition * words();
  }
  void fill(std::uint64_t value) { std::fill_n(wordsOf(source_, 0), kPushed * words(), value); }

  /// Pushes the partitions of contributor `index` in any order. The first one starts the send.
  void contribute(std::size_t index) {
    std::mt19937 random(static_cast<unsigned>(index));
    std::vector<std::size_t> own(kPushed / kContributors);
    std::iota(own.begin(), own.end(), index * own.size());
    for (unsigned long round = 1; round <= rounds_; ++round) {
      std::shuffle(own.begin(), own.end(), random);
      if (index == 0) {
        if (!in(compat::kDeadline, [&] { return asked_ == round; })) return;
        if (!in(compat::kDeadline, [&] { return send_->isCompleted(); })) return;
        fill(round);
        send_->start();
        begun_ = round;
      } else if (!in(compat::kDeadline, [&] { return begun_ == round; })) {
        return;
      }
      for (const std::size_t partition : own) {
        if (random() % 2 == 0) std::this_thread::yield();  // so that the reader sees some of them
        send_->ready(partition);
      }
    }
  }
  /// Looks at each partition as soon as it has come.
  void read() {
    for (unsigned long round = 1; round <= rounds_; ++round) {
      receive_->start();
      asked_ = round;
      std::size_t seen = 0;
      std::array<bool, kPushed> has_come{};
      const bool have_all = in(compat::kDeadline, [&] {
        for (std::size_t i = 0; i < kPushed; ++i) {
          if (has_come[i] || !receive_->arrived(i)) continue;
          has_come[i] = true;
          early_ += !receive_->isCompleted();
          for (std::size_t k = 0; k < words(); ++k) wrong_ += wordsOf(target_, i)[k] != round;
          ++seen;
        }
        return seen == kPushed;
      });
      ASSERT_TRUE(have_all) << receive_->describe() << ", " << send_->describe();
      ASSERT_EQ(receive_->getStatus(), UCS_OK);
    }
  }

  const unsigned long rounds_ = litmusRounds(30'000'000 / (GetParam() + 5'000));
  Ends ends_{Route::Address};
  Memory source_{ends_.context, Owner::Library, kPushed* GetParam()};
  Memory target_{ends_.context, Owner::Library, kPushed* GetParam()};
  std::shared_ptr<PreparedSend> send_ =
      ends_.left->prepareSend(source_.data(), source_.size(), Tag{1}, {kPushed});
  std::shared_ptr<PreparedRecv> receive_ =
      ends_.right->prepareRecv(target_.data(), target_.size(), Tag{1}, {kPushed});
  std::atomic<unsigned long> asked_{0}, begun_{0};
  std::uint64_t wrong_ = 0, early_ = 0;  // the reader's
};

TEST_P(PlanLitmusTest, BytesAreThereBeforeTheWord) {
  if (!ends_.isLocal()) return;  // elsewhere the loop writes both
  std::vector<std::thread> contributors;
  for (std::size_t i = 0; i < kContributors; ++i)
    contributors.emplace_back([this, i] { contribute(i); });
  read();
  for (auto& contributor : contributors) contributor.join();
  EXPECT_EQ(wrong_, 0u) << "of " << rounds_ << " rounds";
  EXPECT_GT(early_, 0u) << "no partition was seen before all had come";
}

/// The last of them is copied by stores that go past the cache.
INSTANTIATE_TEST_SUITE_P(All, PlanLitmusTest,
                         testing::Values(std::size_t{8}, std::size_t{1000},
                                         local::choices::kLeastStreamedPush + 7),
                         [](const auto& info) { return std::to_string(info.param); });

}  // namespace
}  // namespace ucxx::core::test
