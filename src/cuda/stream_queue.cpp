// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/stream_queue.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "base/clock.h"
#include "base/immortal.h"
#include "base/log.h"
#include "core/loop.h"
#include "core/loop_wait.h"
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

/// Streams that have posts on their way. Those that wait hold up the device's connections, which
/// all streams share: with as many as there are connections, none is left for the others.
class BusyStreams {
 public:
  void begin(const Stream& stream) noexcept {
    if (++count_ < connections() || told_.exchange(true)) return;
    base::log(
        LogLevel::Warn, "cuda",
        "stream {} is the {}th that has transfers on their way; if so many wait, streams that "
        "wait for nothing stand still, since CUDA has {} connections: set "
        "CUDA_DEVICE_MAX_CONNECTIONS=32 before its first call, or use fewer streams",
        stream.id, connections(), connections());
  }
  void end() noexcept { --count_; }

 private:
  /// As CUDA takes the variable: from 1 to 32.
  static unsigned connections() noexcept {
    static const unsigned count = [] {
      const char* const text =
          std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");  // NOLINT(concurrency-mt-unsafe)
      const int asked =
          text == nullptr ? 8 : std::atoi(text);  // NOLINT(cert-err34-c): 0 if it is none
      return static_cast<unsigned>(std::clamp(asked == 0 ? 8 : asked, 1, 32));
    }();
    return count;
  }
  std::atomic<unsigned> count_{0};
  std::atomic<bool> told_{false};
};

BusyStreams& busyStreams() noexcept {
  static base::Immortal<BusyStreams> only;
  return *only;
}

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

bool StreamQueue::tryEnter(const Stream& stream) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (posts_ == kMostPosts) freeWritten();
    if (posts_ == kMostPosts) return false;
    ++posts_;
    if (++moving_ != 1) return true;
  }
  busyStreams().begin(stream);
  return true;
}

void StreamQueue::enter(core::Loop& loop, const Stream& stream, const char* what) {
  if (tryEnter(stream)) return;
  if (loop.isMine()) refuse(stream, what);
  requireMayWait(stream, what);
  submitBatches();  // what it waits for has to be in the streams
  awaitRoom(loop, kRoom, kMoment);
  while (!tryEnter(stream)) {
    awaitRoom(loop, 1, core::Loop::kLongestNap);
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
      [&](base::Duration nap) { loop.sleepUnless(has_room, nap); });
}

void StreamQueue::leave() noexcept {
  const std::lock_guard lock(mutex_);
  endPost();
  endPlace();
}

void StreamQueue::endPlace() noexcept {
  --posts_;
  if (posts_ > awaited_) return;
  awaited_ = 0;
  changed_.notify_all();
}

void StreamQueue::endPost() noexcept {
  if (--moving_ == 0) busyStreams().end();
}

/// Without memory its place is free too early.
void StreamQueue::leaveWhen(const std::atomic<std::uint64_t>& word, std::uint64_t value,
                            const std::atomic<bool>& has_entered) noexcept {
  const Late late{&word, value};
  if (late.isWritten()) return leave();
  Queues& all = queues();
  const std::lock_guard lock_of_all(all.mutex);
  const std::lock_guard lock(mutex_);
  endPost();
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
