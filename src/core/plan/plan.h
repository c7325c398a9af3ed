// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include <ucxx/explanation.h>
#include <ucxx/report.h>

#include "base/clock.h"
#include "base/file_descriptor.h"
#include "base/foreign_fence.h"
#include "base/list.h"
#include "core/loop/post.h"
#include "core/match/endpoint_state.h"
#include "core/plan/plan_device.h"
#include "core/plan/plan_wire.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"

namespace ucxx::core {

class Loop;
class Plans;
class WatchedPlans;

/// The library's half of a `ucxx::Prepared`, one end of a prepared transfer. Its iterations have
/// growing numbers, from 1. Shared by the user's half, its endpoint, and its link, which lets go of
/// it when the peer has no way to its memory any more.
class Plan : public std::enable_shared_from_this<Plan> {
 public:
  static constexpr std::uint64_t kNever = UINT64_MAX;
  struct Terms {
    void* buffer = nullptr;  // a send's is never written to
    PlanShape shape;
    std::uint64_t tag = 0;
    std::uint32_t contributors = 1;
  };

  Plan(EndpointState& endpoint, const Terms& terms);
  virtual ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// @name From any thread
  /// @{
  std::uint64_t iteration() const noexcept { return iteration_.load(std::memory_order_acquire); }
  /// The status of the last iteration.
  ucs_status_t status() const noexcept { return statusOf(iteration()); }
  ucs_status_t statusOf(std::uint64_t iteration) const noexcept;
  /// Begins the next one. Throws `InvalidParamError` while one is in progress.
  void start();
  /// Why it has failed; empty: it has not.
  std::string_view reason() const noexcept;
  std::string describe() const;
  /// Starts that were posted with conditions and have not ended.
  bool hasPostedStarts() const noexcept {
    return posted_starts_.load(std::memory_order_acquire) != 0;
  }
  void startIsPosted() noexcept { posted_starts_.fetch_add(1, std::memory_order_relaxed); }
  void postedStartEnds() noexcept { posted_starts_.fetch_sub(1, std::memory_order_release); }
  bool hasFailed() const noexcept { return failed_from_.load(std::memory_order_acquire) != kNever; }
  /// The user has dropped the plan: it closes.
  void abandon() noexcept;
  /// How kernels take part in it; null: they do not.
  const PlanDevice* device() const noexcept { return device_.load(std::memory_order_acquire); }
  virtual OperationKind kind() const noexcept = 0;
  std::size_t partitionBytes() const noexcept { return terms.shape.bytes / terms.shape.partitions; }
  /// @}

  /// @name The loop
  /// @{
  /// It has been prepared: its endpoint has it from now on.
  void enter() noexcept;
  /// What it does with its peer: the link is up.
  virtual void join(Plans& plans) = 0;
  bool hasJoined() const noexcept { return plans_ != nullptr; }
  /// This iteration, if it has not ended, and all that follow end with `status`.
  void fail(ucs_status_t status, std::string_view why) noexcept;
  /// Fails it, and nothing more is done for it: the peer is told when nothing moves any more.
  void close(ucs_status_t status, std::string_view why) noexcept;
  bool hasSaidClose() const noexcept { return phase_ == Phase::AwaitsAnswer; }
  /// The peer has closed its end, and touches nothing here any more.
  void onPeerClosed(ucs_status_t status) noexcept;
  bool hasPeerClosed() const noexcept { return has_peer_closed_; }
  /// The link has let go of it: its closes end with `closed`.
  void leaveLink(ucs_status_t closed = UCS_OK) noexcept;
  /// After this no thread touches memory of the peer any more, nor the channel. `forEach` calls
  /// what it is given with each of some plans, which pay once together: some 40 us, if there are
  /// any that reach the peer.
  template <class ForEach>
  static void quiesce(const ForEach& forEach) noexcept;
  /// Words that the peer may write; null: it writes none.
  virtual std::shared_ptr<void> sharedWords() const noexcept = 0;
  /// The peer may write to the buffer.
  virtual bool isBufferShared() const noexcept = 0;
  /// Kernels take part from now on. False: it is too late for that.
  [[nodiscard]] bool letTakePart(std::unique_ptr<const PlanDevice> device) noexcept;
  /// A request that ends with the present iteration, or with the close.
  void wait(Operation& op) noexcept;
  /// A start, partitions that become ready, or what waits for the end of the iteration of its turn:
  /// in the order in which they come here.
  void take(Operation& step) noexcept;
  static bool withdraw(Operation& op) noexcept;
  /// Does what other threads or the peer have made possible. True: something has moved.
  virtual bool look() noexcept;
  /// The plan is to be looked at in each round.
  virtual bool needsLook() const noexcept = 0;
  /// Other threads than the loop's do a part of it, and tell the loop if it watches the plan.
  virtual bool isMovedByThreads() const noexcept = 0;
  std::uint64_t id() const noexcept { return id_; }
  /// Null: it is not in it (any more).
  EndpointState* endpoint() const noexcept { return endpoint_; }
  Explanation explain();
  PreparedReport report() const;
  /// True once in each iteration: it has been seen in progress for so long.
  bool isNewlyStalled(base::Duration limit) noexcept;
  /// @}

