// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/stream_condition.h"

#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ucxx/condition.h>
#include <ucxx/exception.h>

#include "base/file_descriptor.h"
#include "core/loop.h"
#include "cuda/enqueue.h"
#include "cuda/words.h"

namespace ucxx {

Condition Condition::stream(CUstream_st* stream, const ConditionOptions& options) {
  constexpr const char* kWhat = "Condition::stream";
  base::requireNotForked();
  if (options.repeat)
    throw InvalidParamError(
        fmt::format("{}: repeat is set; each post marks one place of the stream", kWhat));
  const cuda::Stream known = cuda::Stream::of(stream, kWhat);
  {
    const cuda::InContext context(known.context, kWhat);
    cuda::attachCurrent(kWhat);
  }
  return Condition(std::make_shared<cuda::StreamCondition>(known, options));
}

namespace cuda {
namespace {

/// The processor may not touch it while a kernel runs, on some systems.
void refuseManaged(const core::Operation& op) {
  unsigned type = 0, is_managed = 0;
  int asked[]{base::cuda::kMemoryType, base::cuda::kIsManaged};
  void* answers[]{&type, &is_managed};
  const auto address = reinterpret_cast<Address>(op.buffer);
  const Driver& driver = requireDriver(toString(op.kind));
  if (driver.pointerAttributes(std::size(asked), asked, answers, address) == base::cuda::kSuccess &&
      (is_managed & 0xff) != 0)
    throw InvalidParamError(
        fmt::format("{}: {} is managed memory of CUDA, which a transfer of a stream cannot use; "
                    "allocate it by cudaMallocHost, or by UCXX",
                    toString(op.kind), op.buffer));
}

void requireNoCapture(const Stream& stream, const char* what) {
  int state = 0;
  check(requireDriver(what).captureInfo(stream.handle, &state, nullptr, nullptr, nullptr, nullptr,
                                        nullptr),
        "cuStreamGetCaptureInfo", what);
  if (state != 0)
    throw UnsupportedError(fmt::format(
        "{}: stream {} is being captured; a graph would post it only once", what, stream.id));
}

}  // namespace

void requireMover(const core::Loop& loop, bool caller_progresses, const char* what) {
  if (caller_progresses || loop.hasThread()) return;
  throw InvalidParamError(fmt::format(
      "{}: the worker has no progress thread, so nothing would move it while the caller "
      "waits for the stream; start one (Worker::startProgressThread), or set "
      "caller_progresses and never wait for the stream meanwhile",
      what));
}

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
  }
  const std::uint64_t value = words().base() + 1;
  const Address word = addressOf(&words().trigger(), stream_.context, what);
  enqueue(stream_, writeOf(word, value), std::static_pointer_cast<StreamMark>(shared_from_this()),
          what);
  expect(value);
  {
    const std::lock_guard lock(mutex_);
    take(loop, std::move(armed));
  }
  loop.submitArmed(op);
}

void StreamMark::failToEnter() noexcept {
  expect(words().base());
  close();
}

StreamMark::~StreamMark() {
  if (!base::isForkedChild()) condition_->forget(*this);
}

void StreamMark::onOver(ucs_status_t status) noexcept { condition_->onOver(*this, status); }

StreamCondition::StreamCondition(const Stream& stream, const ConditionOptions& its_options)
    : ConditionState(its_options), stream_(stream), queue_(StreamQueue::of(stream)) {}

void StreamCondition::post(core::Loop& loop, core::Operation& op) {
  const char* const what = toString(op.kind);
  base::requireNotForked();
  requireMover(loop, options.caller_progresses, what);
  const InContext context(stream_.context, what);
  refuseManaged(op);
  stream_.requireItself(what);
  requireNoCapture(stream_, what);
  const std::shared_ptr<StreamMark> mark = makeMark(loop, op);
  queue_->enter(loop, stream_, what);
  mark->is_in_queue = true;
  mark->post(loop, op);
}

std::shared_ptr<StreamMark> StreamCondition::makeMark(core::Loop& loop, const core::Operation& op) {
  auto self = std::static_pointer_cast<StreamCondition>(shared_from_this());
  auto mark = std::make_shared<StreamMark>(std::move(self), stream_);
  const std::lock_guard lock(mutex_);
  if (is_closed_)
    throw InvalidParamError(
        fmt::format("{}: its condition is closed; make another", toString(op.kind)));
  requireWorker(loop, op.kind);
  bindTo(loop);
  marks_.pushBack(*mark);
  ++on_their_way_;
  return mark;
}

void StreamCondition::onOver(StreamMark& mark, ucs_status_t status) noexcept {
  last_status_.store(status, std::memory_order_relaxed);
  ++ended_;
  forget(mark);
}

void StreamCondition::forget(StreamMark& mark) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (!mark.node_of_condition.linked()) return;
    marks_.remove(mark);
    --on_their_way_;
    changed_.notify_all();
  }
  if (std::exchange(mark.is_in_queue, false)) queue_->leave();
}

void StreamCondition::trigger() {
  throw InvalidParamError(fmt::format(
      "trigger: stream {} triggers its transfers, each when it gets to the place of the post",
      stream_.id));
}

void StreamCondition::close() noexcept {
  if (base::isForkedChild()) return;
  std::vector<std::shared_ptr<core::ConditionState>> open;
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    for (StreamMark* mark = marks_.front(); mark != nullptr; mark = marks_.after(*mark))
      open.push_back(mark->shared_from_this());
    changed_.notify_all();
  }
  for (const auto& mark : open) mark->close();
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
