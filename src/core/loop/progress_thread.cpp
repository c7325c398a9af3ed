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
#include "base/rare_line.h"
#include "base/system_error.h"
#include "core/loop/loop.h"
#include "core/loop/owner.h"
#include "core/loop/patience.h"
#include "core/loop/posts.h"
#include "core/loop/sleeper.h"
#include "core/loop/wake.h"

namespace ucxx::core {
namespace {

/// What has come is done before a thread ends; a flood must not keep it for longer.
constexpr auto kLastRounds = std::chrono::milliseconds(50);
/// How long an exit waits for a thread that ends its own loop.
constexpr auto kLongestLeave = std::chrono::seconds(2);
constexpr base::Duration kForEver{-1};

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

/// One thread: from a start to its stop.
class ProgressThread::Run {
 public:
  Run(Loop& loop, const ProgressOptions& options, std::function<void()> start)
      : loop_(loop), options_(options), start_(std::move(start)), thread_([this] { main(); }) {}
  ~Run() {
    stop();
    loop_.wake.signal();
    if (thread_.joinable()) thread_.join();  // else it ends its loop, and this object, itself
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// The thread ends after this round.
  void stop() noexcept { stopping_ = true; }

 private:
  void main() noexcept;
  void callStart() noexcept;
  void rounds();
  bool round();
  void rest();
  bool spins();

  Loop& loop_;
  const ProgressOptions options_;
  const std::function<void()> start_;
  std::atomic<bool> stopping_{false};
  Patience* patience_ = nullptr;  // the thread's
  base::RareLine no_memory_;
  std::thread thread_;
};

ProgressThread::ProgressThread(Loop& loop) noexcept : loop_(loop) {}

ProgressThread::~ProgressThread() {
  if (base::isForkedChild()) (void)run_.release();  // the thread is the parent's alone
}

void ProgressThread::start(const ProgressOptions& options) {
  const std::lock_guard lock(mutex_);
  if (run_ != nullptr) return;
  loop_.owner.reserve();
  is_running_.store(true, std::memory_order_release);
  try {
    run_ = std::make_unique<Run>(loop_, options, start_);
  } catch (const std::system_error& error) {
    ended();
    base::throwErrno(error.code().value(), "start a progress thread");
  } catch (...) {
    ended();
    throw;
  }
}

void ProgressThread::ended() noexcept {
  loop_.owner.endReservation();
  is_running_.store(false, std::memory_order_release);
  id_.store({}, std::memory_order_release);
}

void ProgressThread::stop() {
  if (base::isForkedChild()) return;
  std::unique_lock lock(mutex_);
  stopped_.wait(lock, [&] { return !is_stopping_; });  // another thread stops it
  if (run_ == nullptr) return;
  std::unique_ptr<Run> stopping = std::move(run_);
  is_stopping_ = true;
  lock.unlock();  // its callbacks may ask for it
  stopping.reset();
  lock.lock();
  is_stopping_ = false;
  stopped_.notify_all();
  if (run_ == nullptr) ended();  // else one of them started another
}

void ProgressThread::stopAndEndLoop() noexcept {
  const std::lock_guard lock(mutex_);
  if (run_ == nullptr) return;
  letExitWait();
  run_->stop();
}

void ProgressThread::onStart(std::function<void(void*)> callback, void* argument) {
  const std::lock_guard lock(mutex_);
  start_ = [callback = std::move(callback), argument] {
    if (callback) callback(argument);
  };
}

void ProgressThread::Run::callStart() noexcept try {
  if (start_) start_();
} catch (const std::exception& error) {
  base::log(LogLevel::Error, "worker", "the start callback of a progress thread threw: {}",
            error.what());
} catch (...) {
  base::log(LogLevel::Error, "worker", "the start callback of a progress thread threw");
}

void ProgressThread::Run::main() noexcept {
  while (!loop_.owner.enterReserved()) std::this_thread::yield();
  loop_.thread.id_.store(std::this_thread::get_id(), std::memory_order_release);
  callStart();
  ++running_threads;
  rounds();
  --running_threads;
  std::unique_ptr<Loop> ending = loop_.takeEnding();
  if (ending == nullptr) return loop_.owner.leave();
  loop_.owner.leave();
  thread_.detach();
  ending.reset();  // and with it this object
  --leaving_threads;
}

void ProgressThread::Run::rounds() {
  patience_ = &Patience::ofThisThread();
  loop_.posts.drain();  // also what was posted for a thread before there was one
  while (!stopping_.load(std::memory_order_relaxed)) {
    if (!loop_.thread.before_rounds.empty()) loop_.thread.before_rounds.runAll();
    const bool moved = round();
    if (!loop_.thread.after_rounds.empty()) loop_.thread.after_rounds.runAll();
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
bool ProgressThread::Run::round() {
  try {
    return loop_.round();
  } catch (const std::bad_alloc&) {
    no_memory_.log(LogLevel::Error, "worker", "a progress thread has no memory for a round");
    return true;
  }
}

/// Nothing moved: looks again at once, or sleeps before.
void ProgressThread::Run::rest() {
  // What is registered after this look rings the doorbell, which ends a sleep.
  if (!loop_.thread.before_rounds.empty() || !loop_.thread.after_rounds.empty()) return;
  if (options_.mode == ProgressMode::Polling) {
    loop_.noteSleep();
    const base::Duration nap = loop_.sleeper.napOf(Sleeper::kLongestNap);
    if (nap.count() != 0) loop_.sleeper.sleep(nap);
  } else if (!spins()) {
    loop_.sleeper.sleep(kForEver);
  }
}

bool ProgressThread::Run::spins() {
  if (options_.mode == ProgressMode::Blocking || !mayEverSpin()) return false;
  return !patience_->isOver(base::Clock::now(), options_.spin);
}

}  // namespace ucxx::core
