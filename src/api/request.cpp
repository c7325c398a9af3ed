// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <fmt/format.h>

#include <ucxx/buffer.h>
#include <ucxx/endpoint.h>
#include <ucxx/exception.h>
#include <ucxx/request.h>
#include <ucxx/request_am.h>

#include "base/clock.h"
#include "base/file_descriptor.h"
#include "base/status.h"
#include "core/link/untaken.h"
#include "core/loop/loop.h"
#include "core/loop/loop_wait.h"
#include "core/loop/sleeper.h"
#include "core/match/endpoint_state.h"
#include "core/match/landing.h"
#include "core/match/transfers.h"
#include "core/plan/plan_extra.h"
#include "core/plan/plan_group.h"
#include "core/request/continuations.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/outcome.h"
#include "core/request/posted_receive.h"
#include "core/request/requests.h"
#include "ucp/library.h"

namespace ucxx {

using core::Operation;

Request::~Request() = default;

namespace {

/// In the callback of `op`, which has not ended for others, its user sees the end.
[[gnu::always_inline]] inline ucs_status_t statusOf(const Operation& op) noexcept {
  const ucs_status_t status = op.outcome.status();
  return status == UCS_INPROGRESS && core::isInCallbackOf(op) ? op.result : status;
}

}  // namespace

bool Request::isCompleted() const noexcept { return statusOf(*operation_) != UCS_INPROGRESS; }

ucs_status_t Request::getStatus() const noexcept { return statusOf(*operation_); }

std::string Request::describe() const {
  const Operation& op = *operation_;
  if (op.loop == nullptr || isOneSided(op.kind)) return toString(op.kind);
  return describeTransfer(op.kind, op.length, op.tag);
}

void Request::checkError() const {
  const ucs_status_t status = statusOf(*operation_);
  if (status != UCS_OK && status != UCS_INPROGRESS) [[unlikely]]
    throwError(status);
}

void Request::throwError(ucs_status_t status) const {
  std::string what = toString(operation_->kind);
  if (status == UCS_ERR_MESSAGE_TRUNCATED)
    what +=
        fmt::format(" of {} bytes, into a buffer of {}", operation_->received, operation_->length);
  std::string more;
  // One that has never been posted has none.
  if (const auto* multi = dynamic_cast<const core::MultiRecvExtra*>(operation_->extra.get()))
    more = multi->reason;
  if (status == UCS_ERR_UNSUPPORTED && core::comesFromDevice(*operation_))
    more =
        ": from the memory of a device, by a UCX that does not reach it (it needs its CUDA "
        "modules, "
        "and cuda_copy among its transports)";
  if (operation_->kind == core::OperationKind::Close) more = core::lossesOf(*operation_, status);
  if (core::isOfPlan(operation_->kind)) more = core::planOf(*operation_).reason;
  if (operation_->kind == core::OperationKind::PreparedGroup)
    more = core::groupOf(*operation_).reason();
  // The endpoint is there as long as its user's half, if that is the parent.
  const bool is_endpoints = dynamic_cast<const Endpoint*>(parent_.get()) != nullptr &&
                            operation_->endpoint->error == status;
  // What waited for the connect says so, whatever it was to do.
  if (is_endpoints && !endpointOf(*operation_).has_connected &&
      !operation_->endpoint->reason.empty())
    what = "connect";
  base::throwStatus(status, fmt::format("{}: {}{}{}", what, ucp::statusText(status),
                                        is_endpoints ? operation_->endpoint->reason : "", more));
}

void Request::cancel() {
  base::requireNotForked();
  if (!isCompleted()) requestsOf(*operation_->loop).cancel(*operation_);
}

void Request::forget() noexcept { operation_->is_forgotten = true; }

void Request::takeMessage() noexcept {
  if (getStatus() == UCS_OK) core::letMessageGo(*operation_);
}

bool Request::giveBack() {
  base::requireNotForked();
  Operation& op = *operation_;
  return op.loop != nullptr && core::giveBackMessage(op);
}

bool Request::wait(std::chrono::nanoseconds timeout) {
  base::requireNotForked();
  Operation& op = *operation_;
  const base::TimePoint deadline =
      timeout.count() < 0 ? base::TimePoint::max() : base::deadlineAfter(timeout);
  if (isCompleted()) return true;
  return core::moveUntil(
      *op.loop, deadline, [&] { return isCompleted(); },
      [&](base::TimePoint until) { op.outcome.waitUntil(until); },
      [&](base::Duration nap) {
        op.loop->sleeper.sleepUnless([&] { return isCompleted(); }, nap);
      });
}

bool Request::attach(Continuation& continuation) {
  base::requireNotForked();
  return operation_->outcome.watch() && operation_->continuations.add(continuation);
}

void Request::detach(Continuation& continuation) noexcept {
  operation_->continuations.remove(continuation);
}

std::size_t Request::getReceivedLength() const noexcept { return operation_->received; }

Tag Request::getSenderTag() const noexcept { return Tag{operation_->sender_tag}; }

RequestAttributes Request::queryAttributes() const {
  const Operation& op = *operation_;
  if (op.loop == nullptr)
    throw UnsupportedError("a request that others share, or a frame's, has no attributes");
  if (!op.loop->options.request_attributes)
    throw UnsupportedError(
        "request attributes: ask for them at the worker (WorkerOptions::request_attributes, "
        "WorkerBuilder::requestAttributes)");
  RequestAttributes attributes;
  attributes.memoryType = UCS_MEMORY_TYPE_HOST;
  attributes.debugString =
      fmt::format("{}, length {}, host, {}", toString(op.kind),
                  isOutgoing(op.kind) || !isCompleted() ? op.length : op.received,
                  op.announced ? "rendezvous" : "eager");
  return attributes;
}

std::shared_ptr<Buffer> Request::getRecvBuffer() { return nullptr; }

std::string Request::getRecvHeader() { return {}; }

std::shared_ptr<Buffer> RequestAm::getRecvBuffer() {
  Operation& op = operation();
  if (op.kind == core::OperationKind::AmSend)
    throw std::runtime_error("an active-message send has no receive buffer");
  if (getStatus() != UCS_OK || op.extra == nullptr) return nullptr;
  return static_cast<core::AmRecvExtra&>(*op.extra).buffer;
}

std::string RequestAm::getRecvHeader() {
  Operation& op = operation();
  if (op.kind == core::OperationKind::AmSend || !isCompleted() || op.extra == nullptr) return {};
  return static_cast<core::AmRecvExtra&>(*op.extra).user_header;
}

}  // namespace ucxx
