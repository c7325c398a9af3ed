// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/condition/triggered_condition.h"

#include <utility>

#include <fmt/format.h>

#include <ucxx/exception.h>
#include <ucxx/worker.h>

#include "base/file_descriptor.h"
#include "base/phase.h"
#include "base/phases.h"
#include "core/condition/armed.h"
#include "core/condition/conditions.h"
#include "core/loop/loop.h"
#include "core/loop/post.h"
#include "core/loop/posts.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/requests.h"

namespace ucxx::core {
namespace {

/// What it brings lies in the request, which has room for one message.
bool bringsABuffer(OperationKind kind) noexcept {
  return kind == OperationKind::AmRecv || kind == OperationKind::MultiRecv;
}

}  // namespace

TriggeredCondition::TriggeredCondition(ConditionKind its_kind, const ConditionOptions& its_options,
                                       std::uint64_t its_stream)
    : ConditionState(its_options),
      kind(its_kind),
      stream(its_stream),
      words_(its_kind == ConditionKind::Graph ? ConditionWords::Sort::Toggling
                                              : ConditionWords::Sort::Growing) {
  call_.run = [](Loop&, Post& post) {
    auto& call = static_cast<Call&>(post);
    const std::shared_ptr<TriggeredCondition> self = std::move(call.self);
    __builtin_prefetch(&self->words_.trigger());  // comes with the line of the call, not after it
    // Sees what those wrote that found it under way; who tells later calls again.
    call.is_under_way.exchange(false, std::memory_order_acq_rel);
    // What a stream has written is for `Conditions::pollStreams`, which knows the order of all its
    // writes.
    self->kind == ConditionKind::Stream ? self->noticeClose() : self->notice();
    self->lookHeld();
  };
}

void TriggeredCondition::requireMayPost(const Loop& loop, OperationKind kind_of_it) const {
  if (options.repeat && bringsABuffer(kind_of_it))
    throw UnsupportedError(fmt::format(
        "{}: each message brings a buffer of its own, so it cannot wait for a condition that "
        "repeats",
        toString(kind_of_it)));
  if (is_closed_.load(std::memory_order_relaxed))
    throw InvalidParamError(
        fmt::format("{}: its condition is closed; make another", toString(kind_of_it)));
  if (triggered() != 0)
    throw InvalidParamError(
        fmt::format("{}: its condition was triggered already ({} times); post before the first "
                    "trigger",
                    toString(kind_of_it), triggered()));
  requireWorker(loop, kind_of_it);
}

void TriggeredCondition::post(Loop& loop, Operation& op) {
  base::requireNotForked();
  {
    const std::lock_guard lock(mutex_);
    take(loop, prepare(loop, op));
  }
  submitArmed(loop, op);
}

std::unique_ptr<Armed> TriggeredCondition::prepare(const Loop& loop, Operation& op) {
  requireMayPost(loop, op.kind);
  return Armed::make(op, self());
}

void TriggeredCondition::take(const Loop& loop, std::unique_ptr<Armed> armed) noexcept {
  bindTo(loop);
  posted_.fetch_add(1, std::memory_order_relaxed);
  Armed::attach(std::move(armed));
}

void TriggeredCondition::trigger() {
  base::requireNotForked();
  std::shared_ptr<Worker> its_worker;
  {
    const std::lock_guard lock(mutex_);
    if (is_closed_.load(std::memory_order_relaxed))
      throw InvalidParamError("trigger: the condition is closed");
    if (!options.repeat && triggered() != 0)
      throw InvalidParamError(
          "trigger: the condition was triggered before; to be triggered again it needs "
          "ConditionOptions::repeat");
    if (!isBound()) throw InvalidParamError("trigger: nothing was posted with the condition yet");
    words_.trigger().fetch_add(1, std::memory_order_release);
    its_worker = worker();
  }
  base::reached(base::Phase::TriggerCounted);
  if (its_worker != nullptr) tell(its_worker->loop());
}

bool TriggeredCondition::closeUntold() noexcept {
  if (base::isForkedChild()) return false;
  const std::lock_guard lock(mutex_);
  is_closed_.store(true, std::memory_order_release);
  if (isBound()) return true;
  words_.answer().is_over.store(1, std::memory_order_release);
  changed_.notify_all();
  return false;
}

void TriggeredCondition::close() noexcept {
  if (base::isForkedChild()) return;
  std::shared_ptr<Worker> its_worker;
  {
    const std::lock_guard lock(mutex_);
    if (is_closed_.exchange(true, std::memory_order_release)) return;
    its_worker = worker();
    if (its_worker == nullptr) words_.answer().is_over.store(1, std::memory_order_release);
    changed_.notify_all();
  }
  if (its_worker != nullptr) tell(its_worker->loop());
}

void TriggeredCondition::tell(Loop& loop) noexcept {
  if (call_.is_under_way.exchange(true, std::memory_order_acq_rel)) return;
  call_.self = self();
  // The end of a graph is told by a thread of the driver, in which callbacks must not run.
  if (kind == ConditionKind::Graph) return loop.posts.queue(call_);
  call_.for_thread = loop.options.delayed_submission;
  loop.posts.post(call_);
}

std::uint64_t TriggeredCondition::epoch() const noexcept {
  if (base::isForkedChild()) return 0;
  return words_.answer().done.load(std::memory_order_acquire) - words_.base();
}

ucs_status_t TriggeredCondition::lastStatus() const noexcept {
  if (base::isForkedChild()) return UCS_INPROGRESS;
  return static_cast<ucs_status_t>(words_.answer().status.load(std::memory_order_acquire));
}

bool TriggeredCondition::isOver() const noexcept {
  return !base::isForkedChild() && words_.answer().is_over.load(std::memory_order_acquire) != 0;
}

std::string TriggeredCondition::describe() const {
  if (kind == ConditionKind::Stream)
    return fmt::format("stream {}, which has {}reached it", stream, triggered() == 0 ? "not " : "");
  constexpr const char* kNames[]{"host", "kernel", "stream", "graph"};
  return fmt::format("{} condition, triggered {} times, ended {} times",
                     kNames[static_cast<std::size_t>(kind)], triggered(), epoch());
}

void TriggeredCondition::arm(Armed& armed) noexcept {
  const std::shared_ptr<TriggeredCondition> held = self();  // `armed` may end here
  ++arrived_;
  Operation& op = armed.op;
  const EndpointCore* const endpoint = op.endpoint;
  const bool is_closing = endpoint != nullptr && endpoint->phase == EndpointPhase::Closing;
  if (!join(*op.loop))
    endWithoutMemory(armed);
  else if (op.cancel_requested.load(std::memory_order_relaxed) || is_cut_ || is_closing)
    armed.endUnstarted(UCS_ERR_CANCELED);
  else if (endpoint != nullptr && endpoint->isOver())
    armed.endUnstarted(endpoint->overStatus());
  else if (begun_ != 0 && !options.repeat)  // a kernel has triggered while it was posted
    armed.endUnstarted(UCS_ERR_INVALID_PARAM);
  else
    enlist(armed);
  base::reached(base::Phase::TransferArmed);
  lookHeld();  // it may have been triggered, or closed, before this one came
}

/// The condition has no place in the loop, and never will.
void TriggeredCondition::endWithoutMemory(Armed& armed) noexcept {
  armed.endUnstarted(UCS_ERR_NO_MEMORY);
  tellOver(UCS_ERR_NO_MEMORY);
}

/// The loop knows of it from its first operation on, or never does.
bool TriggeredCondition::join(Loop& loop) noexcept try {
  if (loop_ != nullptr) return true;
  if (is_lost_) return false;
  conditionsOf(loop).add(*this);
  loop_ = &loop;
  kept_ = self();
  return true;
} catch (const std::bad_alloc&) {
  is_lost_ = true;
  return false;
}

void TriggeredCondition::enlist(Armed& armed) noexcept {
  armed_.pushBack(armed);
  requestsOf(*loop_).listArmed(armed.op);
  armed.setDeadline(options.start_timeout);
}

void TriggeredCondition::look() noexcept {
  const std::shared_ptr<TriggeredCondition> held = kept_;
  lookHeld();
}

/// The caller keeps it: to count one more owner would fetch a line that the trigger has written.
void TriggeredCondition::lookHeld() noexcept {
  if (is_looking_ || loop_ == nullptr) return;  // it does so already; or all is over
  is_looking_ = true;
  onLook();
  int budget = kMostStarts;
  while (is_in_epoch_ || beginEpoch()) {
    startSome(budget);
    if (next_ != nullptr) lookAgain();
    if (next_ != nullptr || under_way_ != 0) break;
    endEpoch();
  }
  is_looking_ = false;
  const bool goes_on = is_in_epoch_ || arrived_ != posted_.load(std::memory_order_relaxed);
  if (!goes_on && is_closing_) endArmed();
}

void TriggeredCondition::lookAgain() noexcept {
  if (node.linked()) conditionsOf(*loop_).becomeDue(*this);
}

/// Closed first: of one that is seen to be closed all triggers are seen.
void TriggeredCondition::notice() noexcept {
  noticeClose();
  noticed_ = takeTriggers();
}

bool TriggeredCondition::beginEpoch() noexcept {
  const bool is_due = noticed_ > begun_ && !is_cut_ && (options.repeat || begun_ == 0);
  if (!is_due || arrived_ != posted_.load(std::memory_order_relaxed)) return false;
  ++begun_;
  is_in_epoch_ = true;
  next_ = armed_.front();
  return true;
}

void TriggeredCondition::startSome(int& budget) noexcept {
  for (; next_ != nullptr && budget > 0; --budget) {
    Armed& armed = *std::exchange(next_, armed_.after(*next_));
    ++under_way_;
    armed.start();
  }
}

void TriggeredCondition::endEpoch() noexcept {
  is_in_epoch_ = false;
  {
    const std::lock_guard lock(mutex_);
    answer(std::exchange(error_, UCS_OK));
    changed_.notify_all();
  }
  if (!options.repeat) finish();
}

void TriggeredCondition::answer(ucs_status_t status) noexcept {
  words_.answer().status.store(status, std::memory_order_relaxed);
  words_.answer().done.store(words_.base() + begun_, std::memory_order_release);
}

/// The condition is closed: what is armed waits in vain.
void TriggeredCondition::endArmed() noexcept {
  const ucs_status_t status = options.repeat && !is_cut_ ? UCS_OK : UCS_ERR_CANCELED;
  while (Armed* const armed = armed_.front()) {
    if (armed->repetition() != nullptr) return;  // it ends, and this goes on then
    (void)armed->end(status);
  }
  finish();
}

void TriggeredCondition::finish() noexcept {
  if (node.linked()) conditionsOf(*loop_).remove(*this);
  tellOver(begun_ != 0 ? lastStatus() : error_);
  kept_.reset();
}

/// Nobody is to wait for it any more.
void TriggeredCondition::tellOver(ucs_status_t status) noexcept {
  {
    const std::lock_guard lock(mutex_);
    words_.answer().is_over.store(1, std::memory_order_release);
    changed_.notify_all();
  }
  onOver(status);
}

void TriggeredCondition::workerEnds() noexcept {
  const std::shared_ptr<TriggeredCondition> held = kept_;
  is_cut_ = is_closing_ = true;
  is_closed_.store(true, std::memory_order_release);
  if (!is_in_epoch_) {
    onCut();
    return endArmed();
  }
  if (std::exchange(next_, nullptr) != nullptr && error_ == UCS_OK) error_ = UCS_ERR_CANCELED;
  if (under_way_ == 0) look();
}

void TriggeredCondition::abandon() noexcept {
  if (is_in_epoch_) tellOver(UCS_ERR_CANCELED);
}

void TriggeredCondition::forget(Armed& armed) noexcept {
  if (!armed.node.linked()) return;
  if (next_ == &armed) next_ = armed_.after(armed);
  armed_.remove(armed);
}

void TriggeredCondition::ended(const Armed& armed, ucs_status_t status) noexcept {
  if (!armed.isStarted()) {  // in vain, or with its last repetition
    if (!options.repeat && error_ == UCS_OK) error_ = status;
    return;
  }
  repetitionEnded(status);
}

void TriggeredCondition::repetitionEnded(ucs_status_t status) noexcept {
  if (status != UCS_OK && error_ == UCS_OK) error_ = status;
  if (--under_way_ == 0 && next_ == nullptr) look();
}

}  // namespace ucxx::core
