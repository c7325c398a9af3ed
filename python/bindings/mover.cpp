// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "mover.h"

#include <algorithm>
#include <chrono>

#include <ucxx/request.h>
#include <ucxx/worker.h>

#include "copies_without_gil.h"
#include "without_gil.h"

namespace ucxx::python {
namespace {

using Clock = Spin::Clock;

constexpr int kRoundsOfALook = 16;
/// How long a payload is waited for that comes part by part; and of that with the GIL.
constexpr auto kLongestWait = std::chrono::milliseconds(5);
constexpr auto kWaitWithGil = std::chrono::microseconds(200);
/// For so long at most an await looks for its end, or the reader moves payloads.
constexpr auto kMostOfALook = std::chrono::milliseconds(20);
/// For so long an await looks for its end with the GIL, where other threads could have it.
constexpr auto kWithGil = std::chrono::microseconds(5);
constexpr int kLongestNapMs = 1;

}  // namespace

bool Mover::progress() {
  const CopiesWithoutGil copies;
  return worker_->progress();
}

bool Mover::progress(int rounds, bool others_are_ready) {
  const bool has_others = hasOtherThreads();
  const auto end = Clock::now() + kMostOfALook;
  CopiesWithoutGil copies;
  bool has_moved = true;
  int done = 0;
  for (; done < rounds && has_moved && (done == 0 || Clock::now() < end); ++done)
    has_moved = worker_->progress();
  if (has_others && (has_moved || done > 1) && (copies.isReleased() || !others_are_ready))
    waitForParts(copies);
  return has_moved;
}

/// Something has moved, and nothing has ended: a part of a payload, perhaps. To get the GIL back,
/// now or after a sleep, may take 5 ms, in which no payload moves: not before one has come whole,
/// or nothing comes for a while.
void Mover::waitForParts(CopiesWithoutGil& copies) {
  const auto began = Clock::now();
  auto now = began;
  for (auto until = began + Spin::kTime;
       now <= until && now - began < kLongestWait && completions_.isEmpty(); now = Clock::now()) {
    if (worker_->progress()) until = now + Spin::kTime;
    if (now - began > kWaitWithGil) copies.release();
  }
}

bool Mover::spin(const Request& request, bool may_look) {
  const bool tries = may_look && spin_.mayTry();
  Look looked{.time = spin_.time()};
  bool ended = false, looks = false;
  {
    CopiesWithoutGil copies;
    (void)worker_->progress();
    ended = request.isCompleted();
    looks = !ended && tries;
    if (looks) ended = look(request, copies, looked);
  }
  if (!looks) return ended;
  // What another task waits for is found as well: the loop need not sleep.
  if (ended || !completions_.isEmpty())
    spin_.succeeded(looked.last - looked.began);
  else
    spin_.failed(looked.began);
  return ended;
}

void Mover::nap() {
  const WithoutGil released;
  (void)worker_->progressWorkerEvent(kLongestNapMs);
}

bool Mover::look(const Request& request, CopiesWithoutGil& copies, Look& looked) {
  looked.began = looked.last = Clock::now();
  auto until = looked.began + looked.time;
  for (;;) {
    for (int i = 0; i < kRoundsOfALook; ++i) {
      const bool has_moved = worker_->progress();
      if (request.isCompleted()) return true;
      // Another task has got what it waits for: it is its turn.
      if (!completions_.isEmpty()) return false;
      if (has_moved) until = std::max(until, Clock::now() + Spin::kTime);
    }
    looked.last = Clock::now();
    const auto lasted = looked.last - looked.began;
    if (looked.last > until || lasted > kMostOfALook) return false;
    if (lasted <= kWithGil || copies.isReleased() || !hasOtherThreads()) continue;
    // To sleep costs one wait for the GIL. To look longer may cost another one.
    if (CopiesWithoutGil::isContended()) return false;
    copies.release();
  }
}

}  // namespace ucxx::python
