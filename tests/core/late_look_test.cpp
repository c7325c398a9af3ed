// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A thread that is woken and comes to look late finds that another one has taken what woke it.

#include <ctime>
#include <functional>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/fixtures.h"

namespace {

std::atomic<bool> looks_late{false}, sleeps{false};

}  // namespace

/// Instead of libc's.
extern "C" __attribute__((visibility("default"))) int ppoll(pollfd* files, nfds_t count,
                                                            const timespec* limit,
                                                            const sigset_t*) {
  sleeps = true;
  while (looks_late) std::this_thread::yield();
  timespec kept = limit != nullptr ? *limit : timespec{};
  return static_cast<int>(::syscall(SYS_ppoll, files, count, limit != nullptr ? &kept : nullptr,
                                    nullptr, std::size_t{0}));
}

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

constexpr Tag kWanted{1};

/// Sleeps until `done`, and looks late the first time: when it is let go.
class LateSleeper {
 public:
  LateSleeper(Worker& worker, std::function<bool()> done) : worker_(worker) {
    worker.initBlockingProgressMode();
    looks_late = true;
    sleeps = false;
    thread_ = std::thread([this, done = std::move(done)] {
      while (!done() && !stopping_) worker_.progressWorkerEvent(-1);
    });
    EXPECT_TRUE(in(compat::kDeadline, [] { return sleeps.load(); }));
  }
  ~LateSleeper() {
    stopping_ = true;
    worker_.signal();
    looks_late = false;
    thread_.join();
  }
  LateSleeper(const LateSleeper&) = delete;
  LateSleeper& operator=(const LateSleeper&) = delete;

  /// Lets it go. True: it looks in vain, or at what is left, and wakes.
  [[nodiscard]] bool wakes() {
    const std::uint64_t before = worker_.stats().wake_ups;
    looks_late = false;
    return in(1s, [&] { return worker_.stats().wake_ups != before; });
  }

 private:
  Worker& worker_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

/// An arm that is refused takes the signal of UCX, moves what has come, and leaves UCX unarmed.
TEST(LateLookTest, RefusedArmWakesWhoSleeps) {
  Ends ends(Route::Listener, Mode::Caller, {}, {{"UCXX_LOCAL", "off"}});
  Worker& worker = *ends.right_worker;
  const ucp_worker_h ucx = worker.getHandle();
  char out = 1, in = 0;
  auto receive = worker.tagRecv(&in, 1, kWanted, TagMaskFull);
  LateSleeper sleeper(worker, [&] { return receive->isCompleted(); });
  auto send = ends.left->tagSend(&out, 1, kWanted);
  EXPECT_TRUE(compat::ended({ends.left_worker}, {send}));
  for (const compat::Deadline deadline; !receive->isCompleted() && deadline;) {
    ASSERT_EQ(ucp_worker_signal(ucx), UCS_OK);  // as UCX's own thread does when a peer connects
    EXPECT_FALSE(worker.arm());
  }
  EXPECT_TRUE(sleeper.wakes());
}

/// A thread that sleeps looks at its rings now and then, and keeps the limits of connects.
TEST(LateLookTest, TimerWakesWhoSleepsThoughAnotherThreadHasSeenIt) {
  Ends ends(Route::Address, Mode::Caller, {}, {{"UCXX_LOCAL", "auto"}});
  Worker& worker = *ends.right_worker;
  LateSleeper sleeper(worker, [] { return false; });
  for (const auto end = Clock::now() + 20ms; Clock::now() < end;) worker.progress();
  EXPECT_TRUE(sleeper.wakes());
}

}  // namespace
}  // namespace ucxx::core::test
