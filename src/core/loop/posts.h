// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <functional>

#include "base/mpsc_queue.h"
#include "core/loop/owner.h"
#include "core/loop/post.h"

namespace ucxx::core {

class Loop;

/// What threads want of a loop: done in the call of a thread that can own the loop, else by whoever
/// owns it, in order with the other posts of the same thread. Any thread, but where the owner is
/// named.
class Posts {
 public:
  /// `is_delayed`: transfers always go through the queue, and only a progress thread does them.
  Posts(Loop& loop, bool is_delayed) noexcept : loop_(loop), is_delayed_(is_delayed) {}
  Posts(const Posts&) = delete;
  Posts& operator=(const Posts&) = delete;

  void post(Post& post);
  /// Leaves `post` to whoever moves the loop.
  void queue(Post& post) noexcept;
  /// Runs `task` on the loop; does not wait for it.
  void execute(std::function<void()> task);
  /// Runs a post that is there already: without memory for one.
  void execute(Post& post);
  /// Runs `task` on the loop and waits for its end; rethrows what it throws. Throws TimedOutError
  /// when no thread lets it in for long.
  void run(const std::function<void()>& task);

  /// What a thread posts: a transfer, whose end may call back; one that begins at once or is not
  /// posted yet, and so gives way to all that is queued; or a task of the library.
  enum class Kind : std::uint8_t { Transfer, Unposted, Task };
  /// Whether what the calling thread posts is done in its call. A task of a callback is done at
  /// once: it is about what the callback sees now.
  template <Kind kKind>
  [[gnu::always_inline]] bool mayStartHere(const Entry& entry) {
    if (!entry.isOwner()) return false;
    if constexpr (kKind == Kind::Task) return entry.isNested() || !comesAfterOthers(false);
    if (is_delayed_ || depth_ >= kMaxDepth) return false;
    if constexpr (kKind == Kind::Unposted) return queue_.empty();
    return !comesAfterOthers(entry.isNested());
  }
  /// While a post is done, others may be posted by its callbacks: how many lie inside each other.
  /// The owner.
  class Nesting {
   public:
    explicit Nesting(Posts& posts) noexcept : depth_(posts.depth_) { ++depth_; }
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    unsigned& depth_;
  };
  bool empty() const noexcept { return queue_.empty(); }
  /// Does what is queued. True: there was something. The owner.
  bool drain();

 private:
  /// Callbacks that post to their own worker may complete each other; deeper than this they queue.
  static constexpr unsigned kMaxDepth = 16;

  /// There are posts that are queued, perhaps earlier ones of this thread.
  bool comesAfterOthers(bool is_nested) {
    if (queue_.empty()) [[likely]]
      return false;
    if (!is_nested) drain();
    return !queue_.empty();
  }

  Loop& loop_;
  const bool is_delayed_;
  unsigned depth_ = 0;
  base::MpscQueue queue_;
  base::MpscQueue held_;  // for a progress thread, while there is none
};

}  // namespace ucxx::core
