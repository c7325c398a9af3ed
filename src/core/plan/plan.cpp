// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "core/plan/plan.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "base/clock.h"
#include "base/fence.h"
#include "base/file_descriptor.h"
#include "base/list.h"
#include "core/channel/port.h"
#include "core/link/link.h"
#include "core/loop/counters.h"
#include "core/loop/loop.h"
#include "core/loop/post.h"
#include "core/loop/posts.h"
#include "core/match/endpoint_plans.h"
#include "core/match/transfers.h"
#include "core/plan/plan_extra.h"
#include "core/plan/plans.h"
#include "core/plan/watched_plans.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation_kind.h"
#include "ucp/library.h"

namespace ucxx::core {
namespace {

constexpr auto kMoment = std::chrono::microseconds(20);

}  // namespace

Plan::Plan(EndpointState& endpoint, const Terms& terms_)
    : terms(terms_), loop(endpoint.loop), endpoint_(&endpoint) {
  post_.run = [](Loop&, Post& self) {
    auto& post = static_cast<PlanPost&>(self);
    const std::shared_ptr<Plan> plan = std::move(post.plan);
    plan->is_posted_.exchange(false, std::memory_order_acq_rel);
    plan->onPost();
  };
  abandon_post_.run = [](Loop&, Post& self) {
    const std::shared_ptr<Plan> plan = std::move(static_cast<PlanPost&>(self).plan);
    plan->close(UCS_ERR_CANCELED, "");
  };
}

Plan::~Plan() = default;

void Plan::order() noexcept {
  static const bool admitted = base::admitForeignFences();
  admitted ? base::orderedByForeignFence() : base::fullFence();
}

ucs_status_t Plan::statusOf(std::uint64_t iteration) const noexcept {
  if (iteration >= failed_from_.load(std::memory_order_acquire)) return failure_;
  if (iteration < this->iteration() || iteration == 0 || isDone(iteration)) return UCS_OK;
  // The plan may have failed in between, after all had come.
  return iteration >= failed_from_.load(std::memory_order_acquire) ? failure_ : UCS_INPROGRESS;
}

std::string_view Plan::reason() const noexcept {
  return hasFailed() ? std::string_view(reason_) : std::string_view();
}

void Plan::start() {
  base::requireNotForked();
  const std::uint64_t last = iteration();
  if (statusOf(last) == UCS_INPROGRESS)
    throw InvalidParamError(fmt::format("{}: start: iteration {} is in progress, {}",
                                        describeTransfer(kind(), terms.shape.bytes, terms.tag),
                                        last, describeProgress()));
  begin();
  if (device() != nullptr) post();  // the loop looks at the words of kernels from now on
}

void Plan::begin() {
  const std::uint64_t next = iteration() + 1;
  iteration_.store(next, std::memory_order_release);
  if (!hasFailed()) started(next);
}

std::string Plan::describe() const {
  const std::uint64_t last = iteration();
  const ucs_status_t status = statusOf(last);
  std::string text =
      fmt::format("{} in {} partition{}, iteration {}: ",
                  describeTransfer(kind(), terms.shape.bytes, terms.tag), terms.shape.partitions,
                  terms.shape.partitions == 1 ? "" : "s", last);
  if (status == UCS_INPROGRESS) return text + describeProgress();
  if (status == UCS_OK) return text + (last == 0 ? "not started" : "done");
  return text + ucp::statusText(status) + std::string(reason());
}

PreparedReport Plan::report() const {
  const std::uint64_t last = iteration();
  const ucs_status_t status = statusOf(last);
  PreparedReport result{.kind = toString(kind()),
                        .length = terms.shape.bytes,
                        .partitions = terms.shape.partitions,
                        .tag = terms.tag,
                        .iteration = last};
  if (status == UCS_INPROGRESS)
    result.state = "in progress";
  else if (status == UCS_OK)
    result.state = last == 0 ? "not started" : "done";
  else
    result.state = ucp::statusText(status) + std::string(reason());
  addProgress(result);
  return result;
}

/// A start reads no clock: the age of an iteration counts from the first look that sees it.
bool Plan::isNewlyStalled(base::Duration limit) noexcept {
  const std::uint64_t last = iteration();
  if (statusOf(last) != UCS_INPROGRESS) return false;
  if (std::exchange(seen_, last) != last) {
    seen_at_ = loop.now();
    is_stall_reported_ = false;
  }
  if (is_stall_reported_) return false;
  is_stall_reported_ = loop.now() >= seen_at_ + limit;
  if (!is_stall_reported_) loop.needsTimeAt(seen_at_ + limit);
  return is_stall_reported_;
}

void Plan::post() {
  if (is_posted_.exchange(true, std::memory_order_acq_rel)) return;
  post_.plan = shared_from_this();
  loop.posts.execute(post_);
}

void Plan::abandon() noexcept {
  abandon_post_.plan = shared_from_this();
  loop.posts.execute(abandon_post_);
}

void Plan::enter() noexcept {
  EndpointState& endpoint = *endpoint_;
  endpoint_ = nullptr;
  if (isClosing()) return;
  is_counted_ = true;
  loop.counters.plans.add();
  if (endpoint.isOver()) return close(endpoint.overStatus(), endpoint.reason);
  try {
    endpoint.plans.all.push_back(shared_from_this());
    endpoint_ = &endpoint;
    if (endpoint.plans.await_link) {
      ++endpoint.plans.waiting;
      return;
    }
    Link* const link = linkOf(endpoint);
    if (link != nullptr && link->state == Link::State::Up) join(link->plans());
  } catch (const std::bad_alloc&) {
    close(UCS_ERR_NO_MEMORY, "");
  }
}

void Plan::fail(ucs_status_t status, std::string_view why) noexcept {
  if (hasFailed()) return;
  note(status, why);
  look();
}

void Plan::note(ucs_status_t status, std::string_view why) noexcept {
  failure_ = status;
  try {
    reason_ = why;
  } catch (const std::bad_alloc&) {
  }
  const std::uint64_t last = iteration();
  const bool has_ended = last != 0 && isDone(last);
  failed_from_.store(has_ended ? last + 1 : last, std::memory_order_release);
}

void Plan::close(ucs_status_t status, std::string_view why) noexcept {
  const auto self = shared_from_this();
  fail(status, why);
  if (isClosing()) return;
  phase_ = Phase::Drains;
  quiesceAlone();
  detach();
  settle();
}

/// The endpoint does not know the plan any more.
void Plan::detach() noexcept {
  if (endpoint_ != nullptr) std::exchange(endpoint_, nullptr)->plans.remove(*this);
}

void Plan::quiesceAlone() noexcept {
  quiesce([this](const auto& visit) { visit(*this); });
}

void Plan::passMoment() noexcept {
  const base::TimePoint end = base::Clock::now() + kMoment;
  while (base::Clock::now() < end) {
  }
}

void Plan::onPeerClosed(ucs_status_t status) noexcept {
  const auto self = shared_from_this();
  has_peer_closed_ = true;
  quiesceAlone();
  fail(status, ": the peer has closed its end");
}

void Plan::leaveLink(ucs_status_t closed) noexcept {
  const auto self = shared_from_this();
  quiesceAlone();
  plans_ = nullptr;
  settle(closed);
}

void Plan::ends() noexcept {
  const auto self = shared_from_this();
  --moving_;
  settle();
}

/// Goes on with a close: the peer is told when nothing moves any more, and its answer waited for.
void Plan::settle(ucs_status_t closed) noexcept {
  if (!isClosing() || moving_ != 0 || phase_ == Phase::Over) return;
  if (plans_ != nullptr) {
    if (std::exchange(phase_, Phase::AwaitsAnswer) == Phase::Drains) plans_->sayClose(*this);
    return;
  }
  phase_ = Phase::Over;
  closed_ = closed;
  if (is_counted_) loop.counters.ended_plans.add();
  while (Operation* op = closers_.popFront()) endOfPlan(*op, closed);
}

void Plan::watch() noexcept {
  if (needsLook()) watchedPlansOf(loop).add(*this);
}

void Plan::wait(Operation& op) noexcept {
  const PlanExtra& extra = planOf(op);
  if (extra.closes) {
    if (phase_ == Phase::Over) return endOfPlan(op, closed_);
    return closers_.pushBack(op);
  }
  if (const ucs_status_t status = statusOf(extra.iteration); status != UCS_INPROGRESS)
    return endOfPlan(op, status);
  waiters_.pushBack(op);
  look();
  watch();
}

bool Plan::withdraw(Operation& op) noexcept {
  PlanExtra& extra = planOf(op);
  if (extra.closes || !op.wait_node.linked()) return false;
  if (op.kind == OperationKind::PreparedStart && extra.iteration != 0) return false;  // bytes move
  const bool is_step = op.kind != OperationKind::PreparedEnd || extra.awaits_turn;
  if (op.kind == OperationKind::PreparedStart) extra.plan->loseBegin(op);
  const std::shared_ptr<Plan> plan = extra.letGo();
  is_step ? plan->withdrawStep(op) : plan->waiters_.remove(op);
  return true;
}

/// The oldest iteration comes first: only one at a time is in progress, and nothing waits for one
/// that has ended. A callback may end others of the waiters, or add some.
bool Plan::endWaiters() noexcept {
  bool moved = false;
  for (Operation* op = waiters_.front(); op != nullptr; op = waiters_.front()) {
    const ucs_status_t status = statusOf(planOf(*op).iteration);
    if (status == UCS_INPROGRESS) return moved;
    waiters_.remove(*op);
    endOfPlan(*op, status);
    moved = true;
  }
  return moved;
}

bool Plan::look() noexcept {
  const auto self = shared_from_this();
  failByMistakes();
  tellKernels();
  bool moved = endWaiters();
  if (is_stepping_) return moved;
  is_stepping_ = true;
  for (; takeStep(); moved = true) {
    tellKernels();
    (void)endWaiters();
  }
  is_stepping_ = false;
  watch();
  return moved;
}

void startPreparedEnd(Operation& op) {
  const PlanExtra& extra = planOf(op);
  const std::shared_ptr<Plan> plan = extra.plan;
  if (extra.closes) plan->close(UCS_ERR_CANCELED, ": closed at this end");
  extra.awaits_turn ? plan->take(op) : plan->wait(op);
}

void planDataReceived(Operation& op, ucs_status_t status) noexcept {
  complete(op, status == kTakenBack ? UCS_ERR_CANCELED : status);
}

std::string unfit(const PlanShape& sender, const PlanShape& receiver) {
  return fmt::format(
      ": the sender has {} bytes in {} partitions, the receiver {} in {}; the bytes must be as "
      "many, and one of the counts must divide the other",
      sender.bytes, sender.partitions, receiver.bytes, receiver.partitions);
}

void endPlans(EndpointState& endpoint) noexcept {
  const auto plans = endpoint.plans.takeAll();
  Plan::quiesce([&](const auto& visit) {
    for (const auto& plan : plans) visit(*plan);
  });
  for (const auto& plan : plans) plan->close(endpoint.overStatus(), endpoint.reason);
  if (endpoint.inlet != nullptr) linkOf(endpoint)->plans().forget(endpoint);
}

}  // namespace ucxx::core
