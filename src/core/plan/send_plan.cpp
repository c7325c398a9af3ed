// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "core/plan/send_plan.h"

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <ucxx/exception.h>
#include <ucxx/request_tag.h>

#include "base/file_descriptor.h"
#include "base/phase.h"
#include "base/phases.h"
#include "core/channel/port.h"
#include "core/match/endpoint_state.h"
#include "core/plan/plan_device.h"
#include "core/plan/plan_wire.h"
#include "core/plan/plan_words.h"
#include "core/plan/plans.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/posted_receive.h"
#include "core/request/requests.h"
#include "local/bulk_copy.h"
#include "local/channel.h"
#include "local/choices.h"
#include "local/peer_memory.h"

namespace ucxx::core {
namespace {

void copy(std::byte* to, const std::byte* from, std::size_t size) noexcept {
  if (size >= local::choices::kLeastStreamedPush && local::isStreamingFaster())
    local::copyStreaming(to, from, size);
  else if (size != 0)
    std::memcpy(to, from, size);
}

}  // namespace

SendPlan::SendPlan(EndpointState& endpoint, const Terms& its_terms)
    : Plan(endpoint, its_terms),
      words_(new Marks::Word[terms.shape.partitions]()),
      states_(words_.get(), terms.shape.partitions),
      claimed_(terms.shape.partitions),
      parked_(terms.shape.partitions) {
  claimed_.set(0, states_.count());  // until an iteration begins
}

bool SendPlan::isPushed(std::size_t count) const noexcept {
  return count * partitionBytes() <= local::choices::kMostPushed;
}

bool SendPlan::isDone(std::uint64_t iteration) const noexcept {
  return states_.allAre(mark(iteration, State::Done));
}

/// A thread is inside a partition, in any iteration: where the plan has failed, the next one may
/// begin meanwhile.
bool SendPlan::isInside() const noexcept {
  for (std::size_t i = 0; i < states_.count(); ++i) {
    if (stateIn(states_[i].load(std::memory_order_acquire)) == State::Inside) return true;
  }
  return false;
}

/// A single partition is never to be claimed.
void SendPlan::started(std::uint64_t iteration) {
  const bool is_by_calls = device() == nullptr, is_single = states_.count() == 1;
  if (is_by_calls && !is_single) claimed_.reset(0, states_.count());
  open_.store(iteration, std::memory_order_release);
  if (!is_by_calls || !is_single) return;
  states_.set(0, 1, mark(iteration, State::Inside));
  pushOrPark(0, 1, iteration);
}

void SendPlan::requireReadyByCalls(std::size_t first, std::size_t last) const {
  if (first > last && first + 1 != last)  // else it is one partition, the last of all numbers
    throw InvalidParamError(
        fmt::format("{}: ready: from {} up to {}; the first partition must not be beyond the last",
                    describeTransfer(kind(), terms.shape.bytes, terms.tag), first, last));
  if (first > last || last > states_.count()) refuse(last - 1);
  if (device() != nullptr)
    throw InvalidParamError(
        fmt::format("{}: ready: kernels make its partitions ready, since deviceHandle was called",
                    describeTransfer(kind(), terms.shape.bytes, terms.tag)));
}

void SendPlan::ready(std::size_t first, std::size_t last) {
  base::requireNotForked();
  requireReadyByCalls(first, last);
  if (hasFailed() || first == last) return;
  if (const auto iteration = claim(first, last)) pushOrPark(first, last, *iteration);
}

void SendPlan::pushOrPark(std::size_t first, std::size_t last, std::uint64_t iteration) {
  const Target* const target = target_.load(std::memory_order_acquire);
  if (target == nullptr || !isPushed(last - first) || !isReceiverReady(iteration))
    return park(first, last, iteration);
  pushFromThread(*target, first, last, iteration);
}

/// If two threads make the same partition ready, one is refused, and none of its partitions is
/// ready. The iteration is asked for afterwards: it does not end before they are done. A thread may
/// have seen one begin of which no partition can be claimed yet. None: the plan has failed
/// meanwhile.
std::optional<std::uint64_t> SendPlan::claim(std::size_t first, std::size_t last) {
  for (;;) {
    const bool is_open = open_.load(std::memory_order_acquire) == iteration();
    const std::size_t taken = claimed_.claim(first, last);
    if (taken == last) break;
    if (hasFailed()) return std::nullopt;
    if (is_open) refuse(taken);
    std::this_thread::yield();
  }
  const std::uint64_t now = iteration();
  states_.set(first, last, mark(now, State::Inside));
  return now;
}

void SendPlan::refuse(std::size_t partition) const {
  const std::uint64_t now = iteration();
  const std::string plan = describeTransfer(kind(), terms.shape.bytes, terms.tag);
  if (partition >= states_.count())
    throw InvalidParamError(fmt::format("{}: ready: there is no partition {}, only {}", plan,
                                        static_cast<std::ptrdiff_t>(partition), states_.count()));
  const char* const hint = states_.count() == 1 ? "; a single partition is ready at the start" : "";
  if (now == 0 || isDone(now))
    throw InvalidParamError(fmt::format("{}: ready: no iteration is in progress for partition {}{}",
                                        plan, partition, hint));
  throw InvalidParamError(
      fmt::format("{}: ready: partition {} was made ready in iteration {} before{}", plan,
                  partition, now, hint));
}

void SendPlan::pushFromThread(const Target& target, std::size_t first, std::size_t last,
                              std::uint64_t iteration) {
  if (!mayTouch()) return states_.set(first, last, mark(iteration, State::Ready));
  push(target, first, last, iteration);
  if (isWatched()) post();
}

/// The data, then the flags, then the bell. The marks come last: as long as one says that a thread
/// is inside, the mapping and the channel stay.
void SendPlan::push(const Target& target, std::size_t first, std::size_t last,
                    std::uint64_t iteration) noexcept {
  const std::size_t each = partitionBytes();
  const std::size_t offset = first * each, size = (last - first) * each;
  copy(target.data + offset, static_cast<const std::byte*>(terms.buffer) + offset, size);
  base::reached(base::Phase::PartCopied);
  target.landing.set(first, last, iteration);
  base::reached(base::Phase::PartLanded);
  target.channel->stored();
  states_.set(first, last, mark(iteration, State::Done));
}

void SendPlan::park(std::size_t first, std::size_t last, std::uint64_t iteration) {
  states_.set(first, last, mark(iteration, State::Ready));
  parked_.set(first, last);
  post();
}

void SendPlan::parkWhatKernelsHaveMadeReady() noexcept {
  const PlanDevice& kernels = *device();
  const std::uint64_t now = iteration();
  if (std::exchange(kernels_iteration_, now) != now) kernels_next_ = 0;
  const auto isReady = [&](std::size_t i) {
    return kernels.words[i].load(std::memory_order_acquire) >= now;
  };
  if (kernels_next_ == states_.count()) return;
  const std::uint64_t parked = mark(now, State::Ready);
  const auto isParked = [&](std::size_t i) {
    return states_[i].load(std::memory_order_relaxed) >= parked;
  };
  for (std::size_t i = kernels_next_; i < states_.count(); ++i) {
    if (isParked(i)) {
      if (i == kernels_next_) ++kernels_next_;
      continue;
    }
    if (!isReady(i)) continue;
    states_.set(i, i + 1, parked);
    parked_.set(i, i + 1);
    if (i == kernels_next_) ++kernels_next_;
  }
  if (kernels_next_ == states_.count()) failIfReadyTwice(now);
}

/// Before the last partition goes, no kernel can have seen the end of iteration `now`.
void SendPlan::failIfReadyTwice(std::uint64_t now) noexcept {
  for (std::size_t i = 0; i < states_.count(); ++i)
    if (device()->words[i].load(std::memory_order_acquire) > now) return Plan::failByReadyTwice(i);
}

void SendPlan::makeReadyWord(Plans& plans) {
  const local::Channel* const local = plans.port().local.get();
  if (local != nullptr) ready_ = plans.words().take(1);
  is_shared_ = ready_ != nullptr && local->isShared(ready_.get(), sizeof *ready_);
  if (ready_ == nullptr) ready_ = std::make_shared<Marks::Word>(0);
}

void SendPlan::join(Plans& plans) {
  if (hasJoined() || isClosing() || ready_ != nullptr) return;
  makeReadyWord(plans);
  const auto address = is_shared_ ? reinterpret_cast<std::uintptr_t>(ready_.get()) : 0;
  joined(plans, plans.nextId());
  try {
    if (plans.offer(*this, *endpoint(), address)) return;
  } catch (const std::bad_alloc&) {  // the peer has not heard of it
    leaveLink();
    throw;
  }
  leaveLink();
  close(UCS_ERR_EXCEEDS_LIMIT, fmt::format(": a peer takes {} prepared sends", kMostPlans));
}

bool SendPlan::onAnswer(const PlanAnswer& answer) {
  if (std::exchange(is_answered_, true)) return false;
  if (!terms.shape.fits(answer.shape)) {
    fail(UCS_ERR_INVALID_PARAM, unfit(terms.shape, answer.shape));
    return true;
  }
  const std::size_t flags = states_.count() * sizeof(Marks::Word);
  local::Channel* const local = plans()->port().local.get();
  const bool may_push = answer.landing != 0 && is_shared_ && local != nullptr &&
                        local->memory().table() != nullptr && isPushed(1);
  if (may_push) {
    local::PeerMemory& memory = local->memory();
    std::byte* const landing = memory.mappedAt(answer.landing, flags);
    std::byte* const data = memory.mappedAt(answer.data, terms.shape.bytes);
    if (landing == nullptr || answer.landing % sizeof(Marks::Word) != 0 ||
        (data == nullptr && terms.shape.bytes != 0))
      return false;
    own_target_.reset(new Target{
        data, {reinterpret_cast<Marks::Word*>(landing), states_.count()}, local, memory.mapping()});
    target_.store(own_target_.get(), std::memory_order_release);
  }
  look();
  return true;
}

bool SendPlan::onReady(std::uint64_t ready) noexcept {
  if (!is_answered_ || isClosing() || hasFailed()) return is_answered_;
  const std::uint64_t last = ready_->load(std::memory_order_relaxed);
  if (ready != last + 1 || ready > iteration() + 1) return false;
  ready_->store(ready, std::memory_order_release);
  look();
  return true;
}

bool SendPlan::look() noexcept {
  const auto self = shared_from_this();
  if (awaitsKernels()) parkWhatKernelsHaveMadeReady();
  const bool fired = fire();
  const bool moved = Plan::look() || fired;
  watch();
  return moved;
}

bool SendPlan::needsLook() const noexcept {
  if (awaitsKernels()) return true;
  if (hasFailed() || !hasJoined()) return false;
  return (has_parked_ && is_shared_) || (hasWaiters() && target_.load(std::memory_order_relaxed));
}

/// What is parked, if the receiver is ready for it: neighbours together.
bool SendPlan::fire() noexcept {
  has_parked_ = false;
  if (hasFailed() || isClosing() || isShut()) return false;
  has_parked_ = parked_.any();
  // After the look: what is parked is of this iteration, which cannot end without it.
  const std::uint64_t now = iteration();
  if (!has_parked_ || !is_answered_ || !isReceiverReady(now)) return false;
  has_parked_ = false;
  try {
    parked_.takeAll([&](std::size_t first, std::size_t last) { fire(first, last, now); });
  } catch (const std::bad_alloc&) {
    close(UCS_ERR_NO_MEMORY, ": no memory to send it");
  }
  return true;
}

void SendPlan::fire(std::size_t first, std::size_t last, std::uint64_t now) {
  if (hasFailed() || isClosing()) return;
  const Target* const target = target_.load(std::memory_order_relaxed);
  if (target != nullptr && isPushed(last - first))
    push(*target, first, last, now);
  else
    send(first, last, now);
}

/// As other payloads go, but that nothing has to be matched.
void SendPlan::send(std::size_t first, std::size_t last, std::uint64_t now) {
  const std::size_t each = partitionBytes();
  auto done = [this, first, last, now](ucs_status_t status, const std::shared_ptr<void>&) {
    sent(first, last, now, status);
  };
  auto request = makeRequest<RequestTag>(nullptr, OperationKind::PreparedSend, std::move(done),
                                         shared_from_this());
  Operation& op = request->operation();
  op.extra = std::make_unique<PlanDataExtra>(id());
  op.endpoint = endpoint();
  op.buffer = static_cast<std::byte*>(terms.buffer) + first * each;
  op.length = (last - first) * each;
  op.tag = PlanPart{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(now)}.word();
  states_.set(first, last, mark(now, State::Sent));
  begins();
  requestsOf(loop).submit(op);
}

void SendPlan::sent(std::size_t first, std::size_t last, std::uint64_t now,
                    ucs_status_t status) noexcept {
  const auto self = shared_from_this();
  if (status == UCS_OK)
    states_.set(first, last, mark(now, State::Done));
  else
    close(status, "");
  Plan::look();
  ends();
}

SendPlan::Progress SendPlan::progress() const noexcept {
  const std::uint64_t now = iteration();
  Progress result;
  for (std::size_t i = 0; i < states_.count(); ++i) {
    const std::uint64_t state = states_[i].load(std::memory_order_relaxed);
    if (state > mark(now, State::None)) ++result.ready;
    if (state == mark(now, State::Done)) ++result.sent;
  }
  return result;
}

std::string SendPlan::describeProgress() const {
  const auto [ready, sent] = progress();
  return fmt::format("{} ready, {} sent", ready, sent);
}

void SendPlan::addProgress(PreparedReport& report) const noexcept {
  const auto [ready, sent] = progress();
  report.ready = ready;
  report.moved = sent * partitionBytes();
  report.has_peer = is_answered_;
}

}  // namespace ucxx::core
