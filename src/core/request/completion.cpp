// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <exception>
#include <memory>
#include <utility>

#include "base/immortal.h"
#include "base/list.h"
#include "base/log.h"
#include "core/loop/loop.h"
#include "core/request/arming.h"
#include "core/request/complete_receive.h"
#include "core/request/continuations.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_actions.h"
#include "core/request/operation_kind.h"
#include "core/request/outcome.h"
#include "core/request/posted_receive.h"
#include "core/request/requests.h"

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
  callBack(std::exchange(op.callback, nullptr), std::move(op.callback_data), op.result);
  callback_frames = frame.outer;
}

/// The loop lets go of it. Which it knows to be alone with it: in the posting call, as long as
/// nobody else has the request (`unseen`), and in a worker for a single thread.
Outcome::Left end(Operation& op, bool unseen) noexcept {
  const bool is_alone = unseen || op.loop->options.single_thread;
  return is_alone ? op.outcome.endAlone(op.result) : op.outcome.end(op.result);
}

/// Nobody wants the success of `op`.
void giveBack(Operation& op) noexcept {
  op.outcome.endDisowning();
  if (actionsOf(op).giveBack(op)) op.result = UCS_ERR_CANCELED;
}

/// The end of `op` would be a success that nobody wants.
Outcome::Left endUnwanted(Operation& op) noexcept {
  Outcome::Left left = Outcome::Left::Disowned;
  while (left == Outcome::Left::Disowned) {
    giveBack(op);
    left = end(op, false);
  }
  return left;
}

/// Calls those who watch `op`, and lets go of it.
void callContinuations(Operation& op) noexcept {
  while (Continuation* next = op.continuations.take()) {
    try {
      next->onEnd();
    } catch (const std::exception& error) {
      base::log(LogLevel::Error, "request", "a continuation threw: {}", error.what());
    } catch (...) {
      base::log(LogLevel::Error, "request", "a continuation threw");
    }
  }
  release(op);
}

void note(const Operation& op) noexcept {
  if (op.result != UCS_OK && isOutgoing(op.kind) && op.endpoint != nullptr) [[unlikely]]
    op.endpoint->countLoss(op);
  const bool came = isReceive(op.kind) && op.result == UCS_OK;
  noteEnd(op, came ? op.sender_tag : op.tag, came ? op.received : op.length);
}

/// Flushes wait for what was sent before, a close for flushes, too. A flush never waits for
/// another: a thousand of them would end inside each other.
bool isAwaited(const Operation& op) noexcept {
  if (op.endpoint == nullptr) return false;
  const Operation* const waiting = op.endpoint->flushes.front();
  if (waiting == nullptr) return false;
  return isOutgoing(op.kind) ||
         (op.kind == OperationKind::Flush && waiting->kind == OperationKind::Close);
}

}  // namespace

Operation& endedOperation(OperationKind kind) {
  struct Ended {
    Ended() noexcept {
      for (std::size_t i = 0; i < kOperationKinds; ++i) {
        operations[i].kind = static_cast<OperationKind>(i);
        operations[i].stage = Stage::Ended;
        operations[i].completed_inline = true;
        operations[i].result = UCS_OK;
        operations[i].outcome.endAlone(UCS_OK);
      }
    }
    Operation operations[kOperationKinds];
  };
  static base::Immortal<Ended> ended;
  return (*ended).operations[static_cast<std::size_t>(kind)];
}

void callBack(RequestCallbackUserFunction callback, RequestCallbackUserData data,
              ucs_status_t status) noexcept {
  try {
    callback(status, data);
  } catch (const std::exception& error) {
    base::log(LogLevel::Error, "request", "a completion callback threw: {}", error.what());
  } catch (...) {
    base::log(LogLevel::Error, "request", "a completion callback threw");
  }
}

bool isInCallbackOf(const Operation& op) noexcept {
  for (const CallbackFrame* frame = callback_frames; frame != nullptr; frame = frame->outer) {
    if (frame->op == &op) return true;
  }
  return false;
}

void complete(Operation& op, ucs_status_t status) noexcept {
  op.stage = Stage::Ended;
  if (status != UCS_OK && op.armed != nullptr) [[unlikely]]
    status = op.armed->statusOf(status);
  op.result = status;
  op.completed_inline = op.in_post;
  EndpointCore* const flushing = isAwaited(op) ? op.endpoint : nullptr;
  Requests::forget(op);
  if (!op.completed_inline) note(op);
  if (op.callback) {
    if (status == UCS_OK && op.outcome.isDisowned()) giveBack(op);
    runCallback(op);
  }
  if (op.callback_data != nullptr) op.callback_data = nullptr;
  const bool unseen = op.in_post && op.outcome.holders() == 2;
  Outcome::Left left = end(op, unseen);
  if (left == Outcome::Left::Disowned) [[unlikely]]
    left = endUnwanted(op);
  if (left == Outcome::Left::Nobody) op.destroy(op);
  if (flushing != nullptr) flushing->resumeFlushes();
  if (left == Outcome::Left::Watched) [[unlikely]]
    callContinuations(op);
}

void endUnbegun(Operation& op, ucs_status_t status) noexcept {
  const std::shared_ptr<void> kept = op.extra != nullptr ? op.extra->endUnbegun(status) : nullptr;
  complete(op, status);
}

void endPart(Operation& op, ucs_status_t status) noexcept {
  if (status != UCS_OK && op.part_status == UCS_OK) op.part_status = status;
  if (--op.parts == 0) actionsOf(op).ended(op, std::exchange(op.part_status, UCS_OK));
}

void settle(Operation& op, Outcome::Left left) noexcept {
  if (left == Outcome::Left::Disowned) left = endUnwanted(op);
  if (left == Outcome::Left::Nobody) return op.destroy(op);
  if (left == Outcome::Left::Watched) callContinuations(op);
}

}  // namespace ucxx::core
