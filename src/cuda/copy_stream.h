// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "base/clock.h"
#include "cuda/driver_calls.h"

namespace ucxx::cuda {

/// A context is current on this thread while this lives; then the one is that was so before.
class CurrentContext {
 public:
  CurrentContext(Context context, const char* what);
  ~CurrentContext();
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

 private:
  Context before_ = nullptr;
  bool is_other_ = false;
};

/// A stream in which the library copies, in one direction. It waits for no stream of the program's,
/// and none waits for it. Behind each copy it writes a word, at which a loop looks without a call
/// of the driver. Any thread.
class CopyStream {
 public:
  /// Of the context that is current. Throws what the driver says.
  explicit CopyStream(Context context);
  CopyStream(const CopyStream&) = delete;
  CopyStream& operator=(const CopyStream&) = delete;

  /// Enqueues a copy; the number by which its end is known. What the two places are, the driver
  /// finds out. Throws what it says; nothing is to be known of the copy then.
  /// `block`: of staging memory, if one of the two is, which is kept page-locked.
  std::uint64_t copy(Address to, Address from, std::size_t size, const std::byte* block);
  /// The copy of this number has ended, and all before it. Now and then the driver is asked, since
  /// after an error that stays no word comes; often, where the device writes no words.
  bool isOver(std::uint64_t number, base::TimePoint now) noexcept {
    if (isSeenOver(number)) return true;
    if (!mayAsk(now)) return false;
    ask();
    return isSeenOver(number);
  }
  /// As of the function of the memory: this context is current meanwhile.
  void provideBlocks() const noexcept;
  /// Nothing that it was given, and had not done before, has been done.
  bool hasFailed() const noexcept { return has_failed_.load(std::memory_order_acquire); }

 private:
  bool isSeenOver(std::uint64_t number) const noexcept {
    return word_->load(std::memory_order_acquire) >= number ||
           asked_.load(std::memory_order_acquire) >= number;
  }
  bool writesWords() const noexcept { return word_on_device_ != 0; }
  bool mayAsk(base::TimePoint now) noexcept;
  void ask() noexcept;
  Result writeWord(std::uint64_t number) noexcept;
  void fail(Result result, const char* call) noexcept;

  const Context context_;
  base::cuda::Stream stream_ = nullptr;
  const std::atomic<std::uint64_t>* word_;
  Address word_on_device_ = 0;  // 0: it writes none
  std::mutex mutex_;            // of the order of what is enqueued
  std::atomic<std::uint64_t> last_{0};
  std::atomic<std::uint64_t> asked_{0};  // so many are over, as the driver has said
  std::atomic<base::TimePoint> ask_at_{base::TimePoint()};
  std::atomic<bool> has_failed_{false};
};

/// The two of a context: to its device, and from it. Made at the first copy, and never destroyed.
struct CopyStreams {
  explicit CopyStreams(Context context) : to_device(context), from_device(context) {}
  CopyStream to_device, from_device;
};

/// Those of the context in which memory of a device is: of `context`, or, if that is null, as for
/// memory of pools, of the primary context of `device`. Throws where that context is gone.
CopyStreams& copyStreamsOf(Context context, int device);

}  // namespace ucxx::cuda
