// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/waiting_streams.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/file_descriptor.h"
#include "base/immortal.h"
#include "base/log.h"

namespace ucxx::cuda {
namespace {

constexpr int kDefault = 8, kMost = 32;

/// As CUDA takes the variable: from 1 to 32.
std::size_t connections() noexcept {
  static const int count = [] {
    const char* const text =
        std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");  // NOLINT(concurrency-mt-unsafe)
    const int asked =
        text == nullptr ? kDefault : std::atoi(text);  // NOLINT(cert-err34-c): 0 if it is none
    return std::clamp(asked == 0 ? kDefault : asked, 1, kMost);
  }();
  return static_cast<std::size_t>(count);
}

void warn(std::size_t streams, std::uint64_t last) noexcept {
  base::log(
      LogLevel::Warn, "cuda",
      "streams that wait for transfers: {}, stream {} the last of them, and CUDA has {} "
      "connections: streams that wait for nothing stand still meanwhile; {}use fewer streams",
      streams, last, connections(),
      connections() < kMost ? "set CUDA_DEVICE_MAX_CONNECTIONS=32 before its first call, or " : "");
}

class WaitingStreams {
 public:
  void begin(Context context, std::uint64_t id) {
    std::size_t streams = 0;
    {
      std::unique_lock lock(mutex_);
      standStill(lock);
      Waits& waits = waits_[context];
      ++waits[id];
      ++count_;
      streams = waits.size() + copying_[context];
      if (streams < connections() || std::exchange(is_told_, true)) return;
    }
    warn(streams, id);
  }
  void countCopying(Context context) {
    const std::lock_guard lock(mutex_);
    copying_[context] += 2;
  }
  void end(Context context, std::uint64_t id) noexcept {
    const std::lock_guard lock(mutex_);
    Waits& waits = waits_.find(context)->second;
    const auto found = waits.find(id);
    if (--found->second == 0) waits.erase(found);
    --count_;
  }
  void beginPossible() {
    std::unique_lock lock(mutex_);
    standStill(lock);
    ++count_;
  }
  void endPossible() noexcept {
    const std::lock_guard lock(mutex_);
    --count_;
  }
  bool any() noexcept {
    const std::lock_guard lock(mutex_);
    return count_ != 0;
  }
  bool holdUp() noexcept {
    const std::lock_guard lock(mutex_);
    if (count_ != 0) return false;
    ++holds_;
    return true;
  }
  void letGo() noexcept {
    const std::lock_guard lock(mutex_);
    if (--holds_ == 0) let_go_.notify_all();
  }

 private:
  static constexpr std::chrono::milliseconds kPatience{10};
  /// The driver may wait for a stream that waits for this thread.
  void standStill(std::unique_lock<std::mutex>& lock) {
    if (holds_ != 0) let_go_.wait_for(lock, kPatience, [&] { return holds_ == 0; });
  }

  using Waits = std::unordered_map<std::uint64_t, std::size_t>;  // of each stream
  std::mutex mutex_;
  std::unordered_map<Context, Waits> waits_;          // each device has connections of its own
  std::unordered_map<Context, std::size_t> copying_;  // streams in which the library copies
  bool is_told_ = false;
  std::size_t count_ = 0;  // all that wait, or may
  std::size_t holds_ = 0;  // WhileNoneWaits
  std::condition_variable let_go_;
};

WaitingStreams& waitingStreams() noexcept {
  static base::Immortal<WaitingStreams> only;
  return *only;
}

}  // namespace

WaitingStream::WaitingStream(const Stream& stream) : context_(stream.context), id_(stream.id) {
  waitingStreams().begin(context_, id_);
}

void countCopyStreams(Context context) { waitingStreams().countCopying(context); }

WaitingStream::~WaitingStream() {
  if (!base::isForkedChild()) waitingStreams().end(context_, id_);
}

MayWait::MayWait() { waitingStreams().beginPossible(); }

MayWait::~MayWait() {
  if (!base::isForkedChild()) waitingStreams().endPossible();
}

bool anyStreamWaits() noexcept { return base::isForkedChild() || waitingStreams().any(); }

WhileNoneWaits::WhileNoneWaits() noexcept
    : is_so_(!base::isForkedChild() && waitingStreams().holdUp()) {}

WhileNoneWaits::~WhileNoneWaits() {
  if (is_so_) waitingStreams().letGo();
}

}  // namespace ucxx::cuda
