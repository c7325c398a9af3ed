// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Waits that a program leaves by shmemx_set_wait_check: which calls ask, when, and what they return
// then. What oshrun says of such waits is oshrun_programs_check.py's.
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <functional>
#include <string>
#include <thread>

#include <pthread.h>
#include <shmemx.h>

#include "shmem/check.h"

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Word = std::uint64_t;

constexpr auto kAskEvery = 50ms;
/// No wait may last longer, however busy the machine is.
constexpr auto kLongest = 20s;

/// The check of a thread, as long as it lives: leaves from the question with that number on. A wait
/// that goes on asking is a failure after some time.
class Check {
 public:
  explicit Check(int first) : leave_at(first) { shmemx_set_wait_check(ask, this); }
  ~Check() { shmemx_set_wait_check(nullptr, nullptr); }
  Check(const Check&) = delete;
  Check& operator=(const Check&) = delete;

  int asked() const { return asked_; }
  int leave_at;
  /// Is called in each question, before the answer.
  std::function<void()> then = [] {};

 private:
  static int ask(void* context) {
    auto& check = *static_cast<Check*>(context);
    CHECK(std::this_thread::get_id() == check.thread_);
    CHECK(Clock::now() < check.end_);
    const int asked = ++check.asked_;
    errno = EDOM;
    check.then();
    return asked >= check.leave_at ? -1 : 0;
  }

  const std::thread::id thread_ = std::this_thread::get_id();
  const Clock::time_point end_ = Clock::now() + kLongest;
  std::atomic<int> asked_{0};
};
constexpr int kNever = INT_MAX;

// Words of the local PE, which nobody changes.
constexpr std::size_t kWords = 3;
std::array<Word, kWords> words{};
short small = 0;
int masked[kWords] = {0, 1, 0};
const Word kZeros[kWords] = {}, kOnes[kWords] = {1, 1, 1};

/// A call that waits until words are `with`; what it returned, or 0.
struct Call {
  const char* name;
  std::size_t (*wait)(Word with);
  std::size_t when_left, when_true;
};

const Word* all(Word with) { return with == 0 ? kZeros : kOnes; }
std::size_t some(Word with, const int* status, bool is_vector) {
  std::size_t indices[kWords + 1] = {9, 9, 9, 9};
  const std::size_t found =
      is_vector
          ? shmem_uint64_wait_until_some_vector(words.data(), kWords, indices, status, SHMEM_CMP_EQ,
                                                all(with))
          : shmem_uint64_wait_until_some(words.data(), kWords, indices, status, SHMEM_CMP_EQ, with);
  CHECK_EQ(indices[found], 9U);
  return found;
}

// clang-format off
const Call kCalls[] = {
  {"wait_until", [](Word with) { shmem_uint64_wait_until(words.data(), SHMEM_CMP_EQ, with); return std::size_t{0}; }, 0, 0},
  {"wait_until of short", [](Word with) { shmem_short_wait_until(&small, SHMEM_CMP_EQ, static_cast<short>(with)); return std::size_t{0}; }, 0, 0},
  {"all", [](Word with) { shmem_uint64_wait_until_all(words.data(), kWords, nullptr, SHMEM_CMP_EQ, with); return std::size_t{0}; }, 0, 0},
  {"all_vector", [](Word with) { shmem_uint64_wait_until_all_vector(words.data(), kWords, masked, SHMEM_CMP_EQ, all(with)); return std::size_t{0}; }, 0, 0},
  {"any", [](Word with) { return shmem_uint64_wait_until_any(words.data(), 1, nullptr, SHMEM_CMP_EQ, with); }, SIZE_MAX, 0},
  {"any_vector", [](Word with) { return shmem_uint64_wait_until_any_vector(words.data(), 1, nullptr, SHMEM_CMP_EQ, all(with)); }, SIZE_MAX, 0},
  {"some", [](Word with) { return some(with, nullptr, false); }, 0, 3},
  {"some_vector", [](Word with) { return some(with, masked, true); }, 0, 2},
  {"signal", [](Word with) { return std::size_t{shmem_signal_wait_until(words.data(), SHMEM_CMP_EQ, with)}; }, 0, 0},
  {"old wait", [](Word with) { shmem_wait(reinterpret_cast<long*>(words.data()), with == 0 ? 1 : 0); return std::size_t{0}; }, 0, 0},
  {"old wait of short", [](Word with) { shmem_short_wait(&small, with == 0 ? 1 : 0); return std::size_t{0}; }, 0, 0},
  {"old wait_until", [](Word with) { shmem_wait_until(reinterpret_cast<long*>(words.data()), SHMEM_CMP_EQ, static_cast<long>(with)); return std::size_t{0}; }, 0, 0},
};
// clang-format on

