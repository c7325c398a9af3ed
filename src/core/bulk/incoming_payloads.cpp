// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/bulk/incoming_payloads.h"

#include <new>
#include <utility>

#include <unistd.h>

#include "base/completion.h"
#include "base/object_pool.h"
#include "base/phase.h"
#include "base/phases.h"
#include "core/channel/channels.h"
#include "core/channel/port.h"
#include "core/loop/reviews.h"
#include "core/match/ahead.h"
#include "core/match/endpoint_state.h"
#include "core/match/landing.h"
#include "core/match/message.h"
#include "core/match/transfers.h"
#include "core/request/context_state.h"
#include "core/request/device_copies.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/wire/wire.h"
#include "local/bulk_ring.h"
#include "local/channel.h"
#include "local/choices.h"
#include "local/peer_memory.h"
#include "local/way.h"
#include "ucp/worker.h"

namespace ucxx::core {

std::atomic<bool> is_ucx_for_own_process{false};

IncomingPayloads::IncomingPayloads(Port& port) noexcept
    : ways(port), grants(port), copies(port), device_fetches(port, *this), port_(port) {}

Fetch* Fetch::make(IncomingPayloads& payloads) noexcept try {
  auto* fetch = new (base::PoolAllocator<Fetch>().allocate(1)) Fetch;
  fetch->payloads = &payloads;
  fetch->done = [](base::Completion& self, ucs_status_t status) {
    const Fetch ended = std::move(static_cast<Fetch&>(self));
    static_cast<Fetch&>(self).free();
    if (ended.collected != 0)
      return ended.payloads->device_fetches.collected(ended.collected, ended.memory, status);
    status = ended.payloads->ended(ended, status);
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

bool Fetch::isForReceive() const noexcept {
  const FetchAhead* const of = aheadOf();
  return of == nullptr || of->receiver != nullptr;
}

void IncomingPayloads::fetch(Operation& op, const Announcement& announcement, void* buffer,
                             std::size_t size) {
  op.port = &port_;
  op.stage = Stage::Moving;
  ++op.parts;
  Fetch* fetch = Fetch::make(*this);
  if (fetch == nullptr) {
    drop(announcement);
    return endPart(op, UCS_ERR_NO_MEMORY);
  }
  fetch->op = &op;
  start(*fetch, announcement, buffer, size);
}

void IncomingPayloads::fetchPiece(EndpointState& endpoint, const Announcement& announcement,
                                  void* buffer, std::size_t size) {
  Fetch* fetch = Fetch::make(*this);
  if (fetch == nullptr) {
    drop(announcement);
    return streamPieceFetched(endpoint, UCS_ERR_NO_MEMORY);
  }
  fetch->stream = &endpoint;
  start(*fetch, announcement, buffer, size);
}

void IncomingPayloads::start(Fetch& fetch, const Announcement& announcement, void* buffer,
                             std::size_t size) {
  ++port_.pending_parts;
  ++fetches_;
  if (fetch.aheadOf() != nullptr) ++ahead_fetches_;
  port_.announcementTaken();
  const bool has_gate = fetch.op != nullptr && isOnDevice(*fetch.op, buffer) && size != 0;
  if (auto gate = has_gate ? gateOf(*fetch.op) : nullptr)
    return askBehind(std::move(gate), fetch, announcement, buffer, size);
  ask(fetch, announcement, buffer, size);
}

void IncomingPayloads::askBehind(std::shared_ptr<CopyGate> gate, Fetch& fetch,
                                 const Announcement& announcement, void* buffer, std::size_t size) {
  try {
    device_fetches.awaitGate(std::move(gate), fetch, announcement, buffer, size);
  } catch (const std::bad_alloc&) {
    dropBegun(announcement);
    fetch.done(fetch, UCS_ERR_NO_MEMORY);
  }
}

void IncomingPayloads::ask(Fetch& fetch, const Announcement& announcement, void* buffer,
                           std::size_t size) {
  ucs_status_t status = UCS_ERR_NO_MEMORY;
  try {
    status = askFor(announcement, buffer, size, fetch);
  } catch (const std::bad_alloc&) {
    port_.fail(status);
  }
  if (status != UCS_INPROGRESS) fetch.done(fetch, status);
}

ucs_status_t IncomingPayloads::askFor(const Announcement& announcement, void* buffer,
                                      std::size_t size, Fetch& fetch) {
  if (announcement.number == 0)
    return channelsOf(port_.loop).ucp().fetch(announcement.ucx, buffer, size, fetch);
  if (size == 0) {
    port_.sendControl(MessageKind::Fetch, announcement.number);
    return UCS_OK;
  }
  const DeviceWay device_way =
      deviceWayOf(*this, announcement, buffer, size, fetch.isIntoDevice(buffer));
  if (device_way != DeviceWay::None) {
    device_fetches.add(announcement, buffer, size, device_way, fetch);
    return UCS_INPROGRESS;
  }
  const Way way = chooseWay(announcement, buffer, size, fetch);
  if (way == Way::Copied)
    copies.add(announcement, buffer, size, fetch);
  else
    askForPieces(announcement.number, buffer, size, fetch);
  return UCS_INPROGRESS;
}

bool IncomingPayloads::canRead(std::uint64_t address, std::size_t size) const noexcept {
  return mayCopy() && port_.local->memory().canReach(address, size);
}

bool IncomingPayloads::canReadStaged() const noexcept {
  return mayCopy() &&
         (port_.local->memory().isOpen() || port_.local->memory().mapping() != nullptr);
}

bool IncomingPayloads::mayCopy() const noexcept {
  return port_.local != nullptr &&
         channelsOf(port_.loop).context().state().local_bulk != LocalBulk::Ring;
}

bool IncomingPayloads::mayFetchByUcx() const noexcept {
  const bool may_map = is_ucx_for_own_process || isOfAnotherProcess();
  return port_.local != nullptr && may_map && !channelsOf(port_.loop).isLocalOnly() &&
         !device_fetches.isUcxRefused() && channelsOf(port_.loop).reachesDevices();
}

bool IncomingPayloads::isOfAnotherProcess() const noexcept {
  return port_.peer_process != -1 && port_.peer_process != ::getpid();
}

/// The way to take, of those that are possible; it is measured from now on. What is small tells
/// nothing, nor what needs no choice.
Way IncomingPayloads::chooseWay(const Announcement& announcement, void* buffer, std::size_t size,
                                Fetch& fetch) noexcept {
  if (port_.local == nullptr) return Way::Cached;
  Copies::Way possible = copies.wayOf(announcement, buffer, size);
  if (channelsOf(port_.loop).context().state().local_bulk == LocalBulk::Ring)
    possible = Copies::Way::None;
  if (possible == Copies::Way::Mapped) {
    ways.passesBy(size);
    return Way::Copied;
  }
  const bool may_copy = possible == Copies::Way::Kernel;
  if (size <= local::choices::kMostInRecord) return may_copy ? Way::Copied : Way::Cached;
  // A sender that sleeps may wait for its processor, or for the GIL, longer than the copy takes.
  if (may_copy && size <= local::choices::kMostAtOnce && port_.local->isPeerAsleep()) {
    ways.passesBy(size);
    return Way::Copied;
  }
  fetch.timed_bytes = size;
  fetch.way = ways.choose(size, copies.wasHelped());
  if (fetch.way == Way::Copied && !may_copy) fetch.way = Way::Cached;
  ways.begins(size, fetch.way);
  return fetch.way;
}

void IncomingPayloads::askForPieces(std::uint64_t number, void* buffer, std::size_t size,
                                    Fetch& fetch) {
  port_.sendControl(MessageKind::Fetch, number);
  base::reached(base::Phase::FetchSent);
  grants.add(number, buffer, size, fetch);
}

void IncomingPayloads::copyFailed(std::uint64_t number, void* buffer, std::size_t size,
                                  Fetch& fetch) {
  if (std::exchange(fetch.timed_bytes, 0) != 0) ways.ends(false);
  if (!port_.local->memory().isOpen()) ways.begin();
  try {
    askForPieces(number, buffer, size, fetch);
  } catch (const std::bad_alloc&) {
    port_.fail(UCS_ERR_NO_MEMORY);
    fetch.done(fetch, UCS_ERR_NO_MEMORY);
  }
}

void IncomingPayloads::came(const Fetch& fetch, const void* bytes, std::size_t size) noexcept {
  if (fetch.timed_bytes == 0) return;
  const local::Channel& channel = *port_.local;
  ways.came(size, channel.isInBulk(bytes) ? channel.note().way : Way::Cached);
}

ucs_status_t IncomingPayloads::ended(const Fetch& fetch, ucs_status_t status) noexcept {
  const bool whole = status == UCS_OK;
  if (fetch.timed_bytes != 0) {
    if (whole && fetch.way == Way::Copied) ways.came(fetch.timed_bytes, Way::Copied);
    ways.ends(whole);
  }
  if (fetch.aheadOf() != nullptr) --ahead_fetches_;
  port_.partEnded();
  // A goodbye may wait for it, or what is fetched without a receive.
  if (--fetches_ == 0 || !isFetchingForReceives()) port_.review.ask();
  return whole || port_.error == UCS_OK ? status : port_.error;
}

void IncomingPayloads::revoke(const EndpointState& endpoint, ucs_status_t status) {
  const auto is_its = [&](const Fetch& fetch) {
    const EndpointCore* const its = fetch.op != nullptr ? fetch.op->endpoint : fetch.stream;
    return its == &endpoint;
  };
  grants.revoke(is_its, status);
  copies.revoke(is_its, status);
  device_fetches.revoke(is_its, status);
}

void IncomingPayloads::end(ucs_status_t status) noexcept {
  grants.end(status);
  copies.end(status);
  device_fetches.end(status);
}

void IncomingPayloads::drop(const Announcement& announcement) noexcept {
  port_.announcementTaken();
  dropBegun(announcement);
}

void IncomingPayloads::dropBegun(const Announcement& announcement) noexcept {
  if (announcement.number == 0) return channelsOf(port_.loop).ucp().drop(announcement.ucx);
  port_.sendControl(MessageKind::Drop, announcement.number);
}

}  // namespace ucxx::core
