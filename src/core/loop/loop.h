// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include <ucxx/options.h>

#include "base/clock.h"
#include "base/file_descriptor.h"
#include "base/id128.h"
#include "base/mpsc_queue.h"
#include "base/poller.h"
#include "core/loop/counters.h"
#include "core/loop/deadlines.h"
#include "core/loop/idle_memory.h"
#include "core/loop/owner.h"
#include "core/loop/post.h"
#include "core/loop/progress_thread.h"
#include "core/loop/reviews.h"
#include "core/loop/rooms.h"
#include "core/loop/sleeper.h"
#include "core/loop/wake.h"
#include "core/loop/watch.h"
#include "local/hub.h"
#include "ucp/worker.h"

namespace ucxx {
class Worker;
}

namespace ucxx::core {

/// How often a loop that is polled looks at what: where nothing comes, it glances at the rings.
struct Pace {
  bool look_often = false;  // at the descriptors, in each round
  base::TimePoint look_often_until{};
  base::TimePoint expecting_at{};  // when peers that are waited for are told to the door
  std::uint64_t last_look_cycles = 0;
  std::uint64_t last_ucp_cycles = 0;
  bool ucp_moved = false;          // when it was progressed last
  unsigned rounds_since_look = 0;  // in vain
  unsigned busy_rounds = 0;
  unsigned glances = 0;
};

/// The loop of one worker: the only place that touches its channels, its matcher and its door. What
/// moves in a round, and when; what a message is, the rooms above know, of which `WorkerState`
/// makes a worker. Whoever owns the loop (see Owner) calls everything here, except where another
/// thread is named.
class Loop {
 public:
  Loop(const WorkerOptions& options, bool can_sleep);
  virtual ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// An entry of the calling thread. A worker that a callback dropped meanwhile ends when it
  /// leaves.
  class Visit final : public Entry {
   public:
    explicit Visit(Loop& loop) noexcept : Entry(loop.owner_), loop_(loop) {
      if (isOwner()) loop.needsRound();  // what it does may need one
    }
    /// Of what finds out itself whether it does.
    struct Quiet {};
    Visit(Loop& loop, Quiet) noexcept : Entry(loop.owner_), loop_(loop) {}
    [[gnu::always_inline]] ~Visit() {
      if (isOwner() && !isNested() && loop_.ending_ != nullptr) [[unlikely]]
        endIt();
    }
    /// False inside a callback, and while another thread owns the loop. Throws in a forked child.
    bool mayProgress() const {
      if (!isOwner()) base::requireNotForked();
      return isOwner() && !isNested();
    }

   private:
    void endIt() noexcept;

    Loop& loop_;
  };
  /// While a post is done, others may be posted by its callbacks: how many lie inside each other.
  class Nesting {
   public:
    explicit Nesting(Loop& loop) noexcept : depth_(loop.depth_) { ++depth_; }
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    unsigned& depth_;
  };

  /// @name Posts, from any thread (posts.cpp)
  /// @{
  /// Runs `post` at once when this thread can own the loop, else through the queue, in order with
  /// the other posts of this thread.
  void post(Post& post);
  /// Leaves `post` to whoever moves the loop.
  void queue(Post& post) noexcept;
  /// Runs `task` on the loop, in order with the posts of this thread; does not wait for it.
  void execute(std::function<void()> task);
  /// Runs a post that is there already: without memory for one.
  void execute(Post& post);
  /// Runs `task` on the loop and waits for its end; rethrows what it throws. Throws TimedOutError
  /// when no thread lets it in for long.
  void run(const std::function<void()>& task);
  /// What a thread posts: a transfer, whose end may call back; one that has no operation yet, and
  /// so gives way to all that is queued; or a task of the library.
  enum class Posted : std::uint8_t { Transfer, Unposted, Task };
  /// Whether what the calling thread posts is done in its call; else it goes through the queue, in
  /// order with what that thread has posted before. A task of a callback is done at once: it is
  /// about what the callback sees now.
  template <Posted kWhat>
  [[gnu::always_inline]] bool mayStartHere(const Entry& entry) {
    if (!entry.isOwner()) return false;
    if constexpr (kWhat == Posted::Task) return entry.isNested() || !comesAfterOthers(false);
    if (options.delayed_submission || depth_ >= kMaxDepth) return false;
    if constexpr (kWhat == Posted::Unposted) return posts_.empty();
    return !comesAfterOthers(entry.isNested());
  }
  /// Does what other threads posted.
  bool drainPosts();
  /// @}

  /// @name Rounds (loop.cpp)
  /// @{
  /// Any thread; so are the next two. True: something has moved.
  bool progress();
  bool progressOnce();
  /// `progress` for who waits: if nothing has moved, it tells the sleeper how things are.
  bool look();
  /// The owner alone.
  bool round();
  /// After a round in which nothing has moved.
  void noteSleep() noexcept {
    sleeper.note(!copies.empty() || (carriers.hub != nullptr && carriers.hub->isHoldingBack()),
                 can_sleep || carriers.ucx_links == 0);
  }
  /// The next call of `progress` is a whole round, not a glance at the rings.
  void needsRound() noexcept { may_glance_ = false; }
  /// Something was posted that needs more than a wait.
  void noteStart() noexcept { may_glance_ = may_glance_ && knowsOfNothing(); }
  /// @}

  /// @name For the sleeper
  /// @{
  /// Nothing is to be done, and whatever comes rings; asked by who has announced a sleep.
  bool isQuiet();
  /// When the loop that sleeps looks again, if nothing happens.
  base::TimePoint nextLook() const noexcept;
  /// True: this thread had announced a sleep.
  bool endSleep() noexcept;
  void wokeUp() noexcept;
  void watchExpecting() noexcept;
  /// @}

