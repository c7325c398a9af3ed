// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>

#include "base/clock.h"
#include "cuda/stream.h"

namespace ucxx::core {
class Loop;
}

namespace ucxx::cuda {

/// How many posts of one stream are on their way, from whatever thread to whatever worker: the
/// driver's queue of the stream takes about 1000 entries, the program's among them, and who finds
/// it full is held up inside the driver.
class StreamQueue {
 public:
  static constexpr std::size_t kMostPosts = 256;
  /// Who waits for room goes on when there is room for so many, or after a moment: to be woken for
  /// each costs more than the post.
  static constexpr std::size_t kRoom = 32;

  /// That of a stream, the same for all who ask while one of them has it.
  static std::shared_ptr<StreamQueue> of(const Stream& stream);

  /// One post more. Waits while there are as many as may be, and moves `loop` meanwhile if nobody
  /// else does. Throws `NoResourceError` on the thread that is inside `loop`, or that must not wait
  /// (`RoomWaiter`), and what the driver says if the stream has failed.
  void enter(core::Loop& loop, const Stream& stream, const char* what);
  void leave() noexcept;

 private:
  [[noreturn]] static void refuse(const Stream& stream, const char* what);
  static void requireMayWait(const Stream& stream, const char* what);
  bool tryEnter(const Stream& stream) noexcept;
  void awaitRoom(core::Loop& loop, std::size_t room, base::Duration at_most);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t posts_ = 0;
  std::size_t awaited_ = 0;  // somebody waits for so few posts, or fewer
};

}  // namespace ucxx::cuda
