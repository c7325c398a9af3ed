// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// The payloads of announcements on their way into buffers: by UCX, through the channel in pieces,
// or copied by both processes.

#include <new>
#include <utility>

#include <unistd.h>

#include "base/completion.h"
#include "base/object_pool.h"
#include "base/phase.h"
#include "base/phases.h"
#include "core/bulk/assembly.h"
#include "core/bulk/copies.h"
#include "core/bulk/device_fetches.h"
#include "core/bulk/fetch.h"
#include "core/bulk/grants.h"
#include "core/bulk/ways.h"
#include "core/channel/channels.h"
#include "core/link/endpoint_state.h"
#include "core/link/link.h"
#include "core/loop/reviews.h"
#include "core/match/ahead.h"
#include "core/match/landing.h"
#include "core/match/matcher.h"
#include "core/match/message.h"
#include "core/match/transfers.h"
#include "core/request/context_state.h"
#include "core/request/device_copies.h"
#include "core/request/operation.h"
#include "core/wire/wire.h"
#include "door/door.h"
#include "local/bulk_ring.h"
#include "local/channel.h"
#include "local/choices.h"
#include "local/peer_memory.h"
#include "local/way.h"
#include "ucp/worker.h"

namespace ucxx::core {

std::atomic<bool> is_ucx_for_own_process{false};

Fetch* Fetch::make(Link& link) noexcept try {
  auto* fetch = new (base::PoolAllocator<Fetch>().allocate(1)) Fetch;
  fetch->link = &link;
  fetch->done = [](base::Completion& self, ucs_status_t status) {
    const Fetch ended = std::move(static_cast<Fetch&>(self));
    static_cast<Fetch&>(self).free();
    if (ended.collected != 0)
      return ended.link->device_fetches_.collected(ended.collected, ended.memory, status);
    ended.link->fetchEnded(ended, status == UCS_OK);
    if (status != UCS_OK && ended.link->error != UCS_OK) status = ended.link->error;
    if (ended.ahead != nullptr) return fetchedAhead(*ended.ahead, status);
    if (ended.op != nullptr) return endPart(*ended.op, status);
    streamPieceFetched(*ended.stream, status);
  };
  return fetch;
} catch (const std::bad_alloc&) {
  return nullptr;
}

void Fetch::free() noexcept {
  this->~Fetch();
  base::PoolAllocator<Fetch>().deallocate(this, 1);
}

const FetchAhead* Fetch::aheadOf() const noexcept {
  const FetchAhead* of = ahead;
  if (of == nullptr && op != nullptr && op->kind == OperationKind::MultiRecv)
    of = static_cast<const MultiRecvExtra&>(*op->extra).ahead;
  return of == nullptr || of->standing != nullptr ? nullptr : of;
}

bool Fetch::isIntoDevice(const void* buffer) const noexcept {
  const Operation* const into = stream == nullptr ? op : fetchedPiece(*stream)->receiver;
  return into != nullptr && isOnDevice(*into, buffer);
}

void Link::fetch(Operation& op, const Announcement& announcement, void* buffer, std::size_t size) {
  op.channel_link = this;
  op.stage = Stage::Moving;
  ++op.parts;
  Fetch* fetch = Fetch::make(*this);
  if (fetch == nullptr) {
    dropAnnouncement(announcement);
    return endPart(op, UCS_ERR_NO_MEMORY);
  }
  fetch->op = &op;
  startFetch(*fetch, announcement, buffer, size);
}

void Link::fetchPiece(EndpointState& endpoint, Message& piece, void* buffer) {
  const Announcement announcement = std::exchange(piece.announcement, {});
  if (piece.is_listed) unlistKept(piece);
  Fetch* fetch = Fetch::make(*this);
  if (fetch == nullptr) {
    dropAnnouncement(announcement);
    return streamPieceFetched(endpoint, UCS_ERR_NO_MEMORY);
  }
  fetch->stream = &endpoint;
  startFetch(*fetch, announcement, buffer, piece.size);
}

void Link::startFetch(Fetch& fetch, const Announcement& announcement, void* buffer,
                      std::size_t size) {
  ++pending_parts;
  ++fetches_;
  if (fetch.aheadOf() != nullptr) ++ahead_fetches_;
  --held_announcements_;
  const bool has_gate = fetch.op != nullptr && isOnDevice(*fetch.op, buffer) && size != 0;
  if (auto gate = has_gate ? gateOf(*fetch.op) : nullptr)
    return askBehind(std::move(gate), fetch, announcement, buffer, size);
  ask(fetch, announcement, buffer, size);
}

void Link::askBehind(std::shared_ptr<CopyGate> gate, Fetch& fetch, const Announcement& announcement,
                     void* buffer, std::size_t size) {
  try {
    device_fetches_.awaitGate(std::move(gate), fetch, announcement, buffer, size);
  } catch (const std::bad_alloc&) {
    dropPayload(announcement);
    fetch.done(fetch, UCS_ERR_NO_MEMORY);
  }
}

void Link::ask(Fetch& fetch, const Announcement& announcement, void* buffer, std::size_t size) {
  ucs_status_t status = UCS_ERR_NO_MEMORY;
  try {
    status = askFor(announcement, buffer, size, fetch);
  } catch (const std::bad_alloc&) {
    fail(status);
  }
  if (status != UCS_INPROGRESS) fetch.done(fetch, status);
}

ucs_status_t Link::askFor(const Announcement& announcement, void* buffer, std::size_t size,
                          Fetch& fetch) {
  if (announcement.number == 0)
    return channelsOf(loop).ucp().fetch(announcement.ucx, buffer, size, fetch);
  if (size == 0) {
    sendControl(MessageKind::Fetch, announcement.number);
    return UCS_OK;
  }
  const DeviceWay device_way =
      deviceWayOf(*this, announcement, buffer, size, fetch.isIntoDevice(buffer));
  if (device_way != DeviceWay::None) {
    device_fetches_.add(announcement, buffer, size, device_way, fetch);
    return UCS_INPROGRESS;
  }
  const Way way = chooseWay(announcement, buffer, size, fetch);
  if (way == Way::Copied)
    copies_.add(announcement, buffer, size, fetch);
  else
    fetchInPieces(announcement.number, buffer, size, fetch);
  return UCS_INPROGRESS;
}

bool Link::canRead(std::uint64_t address, std::size_t size) const noexcept {
  return mayCopy() && local->memory().canReach(address, size);
}

bool Link::canReadStaged() const noexcept {
  return mayCopy() && (local->memory().isOpen() || local->memory().mapping() != nullptr);
}

bool Link::mayCopy() const noexcept {
  return local != nullptr && channelsOf(loop).context().state().local_bulk != LocalBulk::Ring;
}

bool Link::mayFetchByUcx() const noexcept {
  const bool may_map = is_ucx_for_own_process || isOfAnotherProcess();
  return local != nullptr && may_map && !channelsOf(loop).isLocalOnly() &&
         !device_fetches_.isUcxRefused();
}

bool Link::isOfAnotherProcess() const noexcept {
  return connection != nullptr && connection->peerProcess() != ::getpid();
}

/// The way to take, of those that are possible; it is measured from now on. What is small tells
/// nothing, nor what needs no choice.
Way Link::chooseWay(const Announcement& announcement, void* buffer, std::size_t size,
                    Fetch& fetch) noexcept {
  if (local == nullptr) return Way::Cached;
  Copies::Way possible = copies_.wayOf(announcement, buffer, size);
  if (channelsOf(loop).context().state().local_bulk == LocalBulk::Ring)
    possible = Copies::Way::None;
  if (possible == Copies::Way::Mapped) {
    ways_.passesBy(size);
    return Way::Copied;
  }
  const bool may_copy = possible == Copies::Way::Kernel;
  if (size <= local::choices::kMostInRecord) return may_copy ? Way::Copied : Way::Cached;
  // A sender that sleeps may wait for its processor, or for the GIL, longer than the copy takes.
  if (may_copy && size <= local::choices::kMostAtOnce && local->isPeerAsleep()) {
    ways_.passesBy(size);
    return Way::Copied;
  }
  fetch.timed_bytes = size;
  fetch.way = ways_.choose(size, copies_.wasHelped());
  if (fetch.way == Way::Copied && !may_copy) fetch.way = Way::Cached;
  ways_.begins(size, fetch.way);
  return fetch.way;
}

void Link::fetchInPieces(std::uint64_t number, void* buffer, std::size_t size,
                         base::Completion& completion) {
  sendControl(MessageKind::Fetch, number);
  base::reached(base::Phase::FetchSent);
  grants_.add(number, buffer, size, completion);
}

void Link::copyFailed(std::uint64_t number, void* buffer, std::size_t size,
                      base::Completion& completion) {
  auto& fetch = static_cast<Fetch&>(completion);
  if (std::exchange(fetch.timed_bytes, 0) != 0) ways_.ends(false);
  if (!local->memory().isOpen()) ways_.begin();
  try {
    fetchInPieces(number, buffer, size, completion);
  } catch (const std::bad_alloc&) {
    fail(UCS_ERR_NO_MEMORY);
    completion.done(completion, UCS_ERR_NO_MEMORY);
  }
}

void Link::payloadCame(const base::Completion& fetch, const void* bytes,
                       std::size_t size) noexcept {
  if (static_cast<const Fetch&>(fetch).timed_bytes == 0) return;
  ways_.came(size, local->isInBulk(bytes) ? local->note().way : Way::Cached);
}

void Link::fetchEnded(const Fetch& fetch, bool whole) noexcept {
  if (fetch.timed_bytes != 0) {
    if (whole && fetch.way == Way::Copied) ways_.came(fetch.timed_bytes, Way::Copied);
    ways_.ends(whole);
  }
  if (fetch.aheadOf() != nullptr) --ahead_fetches_;
  partEnded(*this);
  // A goodbye may wait for it, or what is fetched without a receive.
  if (--fetches_ == 0 || !(isFetchingForReceives() || ahead_.empty())) review.ask();
}

bool Link::isForReceive(const base::Completion& completion) noexcept {
  const FetchAhead* ahead = static_cast<const Fetch&>(completion).aheadOf();
  return ahead == nullptr || ahead->receiver != nullptr;
}

/// One of the large frames of a message has come.
void Link::considerFrames(std::uint32_t sequence) noexcept {
  const auto found = kept_.find(sequence);
  if (found != kept_.end()) ahead_.considerFrames(*found->second.message);
}

void Link::revokeReceives(const EndpointState& endpoint) noexcept {
  const auto is_its = [&](const base::Completion& completion) {
    const auto& fetch = static_cast<const Fetch&>(completion);
    return (fetch.op != nullptr ? fetch.op->endpoint : fetch.stream) == &endpoint;
  };
  grants_.revoke(is_its, endpoint.overStatus());
  copies_.revoke(is_its, endpoint.overStatus());
  device_fetches_.revoke(is_its, endpoint.overStatus());
  assembly.revoke(endpoint, endpoint.overStatus());
  ahead_.revoke(endpoint, endpoint.overStatus());
}

void Link::dropAnnouncement(const Announcement& announcement) noexcept {
  --held_announcements_;
  dropPayload(announcement);
}

void Link::dropPayload(const Announcement& announcement) noexcept {
  if (announcement.number == 0) return channelsOf(loop).ucp().drop(announcement.ucx);
  sendControl(MessageKind::Drop, announcement.number);
}

}  // namespace ucxx::core