/// At the first question and at the third one; and the questions keep their distance.
void testEachCallIsLeft() {
  for (const Call& call : kCalls) {
    for (const int leave_at : {1, 3}) {
      Check check(leave_at);
      errno = ERANGE;
      const auto begin = Clock::now();
      CHECK_EQ(call.wait(1), call.when_left);
      CHECK(Clock::now() - begin >= (leave_at - 1) * kAskEvery);
      CHECK_EQ(errno, ERANGE);
      CHECK_EQ(check.asked(), leave_at);
    }
  }
}

void testSatisfiedCallsDoNotAsk() {
  Check check(1);
  for (int times = 0; times < 1000; ++times) {
    for (const Call& call : kCalls) CHECK_EQ(call.wait(0), call.when_true);
  }
  CHECK_EQ(check.asked(), 0);
}

/// What has come while the check was asked is returned.
void testLastLook() {
  for (const Call& call : kCalls) {
    Check check(1);
    check.then = [] {
      words.fill(1);
      small = 1;
    };
    const std::size_t found = call.wait(1);
    CHECK_EQ(found, std::string(call.name) == "signal" ? 1 : call.when_true);
    CHECK_EQ(check.asked(), 1);
    words.fill(0);
    small = 0;
  }
}

/// A thread that has just asked sets its check anew, so that the next wait asks at once.
void testSetAnew() {
  const auto begin = Clock::now();
  constexpr int kTimes = 40;
  for (int time = 0; time < kTimes; ++time) {
    Check check(1);
    kCalls[0].wait(1);
  }
  CHECK(Clock::now() - begin < kTimes * kAskEvery);
}

// Words that another thread or PE changes --------------------------------------------------------

Word other = 0;

void awaitOther(Word value) { shmem_uint64_wait_until(&other, SHMEM_CMP_EQ, value); }
void setOther(Word value) { shmem_uint64_atomic_set(&other, value, shmem_my_pe()); }

/// Sets the word when some time has passed.
class Later {
 public:
  Later(Clock::duration time, Word value)
      : thread_([=] {
          std::this_thread::sleep_for(time);
          setOther(value);
        }) {}
  ~Later() { thread_.join(); }

 private:
  std::thread thread_;
};

void testLaterWaits() {
  Check check(2);
  awaitOther(1);
  CHECK_EQ(check.asked(), 2);
  CHECK_EQ(other, 0U);
  check.leave_at = kNever;
  const Later later(3 * kAskEvery, 1);
  awaitOther(1);
  CHECK_EQ(other, 1U);
  CHECK(check.asked() > 2);
  other = 0;
}

void testCheckIsTakenAway() {
  Check check(kNever);
  shmemx_set_wait_check(nullptr, nullptr);
  const Later later(3 * kAskEvery, 1);
  awaitOther(1);
  CHECK_EQ(check.asked(), 0);
  other = 0;
}

/// A wait of another thread, with or without a check.
void waitBeside(bool has_check, std::atomic<bool>& has_asked) {
  if (!has_check) return awaitOther(1);
  Check check(kNever);
  check.then = [&] { has_asked = true; };
  awaitOther(1);
}

void testOtherThreadsWaitOn() {
  for (const bool has_check : {false, true}) {
    std::atomic<bool> has_asked{!has_check}, has_ended{false};
    std::thread thread([&] {
      waitBeside(has_check, has_asked);
      has_ended = true;
    });
    for (int time = 0; time < 4 || !has_asked; ++time) {
      const Check check(2);
      awaitOther(1);
      CHECK_EQ(check.asked(), 2);
    }
    CHECK(!has_ended);
    setOther(1);
    thread.join();
    other = 0;
  }
}

