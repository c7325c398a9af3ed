// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// The room for payloads that come without a receive: how much there is, and whose turn it is.

#include <algorithm>
#include <utility>

#include "base/list.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/loop/deadlines.h"
#include "core/loop/loop.h"
#include "core/match/ahead.h"
#include "core/match/inbox.h"
#include "core/match/inlet.h"
#include "core/match/unexpected.h"

namespace ucxx::core {

std::size_t Ahead::limit() const noexcept {
  const WorkerOptions& options = inlet_.loop.options;
  return std::min(options.unexpected_bytes, options.fetch_ahead_bytes);
}

bool Ahead::hasRoomFor(std::size_t cost) const noexcept {
  const Loop& loop = inlet_.loop;
  const WorkerOptions& options = loop.options;
  if (inlet_.channel == ChannelKind::Self)
    return inboxOf(loop).unexpected.from_self + cost <= options.unexpected_bytes;
  return used_ + cost <= options.unexpected_bytes &&
         inboxOf(loop).unexpected.fetched + cost <= options.fetch_ahead_bytes;
}

void Ahead::charge(FetchAhead& fetch, std::size_t cost) noexcept {
  Loop& loop = inlet_.loop;
  fetch.cost += cost;
  if (fetch.standing != nullptr) {
    fetch.standing->held += cost;
    return;
  }
  used_ += cost;
  Unexpected& unexpected = inboxOf(loop).unexpected;
  (inlet_.channel == ChannelKind::Self ? unexpected.from_self : unexpected.fetched) += cost;
}

void Ahead::giveBack(FetchAhead& fetch) noexcept {
  Loop& loop = inlet_.loop;
  const std::size_t cost = std::exchange(fetch.cost, 0);
  if (fetch.standing != nullptr) {
    fetch.standing->held -= cost;
    if (!fetch.standing->waiting.empty()) loop.needsTimeAt(loop.now());
    return;
  }
  used_ -= cost;
  if (inlet_.channel == ChannelKind::Self) return inboxOf(loop).unexpected.giveBackSelf(cost);
  inboxOf(loop).unexpected.giveBackFetched(cost);
}

void Ahead::workSoon() noexcept { work_deadline_.setNoLater(inlet_.loop.now()); }

/// Behind those that have been told before, also if it was to look earlier.
void Ahead::lookInTurn() noexcept {
  work_deadline_.set(inlet_.loop.now());
  looks_soon_ = true;
}

/// One that waited has left the list: there may be room for the one that follows.
void Ahead::lookAtRest() noexcept {
  if (!is_working_ && !waiting_.empty() && !work_deadline_.isSet()) workSoon();
}

/// All links share the room: the one that has waited for it longest looks first, and waits behind
/// the others once it has got some.
void Ahead::lacksRoom() noexcept {
  if (!room_node.linked()) inboxOf(inlet_.loop).unexpected.wait_for_room.pushBack(*this);
}

/// Another has waited longer for the room that there is now, and has not looked yet.
bool Ahead::othersComeFirst() const noexcept {
  const Ahead* const first = inboxOf(inlet_.loop).unexpected.wait_for_room.front();
  return first != nullptr && first != this && first->looks_soon_;
}

void Ahead::waitsNoMore() noexcept {
  if (room_node.linked()) inboxOf(inlet_.loop).unexpected.wait_for_room.remove(*this);
}

}  // namespace ucxx::core
