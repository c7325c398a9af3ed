// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Prepared transfers as their users see them.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <ucxx/endpoint.h>
#include <ucxx/exception.h>
#include <ucxx/prepared.h>

#include "api/plan_requests.h"
#include "base/clock.h"
#include "base/file_descriptor.h"
#include "base/status.h"
#include "core/loop/loop.h"
#include "core/loop/loop_wait.h"
#include "core/loop/patience.h"
#include "core/match/endpoint_state.h"
#include "core/plan/plan.h"
#include "core/plan/plan_extra.h"
#include "core/plan/plan_wire.h"
#include "core/plan/recv_plan.h"
#include "core/plan/send_plan.h"
#include "core/request/buffer_checks.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/requests.h"
#include "ucp/library.h"

namespace ucxx {

using core::OperationKind;

namespace {

/// Looks at the plan alone between two of the whole worker.
constexpr int kLooks = 32;
/// How long plans of several workers wait in turn: what one waits for may need another worker to
/// move.
constexpr base::Duration kTurn = std::chrono::milliseconds(1);

void requireContributors(std::size_t contributors, OperationKind kind) {
  const bool sends = kind == OperationKind::PreparedSend;
  if (contributors == 1 || (sends && contributors != 0 && contributors <= UINT32_MAX)) return;
  throw InvalidParamError(fmt::format(
      "{}: {} contributors; {}", toString(kind), contributors,
      sends ? "1 to 2^32 - 1 are possible" : "a receive has 1, since it makes nothing ready"));
}

core::Plan::Terms termsOf(const void* buffer, std::size_t bytes, Tag tag,
                          const PrepareOptions& options, OperationKind kind) {
  const core::PlanShape shape{bytes, options.partitions};
  core::requireBytes(buffer, bytes, kind);
  core::requireHostMemory(buffer, kind);
  if (!shape.isValid())
    throw InvalidParamError(
        fmt::format("{}: {} bytes in {} partitions; 1 to {} of equal size are needed",
                    toString(kind), bytes, options.partitions, core::kMostPartitions));
  requireContributors(options.contributors, kind);
  return {const_cast<void*>(buffer), shape, tag, static_cast<std::uint32_t>(options.contributors)};
}

/// A plan and the user's half of it. The endpoint has it when both are there: were there no memory
/// for the second, the peer could still write into a buffer that the caller believes to be free.
template <class User, class Plan>
std::shared_ptr<User> makeEnd(const std::shared_ptr<Endpoint>& endpoint,
                              const core::Plan::Terms& terms) {
  base::requireNotForked();
  core::EndpointState& state = endpoint->state();
  auto plan = std::make_shared<Plan>(state, terms);
  core::requireOpen(state, plan->kind());
  auto user = std::make_shared<User>(endpoint, plan);
  state.loop.posts.execute([plan] { plan->enter(); });
  return user;
}

bool haveEnded(const std::vector<std::shared_ptr<Prepared>>& plans) {
  return std::all_of(plans.begin(), plans.end(),
                     [](const auto& plan) { return plan->isCompleted(); });
}

/// Looks as long as that is quicker than to sleep. False: it has not ended.
bool looksUntilDone(const core::Plan& plan, base::TimePoint deadline) {
  core::Patience& patience = core::Patience::ofThisThread();
  patience.begin();
  for (;;) {
    for (int look = 0; look < kLooks; ++look)
      if (plan.status() != UCS_INPROGRESS) return true;
    if (plan.loop.look()) {
      patience.begin();
      continue;
    }
    const base::TimePoint now = base::Clock::now();
    if (now >= deadline || patience.isOver(now, core::kSpin)) return false;
  }
}

}  // namespace

std::shared_ptr<PreparedSend> Endpoint::prepareSend(const void* buffer, std::size_t bytes,
                                                    AnyTag tag, const PrepareOptions& options) {
  const auto terms = termsOf(buffer, bytes, tag, options, OperationKind::PreparedSend);
  return makeEnd<PreparedSend, core::SendPlan>(shared_from_this(), terms);
}

std::shared_ptr<PreparedRecv> Endpoint::prepareRecv(void* buffer, std::size_t bytes, AnyTag tag,
                                                    const PrepareOptions& options) {
  const auto terms = termsOf(buffer, bytes, tag, options, OperationKind::PreparedRecv);
  return makeEnd<PreparedRecv, core::RecvPlan>(shared_from_this(), terms);
}

Prepared::Prepared(std::shared_ptr<Endpoint> endpoint, std::shared_ptr<core::Plan> plan)
    : Component(endpoint), endpoint_(std::move(endpoint)), plan_(std::move(plan)) {}

Prepared::~Prepared() {
  if (!base::isForkedChild()) plan_->abandon();
}

void Prepared::start() {
  base::requireNotForked();
  if (plan_->hasPostedStarts())
    throw InvalidParamError(fmt::format(
        "{}: start: a start that was posted with a condition has not ended; wait for its request",
        core::describeTransfer(plan_->kind(), plan_->terms.shape.bytes, plan_->terms.tag)));
  {
    const std::lock_guard lock(mutex_);
    posted_.reset();
    posted_start_.reset();
  }
  plan_->start();
}

ucs_status_t Prepared::getStatus() const noexcept { return plan_->status(); }

bool Prepared::isCompleted() const noexcept { return getStatus() != UCS_INPROGRESS; }

void Prepared::checkError() const {
  const ucs_status_t status = getStatus();
  if (status == UCS_OK || status == UCS_INPROGRESS) return;
  base::throwStatus(status, fmt::format("{}: {}{}", toString(plan_->kind()),
                                        ucp::statusText(status), plan_->reason()));
}

bool Prepared::wait(std::chrono::nanoseconds timeout) {
  base::requireNotForked();
  if (isCompleted()) return true;
  const base::TimePoint deadline =
      timeout.count() < 0 ? base::TimePoint::max() : base::deadlineAfter(timeout);
  if (looksUntilDone(*plan_, deadline)) return true;
  const auto end = request();
  if (timeout.count() < 0) return end->wait();
  if (end->wait(std::max(deadline - base::Clock::now(), base::Duration::zero()))) return true;
  end->cancel();  // or there would be one more for each wait
  return isCompleted();
}

std::shared_ptr<Request> Prepared::request(RequestCallbackUserFunction callback,
                                           RequestCallbackUserData data) {
  auto end =
      core::makeRequestOf(plan_, endpoint_, OperationKind::PreparedEnd,
                          std::make_unique<core::PlanExtra>(plan_, plan_->iteration(), false),
                          std::move(callback), std::move(data));
  requestsOf(plan_->loop).submit(end->operation());
  return end;
}

std::shared_ptr<Request> Prepared::close(RequestCallbackUserFunction callback,
                                         RequestCallbackUserData data) {
  auto end = core::makeRequestOf(plan_, endpoint_, OperationKind::PreparedEnd,
                                 std::make_unique<core::PlanExtra>(plan_, plan_->iteration(), true),
                                 std::move(callback), std::move(data));
  requestsOf(plan_->loop).submit(end->operation());
  return end;
}

std::size_t Prepared::bytes() const noexcept { return plan_->terms.shape.bytes; }
std::size_t Prepared::partitions() const noexcept { return plan_->terms.shape.partitions; }
std::uint64_t Prepared::iterations() const noexcept { return plan_->iteration(); }
std::string Prepared::describe() const { return plan_->describe(); }

PreparedSend::PreparedSend(std::shared_ptr<Endpoint> endpoint, std::shared_ptr<core::SendPlan> plan)
    : Prepared(std::move(endpoint), plan), send_(plan.get()) {}

void PreparedSend::ready(std::size_t partition) { send_->ready(partition, partition + 1); }
void PreparedSend::ready(std::size_t first, std::size_t last) { send_->ready(first, last); }
void PreparedSend::ready() { send_->ready(0, partitions()); }
std::shared_ptr<Request> PreparedSend::ready(const Condition& condition, std::size_t first,
                                             std::size_t last) {
  send_->requireReadyByCalls(first, last);
  return readyWith(condition, first, last);
}

PreparedRecv::PreparedRecv(std::shared_ptr<Endpoint> endpoint, std::shared_ptr<core::RecvPlan> plan)
    : Prepared(std::move(endpoint), plan), receive_(plan.get()) {}

bool PreparedRecv::arrived(std::size_t partition) const { return receive_->arrived(partition); }

bool waitAll(const std::vector<std::shared_ptr<Prepared>>& plans,
             std::chrono::nanoseconds timeout) {
  core::requireNoNull(plans, "waitAll");
  const base::TimePoint deadline =
      timeout.count() < 0 ? base::TimePoint::max() : base::deadlineAfter(timeout);
  const bool is_one_worker = std::all_of(plans.begin(), plans.end(), [&](const auto& plan) {
    return &plan->plan_->loop == &plans.front()->plan_->loop;
  });
  while (!haveEnded(plans)) {
    for (const auto& plan : plans) {
      const base::TimePoint now = base::Clock::now();
      const base::Duration left = std::max(deadline - now, base::Duration::zero());
      (void)plan->wait(is_one_worker ? left : std::min(left, kTurn));
    }
    if (base::Clock::now() >= deadline) return haveEnded(plans);
  }
  return true;
}

}  // namespace ucxx
