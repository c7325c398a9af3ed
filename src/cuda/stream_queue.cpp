// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/stream_queue.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "base/clock.h"
#include "base/immortal.h"
#include "core/loop/loop.h"
#include "core/loop/loop_wait.h"
#include "core/loop/sleeper.h"
#include "cuda/enqueue.h"
#include "cuda/room_waiter.h"

namespace ucxx::cuda {

constinit thread_local RoomWaiter* RoomWaiter::innermost = nullptr;

namespace {

struct Queues {
  std::mutex mutex;
  std::map<std::uint64_t, std::weak_ptr<StreamQueue>> by_id;
  std::vector<std::shared_ptr<StreamQueue>> kept;  // that the driver has posts of, and nobody else
};

Queues& queues() noexcept {
  static base::Immortal<Queues> only;
  return *only;
}

constexpr base::Duration kMoment = std::chrono::microseconds(100);

/// What waits for a stream that has failed would wait for ever.
void requireMoving(const Stream& stream, const char* what) {
  const InContext context(stream.context, what);
  const DespiteCaptures allowed(what);
  const Result result = requireDriver(what).queryStream(stream.handle);
  if (result != base::cuda::kNotReady) check(result, "cuStreamQuery", what);
}

}  // namespace

std::shared_ptr<StreamQueue> StreamQueue::of(const Stream& stream) {
  Queues& all = queues();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.kept, [](const auto& one) { return one->letGo(); });
  std::erase_if(all.by_id, [](const auto& one) { return one.second.expired(); });
  std::weak_ptr<StreamQueue>& place = all.by_id[stream.id];
  std::shared_ptr<StreamQueue> queue = place.lock();
  if (queue == nullptr) place = queue = std::make_shared<StreamQueue>();
  return queue;
}

bool StreamQueue::tryEnter() noexcept {
  const std::lock_guard lock(mutex_);
  if (posts_ == kMostPosts) freeWritten();
  if (posts_ == kMostPosts) return false;
  ++posts_;
  return true;
}

void StreamQueue::enter(core::Loop& loop, const Stream& stream, const char* what) {
  if (tryEnter()) return;
  if (loop.owner.isMine()) refuse(stream, what);
  requireMayWait(stream, what);
  submitBatches();  // what it waits for has to be in the streams
  awaitRoom(loop, kRoom, kMoment);
  while (!tryEnter()) {
    awaitRoom(loop, 1, core::Sleeper::kLongestNap);
    requireMoving(stream, what);
    requireMayWait(stream, what);
  }
}

void StreamQueue::refuse(const Stream& stream, const char* what) {
  throw NoResourceError(
      fmt::format("{}: {} transfers of stream {} are on their way, and more wait until one has "
                  "ended; the thread that moves the worker, or runs an event loop, cannot: post "
                  "again when some have ended",
                  what, kMostPosts, stream.id));
}

void StreamQueue::requireMayWait(const Stream& stream, const char* what) {
  if (!RoomWaiter::mayWait()) refuse(stream, what);
}

void StreamQueue::awaitRoom(core::Loop& loop, std::size_t room, base::Duration at_most) {
  const std::size_t few = kMostPosts - room;
  const auto is_so = [&] {
    freeWritten();
    return posts_ <= few;
  };
  const auto has_room = [&] {
    const std::lock_guard lock(mutex_);
    return is_so();
  };
  core::moveUntil(
      loop, base::Clock::now() + at_most, has_room,
      [&](base::TimePoint until) {
        std::unique_lock lock(mutex_);
        awaited_ = std::max(awaited_, few);
        changed_.wait_until(lock, until, is_so);
      },
      [&](base::Duration nap) { loop.sleeper.sleepUnless(has_room, nap); });
}

void StreamQueue::leave() noexcept {
  const std::lock_guard lock(mutex_);
  endPlace();
}

void StreamQueue::endPlace() noexcept {
  --posts_;
  if (posts_ > awaited_) return;
  awaited_ = 0;
  changed_.notify_all();
}

/// Without memory its place is free too early.
void StreamQueue::leaveWhen(const std::atomic<std::uint64_t>& word, std::uint64_t value,
                            const std::atomic<bool>& has_entered) noexcept {
  const Late late{&word, value};
  if (late.isWritten()) return leave();
  Queues& all = queues();
  const std::lock_guard lock_of_all(all.mutex);
  const std::lock_guard lock(mutex_);
  if (!has_entered) return endPlace();
  try {
    late_.push_back(late);
    if (!is_kept_) all.kept.push_back(shared_from_this());
    is_kept_ = true;
  } catch (const std::bad_alloc&) {
    if (!late_.empty() && late_.back().word == &word) late_.pop_back();
    endPlace();
  }
}

void StreamQueue::drop(const std::atomic<std::uint64_t>& word) noexcept {
  const std::lock_guard lock(mutex_);
  if (std::erase_if(late_, [&](const Late& one) { return one.word == &word; }) != 0) endPlace();
}

bool StreamQueue::letGo() noexcept {
  const std::lock_guard lock(mutex_);
  freeWritten();
  is_kept_ = posts_ != 0;
  return !is_kept_;
}

}  // namespace ucxx::cuda
