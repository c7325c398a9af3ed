// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/link/goodbye.h"

#include <chrono>
#include <cstddef>
#include <new>
#include <utility>

#include "base/clock.h"
#include "base/phase.h"
#include "base/phases.h"
#include "core/bulk/incoming_payloads.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/link.h"
#include "core/link/pairs.h"
#include "core/loop/deadlines.h"
#include "core/loop/loop.h"
#include "core/loop/reviews.h"
#include "core/match/inlet.h"
#include "core/meet/links.h"
#include "core/wire/wire.h"

namespace ucxx::core {
namespace {

/// A link stays so long without an endpoint: to meet anew takes some ten times as long as to open
/// one more endpoint.
constexpr auto kLingerFor = std::chrono::seconds(3);
/// So many links stay so; more do not.
constexpr std::size_t kMostLingering = 16;

}  // namespace

Goodbye::Goodbye(Link& link) noexcept
    : link_(link),
      linger_until_(link.loop.deadlines, *this, [](Goodbye& it) { it.stopLingering(); }) {}

void Goodbye::sayIfUnneeded() {
  if (link_.channel == ChannelKind::Self || !link_.pairs().isEmpty() ||
      link_.incoming().isFetching())
    return;
  if (owed_ != 0) return onBye(std::exchange(owed_, 0));
  if (!link_.isUsable() || linger() || linksOf(link_.loop).isAsking(link_)) return;
  said_ = true;
  link_.sendControl(MessageKind::Bye, ++number_);
  base::reached(base::Phase::ByeSent);
}

/// False: its time is over, or it has none. A link on which nothing was sent says goodbye, for its
/// peer waits to hear of it.
bool Goodbye::linger() noexcept {
  if (!may_linger_ || !link_.hasSent()) return false;
  if (isLingering()) return true;
  may_linger_ = linksOf(link_.loop).lingering() < kMostLingering;
  if (!may_linger_) return false;
  linger_until_.set(base::deadlineAfter(kLingerFor));
  return true;
}

void Goodbye::lingerNoMore() noexcept {
  linger_until_.clear();
  may_linger_ = false;
}

void Goodbye::stopLingering() noexcept {
  lingerNoMore();
  try {
    sayIfUnneeded();
  } catch (const std::bad_alloc&) {
    link_.fail(UCS_ERR_NO_MEMORY);
  }
}

void Goodbye::onEndpointListed() noexcept {
  linger_until_.clear();
  may_linger_ = true;
}

void Goodbye::onBye(std::uint64_t number) {
  // The open of an endpoint is on its way: the peer finds it after its goodbye, and stays.
  if (!link_.pairs().isEmpty()) return;
  // A receive of the worker is not cut off for it. Of many goodbyes the newest is answered.
  if (link_.incoming().isFetching() || answering_ || linksOf(link_.loop).isAsking(link_)) {
    owed_ = number;
    return;
  }
  linger_until_.clear();
  answered_ = true;  // the peer hangs up when it has the answer
  answering_ = true;
  link_.sendControl(MessageKind::ByeAnswer, number);
  base::reached(base::Phase::ByeAnswered);
}

void Goodbye::onAnswer(std::uint64_t number) noexcept {
  link_.review.ask();
  agreed_ |= said_ && number == number_;
  if (agreed_) return;
  // An open of the peer has crossed with the goodbye, and the answer is void. The peer does not use
  // the link any more, so the next goodbye comes without delay.
  lingerNoMore();
}

void Goodbye::onAnswerSent() noexcept {
  answering_ = false;
  if (owed_ != 0) link_.review.ask();
}

}  // namespace ucxx::core