/// Each of the variables comes before it is time to ask; all together do not.
void testQuestionsOfOneCall() {
  constexpr std::size_t kCount = 12;
  static std::array<Word, kCount> flags;
  flags.fill(0);
  Check check(kNever);
  std::thread thread([] {
    for (Word& flag : flags) {
      std::this_thread::sleep_for(kAskEvery / 2);
      shmem_uint64_atomic_set(&flag, 1, shmem_my_pe());
    }
  });
  shmem_uint64_wait_until_all(flags.data(), kCount, nullptr, SHMEM_CMP_EQ, 1);
  thread.join();
  CHECK(check.asked() > 2);
}

/// Stores that are for others wake the wait all the time.
void testWaitThatIsWokenForNothing() {
  static Word noise;
  std::atomic<bool> ends{false};
  std::thread thread([&] {
    while (!ends) shmem_uint64_atomic_inc(&noise, shmem_my_pe());
  });
  Check check(3);
  awaitOther(1);
  CHECK_EQ(check.asked(), 3);
  ends = true;
  thread.join();
}

// Signals ----------------------------------------------------------------------------------------

std::atomic<bool> is_signalled{false};

/// How long it took from a question, behind which a signal came, to the end of the wait.
Clock::duration signalledWait() {
  is_signalled = false;
  Clock::time_point begin;
  Check check(kNever);
  check.then = [&] {
    if (check.asked() == 1) begin = Clock::now();
    if (is_signalled) check.leave_at = 0;
  };
  std::thread thread([&, waiting = ::pthread_self()] {
    while (check.asked() < 1) std::this_thread::yield();
    std::this_thread::sleep_for(kAskEvery / 10);  // now it sleeps again
    CHECK_EQ(::pthread_kill(waiting, SIGUSR1), 0);
  });
  awaitOther(1);
  const auto end = Clock::now();
  thread.join();
  return end - begin;
}

/// Before it is time for the next question. The shortest of several counts: other processes may
/// keep a PE from running.
void testSignalEndsTheWait(int flags) {
  struct sigaction action {};
  action.sa_handler = [](int) { is_signalled = true; };
  action.sa_flags = flags;
  CHECK_EQ(::sigaction(SIGUSR1, &action, nullptr), 0);
  auto shortest = Clock::duration::max();
  for (int time = 0; time < 50 && shortest > kAskEvery / 5; ++time)
    shortest = std::min(shortest, signalledWait());
  CHECK(shortest < kAskEvery / 2);
}

// Who does not ask -------------------------------------------------------------------------------

void testCollectivesDoNotAsk() {
  Check check(1);
  for (int late = 0; late < 2 && late < shmem_n_pes(); ++late) {
    if (shmem_my_pe() == late) std::this_thread::sleep_for(3 * kAskEvery);
    shmem_barrier_all();
  }
  CHECK_EQ(check.asked(), 0);
}

void testLocksDoNotAsk() {
  static long lock = 0;
  std::atomic<bool> has_begun{false};
  shmem_set_lock(&lock);
  std::thread thread([&] {
    Check check(1);
    has_begun = true;
    shmem_set_lock(&lock);
    shmem_clear_lock(&lock);
    CHECK_EQ(check.asked(), 0);
  });
  while (!has_begun) std::this_thread::yield();
  std::this_thread::sleep_for(3 * kAskEvery);
  shmem_clear_lock(&lock);
  thread.join();
}

/// A wait of a check asks, too, and the wait that has asked goes on after it.
void testWaitOfCheck() {
  Check check(3);
  check.then = [&] {
    if (check.asked() == 1) CHECK_EQ(kCalls[4].wait(1), SIZE_MAX);
  };
  CHECK_EQ(shmem_signal_wait_until(&other, SHMEM_CMP_EQ, 1), 0U);
  CHECK_EQ(check.asked(), 4);
}

void testAll() {
  testEachCallIsLeft();
  testSatisfiedCallsDoNotAsk();
  testLastLook();
  testSetAnew();
  testLaterWaits();
  testCheckIsTakenAway();
  testOtherThreadsWaitOn();
  testQuestionsOfOneCall();
  testWaitThatIsWokenForNothing();
  testSignalEndsTheWait(0);
  testSignalEndsTheWait(SA_RESTART);
  testCollectivesDoNotAsk();
  testLocksDoNotAsk();
  testWaitOfCheck();
}

}  // namespace

int main() {
  int level = -1;
  CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level), 0);
  CHECK_EQ(level, SHMEM_THREAD_MULTIPLE);
  testAll();
  shmem_finalize();
}
