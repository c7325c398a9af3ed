// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Who waits for a payload that a peer has to move lets it have the processor.

#include <ctime>

#include <poll.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ucxx/request_helper.h>

#include "core/met.h"

namespace {

/// Whether sleeps of less than a second last for ever: only a bell ends them.
std::atomic<bool> sleeps_are_long{false};

}  // namespace

/// Instead of libc's.
extern "C" __attribute__((visibility("default"))) int ppoll(pollfd* files, nfds_t count,
                                                            const timespec* limit,
                                                            const sigset_t*) {
  const timespec given = limit != nullptr ? *limit : timespec{};
  timespec kept = sleeps_are_long && given.tv_sec == 0 ? timespec{600, 0} : given;
  return static_cast<int>(::syscall(SYS_ppoll, files, count, limit != nullptr ? &kept : nullptr,
                                    nullptr, std::size_t{0}));
}

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kSize = 8 << 20;
constexpr Tag kThere{1}, kBack{2};
constexpr std::uint64_t kAwake = UCP_FEATURE_TAG;  // no WAKEUP
constexpr std::uint64_t kWithWakeup = kAwake | UCP_FEATURE_WAKEUP;

/// By which call a program waits.
enum class By { Wait, WaitRequests, Event, PollingThread };

/// Two workers whose payloads go through the ring.
struct Two {
  explicit Two(std::uint64_t features = kWithWakeup)
      : met(worker(features), worker(features), false) {
    EXPECT_TRUE(met.talks() && met.isLocal());
  }
  ~Two() { sleeps_are_long = false; }
  Two(const Two&) = delete;
  Two& operator=(const Two&) = delete;

  static std::shared_ptr<Worker> worker(std::uint64_t features) {
    return createContext({{"UCXX_LOCAL", "only"}, {"UCXX_LOCAL_BULK", "ring"}}, features)
        ->createWorker();
  }
  /// Posts a payload to the right, and moves both until it is on its way.
  void begin() {
    receive = met.right->tagRecv(in.data(), in.size(), kThere, TagMaskFull);
    send = met.there->tagSend(out.data(), out.size(), kThere);
    while (met.left->progress()) {
    }
    while (met.right->progress()) {
    }
    met.left->progress();
    ASSERT_FALSE(send->isCompleted());
    ASSERT_FALSE(receive->isCompleted());
  }

  Met met;
  std::vector<std::byte> out = std::vector<std::byte>(kSize, std::byte{1}),
                         in = std::vector<std::byte>(kSize);
  std::shared_ptr<Request> send, receive;
};

void waitBy(By by, const std::shared_ptr<Worker>& worker, const std::shared_ptr<Request>& request) {
  if (by == By::WaitRequests) return waitRequests(worker, {request});
  const compat::Deadline deadline;
  while (by == By::Event && !request->isCompleted() && deadline) worker->progressWorkerEvent(-1);
  EXPECT_TRUE(request->wait(compat::kDeadline));
}

struct Case {
  const char* name;
  By by;
  std::uint64_t features;
};
void PrintTo(const Case& tested, std::ostream* out) { *out << tested.name; }

class NapTest : public testing::TestWithParam<Case> {
 protected:
  /// Waits for `request`, of `worker`, while nobody moves the other one; then lets it go on.
  void napsUntilMoved(const std::shared_ptr<Worker>& worker,
                      const std::shared_ptr<Request>& request,
                      const std::shared_ptr<Worker>& other) {
    const std::uint64_t before = worker->stats().wake_ups;
    if (GetParam().by == By::PollingThread) worker->startProgressThread(true);
    std::atomic<bool> over{false};
    std::thread waiting([&] {
      waitBy(GetParam().by, worker, request);
      over = true;
    });
    EXPECT_TRUE(in(compat::kDeadline, [&] { return worker->stats().wake_ups >= before + 2; }))
        << worker->stats().wake_ups - before;
    EXPECT_FALSE(over);
    EXPECT_TRUE(compat::until({other}, [&] { return over.load(); }));
    worker->stopProgressThread();
    waiting.join();
  }
};

TEST_P(NapTest, ReceiverNapsWhileItsSenderDoesNothing) {
  Two two(GetParam().features);
  ASSERT_NO_FATAL_FAILURE(two.begin());
  napsUntilMoved(two.met.right, two.receive, two.met.left);
  EXPECT_TRUE(two.in == two.out);
}

TEST_P(NapTest, SenderNapsWhileItsReceiverDoesNothing) {
  Two two(GetParam().features);
  ASSERT_NO_FATAL_FAILURE(two.begin());
  napsUntilMoved(two.met.left, two.send, two.met.right);
  ASSERT_TRUE(compat::ended({two.met.right}, {two.receive}));
  EXPECT_TRUE(two.in == two.out);
}

void runOn(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  ASSERT_EQ(::sched_setaffinity(0, sizeof set, &set), 0);
}