  /// @name Time
  /// @{
  base::TimePoint now() const noexcept { return now_; }
  void readClock() noexcept {
    now_ = base::Clock::now();
    posts_of_this_time_ = 0;
  }
  /// The loop's own time is that of its last look, perhaps long ago.
  base::TimePoint timeOfPost() const noexcept {
    const bool is_late = base::cycles() - pace_.last_look_cycles > kLookCycles;
    return is_late ? base::Clock::coarse() : now_;
  }
  /// To read a clock takes a quarter of what the smallest post takes. So one post reads it for
  /// `kPostsOfOneTime` posts in a row, without a round in between. Where stalled requests are to be
  /// reported, each post reads it.
  base::TimePoint timeOfPostInRow() noexcept {
    if (posts_of_this_time_ == 0) {
      posted_at_ = timeOfPost();
      posts_of_this_time_ = options.stall_report.count() == 0 ? kPostsOfOneTime : 1;
    }
    --posts_of_this_time_;
    return posted_at_;
  }
  /// `onTime` must be called at `when`, at the latest.
  void needsTimeAt(base::TimePoint when) noexcept {
    if (when < next_time_) next_time_ = when;
  }
  /// Door events come soon (a connect is going on): look at the descriptors each round for a while.
  void lookOften() noexcept {
    pace_.look_often = true;
    pace_.look_often_until = base::Clock::now() + std::chrono::milliseconds(5);
  }
  /// The next round looks at the descriptors.
  void lookSoon() noexcept { pace_.look_often = true; }
  /// Grows from operation to operation.
  std::uint64_t nextOrder() noexcept { return ++last_order_; }
  std::uint64_t lastOrder() const noexcept { return last_order_; }
  /// @}

  /// @name Any thread
  /// @{
  void signal() noexcept { wake.signal(); }
  int eventFd() const noexcept { return poller.fd(); }
  bool isMine() const noexcept { return owner_.isMine(); }
  const base::Id128& id() const noexcept { return id_; }
  Owner& owner() noexcept { return owner_; }
  std::shared_ptr<Worker> user() const { return user_.lock(); }
  void setUser(std::weak_ptr<Worker> user) { user_ = std::move(user); }
  /// @}

  /// The worker was dropped inside a callback of its own loop, which ends when that has returned.
  static void endLater(std::unique_ptr<Loop> loop) noexcept;
  /// That loop, for the round that is over; it goes with the result. Null: it goes on.
  std::unique_ptr<Loop> takeEnding() noexcept { return std::move(ending_); }

  const WorkerOptions options;
  const bool can_sleep;  // the context has the WAKEUP feature
  base::Poller poller;
  Wake wake{poller};
  Sleeper sleeper{*this, poller, wake};
  ProgressThread thread{*this};
  std::atomic<bool> blocking{false};  // initBlockingProgressMode was called
  Counters counters;
  Rooms rooms;
  /// What a round moves, if it is there.
  struct Carriers {
    local::Hub* hub = nullptr;
    ucp::Worker* ucp = nullptr;
    std::size_t ucx_links = 0;  // with an endpoint of UCX: without any, UCX needs no progress
  } carriers;
  Deadlines deadlines;  // of what the rooms own, which goes before
  Reviews reviews;
  Watch watch;   // at the begin of a round
  Watch copies;  // between memories of two processes, after the rings

 protected:
  /// @name What the rooms do with time
  /// @{
  /// When `onTime` is due, beside what was told by `needsTimeAt` and `deadlines`.
  virtual base::TimePoint nextTime() const noexcept = 0;
  /// Whatever is due.
  virtual void onTime() = 0;
  /// How many things have happened at the door so far.
  virtual std::uint64_t doorEvents() const noexcept = 0;
  /// Tells the door which peers are waited for.
  virtual void watchPeers() noexcept = 0;
  /// @}

 private:
  /// Callbacks that post to their own worker may complete each other; deeper than this they queue.
  static constexpr unsigned kMaxDepth = 16;
  /// How often a loop that polls looks at its clock and its descriptors: about 100 us.
  static constexpr std::uint64_t kLookCycles = 250'000;
  /// How many posts in a row share the time of the first one.
  static constexpr unsigned kPostsOfOneTime = 16;

  /// There are posts that are queued, perhaps earlier ones of this thread.
  bool comesAfterOthers(bool is_nested) {
    if (posts_.empty()) [[likely]]
      return false;
    if (!is_nested) drainPosts();
    return !posts_.empty();
  }
  bool progressOwned();
  bool wantsRound() noexcept;
  bool takeSeen();
  bool knowsOfNothing() const noexcept;
  bool rounds();
  bool isRestDue() const noexcept;
  bool progressUcp(std::uint64_t cycles) noexcept;
  bool lookAtDescriptors();
  base::TimePoint nextDeadline() const noexcept;

  const base::Id128 id_;
  std::weak_ptr<Worker> user_;
  Owner owner_;
  base::MpscQueue posts_;
  base::MpscQueue held_posts_;  // delayed submissions that came before the progress thread
  IdleMemory idle_memory_{poller};
  base::TimePoint now_;
  base::TimePoint next_time_ = base::TimePoint::max();
  base::TimePoint posted_at_{};      // see timeOfPostInRow
  unsigned posts_of_this_time_ = 0;  // that may still take `posted_at_`
  std::uint64_t last_order_ = 0;
  bool may_glance_ = false;  // after a round in vain: only rings can bring something since
  bool has_copied_ = false;  // in the last round
  unsigned depth_ = 0;       // of posts from callbacks
  Pace pace_;
  std::unique_ptr<Loop> ending_;  // this one, see endLater
};

}  // namespace ucxx::core
