// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/stream_queue.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "base/clock.h"
#include "base/immortal.h"
#include "core/loop.h"
#include "core/loop_wait.h"
#include "cuda/enqueue.h"

namespace ucxx::cuda {
namespace {

struct Queues {
  std::mutex mutex;
  std::map<std::uint64_t, std::weak_ptr<StreamQueue>> by_id;
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
  std::erase_if(all.by_id, [](const auto& one) { return one.second.expired(); });
  std::weak_ptr<StreamQueue>& place = all.by_id[stream.id];
  std::shared_ptr<StreamQueue> queue = place.lock();
  if (queue == nullptr) place = queue = std::make_shared<StreamQueue>();
  return queue;
}

bool StreamQueue::tryEnter() noexcept {
  const std::lock_guard lock(mutex_);
  if (posts_ == kMostPosts) return false;
  ++posts_;
  return true;
}

void StreamQueue::enter(core::Loop& loop, const Stream& stream, const char* what) {
  if (tryEnter()) return;
  if (loop.isMine())
    throw NoResourceError(
        fmt::format("{}: {} transfers of stream {} are on their way, and more wait until one has "
                    "ended; the thread that moves the worker cannot",
                    what, kMostPosts, stream.id));
  submitBatches();  // what it waits for has to be in the streams
  awaitRoom(loop, kRoom, kMoment);
  while (!tryEnter()) {
    awaitRoom(loop, 1, core::Loop::kLongestNap);
    requireMoving(stream, what);
  }
}

void StreamQueue::awaitRoom(core::Loop& loop, std::size_t room, base::Duration at_most) {
  const std::size_t few = kMostPosts - room;
  const auto has_room = [&] {
    const std::lock_guard lock(mutex_);
    return posts_ <= few;
  };
  core::moveUntil(
      loop, base::Clock::now() + at_most, has_room,
      [&](base::TimePoint until) {
        std::unique_lock lock(mutex_);
        awaited_ = std::max(awaited_, few);
        changed_.wait_until(lock, until, [&] { return posts_ <= few; });
      },
      [&](base::Duration nap) { loop.sleepUnless(has_room, nap); });
}

void StreamQueue::leave() noexcept {
  const std::lock_guard lock(mutex_);
  if (--posts_ > awaited_) return;
  awaited_ = 0;
  changed_.notify_all();
}

}  // namespace ucxx::cuda