/// Each thread moves its own worker, as two processes do; `cpu`: where both run.
void exchange(By by, Two& two, int count, int cpu) {
  const auto start = [&](const std::shared_ptr<Worker>& worker) {
    worker->setProgressThreadStartCallback([cpu](void*) { runOn(cpu); }, nullptr);
    if (by == By::PollingThread) worker->startProgressThread(true);
  };
  std::thread other([&] {
    runOn(cpu);
    start(two.met.right);
    const char word = 1;
    for (int i = 0; i < count; ++i) {
      waitBy(by, two.met.right, two.met.right->tagRecv(two.in.data(), kSize, kThere, TagMaskFull));
      waitBy(by, two.met.right, two.met.back->tagSend(&word, 1, kBack));
    }
  });
  std::thread self([&] {
    runOn(cpu);
    start(two.met.left);
    char word = 0;
    for (int i = 0; i < count; ++i) {
      auto answer = two.met.left->tagRecv(&word, 1, kBack, TagMaskFull);
      waitBy(by, two.met.left, two.met.there->tagSend(two.out.data(), kSize, kThere));
      waitBy(by, two.met.left, answer);
    }
  });
  self.join();
  other.join();
  two.met.left->stopProgressThread();
  two.met.right->stopProgressThread();
}

int firstCpu() {
  cpu_set_t set;
  CPU_ZERO(&set);
  ::sched_getaffinity(0, sizeof set, &set);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &set)) ++cpu;
  return cpu;
}

/// Where each filling of the ring costs a time slice, one of these takes more than half a second.
TEST_P(NapTest, PayloadsPassOnOneProcessor) {
  Two two(GetParam().features);
  constexpr int kCount = 32;
  const auto begin = Clock::now();
  exchange(GetParam().by, two, kCount, firstCpu());
  EXPECT_LT(Clock::now() - begin, 8s);
  EXPECT_TRUE(two.in == two.out);
}

TEST_P(NapTest, BellsAloneEndTheNaps) {
  Two two(GetParam().features);
  sleeps_are_long = true;
  const auto begin = Clock::now();
  exchange(GetParam().by, two, 4, firstCpu());
  EXPECT_LT(Clock::now() - begin, compat::kDeadline);
  EXPECT_TRUE(two.in == two.out);
}

INSTANTIATE_TEST_SUITE_P(Ways, NapTest,
                         testing::Values(Case{"Wait", By::Wait, kWithWakeup},
                                         Case{"WaitWithoutWakeup", By::Wait, kAwake},
                                         Case{"WaitRequests", By::WaitRequests, kAwake},
                                         Case{"Event", By::Event, kAwake},
                                         Case{"PollingThread", By::PollingThread, kAwake}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(NapLimitTest, TimeoutsAndCancelsOfWaitsAreObeyed) {
  for (const std::uint64_t features : {kAwake, kWithWakeup}) {
    Two two(features);
    ASSERT_NO_FATAL_FAILURE(two.begin());
    auto never = two.met.right->tagRecv(two.in.data(), 1, Tag{99}, TagMaskFull);
    const auto begin = Clock::now();
    EXPECT_FALSE(never->wait(20ms));
    EXPECT_GE(Clock::now() - begin, 20ms);
    EXPECT_LT(Clock::now() - begin, 10s);
    EXPECT_FALSE(two.receive->wait(0ns));
    std::thread canceller([&] { never->cancel(); });
    EXPECT_TRUE(never->wait(compat::kDeadline));
    canceller.join();
    EXPECT_EQ(never->getStatus(), UCS_ERR_CANCELED);
    ASSERT_TRUE(compat::ended({two.met.left, two.met.right}, {two.send, two.receive}));
  }
}

/// `progress()` never sleeps, nor does an event that may not.
TEST(NapLimitTest, ProgressDoesNotNap) {
  Two two(kAwake);
  ASSERT_NO_FATAL_FAILURE(two.begin());
  for (const auto end = Clock::now() + 20ms; Clock::now() < end;) {
    two.met.right->progress();
    two.met.right->progressWorkerEvent(0);
  }
  EXPECT_EQ(two.met.right->stats().wake_ups, 0u);
  ASSERT_TRUE(compat::ended({two.met.left, two.met.right}, {two.send, two.receive}));
}

long preemptions() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

/// Without a payload under way, who polls goes on polling, if nobody else wants the processor.
TEST(NapLimitTest, NoNapWithoutAPayload) {
  const long before = preemptions();
  Two two(kAwake);
  auto receive = two.met.right->tagRecv(two.in.data(), 1, kThere, TagMaskFull);
  for (const auto end = Clock::now() + 20ms; Clock::now() < end;)
    two.met.right->progressWorkerEvent(-1);
  EXPECT_TRUE(two.met.right->stats().wake_ups == 0 || preemptions() != before);
}

/// ... but who waits sleeps: no peer is met by UCX, so that it hears everything.
TEST(NapLimitTest, WaitSleepsWithoutWakeup) {
  Two two(kAwake);
  char in = 0;
  const char out = 1;
  auto receive = two.met.right->tagRecv(&in, 1, kThere, TagMaskFull);
  EXPECT_FALSE(receive->wait(20ms));
  EXPECT_GE(two.met.right->stats().wake_ups, 1u);
  WatchedThread waiting([&] { EXPECT_TRUE(receive->wait(compat::kDeadline)); });
  EXPECT_TRUE(waiting.fallsAsleep());
  EXPECT_TRUE(two.met.there->tagSend(&out, 1, kThere)->wait(compat::kDeadline));
}

}  // namespace
}  // namespace ucxx::core::test