  const Terms terms;
  Loop& loop;

 protected:
  /// The first half of `fail`, before any callback.
  void note(ucs_status_t status, std::string_view why) noexcept;
  /// All of this iteration has been done.
  virtual bool isDone(std::uint64_t iteration) const noexcept = 0;
  /// What a start does, on its thread.
  virtual void started(std::uint64_t iteration) = 0;
  /// A step of this plan: from `first` up to, but without, `last`. Throws `InvalidParamError`.
  virtual void takeReady(std::size_t first, std::size_t last) = 0;
  /// Kernels see what of iteration `now` has arrived, and that all of `ended` has.
  virtual void tellArrivals(std::uint64_t, std::uint64_t) noexcept {}
  /// Kernels have made a partition of the iteration in progress ready too often: the plan ends.
  void failByReadyTwice(std::size_t partition) noexcept;
  /// Kernels cannot take part any more.
  virtual bool isTooLateForKernels() const noexcept = 0;
  /// What other threads have posted, on the loop.
  virtual void onPost() noexcept = 0;
  /// There is memory of the peer to be touched.
  virtual bool reachesPeer() const noexcept = 0;
  /// A thread other than the loop's touches it just now.
  virtual bool isInside() const noexcept = 0;
  virtual std::string describeProgress() const = 0;
  /// What is known of this iteration on the loop.
  virtual void addProgress(PreparedReport& report) const noexcept = 0;
  /// `said` tells how a message of a partition's bytes would go.
  virtual void explainWay(Explanation& said) const = 0;

  /// @name From any thread
  /// @{
  /// `onPost` is called on the loop, now or soon.
  void post();
  /// To be asked after a mark that says that this thread is inside: it may touch memory of the
  /// peer.
  bool mayTouch() const noexcept {
    order();
    return !is_shut_.load(std::memory_order_relaxed);
  }
  /// A store before it is seen by a loop that says that it watches the plan, or this one sees that.
  bool isWatched() const noexcept {
    order();
    return is_watched_.load(std::memory_order_relaxed);
  }
  /// @}

  /// A part of it moves, or does no longer.
  void begins() noexcept { ++moving_; }
  void ends() noexcept;
  bool isClosing() const noexcept { return phase_ != Phase::Open; }
  /// Nothing of the peer's is touched any more.
  bool isShut() const noexcept { return is_shut_.load(std::memory_order_relaxed); }
  /// Something waits for the end of an iteration.
  bool hasWaiters() const noexcept { return !waiters_.empty() || !steps_.empty(); }
  /// Kernels may write a word of this iteration, or wait for its end.
  bool awaitsKernels() const noexcept {
    return device() != nullptr && !hasFailed() && status() == UCS_INPROGRESS;
  }
  void watch() noexcept;
  void joined(Plans& plans, std::uint64_t id) noexcept {
    plans_ = &plans;
    id_ = id;
  }
  /// Null: it has not joined a link, or has left it.
  Plans* plans() const noexcept { return plans_; }

 private:
  friend class WatchedPlans;

  struct PlanPost final : Post {
    std::shared_ptr<Plan> plan;  // while it is posted
  };

  /// How far the close has come.
  enum class Phase : std::uint8_t { Open, Drains, AwaitsAnswer, Over };

