// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/clock.h"
#include "cuda/stream.h"

namespace ucxx::core {
class Loop;
}

namespace ucxx::cuda {

/// How many posts of one stream are on their way, from whatever thread to whatever worker: the
/// driver's queue of the stream takes about 1000 entries, the program's among them, and who finds
/// it full is held up inside the driver.
class StreamQueue : public std::enable_shared_from_this<StreamQueue> {
 public:
  static constexpr std::size_t kMostPosts = 256;
  /// Who waits for room goes on when there is room for so many, or after a moment: to be woken for
  /// each costs more than the post.
  static constexpr std::size_t kRoom = 32;

  /// That of a stream, the same for all who ask while one of them has it, or it is not empty.
  static std::shared_ptr<StreamQueue> of(const Stream& stream);

  /// One post more. Waits while there are as many as may be, and moves `loop` meanwhile if nobody
  /// else does. Throws `NoResourceError` on the thread that is inside `loop`, or that must not wait
  /// (`RoomWaiter`), and what the driver says if the stream has failed.
  void enter(core::Loop& loop, const Stream& stream, const char* what);
  void leave() noexcept;
  /// The same for one whose transfer may have ended before the stream came to it: the driver has
  /// its write until `word` is `value` or more, unless it `has_entered` no stream. The word stays
  /// for ever.
  void leaveWhen(const std::atomic<std::uint64_t>& word, std::uint64_t value,
                 const std::atomic<bool>& has_entered) noexcept;
  /// The write of `word` has entered no stream after all.
  void drop(const std::atomic<std::uint64_t>& word) noexcept;
  /// True: no post of it is in the driver's queue, and nobody has to keep it.
  bool letGo() noexcept;

 private:
  struct Late {
    const std::atomic<std::uint64_t>* word;
    std::uint64_t value;
    bool isWritten() const noexcept {
      return static_cast<std::int64_t>(word->load(std::memory_order_acquire) - value) >= 0;
    }
  };

  [[noreturn]] static void refuse(const Stream& stream, const char* what);
  static void requireMayWait(const Stream& stream, const char* what);
  bool tryEnter() noexcept;
  void awaitRoom(core::Loop& loop, std::size_t room, base::Duration at_most);
  void endPlace() noexcept;
  void freeWritten() noexcept {
    posts_ -= std::erase_if(late_, [](const Late& one) { return one.isWritten(); });
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t posts_ = 0;
  std::vector<Late> late_;   // of them, whose transfers have ended
  bool is_kept_ = false;     // among those that only the driver has posts of
  std::size_t awaited_ = 0;  // somebody waits for so few posts, or fewer
};

}  // namespace ucxx::cuda
