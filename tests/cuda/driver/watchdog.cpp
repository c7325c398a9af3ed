// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver/watchdog.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <mutex>
#include <thread>

#include <sys/prctl.h>
#include <unistd.h>

#include "cuda/driver/contexts.h"
#include "cuda/driver/faults.h"
#include "cuda/driver/options.h"
#include "cuda/driver/reset.h"

namespace stand_in {
namespace {

using Clock = std::chrono::steady_clock;

struct Waiter {
  Waiting::Describe describe;
  Clock::time_point since;
  const Life& life;

  bool isOfNow() const { return !life.is_over; }
};

struct Watch {
  std::mutex mutex;
  std::list<Waiter> waiters;  // guarded by `mutex`
  std::once_flag started;
};

Watch& watch() {
  static auto* const only = new Watch;  // used to the very end
  return *only;
}

[[noreturn]] void tellHang(const std::list<Waiter>& waiters) {
  const auto limit = std::chrono::duration<double>(options().watchdog).count();
  std::fprintf(stderr, "CUDA stand-in: something has waited for %.1f s\n", limit);
  for (const Waiter& waiter : waiters) {
    if (!waiter.isOfNow()) continue;
    const double seconds = std::chrono::duration<double>(Clock::now() - waiter.since).count();
    std::fprintf(stderr, "  for %.1f s: %s\n", seconds, waiter.describe().c_str());
  }
  std::fflush(stderr);
  std::_Exit(kHung);
}

/// What waits after an error that stays, or a reset, is not meant to go on.
bool isHung(const Waiter& waiter) {
  return Clock::now() - waiter.since > options().watchdog && !isLost() && waiter.isOfNow();
}

void look() {
  const std::lock_guard lock(watch().mutex);
  for (const Waiter& waiter : watch().waiters)
    if (isHung(waiter)) tellHang(watch().waiters);
}

void keepLooking() {
  for (;;) {
    std::this_thread::sleep_for(options().watchdog / 20);
    look();
  }
}

}  // namespace

Waiting::Waiting(Describe describe) {
  std::call_once(watch().started, [] { std::thread(keepLooking).detach(); });
  const std::lock_guard lock(watch().mutex);
  watch().waiters.push_front({std::move(describe), Clock::now(), currentLife()});
  place_ = &watch().waiters.front();
}

Waiting::~Waiting() {
  const std::lock_guard lock(watch().mutex);
  watch().waiters.remove_if([this](const Waiter& waiter) { return &waiter == place_; });
}

std::string nameOfThread() {
  char name[17] = "";
  ::prctl(PR_GET_NAME, name);
  return "thread " + std::to_string(::gettid()) + " (" + name + ")";
}

}  // namespace stand_in
