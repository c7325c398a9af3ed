// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The order of the words of a condition: whoever sees that it has ended so often sees the status of
// that end, never of one before.

#include "core/conditional.h"
#include "core/litmus.h"

namespace ucxx::core::test {
namespace {

/// Who writes the words: the thread that moves the worker, which is never the reader's.
constexpr Mode kWriters[] = {Mode::Caller, Mode::Polling, Mode::Adaptive, Mode::Blocking};

class ConditionLitmusTest : public testing::TestWithParam<Mode> {
 protected:
  /// A receive of one byte, which a message of two bytes ends with UCS_ERR_MESSAGE_TRUNCATED.
  std::shared_ptr<Request> receive(const Condition& condition, std::size_t index) {
    return ends_.left->tagRecvBuilder(&room_[index], 1, Tag{index}).condition(condition).build();
  }
  void send(std::size_t index, ucs_status_t outcome) {
    (void)ends_.left->tagSend(sent_, outcome == UCS_OK ? 1 : 2, Tag{index});
  }
  /// The condition is to end once more. False: it has not, or nobody has looked.
  bool ends(const Condition& condition, std::uint64_t epoch) {
    const std::uint64_t before = looked_;
    condition.trigger();
    return ends_.until([&] { return condition.epoch() == epoch; }) &&
           in(compat::kDeadline, [&] { return looked_ != before; });
  }
  /// The reader looks at the first `count` ends of `condition`, each as soon as it is there, and
  /// then at nothing of it any more.
  void show(const Condition& condition, std::uint64_t count) {
    shown_ = &condition;
    last_ = count;
    ++asked_;
    EXPECT_TRUE(in(compat::kDeadline, [&] { return taken_ == asked_; }));
  }
  void read() {
    for (std::uint64_t shows = 0; !stop_;) {
      if (asked_ == shows) {
        std::this_thread::yield();
        continue;
      }
      taken_ = ++shows;
      for (std::uint64_t epoch = 1, last = last_; epoch <= last && !stop_;) {
        for (int look = 0; look < 200 && shown_->epoch() < epoch; ++look) {
        }
        if (shown_->epoch() < epoch) {
          std::this_thread::yield();  // the writer may need the processor
          continue;
        }
        wrong_ += shown_->lastStatus() != statusOf(epoch);
        ++epoch;
        ++looked_;
      }
    }
  }
  static ucs_status_t statusOf(std::uint64_t epoch) {
    return epoch % 2 == 0 ? UCS_ERR_MESSAGE_TRUNCATED : UCS_OK;
  }

  void SetUp() override {
    reader_ = std::thread([this] { read(); });
  }
  void TearDown() override {
    stop_ = true;
    reader_.join();
    EXPECT_EQ(wrong_, 0u);
  }

  static constexpr std::size_t kReceives = 4;
  const char sent_[2] = {1, 2};
  char room_[kReceives] = {};
  const Condition* shown_ = nullptr;  // set before `asked_`, as is `last_`
  std::uint64_t last_ = 0;
  std::atomic<std::uint64_t> asked_{0}, taken_{0}, looked_{0};
  std::atomic<bool> stop_{false};
  std::uint64_t wrong_ = 0;  // the reader's
  Ends ends_{Route::Self, GetParam()};
  std::thread reader_;
};

/// Before its only end the status of a condition is UCS_INPROGRESS.
TEST_P(ConditionLitmusTest, StatusIsThereBeforeTheOnlyEnd) {
  const unsigned long rounds = litmusRounds(4000);
  for (unsigned long round = 0; round < rounds && !HasFailure(); ++round) {
    const auto condition = Condition::host();
    const auto request = receive(condition, 0);
    ASSERT_EQ(condition.lastStatus(), UCS_INPROGRESS);
    show(condition, 1);
    send(0, UCS_OK);
    ASSERT_TRUE(ends(condition, 1)) << round;
  }
}

/// Each second repetition fails, with one of the receives, and the others go on.
TEST_P(ConditionLitmusTest, StatusIsThatOfTheEndAndOfNoneBefore) {
  const unsigned long rounds = litmusRounds(4000) / (2 * kReceives) + 1;
  for (unsigned long round = 0; round < rounds && !HasFailure(); ++round) {
    const auto condition = Condition::host(repeating());
    Requests requests;
    for (std::size_t i = 0; i < kReceives; ++i) requests.push_back(receive(condition, i));
    show(condition, 2 * kReceives);
    for (std::uint64_t epoch = 1; epoch <= 2 * kReceives; ++epoch) {
      const std::size_t failed = (epoch - 1) / 2;  // those before have failed already
      for (std::size_t i = failed; i < kReceives; ++i)
        send(i, i == failed ? statusOf(epoch) : UCS_OK);
      ASSERT_TRUE(ends(condition, epoch)) << epoch << " of round " << round;
    }
    for (const auto& request : requests) ASSERT_EQ(request->getStatus(), UCS_ERR_MESSAGE_TRUNCATED);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ConditionLitmusTest, testing::ValuesIn(kWriters),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::core::test
