// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include <ucxx/options.h>

#include "base/clock.h"
#include "base/file_descriptor.h"
#include "base/id128.h"
#include "base/poller.h"
#include "core/loop/counters.h"
#include "core/loop/deadlines.h"
#include "core/loop/idle_memory.h"
#include "core/loop/owner.h"
#include "core/loop/posts.h"
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

/// What the last rounds of a loop were like, from which the next one is chosen: where nothing
/// comes, most calls of `progress` only glance at the rings.
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
  bool may_glance = false;  // after a round in vain: only rings can bring something since
  bool has_copied = false;  // in the last round
};

/// The loop of one worker, in which everything of that worker moves, and nowhere else: it decides
/// what moves in a round, and when. It does not know what a message is: the rooms above do, and
/// `WorkerState` joins them to a worker. Whoever owns the loop (see Owner) calls everything here,
/// except where another thread is named.
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
    explicit Visit(Loop& loop) noexcept : Entry(loop.owner), loop_(loop) {
      if (isOwner()) loop.needsRound();  // what it does may need one
    }
    /// For a caller that knows what it does, and calls `noteStart` or `needsRound` itself.
    struct Quiet {};
    Visit(Loop& loop, Quiet) noexcept : Entry(loop.owner), loop_(loop) {}
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

  /// @name Rounds (loop.cpp)
  /// @{
  /// Any thread: rounds until nothing moves, or a request has ended. True: something has moved.
  bool progress();
  /// Any thread: one round.
  bool progressOnce();
  /// Any thread that waits: `progress`, and if nothing has moved, the sleeper is told how things
  /// are.
  bool look();
  /// One round of the owner.
  bool round();
  /// After a round in which nothing has moved.
  void noteSleep() noexcept {
    sleeper.note(!copies.empty() || (carriers.hub != nullptr && carriers.hub->isHoldingBack()),
                 can_sleep || carriers.ucx_links == 0);
  }
  /// The next call of `progress` is a whole round, not a glance at the rings.
  void needsRound() noexcept { pace_.may_glance = false; }
  /// Something was posted that needs more than a wait.
  void noteStart() noexcept { pace_.may_glance = pace_.may_glance && knowsOfNothing(); }
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
    post_time_.posts_left = 0;
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
    if (post_time_.posts_left == 0) {
      post_time_.at = timeOfPost();
      post_time_.posts_left = options.stall_report.count() == 0 ? kPostsOfOneTime : 1;
    }
    --post_time_.posts_left;
    return post_time_.at;
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
  /// Grows from operation to operation.
  std::uint64_t nextOrder() noexcept { return ++last_order_; }
  std::uint64_t lastOrder() const noexcept { return last_order_; }
  /// @}

  /// @name Any thread
  /// @{
  const base::Id128& id() const noexcept { return id_; }
  std::shared_ptr<Worker> user() const { return user_.lock(); }
  void setUser(std::weak_ptr<Worker> user) { user_ = std::move(user); }
  /// @}

  /// The worker was dropped inside a callback of its own loop, which ends when that has returned.
  static void endLater(std::unique_ptr<Loop> loop) noexcept;
  /// That loop, for the round that is over; it goes with the result. Null: it goes on.
  std::unique_ptr<Loop> takeEnding() noexcept { return std::move(ending_); }

  const WorkerOptions options;
  const bool can_sleep;  // the context has the WAKEUP feature
  Owner owner;
  base::Poller poller;
  Wake wake{poller};
  Posts posts;
  Sleeper sleeper{*this, poller, wake};
  ProgressThread thread{*this};
  Counters counters;
  Rooms rooms;
  /// What a round moves, if it is there.
  struct Carriers {
    local::Hub* hub = nullptr;
    ucp::Worker* ucp = nullptr;
    std::size_t ucx_links = 0;  // with an endpoint of UCX: without any, UCX needs no progress
  } carriers;
  Deadlines deadlines;  // of objects of the rooms, which are destroyed before the loop
  Reviews reviews;      // of the same objects
  Watch watch;          // looked at in the beginning of a round
  Watch copies;         // between memories of two processes: after the rings

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
  /// How often a loop that polls looks at its clock and its descriptors: about 100 us.
  static constexpr std::uint64_t kLookCycles = 250'000;
  /// How many posts in a row share the time of the first one.
  static constexpr unsigned kPostsOfOneTime = 16;

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
  IdleMemory idle_memory_{poller};
  base::TimePoint now_;
  base::TimePoint next_time_ = base::TimePoint::max();
  /// A reading of the clock that posts in a row share.
  struct PostTime {
    base::TimePoint at{};
    unsigned posts_left = 0;  // that may still take it
  } post_time_;
  std::uint64_t last_order_ = 0;
  Pace pace_;
  std::unique_ptr<Loop> ending_;  // this one, see endLater
};

}  // namespace ucxx::core
