// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ucxx/options.h>
#include <ucxx/stats.h>
#include <ucxx/worker.h>

#include "base/clock.h"
#include "base/completion.h"
#include "base/file_descriptor.h"
#include "base/id128.h"
#include "base/list.h"
#include "base/mpsc_queue.h"
#include "base/poller.h"
#include "base/rare_line.h"
#include "core/condition/conditions.h"
#include "core/link/endpoint_state.h"
#include "core/loop/counters.h"
#include "core/loop/deadlines.h"
#include "core/loop/idle_memory.h"
#include "core/loop/owner.h"
#include "core/loop/progress_thread.h"
#include "core/loop/reviews.h"
#include "core/loop/sleeper.h"
#include "core/loop/ucp_descriptor.h"
#include "core/loop/wake.h"
#include "core/loop/watch.h"
#include "core/match/matcher.h"
#include "core/match/message.h"
#include "core/match/receivers.h"
#include "core/match/unexpected.h"
#include "core/meet/links.h"
#include "core/meet/listeners.h"
#include "core/plan/watched_plans.h"
#include "core/request/device_copies.h"
#include "core/request/history.h"
#include "core/request/operation.h"
#include "core/wire/wire.h"
#include "door/door.h"
#include "local/hub.h"
#include "ucp/worker.h"

