// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Whoever writes a word of a plan wakes the other end, if that sleeps or is about to: again and
// again, with pauses after which it looks, goes to sleep, or sleeps.

#include <future>

#include <poll.h>

#include <ucxx/prepared.h>

#include "core/litmus.h"
#include "core/prepared_memory.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

constexpr Mode kSleepers[] = {Mode::Caller, Mode::Event, Mode::Blocking, Mode::Adaptive};
constexpr std::size_t kWoken = 2;
/// Who sleeps looks after a second at the latest whether its peers live, and sees the word then. So
/// whoever sleeps for half of that, after the other end has written, was not woken. It is counted
/// in short sleeps: while the machine stands still there is one of them.
constexpr auto kNap = 10ms;
constexpr int kNapsNotWoken = 50;

class PlanWakeTest : public testing::TestWithParam<std::tuple<Mode, Owner>> {
 protected:
  ~PlanWakeTest() override {
    stop_ = true;
    if (other_.joinable()) other_.join();
  }
  /// The ends know each other.
  void SetUp() override {
    startAll({receive_, send_});
    send_->ready();
    ASSERT_TRUE(ends_.until([&] { return send_->isCompleted() && receive_->isCompleted(); }));
  }
  /// How many rounds an end has written all of its words of.
  using Written = std::atomic<unsigned long>;
  /// An end has written, and sleeps until the iteration has ended. False: nobody has woken it.
  bool sleepsThrough(Prepared& plan, const std::shared_ptr<Worker>& worker, Written& own,
                     const Written& other) {
    const unsigned long round = ++own;
    const auto mayBeWoken = [&, round] { return stop_ || other >= round; };
    if (plan.isCompleted()) return true;
    return std::get<Mode>(GetParam()) == Mode::Caller
               ? sleepsOnDescriptor(*plan.request(), *worker, mayBeWoken)
               : waitsToBeTold(plan, mayBeWoken);
  }
  /// False: it was not woken.
  template <class Nap, class MayBeWoken>
  static bool sleeps(Nap nap, MayBeWoken mayBeWoken) {
    for (int naps = 0; naps < kNapsNotWoken; naps += mayBeWoken() ? 1 : 0)
      if (nap()) return true;
    return false;
  }
  /// `Prepared::wait` would look now and then, and end what nobody has woken.
  template <class MayBeWoken>
  static bool waitsToBeTold(Prepared& plan, MayBeWoken mayBeWoken) {
    const auto told = std::make_shared<std::promise<void>>();
    auto ended = told->get_future();
    const auto request = plan.request([told](ucs_status_t, const auto&) { told->set_value(); });
    return sleeps([&] { return ended.wait_for(kNap) == std::future_status::ready; }, mayBeWoken);
  }
  template <class MayBeWoken>
  bool sleepsOnDescriptor(const Request& end, Worker& worker, MayBeWoken mayBeWoken) {
    pollfd waiting{worker.getEpollFileDescriptor(), POLLIN, 0};
    const auto nap = [&] { return ::poll(&waiting, 1, static_cast<int>(kNap / 1ms)) == 1; };
    while (!end.isCompleted()) {
      if (worker.progress() || !worker.arm() || end.isCompleted()) continue;
      ++polls_;
      if (!sleeps(nap, mayBeWoken)) return false;
    }
    return true;
  }
  /// One end in a thread of its own, the other in this one; `work` is what each does in a round.
  template <class Work, class OtherWork>
  void runBoth(Work work, OtherWork other_work) {
    const auto run = [this](auto& own_work, unsigned seed) {
      RandomPauses pauses(seed);
      for (unsigned long round = 1; round <= rounds_ && !stop_; ++round) {
        if (own_work(pauses, round)) continue;
        stop_ = true;
        ADD_FAILURE() << "round " << round << ": " << send_->describe() << ", "
                      << receive_->describe();
      }
    };
    other_ = std::thread([&] { run(other_work, 1); });
    run(work, 2);
    other_.join();
    EXPECT_EQ(send_->getStatus(), UCS_OK);
    EXPECT_EQ(receive_->getStatus(), UCS_OK);
  }
  bool sends(RandomPauses& pauses, bool pauses_between) {
    send_->start();
    send_->ready(0);
    if (pauses_between) pauses.pause();
    send_->ready(1);
    return sleepsThrough(*send_, ends_.left_worker, sent_, received_);
  }
  bool receives() {
    receive_->start();
    return sleepsThrough(*receive_, ends_.right_worker, received_, sent_);
  }

  const unsigned long rounds_ = litmusRounds(2000);
  std::atomic<bool> stop_{false};
  Written sent_{0}, received_{0};
  Ends ends_{Route::Address, std::get<Mode>(GetParam())};
  Memory source_{ends_.context, std::get<Owner>(GetParam()), kWoken * 64};
  Memory target_{ends_.context, std::get<Owner>(GetParam()), kWoken * 64};
  std::shared_ptr<PreparedSend> send_ =
      ends_.left->prepareSend(source_.data(), source_.size(), Tag{1}, {kWoken});
  std::shared_ptr<PreparedRecv> receive_ =
      ends_.right->prepareRecv(target_.data(), target_.size(), Tag{1}, {kWoken});
  std::atomic<std::uint64_t> polls_{0};  // sleeps on the descriptor of a worker
  std::thread other_;
};

/// The receiver waits for landing words: the sender is late, with all or with a part.
TEST_P(PlanWakeTest, ALandingWordWakesTheReceiver) {
  runBoth(
      [&](RandomPauses& pauses, unsigned long round) {
        pauses.pause();
        return sends(pauses, round % 2 == 0);
      },
      [&](RandomPauses&, unsigned long) { return receives(); });
  EXPECT_GT(ends_.right_worker->stats().wake_ups + polls_, 0u) << "it has never slept";
}

/// The sender has parked its partitions, and waits for the ready word: the receiver is late.
TEST_P(PlanWakeTest, AReadyWordWakesTheSender) {
  runBoth([&](RandomPauses& pauses, unsigned long) { return sends(pauses, false); },
          [&](RandomPauses& pauses, unsigned long) {
            pauses.pause();
            return receives();
          });
  EXPECT_GT(ends_.left_worker->stats().wake_ups + polls_, 0u) << "it has never slept";
}

/// Both are late now and then.
TEST_P(PlanWakeTest, EachWakesTheOther) {
  runBoth(
      [&](RandomPauses& pauses, unsigned long round) {
        pauses.pause();
        return sends(pauses, round % 3 == 0);
      },
      [&](RandomPauses& pauses, unsigned long) {
        pauses.pause();
        return receives();
      });
}

/// It is called amid a round, which goes on afterwards.
TEST_P(PlanWakeTest, ACallbackCannotArm) {
  std::atomic<int> told{0}, armed{0};
  for (int i = 1; i <= 50; ++i) {
    receive_->start();
    const auto end = receive_->request([&](ucs_status_t, const auto&) {
      if (ends_.right_worker->arm()) ++armed;
      ++told;
    });
    send_->start();
    send_->ready();
    ASSERT_TRUE(ends_.until([&] { return told == i && send_->isCompleted(); })) << i;
  }
  EXPECT_EQ(armed, 0);
}

INSTANTIATE_TEST_SUITE_P(All, PlanWakeTest,
                         testing::Combine(testing::ValuesIn(kSleepers),
                                          testing::Values(Owner::Library, Owner::User)),
                         [](const auto& info) {
                           return nameOf(std::get<Mode>(info.param)) +
                                  nameOf(std::get<Owner>(info.param));
                         });

}  // namespace
}  // namespace ucxx::core::test