  /// False: no thread can be inside.
  bool shut() noexcept { return !is_shut_.exchange(true) && reachesPeer(); }
  /// Waits until all threads are outside.
  template <class ForEach>
  static void awaitOutside(const ForEach& forEach) noexcept;
  static void passMoment() noexcept;
  void quiesceAlone() noexcept;
  void begin();
  bool endWaiters() noexcept;
  bool takeStep() noexcept;
  void beginStep(Operation& start) noexcept;
  void loseBegin(Operation& start) noexcept;
  void withdrawStep(Operation& op) noexcept;
  void makeReady(Operation& step) noexcept;
  void awaitEnd(Operation& step) noexcept;
  void tellKernels() noexcept;
  void failByMistakes() noexcept;
  void settle(ucs_status_t closed = UCS_OK) noexcept;
  void detach() noexcept;
  /// In place of a full fence where a foreign one stands for it (base/foreign_fence.h).
  static void order() noexcept;

  std::atomic<std::uint64_t> iteration_{0};
  std::atomic<std::uint64_t> failed_from_{kNever};  // the first iteration that has failed
  ucs_status_t failure_ = UCS_OK;                   // set before it, as is the reason
  std::string reason_;
  std::atomic<bool> is_shut_{false};
  std::atomic<bool> is_watched_{false};
  std::atomic<bool> is_posted_{false};
  std::atomic<std::size_t> posted_starts_{0};
  PlanPost post_;
  PlanPost abandon_post_;

  EndpointState* endpoint_;  // null: the plan is not in it (any more)
  Plans* plans_ = nullptr;   // of its link; null: the peer has never heard of it, or not any more
  std::uint64_t id_ = 0;     // what the two ends call it: chosen by the sender
  std::size_t moving_ = 0;
  Phase phase_ = Phase::Open;
  bool has_peer_closed_ = false;
  bool is_stepping_ = false;        // inside `takeSteps`
  bool is_counted_ = false;         // among those of the worker
  bool is_stall_reported_ = false;  // of the iteration that was seen
  std::uint64_t seen_ = 0;        // the iteration that was in progress at the last look for stalls
  base::TimePoint seen_at_{};     // at the first look that saw it
  ucs_status_t closed_ = UCS_OK;  // once it is over
  WaitList waiters_;
  WaitList closers_;
  WaitList steps_;  // a start that waits for the end of an iteration, and what comes after it

  std::unique_ptr<const PlanDevice> own_device_;
  std::atomic<const PlanDevice*> device_{nullptr};
};

template <class ForEach>
void Plan::awaitOutside(const ForEach& forEach) noexcept {
  base::foreignFence();
  forEach([](Plan& plan) {
    while (plan.isInside()) std::this_thread::yield();
  });
}

/// A foreign fence may miss a thread, whose stores are out after a moment (base/foreign_fence.h). A
/// forked child has no other threads, and waits for none.
template <class ForEach>
void Plan::quiesce(const ForEach& forEach) noexcept {
  bool may_be_inside = false;
  forEach([&](Plan& plan) { may_be_inside |= plan.shut(); });
  if (!may_be_inside || base::isForkedChild()) return;
  awaitOutside(forEach);
  passMoment();
  awaitOutside(forEach);
}

/// Bytes of a plan: which one.
struct PlanDataExtra final : OperationExtra {
  explicit PlanDataExtra(std::uint64_t id_) noexcept : id(id_) {}
  std::uint64_t id;
};
inline std::uint64_t planIdOf(const Operation& op) noexcept {
  return static_cast<const PlanDataExtra&>(*op.extra).id;
}
/// How the two ends of a plan do not fit.
std::string unfit(const PlanShape& sender, const PlanShape& receiver);

/// @name Actions of operations of plans (operation_actions.h)
/// @{
void startPreparedEnd(Operation& op);
/// A start, or partitions, which wait for their turn.
void startPlanStep(Operation& op);
/// Bytes that a receive of a plan has fetched.
void planDataReceived(Operation& op, ucs_status_t status) noexcept;
/// @}

/// The endpoint is over: so are its plans.
void endPlans(EndpointState& endpoint) noexcept;

}  // namespace ucxx::core