namespace ucxx::core {

class Link;
struct Posting;
struct SmallMessage;
struct Standing;
struct WorkerAddress;

/// The loop of one worker: the only place that touches its channels, its matcher and its door.
/// Whoever owns it (see Owner) calls everything here, except where another thread is named.
class Loop {
 public:
  Loop(std::shared_ptr<Context> context, const WorkerOptions& options);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// An entry of the calling thread. A worker that a callback dropped meanwhile ends when it
  /// leaves.
  class Visit final : public Entry {
   public:
    explicit Visit(Loop& loop) noexcept : Entry(loop.owner_), loop_(loop) {
      if (isOwner()) loop.may_glance_ = false;  // what it does may need a whole round
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

  /// @name From any thread (operations.cpp: submit, cancel; posts.cpp: execute, run;
  /// loop.cpp)
  /// @{
  /// Starts a transfer: at once when this thread can own the loop, else through the queue.
  void submit(Operation& op);
  /// The same of a tag receive of one buffer (at_once.h).
  void submitTagRecv(Operation& op);
  /// A small message that can be sent in this call (at_once.h), and its callback called; false: it
  /// cannot, nothing has happened.
  template <MessageKind kKind>
  bool sendAtOnce(EndpointState& endpoint, const SmallMessage& message);
  template <MessageKind kKind>
  bool sendAtOnce(EndpointState& endpoint, const SmallMessage& message, const Posting& posting);
  /// Brings one that was posted with a condition to it.
  void submitArmed(Operation& op);
  /// Runs `post` at once when this thread can own the loop, else through the queue, in order with
  /// the other posts of this thread.
  void post(Post& post);
  /// Leaves `post` to whoever moves the loop.
  void queue(Post& post) noexcept;
  void cancel(Operation& op);
  void cancelAgain(Operation& op);
  bool giveBack(Operation& op);  // give_back.cpp
  /// Runs `task` on the loop, in order with the posts of this thread; does not wait for it.
  void execute(std::function<void()> task);
  /// The same for a post that is there already: without memory for one.
  void execute(Post& post);
  /// Runs `task` on the loop and waits for its end; rethrows what it throws. Throws TimedOutError
  /// when no thread lets it in for long.
  void run(const std::function<void()>& task);
  bool progress();
  bool progressOnce();
  /// `progress` for who waits: if nothing has moved, it tells `napOf` and `hearsAll` how things
  /// are.
  bool look();
  void submitReceiveOf(Operation& op, Message* message);
  void signal() noexcept { wake_.signal(); }
  void warnOfUntaken() noexcept;
  /// Whether the peer of `endpoint` lives; while it does not, this thread moves the loop if nobody
  /// else does, until the endpoint has failed.
  void lookForLife(EndpointState& endpoint);
  int eventFd() const noexcept { return poller_.fd(); }
  bool isMine() const noexcept { return owner_.isMine(); }
  Wake& wake() noexcept { return wake_; }
  WorkerStats stats() const;
  std::string describe();
  std::string dump();     // dump.cpp
  WorkerReport report();  // report.cpp
  /// @}

  /// @name The rounds of whoever owns it (loop.cpp)
  /// @{
  bool round();
  /// After a round in which nothing has moved.
  void noteSleep() noexcept {
    sleeper.note(!copies.empty() || (hub_ != nullptr && hub_->isHoldingBack()),
                 can_sleep || links_->connected() == 0);
  }
  void readClock() noexcept {
    now_ = base::Clock::now();
    posts_of_this_time_ = 0;
  }
  /// Nothing is to be done, and whatever comes rings; asked by who has announced a sleep.
  bool isQuiet();
  base::TimePoint nextLook() const noexcept;
  /// True: this thread had announced a sleep.
  bool endSleep() noexcept;
  void wokeUp() noexcept;
  void watchExpecting() noexcept;
  /// Does what other threads posted.
  bool drainPosts();
  Owner& owner() noexcept { return owner_; }
  /// Ends what is open, without waiting for peers.
  void shutDown() noexcept;  // shut_down.cpp
  /// The worker was dropped inside a callback of its own loop, which ends when that has returned.
  static void endLater(std::unique_ptr<Loop> loop) noexcept;
  /// That loop, for the round that is over; it goes with the result. Null: it goes on.
  std::unique_ptr<Loop> takeEnding() noexcept { return std::move(ending_); }
  /// @}

  /// @name Operations (operations.cpp)
  /// @{
  /// Without memory for it, it ends with NO_MEMORY.
  void start(Operation& op);
  [[gnu::always_inline]] void track(Operation& op) noexcept {
    op.since = now_;
    op.order = ++last_order_;
    (op.endpoint != nullptr ? op.endpoint->listOf(op) : pending_).pushBack(op);
    counters.started.add();
  }
  [[gnu::always_inline]] void forget(Operation& op) noexcept {
    if (!op.pending_node.linked()) return;
    counters.ended.add();
    op.endpoint != nullptr ? forgetIn(*op.endpoint, op) : pending_.remove(op);
  }
  void listArmed(Operation& op) noexcept;
  void unlistArmed(Operation& op) noexcept;
  /// One ends that has never started.
  void countUnstarted() noexcept {
    counters.started.add();
    counters.ended.add();
  }
  void cancelNow(Operation& op) noexcept;
  std::size_t cancelFailed() noexcept;
  /// @}

  /// @name Endpoints (endpoints.cpp)
  /// @{
  EndpointState& newEndpoint(bool own_opened);
  /// `limit`: for the connect; none: the worker's.
  using Limit = std::optional<std::chrono::milliseconds>;
  EndpointState& open(const WorkerAddress& address, bool error_handling, Limit limit);
  EndpointState& openByName(std::vector<door::SocketAddress> addresses, bool error_handling,
                            Limit limit);
  void releaseEndpoint(EndpointState& endpoint) noexcept;
  void freeEndpointIfDone(EndpointState& endpoint) noexcept;
  std::vector<EndpointState*> endpoints() const;
  /// Calls `act` with each, oldest first; it may end and free any of them, and make new ones.
  template <class Act>
  void forEachEndpoint(const Act& act) const {
    for (auto next = endpoints_.begin(); next != endpoints_.end();) {
      const std::uint64_t key = next->first;
      act(*next->second);
      next = endpoints_.upper_bound(key);
    }
  }
  EndpointState* findEndpoint(std::uint64_t key) const noexcept;
  /// `link` is about to be freed.
  void forgetLink(const Link& link) noexcept;
  /// @}

  std::shared_ptr<Worker> user() const { return user_.lock(); }
  void setUser(std::weak_ptr<Worker> user) { user_ = std::move(user); }
  const Context& context() const noexcept { return *context_; }

  /// @name What carries its messages (channels.cpp)
  /// @{
  /// UCX's worker, made by the first call. Throws what UCX says (the next call tries again), and
  /// UNSUPPORTED with `UCXX_LOCAL=only`.
  ucp::Worker& ensureUcp();
  bool hasUcp() const noexcept { return ucp_ != nullptr; }
  /// It has been made: there is a link over it.
  ucp::Worker& ucp() noexcept { return *ucp_; }
  /// UCX's worker has it, or would. From any thread.
  ucs_thread_mode_t threadMode() const;
  /// What goes in front of a payload on every channel. From any thread.
  std::size_t maxHeaderBytes() const noexcept { return max_header_bytes_; }
  /// Null: peers of this machine are met by UCX, too.
  local::Hub* hub() noexcept { return hub_.get(); }
  /// For people; empty while there is a hub.
  const std::string& whyNotLocal() const noexcept { return why_not_local_; }
  bool isLocalOnly() const noexcept;
  /// UCX does, or there is no driver of CUDA: then what is said to be a device's is not.
  bool reachesDevices() const noexcept;
  /// @}

  Links& links() noexcept { return *links_; }
  Conditions& conditions() noexcept { return conditions_; }
  const base::Id128& id() const noexcept { return id_; }
  base::TimePoint now() const noexcept { return now_; }
  std::uint64_t lastOrder() const noexcept { return last_order_; }
  /// A timer that must fire at `when`, at the latest.
  void needsTimeAt(base::TimePoint when) noexcept {
    if (when < next_time_) next_time_ = when;
  }
  /// Door events come soon (a connect is going on): look at the descriptors each round for a while.
  void lookOften() noexcept {
    look_often_ = true;
    look_often_until_ = base::Clock::now() + std::chrono::milliseconds(5);
  }

  const WorkerOptions options;
  const bool can_sleep;  // the context has the WAKEUP feature
  Counters counters;
  Deadlines deadlines;  // of links, endpoints and what they own, which stand behind it
  Reviews reviews;      // of the same
  Matcher tags;
  Matcher multis;
  MessageList probed;  // taken out of `tags` by a probe, not received yet
  Receivers receivers;
  base::RareLine unknown_receivers;
  Listeners listeners{*this};
  std::atomic<bool> blocking{false};  // initBlockingProgressMode was called
  ProgressThread thread{*this};
  Unexpected unexpected;
  /// Of all endpoints that have one.
  std::vector<std::shared_ptr<Standing>> standing;
  /// How many links have ended so far: the number of the last one.
  std::uint64_t ended_links = 0;
  History history;
  Watch watch;   // at the begin of a round
  Watch copies;  // between memories of two processes, after the rings
  WatchedPlans watched_plans{watch};
  DeviceCopies device_copies{watch};

 private:
  /// A post from here on may be one of a callback, inside another post.
  class Nesting {
   public:
    explicit Nesting(unsigned& depth) noexcept : depth_(depth) { ++depth_; }
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    unsigned& depth_;
  };
  /// Callbacks that post to their own worker may complete each other; deeper than this they queue.
  static constexpr unsigned kMaxDepth = 16;
  /// How often a loop that polls looks at its clock and its descriptors: about 100 us.
  static constexpr std::uint64_t kLookCycles = 250'000;
  /// How many posts in a row share the time of the first one.
  static constexpr unsigned kPostsOfOneTime = 16;
  /// A ring holds it beside what is not announced.
  static constexpr std::size_t kMaxHeaderBytes = 8 << 10;

  void forgetIn(EndpointState& endpoint, Operation& op) noexcept {
    endpoint.listOf(op).remove(op);
    if (op.cancelled) endpoint.canceling.fetch_sub(1, std::memory_order_relaxed);
    if (!endpoint.isOver() || endpoint.pendingCount() != 0) return;
    endpoint.review.ask();
    may_glance_ = false;
  }
  bool waitAtOnce(Operation& op) noexcept;
  /// The loop's own time is that of its last look, perhaps long ago.
  base::TimePoint timeOfPost() const noexcept {
    const bool is_late = base::cycles() - last_look_cycles_ > kLookCycles;
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
  bool progressOwned();
  bool wantsRound() noexcept;
  bool takeSeen();
  bool knowsOfNothing() const noexcept;
  bool rounds();
  void abandonUcp() noexcept;
  bool isRestDue() const noexcept;
  bool progressUcp(std::uint64_t cycles) noexcept;
  bool lookAtDescriptors();
  void onTime();
  void sayGoodbyes() noexcept;
  void pushIntoRings() noexcept;
  void pushOutOfUcx() noexcept;
  void waitForHelpers(base::TimePoint deadline) noexcept;
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
  /// There are posts that are queued, perhaps earlier ones of this thread.
  bool comesAfterOthers(bool is_nested) {
    if (posts_.empty()) [[likely]]
      return false;
    if (!is_nested) drainPosts();
    return !posts_.empty();
  }
  void begin(Operation& op);
  void reportStalls() noexcept;  // dump.cpp
  std::vector<const Operation*> pending() const;
  void logDump();
  base::TimePoint nextTime() const noexcept;
  template <class Open>
  EndpointState& openNew(Limit limit, const Open& open);
  static void onUcpMessage(void* self, std::span<const std::byte> header, const ucp::Payload&);
  void openHub();
  local::Events localEvents();
  /// Returns how many bytes of it count for `local::Events`.
  std::size_t onLocalMessage(Link& link, std::span<const std::byte> header,
                             std::span<const std::byte> payload);
  void onOtherMessage(Link& link, std::span<const std::byte> header,
                      std::span<const std::byte> payload);

  const std::shared_ptr<Context> context_;
  const base::Id128 id_;
  std::weak_ptr<Worker> user_;
  Owner owner_;
  base::MpscQueue posts_;
  base::MpscQueue held_posts_;  // delayed submissions that came before the progress thread
  base::Poller poller_;
  Wake wake_;

 public:
  Sleeper sleeper{*this, poller_, wake_};

 private:
  IdleMemory idle_memory_{poller_};
  std::unique_ptr<ucp::Worker> ucp_;  // null: nothing has needed it
  std::unique_ptr<UcpDescriptor> ucp_descriptor_;
  std::atomic<std::size_t> max_header_bytes_{kMaxHeaderBytes};
  std::unique_ptr<local::Hub> hub_;
  std::string why_not_local_;
  std::vector<std::byte> local_header_;  // of the message that is being handled
  std::unique_ptr<Links> links_;

  base::TimePoint now_;
  base::TimePoint next_time_ = base::TimePoint::max();
  base::TimePoint look_often_until_{};
  base::TimePoint next_dump_{};      // of stalled requests, not before
  base::TimePoint expecting_at_{};   // when `watchExpecting` is due in a loop that polls
  base::TimePoint posted_at_{};      // see timeOfPostInRow
  unsigned rounds_since_look_ = 0;   // in vain
  unsigned posts_of_this_time_ = 0;  // that may still take `posted_at_`
  std::uint64_t last_order_ = 0;     // of an operation
  bool look_often_ = false;
  bool has_copied_ = false;  // in the last round
  std::uint64_t last_look_cycles_ = 0;
  std::uint64_t last_ucp_cycles_ = 0;
  bool ucp_moved_ = false;  // when it was progressed last
  unsigned busy_rounds_ = 0;
  bool may_glance_ = false;  // behind a round in vain: only rings can bring something since
  unsigned glances_ = 0;
  unsigned depth_ = 0;  // of posts from callbacks

  struct LastFlush final : base::Completion {
    bool ended = false;
  } last_flush_;                  // UCX may end it only when the links are cut
  std::unique_ptr<Loop> ending_;  // this one, see endLater
  PendingList pending_;           // operations that are bound to no endpoint
  PendingList armed_;             // the same, that their conditions have not started
  Conditions conditions_{*this};
  std::map<std::uint64_t, std::unique_ptr<EndpointState>>
      endpoints_;  // in the order of their making
};

}  // namespace ucxx::core
