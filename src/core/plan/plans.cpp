// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "core/plan/plans.h"

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "base/immortal.h"
#include "base/phase.h"
#include "base/phases.h"
#include "core/channel/port.h"
#include "core/loop/reviews.h"
#include "core/match/endpoint_plans.h"
#include "core/match/endpoint_state.h"
#include "core/plan/plan.h"
#include "core/plan/recv_plan.h"
#include "core/plan/send_plan.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation_kind.h"
#include "core/wire/wire.h"
#include "local/channel.h"
#include "local/peer_memory.h"

namespace ucxx::core {
namespace {

/// Between two looks at the process of a peer.
constexpr auto kLookAfter = std::chrono::milliseconds(10);

/// A peer may write to `words` as long as it lives.
void keepForGood(std::shared_ptr<void> words) noexcept {
  static base::Immortal<std::mutex> mutex;
  static base::Immortal<std::vector<std::shared_ptr<void>>> kept;
  const std::lock_guard lock(*mutex);
  try {
    (*kept).push_back(words);
  } catch (const std::bad_alloc&) {
    const base::Immortal<std::shared_ptr<void>> lost(std::move(words));
  }
}

}  // namespace

/// Callbacks may end some, and prepare others.
void Plans::join(EndpointState& endpoint) noexcept {
  while (const std::shared_ptr<Plan> plan = endpoint.plans.takeWaiting()) {
    if (port_.state != Port::State::Up || endpoint.isOver()) return;
    try {
      if (!plan->hasFailed()) plan->join(*this);
    } catch (const std::bad_alloc&) {
      plan->close(UCS_ERR_NO_MEMORY, "");
    }
  }
  endpoint.plans.await_link = false;
}

bool Plans::offer(SendPlan& plan, const EndpointState& endpoint, std::uint64_t ready) {
  if (sends_.size() >= kMostPlans) return false;
  const PlanOffer offer{nextId(), plan.terms.shape, ready};
  sends_.emplace(offer.id, std::static_pointer_cast<SendPlan>(plan.shared_from_this()));
  ++last_id_;
  try {
    port_.tell(MessageKind::PlanOffer, endpoint.pairName(), plan.terms.tag,
               std::as_bytes(std::span(&offer, 1)));
  } catch (const std::bad_alloc&) {  // nothing has been told
    --last_id_;
    sends_.erase(offer.id);
    throw;
  }
  return true;
}

bool Plans::match(RecvPlan& plan, EndpointState& endpoint) {
  auto& waiting = endpoint.plans.offers;
  const auto found = std::find_if(waiting.begin(), waiting.end(), [&](std::uint64_t id) {
    return offered_.at(id).tag == plan.terms.tag;
  });
  if (found == waiting.end()) return false;
  Offered& offered = offered_.at(*found);
  waiting.erase(found);
  offered.endpoint = nullptr;
  offered.plan = std::static_pointer_cast<RecvPlan>(plan.shared_from_this());
  plan.meet(*this, offered.offer);
  return true;
}

void Plans::answer(const RecvPlan& plan, const PlanAnswer& answer) {
  port_.tell(MessageKind::PlanAnswer, {plan.id(), false}, 0, std::as_bytes(std::span(&answer, 1)));
}

void Plans::tellReady(const RecvPlan& plan, std::uint64_t iteration) {
  say(MessageKind::PlanReady, plan.id(), false, iteration);
}

void Plans::sayClose(Plan& plan) noexcept {
  const bool is_own = plan.kind() == OperationKind::PreparedSend;
  say(MessageKind::PlanClose, plan.id(), is_own, 0);
  base::reached(base::Phase::PlanCloseSent);
}

/// A message about plan `id`, which the local side sends (`is_own`) or the peer does.
void Plans::say(MessageKind kind, std::uint64_t id, bool is_own, std::uint64_t argument) {
  if (port_.state != Port::State::Up) return;
  port_.sendControl(port_.headerFor(kind, {id, is_own}, argument, 0));
}

void Plans::forget(EndpointState& endpoint) noexcept {
  for (const std::uint64_t id : endpoint.plans.offers) offered_.at(id).endpoint = nullptr;
  endpoint.plans.offers.clear();
}

void Plans::moves(EndpointState& from, EndpointState& to) {
  to.plans.offers.reserve(to.plans.offers.size() + from.plans.offers.size());  // or nothing moves
  for (const std::uint64_t id : from.plans.offers) {
    to.plans.offers.push_back(id);
    offered_.at(id).endpoint = &to;
  }
  from.plans.offers.clear();
}

template <class Visit>
void Plans::forEach(const Visit& visit) const {
  for (const auto& [id, plan] : sends_) visit(*plan);
  for (const auto& [id, offered] : offered_)
    if (offered.plan != nullptr) visit(*offered.plan);
}

void Plans::quiesce() noexcept {
  Plan::quiesce([this](const auto& visit) { forEach(visit); });
}

/// Callbacks of plans change nothing here: the link is no longer up.
void Plans::end() noexcept {
  for (auto& [id, offered] : offered_) {
    if (EndpointState* const endpoint = std::exchange(offered.endpoint, nullptr))
      std::erase(endpoint->plans.offers, id);
  }
  has_ended_ = true;
  forEach([this](Plan& plan) {
    is_shared_ |= plan.sharedWords() != nullptr;
    plan.close(port_.error, port_.failure);
    if (!plan.isBufferShared()) plan.leaveLink();
  });
  letGo();
  if (areKept()) port_.beginCopying();
}

bool Plans::mayPeerWrite() noexcept {
  if (!is_shared_ || port_.local == nullptr || port_.local->hasPeerLeft()) return false;
  const base::TimePoint now = base::Clock::now();
  if (now < look_at_) return true;
  look_at_ = now + kLookAfter;
  return port_.local->mayPeerCopy();
}

void Plans::letGo() noexcept {
  if (areKept() && !mayPeerWrite()) clear(UCS_OK);
}

void Plans::abandon() noexcept {
  if (!areKept()) return;
  forEach([](const Plan& plan) { keepForGood(plan.sharedWords()); });
  clear(UCS_ERR_CANCELED);
}

/// One by one: callbacks may look at those that are left.
void Plans::clear(ucs_status_t closed) noexcept {
  while (!sends_.empty()) sends_.extract(sends_.begin()).mapped()->leaveLink(closed);
  while (!offered_.empty()) {
    const auto plan = offered_.extract(offered_.begin()).mapped().plan;
    if (plan != nullptr) plan->leaveLink(closed);
  }
  port_.review.ask();
}

bool Plans::take(const Incoming& message) {
  switch (message.header.kind) {
    case MessageKind::PlanOffer:
      return onOffer(message);
    case MessageKind::PlanAnswer:
      return onAnswer(message);
    case MessageKind::PlanReady:
      return onReady(message);
    case MessageKind::PlanData:
      if (onData(message)) return true;
      port_.refuse(message);
      return false;
    case MessageKind::PlanClose:
      return onClose(message);
    default:
      return onClosed(message);
  }
}

/// The ready word is in the peer's library memory, as far as that is mapped here.
bool Plans::canBeReady(const PlanOffer& offer) const noexcept {
  if (offer.ready % sizeof(std::uint64_t) != 0) return false;
  if (offer.ready == 0 || port_.local == nullptr) return true;
  const local::PeerMemory& memory = port_.local->memory();
  return memory.table() == nullptr || memory.isMapped(offer.ready, sizeof(std::uint64_t));
}

/// They are numbered without a gap.
bool Plans::onOffer(const Incoming& message) {
  const auto offer = readPlanBody<PlanOffer>(message);
  if (!offer || offer->id != last_offered_ + 1 || !canBeReady(*offer)) return false;
  if (offered_.size() >= kMostPlans) return port_.fail(UCS_ERR_NO_MEMORY), true;
  ++last_offered_;
  Offered& offered = offered_[offer->id];
  offered.offer = *offer;
  offered.tag = message.header.argument;
  EndpointState* const endpoint = message.endpoint;
  if (endpoint == nullptr || endpoint->isOver()) return true;  // it was closed meanwhile
  offered.endpoint = endpoint;
  endpoint->plans.offers.push_back(offer->id);
  for (const auto& plan : endpoint->plans.all) {
    const bool waits = plan->kind() == OperationKind::PreparedRecv && !plan->hasJoined() &&
                       !plan->hasFailed() && plan->terms.tag == offered.tag;
    if (!waits) continue;
    match(static_cast<RecvPlan&>(*std::shared_ptr(plan)), *endpoint);
    break;
  }
  return true;
}

bool Plans::onAnswer(const Incoming& message) {
  const auto answer = readPlanBody<PlanAnswer>(message);
  const auto found = sends_.find(message.header.endpoint);
  if (!answer || found == sends_.end()) return false;
  const std::shared_ptr<SendPlan> plan = found->second;
  return plan->onAnswer(*answer);
}

bool Plans::onReady(const Incoming& message) {
  const auto found = sends_.find(message.header.endpoint);
  if (found == sends_.end()) return false;
  const std::shared_ptr<SendPlan> plan = found->second;
  return plan->onReady(message.header.argument);
}

bool Plans::onData(const Incoming& message) {
  const auto found = offered_.find(message.header.endpoint);
  if (found == offered_.end() || found->second.plan == nullptr) return false;
  const std::shared_ptr<RecvPlan> plan = found->second.plan;
  return plan->take(message);
}

std::shared_ptr<Plan> Plans::find(std::uint64_t id, bool is_own) const noexcept {
  if (is_own) {
    const auto found = sends_.find(id);
    return found == sends_.end() ? nullptr : found->second;
  }
  const auto found = offered_.find(id);
  return found == offered_.end() ? nullptr : found->second.plan;
}

void Plans::remove(std::uint64_t id, bool is_own) noexcept {
  const std::shared_ptr<Plan> plan = find(id, is_own);
  if (const auto found = offered_.find(id); !is_own && found != offered_.end()) {
    if (found->second.endpoint != nullptr) std::erase(found->second.endpoint->plans.offers, id);
    offered_.erase(found);
  }
  if (is_own) sends_.erase(id);
  if (plan != nullptr) plan->leaveLink();
}

/// The peer's end is closed: it waits for nothing but the answer.
bool Plans::onClose(const Incoming& message) {
  const WireHeader& header = message.header;
  const bool is_own = header.sender_opened == 0;
  const std::uint64_t id = header.endpoint;
  if (is_own ? sends_.count(id) == 0 : offered_.count(id) == 0) return false;
  const std::shared_ptr<Plan> plan = find(id, is_own);
  if (plan != nullptr) {
    if (plan->hasPeerClosed()) return false;
    plan->onPeerClosed(UCS_ERR_CONNECTION_RESET);
  }
  const bool awaits_answer = plan != nullptr && plan->hasSaidClose();
  say(MessageKind::PlanClosed, id, is_own, 0);
  base::reached(base::Phase::PlanCloseAnswered);
  if (!awaits_answer) remove(id, is_own);
  return true;
}

bool Plans::onClosed(const Incoming& message) {
  const WireHeader& header = message.header;
  const bool is_own = header.sender_opened == 0;
  const std::shared_ptr<Plan> plan = find(header.endpoint, is_own);
  if (plan == nullptr || !plan->hasSaidClose()) return false;
  remove(header.endpoint, is_own);
  return true;
}

}  // namespace ucxx::core
