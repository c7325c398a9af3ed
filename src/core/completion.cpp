// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <exception>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/log.h"
#include "core/endpoint_state.h"
#include "core/loop.h"
#include "core/operation.h"
#include "core/transfers.h"

namespace ucxx::core {
namespace {

/// The callbacks that this thread is inside of, innermost first.
struct CallbackFrame {
  const Operation* op;
  CallbackFrame* outer;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local CallbackFrame* callback_frames = nullptr;

void runCallback(Operation& op) noexcept {
  CallbackFrame frame{&op, callback_frames};
  callback_frames = &frame;
  // Moved out: what the callback holds goes before the end is published, so that a waiter may
  // destroy what its destructors use.
  try {
    const RequestCallbackUserFunction callback = std::move(op.callback);
    const RequestCallbackUserData data = std::move(op.callback_data);
    op.callback = nullptr;
    callback(op.result, data);
  } catch (const std::exception& error) {
    base::log(LogLevel::Error, "request", "a completion callback threw: {}", error.what());
  } catch (...) {
    base::log(LogLevel::Error, "request", "a completion callback threw");
  }
  callback_frames = frame.outer;
}

void publish(Operation& op) noexcept {
  if (op.in_post) {  // nobody else knows it: no locked instruction
    op.published.store(op.result, std::memory_order_release);
    return;
  }
  const std::int32_t before = op.published.exchange(op.result, std::memory_order_acq_rel);
  if (before & kHasWaiter)
    syscall(SYS_futex, &op.published, FUTEX_WAKE_PRIVATE, INT32_MAX, nullptr, nullptr, 0);
}

}  // namespace

const char* toString(OperationKind kind) noexcept {
  switch (kind) {
    case OperationKind::TagSend:
      return "tag send";
    case OperationKind::TagRecv:
      return "tag receive";
    case OperationKind::AmSend:
      return "active-message send";
    case OperationKind::AmRecv:
      return "active-message receive";
    case OperationKind::StreamSend:
      return "stream send";
    case OperationKind::StreamRecv:
      return "stream receive";
    case OperationKind::MultiSend:
      return "multi-buffer send";
    case OperationKind::MultiRecv:
      return "multi-buffer receive";
    case OperationKind::Flush:
      return "flush";
    case OperationKind::Close:
      return "close";
  }
  return "?";
}

bool isInCallbackOf(const Operation& op) noexcept {
  for (const CallbackFrame* frame = callback_frames; frame != nullptr; frame = frame->outer) {
    if (frame->op == &op) return true;
  }
  return false;
}

void complete(Operation& op, ucs_status_t status) noexcept {
  op.stage = Stage::Ended;
  op.result = status;
  op.completed_inline = op.in_post;
  EndpointState* flushing = isSend(op.kind) && op.endpoint->flushes != 0 ? op.endpoint : nullptr;
  op.loop->forget(op);
  if (op.callback) runCallback(op);
  op.callback_data = nullptr;
  const bool unseen = op.in_post && op.references.load(std::memory_order_relaxed) == 2;
  publish(op);
  if (unseen)
    op.references.store(1, std::memory_order_relaxed);  // the user's, which nobody else has yet
  else
    release(op);
  if (flushing != nullptr) resumeFlushes(*flushing);
}

bool waitPublished(Operation& op, base::TimePoint deadline) noexcept {
  for (;;) {
    std::int32_t value = op.published.load(std::memory_order_acquire);
    if ((value & ~kHasWaiter) != UCS_INPROGRESS) return true;
    const auto left = deadline - base::Clock::now();
    if (left <= base::Duration::zero()) return false;
    if (!(value & kHasWaiter) &&
        !op.published.compare_exchange_strong(value, value | kHasWaiter, std::memory_order_acq_rel))
      continue;
    const auto nanoseconds =
        std::chrono::nanoseconds(std::min<base::Duration>(left, std::chrono::hours(1))).count();
    const timespec timeout{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
    syscall(SYS_futex, &op.published, FUTEX_WAIT_PRIVATE, UCS_INPROGRESS | kHasWaiter, &timeout,
            nullptr, 0);
  }
}

}  // namespace ucxx::core
