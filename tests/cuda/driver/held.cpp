// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver/held.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "cuda/driver/faults.h"
#include "cuda/driver/queue.h"
#include "cuda/driver/reset.h"

namespace stand_in {
namespace {

struct Asked {
  std::mutex mutex;
  std::condition_variable released;
  bool holds = false;         // guarded by `mutex`, as is all
  Result failure = kSuccess;  // of the next copy
};

Asked& asked() {
  static auto* const only = new Asked;  // used to the very end
  return *only;
}

Result takeFailure() {
  const std::lock_guard lock(asked().mutex);
  return std::exchange(asked().failure, kSuccess);
}

void setHolds(bool holds) {
  const std::lock_guard lock(asked().mutex);
  asked().holds = holds;
  asked().released.notify_all();
}

bool isOver() { return isLost() || isOfBefore(); }

/// Looks now and then whether the context is still there.
void waitForRelease() {
  constexpr std::chrono::milliseconds kNap{5};
  {
    std::unique_lock lock(asked().mutex);
    while (asked().holds && !isOver()) asked().released.wait_for(lock, kNap);
  }
  if (isOver()) waitForEver();
}

}  // namespace

Task asynchronous(Task copy) {
  waitForThoseThatWaitForAll();
  copy.run = [run = std::move(copy.run), failure = takeFailure()] {
    waitForRelease();
    if (failure == kSuccess) return run();
    lose(failure);
    waitForEver();
  };
  return copy;
}

void holdCopies() { setHolds(true); }
void releaseCopies() { setHolds(false); }

void failNextCopy(int result) {
  const std::lock_guard lock(asked().mutex);
  asked().failure = result;
}

std::size_t copiesInFlight() { return entriesOfType(kCopyNodeType); }

void ucxx_stand_in_hold_copies(int holds) { setHolds(holds != 0); }
std::size_t ucxx_stand_in_copies_in_flight() { return copiesInFlight(); }

}  // namespace stand_in
