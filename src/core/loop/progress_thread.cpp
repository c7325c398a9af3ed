// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/loop/progress_thread.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <system_error>

#include <sched.h>

#include "base/clock.h"
#include "base/file_descriptor.h"
#include "base/log.h"
#include "base/system_error.h"
#include "core/loop/owner.h"
#include "core/loop/patience.h"
#include "core/worker/loop.h"

namespace ucxx::core {
namespace {

/// What has come is done before a thread ends; a flood must not keep it for longer.
constexpr auto kLastRounds = std::chrono::milliseconds(50);
/// How long an exit waits for a thread that ends its own loop.
constexpr auto kLongestLeave = std::chrono::seconds(2);
constexpr base::Duration kForEver{-1};
/// An attempt to see the end of a generic callback lasts its `period`, where that says something:
/// shorter ones would only fill the log, longer ones overflow the clock.
constexpr std::chrono::nanoseconds kDefaultAttempt = std::chrono::seconds(1);
constexpr std::chrono::nanoseconds kShortestAttempt = std::chrono::milliseconds(1);
constexpr std::chrono::nanoseconds kLongestAttempt = std::chrono::hours(1);

std::atomic<int> running_threads{0};
std::atomic<int> leaving_threads{0};

/// While a thread ends its own loop the process must not exit, and UCX with it.
void letExitWait() noexcept {
  static const int registered = std::atexit([] {
    const base::TimePoint end = base::deadlineAfter(kLongestLeave);
    while (leaving_threads.load() != 0 && base::Clock::now() < end) std::this_thread::yield();
  });
  (void)registered;
  ++leaving_threads;
}

int usableCores() noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

/// A thread that spins beside busy ones only takes their time: it spins while a core is left for
/// the program itself.
bool mayEverSpin() noexcept { return running_threads.load() < usableCores(); }

}  // namespace

struct GenericCallbacks::Item {
  enum class State { Waiting, Running, Done, Abandoned };
  std::function<void()> function;
  State state = State::Waiting;
  std::condition_variable changed;
};

bool GenericCallbacks::runAndWait(std::function<void()> function, std::chrono::nanoseconds timeout,
                                  Loop& loop) {
  auto item = std::make_shared<Item>();
  item->function = std::move(function);
  std::unique_lock lock(mutex_);
  items_.push_back(item);
  count_.fetch_add(1, std::memory_order_release);
  loop.signal();
  const auto begun = [&] { return item->state != Item::State::Waiting; };
  if (timeout.count() == 0)
    item->changed.wait(lock, begun);
  else if (!item->changed.wait_until(lock, base::deadlineAfter(timeout), begun)) {
    item->state = Item::State::Abandoned;
    return false;
  }
  // Once it runs it is waited for: what it uses may be on our stack.
  const auto done = [&] { return item->state == Item::State::Done; };
  const auto attempt = timeout.count() == 0
                           ? kDefaultAttempt
                           : std::clamp(timeout, kShortestAttempt, kLongestAttempt);
  for (int tries = 1; !item->changed.wait_for(lock, attempt, done); ++tries) {
    if (tries % 10 == 0)
      base::log(LogLevel::Warn, "worker",
                "Could not cancel after {} attempts, the callback has not returned for {} ms",
                tries, std::chrono::ceil<std::chrono::milliseconds>(tries * attempt).count());
  }
  return true;
}

void GenericCallbacks::runAll() noexcept {
  std::unique_lock lock(mutex_);
  while (!items_.empty()) {
    const std::shared_ptr<Item> item = items_.front();
    items_.pop_front();
    count_.fetch_sub(1, std::memory_order_release);
    if (item->state == Item::State::Abandoned) continue;
    item->state = Item::State::Running;
    item->changed.notify_all();
    lock.unlock();
    try {
      item->function();
    } catch (const std::exception& error) {
      base::log(LogLevel::Error, "worker", "a generic callback threw: {}", error.what());
    } catch (...) {
      base::log(LogLevel::Error, "worker", "a generic callback threw");
    }
    lock.lock();
    item->state = Item::State::Done;
    item->changed.notify_all();
  }
}

void Loop::startThread(const ProgressOptions& thread_options) {
  owner_.reserve();
  thread_running_.store(true, std::memory_order_release);
  try {
    thread =
        std::make_unique<ProgressThread>(*this, thread_options, start_callback, start_argument);
  } catch (const std::system_error& error) {
    threadEnded();
    base::throwErrno(error.code().value(), "start a progress thread");
  } catch (...) {
    threadEnded();
    throw;
  }
}

void Loop::threadEnded() noexcept {
  owner_.endReservation();
  thread_running_.store(false, std::memory_order_release);
  thread_id_.store({}, std::memory_order_release);
}

void Loop::threadBegins() noexcept {
  thread_id_.store(std::this_thread::get_id(), std::memory_order_release);
}

void Loop::stopThread() {
  if (base::isForkedChild()) return (void)thread.release();  // the thread is the parent's alone
  std::unique_lock lock(thread_mutex);
  thread_stopped_.wait(lock, [&] { return !thread_stopping_; });  // another thread stops it
  if (thread == nullptr) return;
  std::unique_ptr<ProgressThread> stopping = std::move(thread);
  thread_stopping_ = true;
  lock.unlock();  // its callbacks may ask for it
  stopping.reset();
  lock.lock();
  thread_stopping_ = false;
  thread_stopped_.notify_all();
  if (thread == nullptr) threadEnded();  // else one of them started another
}

void Loop::endLater(std::unique_ptr<Loop> loop) noexcept {
  Loop& self = *loop;
  self.ending_ = std::move(loop);
  const std::lock_guard lock(self.thread_mutex);
  if (self.thread == nullptr) return;
  letExitWait();
  self.thread->stop();
}

ProgressThread::ProgressThread(Loop& loop, const ProgressOptions& options,
                               std::function<void(void*)> start, void* start_argument)
    : loop_(loop),
      options_(options),
      start_(std::move(start)),
      start_argument_(start_argument),
      thread_([this] { main(); }) {}

ProgressThread::~ProgressThread() {
  stop();
  loop_.signal();
  if (thread_.joinable()) thread_.join();  // else it ends its loop, and us, itself
}

void ProgressThread::main() noexcept {
  while (!loop_.owner().enterReserved()) std::this_thread::yield();
  loop_.threadBegins();
  try {
    if (start_) start_(start_argument_);
  } catch (const std::exception& error) {
    base::log(LogLevel::Error, "worker", "the start callback of a progress thread threw: {}",
              error.what());
  } catch (...) {
    base::log(LogLevel::Error, "worker", "the start callback of a progress thread threw");
  }
  ++running_threads;
  rounds();
  --running_threads;
  std::unique_ptr<Loop> ending = loop_.takeEnding();
  if (ending == nullptr) return loop_.owner().leave();
  loop_.owner().leave();
  thread_.detach();
  ending.reset();  // and with it this object
  --leaving_threads;
}

void ProgressThread::rounds() {
  patience_ = &Patience::ofThisThread();
  loop_.drainPosts();  // also what was posted for a thread before there was one
  while (!stopping_.load(std::memory_order_relaxed)) {
    if (!loop_.pre_callbacks.empty()) loop_.pre_callbacks.runAll();
    const bool moved = round();
    if (!loop_.post_callbacks.empty()) loop_.post_callbacks.runAll();
    if (moved)
      patience_->begin();
    else
      rest();
  }
  const base::TimePoint end = base::deadlineAfter(kLastRounds);
  while (round() && base::Clock::now() < end) {
  }
}

/// For want of memory an operation, a link or a caller at the door ends, where that is known. What
/// is caught nowhere else costs the rest of a round, not the process.
bool ProgressThread::round() {
  try {
    return loop_.round();
  } catch (const std::bad_alloc&) {
    no_memory_.log(LogLevel::Error, "worker", "a progress thread has no memory for a round");
    return true;
  }
}

/// Nothing moved: looks again at once, or sleeps before.
void ProgressThread::rest() {
  // What is registered after this look rings the doorbell, which ends a sleep.
  if (!loop_.pre_callbacks.empty() || !loop_.post_callbacks.empty()) return;
  if (options_.mode == ProgressMode::Polling) {
    loop_.noteSleep();
    const base::Duration nap = loop_.napOf(Loop::kLongestNap);
    if (nap.count() != 0) loop_.sleep(nap);
  } else if (!spins()) {
    loop_.sleep(kForEver);
  }
}

bool ProgressThread::spins() {
  if (options_.mode == ProgressMode::Blocking || !mayEverSpin()) return false;
  return !patience_->isOver(base::Clock::now(), options_.spin);
}

}  // namespace ucxx::core
