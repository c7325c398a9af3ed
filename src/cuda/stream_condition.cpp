// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/stream_condition.h"

#include <utility>

#include <fmt/format.h>

#include <ucxx/condition.h>
#include <ucxx/exception.h>

#include "base/file_descriptor.h"
#include "core/condition/armed.h"
#include "core/loop/loop.h"
#include "cuda/capture.h"
#include "cuda/enqueue.h"
#include "cuda/post_checks.h"
#include "cuda/words.h"

namespace ucxx {

Condition Condition::stream(CUstream_st* stream, const ConditionOptions& options) {
  constexpr const char* kWhat = "Condition::stream";
  base::requireNotForked();
  if (options.repeat)
    throw InvalidParamError(
        fmt::format("{}: repeat is set; each post marks one place of the stream", kWhat));
  const cuda::Stream known = cuda::Stream::of(stream, kWhat);
  cuda::attachTo(known.context, kWhat);
  return Condition(std::make_shared<cuda::StreamCondition>(known, options));
}

namespace cuda {
StreamMark::StreamMark(std::shared_ptr<StreamCondition> condition, const Stream& stream)
    : core::TriggeredCondition(core::ConditionKind::Stream, condition->options, stream.id),
      condition_(std::move(condition)),
      stream_(stream) {}

/// The write enters the stream first, since that may fail. The loop may so hear of it later than
/// the word was written: it looks at the word when it does.
void StreamMark::post(core::Loop& loop, core::Operation& op) {
  const char* const what = toString(op.kind);
  std::unique_ptr<core::Armed> armed;
  {
    const std::lock_guard lock(mutex_);
    armed = prepare(loop, op);
    bindTo(loop);  // so that a close in the meantime is told to the loop
  }
  const std::uint64_t value = words().base() + 1;
  const Address word = addressOf(&words().trigger(), stream_.context, what);
  enqueue(stream_, writeOf(word, value), std::static_pointer_cast<StreamMark>(shared_from_this()),
          what);
  has_entered_ = true;
  expect(value);
  {
    const std::lock_guard lock(mutex_);
    take(loop, std::move(armed));
  }
  core::submitArmed(loop, op);
}

StreamMark::~StreamMark() {
  if (!base::isForkedChild()) condition_->forget(*this);
}

void StreamMark::ended(const core::Armed& armed, ucs_status_t status) noexcept {
  condition_->onEnd(*this, status);
  core::TriggeredCondition::ended(armed, status);
}

void StreamMark::leave(StreamQueue& queue) noexcept {
  queue.leaveWhen(words().trigger(), words().base() + 1, has_entered_);
}

void StreamMark::failToEnter() noexcept {
  has_entered_ = false;
  expect(words().base());
  condition_->queue().drop(words().trigger());
  close();
}

void StreamMark::onOver(ucs_status_t) noexcept { condition_->forget(*this); }

StreamCondition::StreamCondition(const Stream& stream, const ConditionOptions& its_options)
    : ConditionState(its_options), stream_(stream), queue_(StreamQueue::of(stream)) {}

void StreamCondition::post(core::Loop& loop, core::Operation& op) {
  const char* const what = toString(op.kind);
  base::requireNotForked();
  requireMover(loop, options.caller_progresses, what);
  {
    const std::lock_guard lock(mutex_);
    requireMayPost(loop, op.kind);
  }
  const InContext context(stream_.context, what);
  const bool is_captured = isCaptured(stream_, what);
  if (!is_captured) stream_.requireItself(what);
  refuseManaged(op);
  if (is_captured) return postInCapture(stream_, options, loop, op);
  postInStream(loop, op);
}

void StreamCondition::postInStream(core::Loop& loop, core::Operation& op) {
  const std::shared_ptr<StreamMark> mark = makeMark(loop, op.kind);
  queue_->enter(loop, stream_, toString(op.kind));
  mark->is_in_queue = true;
  mark->post(loop, op);
  const std::lock_guard lock(mutex_);
  if (!isBound()) bindTo(loop);
}

void StreamCondition::requireMayPost(const core::Loop& loop, core::OperationKind kind) const {
  if (is_closed_)
    throw InvalidParamError(
        fmt::format("{}: its condition is closed; make another", toString(kind)));
  requireWorker(loop, kind);
}

/// It may have been closed since it was asked for.
std::shared_ptr<StreamMark> StreamCondition::makeMark(const core::Loop& loop,
                                                      core::OperationKind kind) {
  auto self = std::static_pointer_cast<StreamCondition>(shared_from_this());
  auto mark = std::make_shared<StreamMark>(std::move(self), stream_);
  const std::lock_guard lock(mutex_);
  requireMayPost(loop, kind);
  marks_.pushBack(*mark);
  ++on_their_way_;
  return mark;
}

void StreamCondition::onEnd(StreamMark& mark, ucs_status_t status) noexcept {
  const std::lock_guard lock(mutex_);
  if (std::exchange(mark.has_ended, true)) return;
  last_status_.store(status, std::memory_order_relaxed);
  ++ended_;
  --on_their_way_;
  changed_.notify_all();
}

void StreamCondition::forget(StreamMark& mark) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (!mark.node_of_condition.linked()) return;
    marks_.remove(mark);
    if (!std::exchange(mark.has_ended, true)) --on_their_way_;
    changed_.notify_all();
  }
  if (std::exchange(mark.is_in_queue, false)) mark.leave(*queue_);
}

void StreamCondition::trigger() {
  throw InvalidParamError(fmt::format(
      "trigger: stream {} triggers its transfers, each when it gets to the place of the post",
      stream_.id));
}

void StreamCondition::close() noexcept {
  if (base::isForkedChild()) return;
  is_closed_ = true;
  while (const std::shared_ptr<core::ConditionState> mark = nextToClose()) mark->close();
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

/// One that has not been told. One whose post has failed may have no owner any more.
std::shared_ptr<core::ConditionState> StreamCondition::nextToClose() noexcept {
  const std::lock_guard lock(mutex_);
  for (StreamMark* mark = marks_.front(); mark != nullptr; mark = marks_.after(*mark)) {
    if (std::exchange(mark->is_closed, true)) continue;
    if (auto owned = mark->weak_from_this().lock()) return owned;
  }
  return nullptr;
}

std::uint64_t StreamCondition::epoch() const noexcept {
  return base::isForkedChild() ? 0 : ended_.load();
}

ucs_status_t StreamCondition::lastStatus() const noexcept {
  return base::isForkedChild() ? UCS_INPROGRESS : last_status_.load();
}

bool StreamCondition::isOver() const noexcept { return is_closed_ && on_their_way_ == 0; }

std::string StreamCondition::describe() const {
  return fmt::format("condition of stream {}, {} posts on their way, {} ended", stream_.id,
                     on_their_way_.load(), ended_.load());
}

}  // namespace cuda
}  // namespace ucxx
