// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "base/clock.h"
#include "base/file_descriptor.h"
#include "base/list.h"
#include "core/loop/counters.h"
#include "core/loop/loop.h"
#include "core/loop/post.h"
#include "core/loop/posts.h"
#include "core/loop/reviews.h"
#include "core/loop/wake.h"
#include "core/request/cancel.h"
#include "core/request/device_memory.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_actions.h"
#include "core/request/operation_kind.h"
#include "core/request/outcome.h"
#include "core/request/requests.h"

namespace ucxx::core {
namespace {

bool beginsCancelled(const Operation& op) noexcept {
  return op.extra != nullptr && op.extra->beginsCancelled();
}

}  // namespace

void requireHostMemory(const void* buffer, OperationKind kind) {
  if (isDeviceMemory(buffer))
    throw UnsupportedError(
        fmt::format("{}: the buffer {} is in the memory of a device; host memory is needed",
                    toString(kind), buffer));
}

void Requests::submit(Operation& op) {
  op.loop = &loop_;
  op.outcome.holdAlone();
  const Loop::Visit entry(loop_, Loop::Visit::Quiet());
  if (!loop_.posts.mayStartHere<Posts::Kind::Transfer>(entry)) {
    base::requireNotForked();  // in a forked child nobody owns the loop
    if (op.endpoint != nullptr) op.endpoint->queued.fetch_add(1, std::memory_order_relaxed);
    op.submit_post.run = [](Loop& loop, Post& post) {
      Operation& queued = static_cast<OperationPost&>(post).op;
      if (queued.endpoint != nullptr) queued.endpoint->unqueueOne();
      requestsOf(loop).start(queued);
    };
    op.submit_post.for_thread = loop_.options.delayed_submission;
    loop_.posts.queue(op.submit_post);
    return;
  }
  op.in_post = true;
  {
    const Posts::Nesting nesting(loop_.posts);
    start(op);
  }
  op.in_post = false;
  const bool only_waits = op.stage == Stage::Waiting && op.kind == OperationKind::TagRecv;
  if (!only_waits) loop_.noteStart();
  if (op.completed_inline)
    loop_.counters.inline_completions.add();
  else
    op.since = loop_.timeOfPost();
  loop_.wake.ringOthers();  // they sleep on the descriptors as they were before this post
}

/// What throws has begun nothing of it: whoever has begun an operation ends it.
void Requests::start(Operation& op) {
  track(op);
  op.stage = Stage::Waiting;
  if (op.cancel_requested.load(std::memory_order_relaxed) && !beginsCancelled(op))
    return endUnbegun(op, UCS_ERR_CANCELED);
  try {
    actionsOf(op).begin(op);
  } catch (const std::bad_alloc&) {
    complete(op, UCS_ERR_NO_MEMORY);
  }
}

void Requests::listArmed(Operation& op) noexcept {
  op.stage = Stage::Armed;
  op.since = base::Clock::coarse();
  op.order = loop_.nextOrder();
  (op.endpoint != nullptr ? op.endpoint->armed : armed).pushBack(op);
  loop_.counters.armed.add();
}

void Requests::unlistArmed(Operation& op) noexcept {
  (op.endpoint != nullptr ? op.endpoint->armed : armed).remove(op);
  loop_.counters.disarmed.add();
  if (op.endpoint != nullptr && op.endpoint->isOver()) op.endpoint->review.ask();
}

void Requests::cancel(Operation& op) {
  if (!op.cancel_requested.load(std::memory_order_acquire)) cancelAgain(op);
}

void Requests::cancelAgain(Operation& op) {
  const bool was_requested = op.cancel_requested.exchange(true, std::memory_order_acq_rel);
  op.outcome.hold();
  try {
    loop_.posts.execute([this, &op] {
      cancelNow(op);
      release(op);
    });
  } catch (const std::bad_alloc&) {
    op.cancel_requested = was_requested;  // not yet
    release(op);
    throw;
  }
}

void Requests::cancelNow(Operation& op) noexcept {
  if (op.stage != Stage::Queued && !op.ended()) cancelOperation(op);  // queued: `start` sees it
}

}  // namespace ucxx::core
