// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "core/plan/recv_plan.h"

#include <utility>

#include <fmt/format.h>

#include <ucxx/exception.h>
#include <ucxx/request_tag.h>

#include "base/phase.h"
#include "base/phases.h"
#include "core/channel/incoming.h"
#include "core/channel/port.h"
#include "core/match/inlet.h"
#include "core/match/transfers.h"
#include "core/plan/plan_device.h"
#include "core/plan/plan_wire.h"
#include "core/plan/plan_words.h"
#include "core/plan/plans.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/outcome.h"
#include "core/request/posted_receive.h"
#include "core/request/requests.h"
#include "core/wire/wire.h"
#include "local/channel.h"
#include "local/peer_memory.h"

namespace ucxx::core {

bool RecvPlan::isDone(std::uint64_t iteration) const noexcept {
  const Met* const met = met_.load(std::memory_order_acquire);
  return met != nullptr && met->landing.allAre(iteration);
}

bool RecvPlan::arrived(std::size_t partition) const {
  const std::size_t own = terms.shape.partitions;
  if (partition >= own)
    throw InvalidParamError(fmt::format("{}: arrived: there is no partition {}, only {}",
                                        describeTransfer(kind(), terms.shape.bytes, terms.tag),
                                        partition, own));
  const Met* const met = met_.load(std::memory_order_acquire);
  const std::uint64_t now = iteration();
  return met != nullptr && now != 0 && hasArrived(*met, partition, now);
}

bool RecvPlan::hasArrived(const Met& met, std::size_t partition,
                          std::uint64_t iteration) const noexcept {
  const std::size_t own = terms.shape.partitions, senders = met.landing.count();
  const std::size_t first = partition * senders / own;
  const std::size_t count = senders > own ? senders / own : 1;
  return met.landing.areAll(first, first + count, iteration);
}

void RecvPlan::onPost() noexcept {
  tellReady();
  if (device() == nullptr) return;
  look();
  watch();
}

void RecvPlan::tellArrivals(std::uint64_t now, std::uint64_t ended) noexcept {
  const Met* const met = met_.load(std::memory_order_relaxed);
  if (met == nullptr || now == 0 || hasFailed()) return;
  const Marks& words = device()->words;
  if (words.allAre(now)) return;
  for (std::size_t i = 0; i < words.count(); ++i) {
    const std::uint64_t told = words[i].load(std::memory_order_relaxed);
    if (told == now) continue;
    const std::uint64_t last = hasArrived(*met, i, now) ? now : ended;
    if (told < last) words[i].store(last, std::memory_order_release);
  }
}

/// The sender's word, or a message.
void RecvPlan::started(std::uint64_t iteration) {
  const Met* const met = met_.load(std::memory_order_acquire);
  if (met == nullptr || met->senders_ready == nullptr) return post();
  is_inside_.store(true, std::memory_order_relaxed);
  if (mayTouch()) {
    base::reached(base::Phase::ReadyDue);
    met->senders_ready->store(iteration, std::memory_order_release);
    base::reached(base::Phase::ReadySaid);
    met->channel->stored();
  }
  is_inside_.store(false, std::memory_order_release);
}

/// A word that the sender watches is written here for the first iteration alone, if that began
/// before the sender was found: later ones are told by the thread that starts them.
void RecvPlan::tellReady() noexcept {
  const Met* const met = met_.load(std::memory_order_relaxed);
  const std::uint64_t now = iteration();
  if (met == nullptr || hasFailed() || isShut() || !hasJoined() || now == told_) return;
  if (met->senders_ready == nullptr) {
    told_ = now;
    return plans()->tellReady(*this, now);
  }
  std::uint64_t none = 0;
  if (met->senders_ready->compare_exchange_strong(none, now, std::memory_order_acq_rel))
    met->channel->stored();
}

void RecvPlan::join(Plans& plans) {
  if (!hasJoined() && !isClosing()) plans.match(*this, *endpoint());
}

/// A word for each partition of the sender, which writes them itself if it reaches the buffer, too.
void RecvPlan::makeLanding(Plans& plans) {
  const std::size_t count = senders_.partitions;
  const local::Channel* const local = plans.port().local.get();
  if (local != nullptr && local->isShared(terms.buffer, terms.shape.bytes))
    landing_ = plans.words().take(count);
  is_shared_ = landing_ != nullptr && local->isShared(landing_.get(), count * sizeof(Marks::Word));
  if (landing_ != nullptr) return;
  const std::shared_ptr<Marks::Word[]> own(new Marks::Word[count]());
  landing_ = {own, own.get()};
}

void RecvPlan::meet(Plans& plans, PlanOffer offer) noexcept try {
  joined(plans, offer.id);
  senders_ = offer.shape;
  if (!terms.shape.fits(offer.shape)) {
    note(UCS_ERR_INVALID_PARAM, unfit(offer.shape, terms.shape));
    plans.answer(*this, {terms.shape});  // a callback of the failure may close the plan
    look();
    return;
  }
  makeLanding(plans);
  std::byte* ready = nullptr;
  std::shared_ptr<const void> mapping;
  local::Channel* const local = plans.port().local.get();
  if (local != nullptr && offer.ready != 0) {
    ready = local->memory().mappedAt(offer.ready, sizeof(Marks::Word));
    mapping = local->memory().mapping();
  }
  own_met_.reset(new Met{{landing_.get(), offer.shape.partitions},
                         reinterpret_cast<Marks::Word*>(ready),
                         local,
                         std::move(mapping)});
  plans.answer(*this, answer());
  met_.store(own_met_.get(), std::memory_order_release);
  tellReady();
  watch();
} catch (const std::bad_alloc&) {
  close(UCS_ERR_NO_MEMORY, ": no memory for its partitions");
}

PlanAnswer RecvPlan::answer() const noexcept {
  if (!is_shared_) return {terms.shape};
  return {terms.shape, reinterpret_cast<std::uintptr_t>(terms.buffer),
          reinterpret_cast<std::uintptr_t>(landing_.get())};
}

bool RecvPlan::take(const Incoming& message) {
  Port& port = plans()->port();
  if (isClosing() || hasFailed()) return port.refuse(message), true;
  const PlanPart part = PlanPart::read(message.header.argument);
  const std::uint64_t now = iteration();
  const std::size_t each = senders_.bytes / senders_.partitions;
  const std::size_t count = each == 0 ? 1 : message.header.length / each;
  if (!isMatched() || now == 0 || part.iteration != static_cast<std::uint32_t>(now) || count == 0 ||
      count * each != message.header.length || part.first >= senders_.partitions ||
      count > senders_.partitions - part.first)
    return false;
  if (coming_.empty()) coming_.resize(senders_.partitions);
  for (std::size_t i = part.first; i < part.first + count; ++i) {
    if (std::exchange(coming_[i], now) == now || own_met_->landing.areAll(i, i + 1, now))
      return false;
  }
  auto done = [this, part, count](ucs_status_t status, const std::shared_ptr<void>&) {
    landed(part.first, count, iteration(), status);
  };
  auto request = makeRequest<RequestTag>(nullptr, OperationKind::PreparedRecv, std::move(done),
                                         shared_from_this());
  Operation& op = request->operation();
  op.loop = &loop;
  op.endpoint = endpoint();
  op.buffer = static_cast<std::byte*>(terms.buffer) + part.first * each;
  op.length = message.header.length;
  op.tag = terms.tag;
  begins();
  op.outcome.hold();
  Requests::track(op);
  deliver(inletOf(port), message, op);
  return true;
}

void RecvPlan::landed(std::size_t first, std::size_t count, std::uint64_t iteration,
                      ucs_status_t status) noexcept {
  const auto self = shared_from_this();
  if (status != UCS_OK)
    close(status, "");
  else if (!hasFailed())
    own_met_->landing.set(first, first + count, iteration);
  look();
  ends();
}

/// Partitions of the sender.
std::size_t RecvPlan::arrivedOf(const Met& met) const noexcept {
  const std::uint64_t now = iteration();
  std::size_t arrived = 0;
  for (std::size_t i = 0; now != 0 && i < met.landing.count(); ++i)
    arrived += met.landing.areAll(i, i + 1, now);
  return arrived;
}

std::string RecvPlan::describeProgress() const {
  const Met* const met = met_.load(std::memory_order_acquire);
  if (met == nullptr) return "the peer has prepared no send for it";
  return fmt::format("{} of {} arrived", arrivedOf(*met), met->landing.count());
}

/// A sender that does not fit is there as well.
void RecvPlan::addProgress(PreparedReport& report) const noexcept {
  report.has_peer = senders_.partitions != 0;
  const Met* const met = met_.load(std::memory_order_relaxed);
  if (met != nullptr) report.moved = arrivedOf(*met) * (senders_.bytes / met->landing.count());
}

}  // namespace ucxx::core
