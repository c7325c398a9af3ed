// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/bulk/copies.h"

#include <algorithm>
#include <bit>
#include <new>

#include "base/completion.h"
#include "base/file_descriptor.h"
#include "base/object_pool.h"
#include "base/phase.h"
#include "base/phases.h"
#include "core/bulk/fetch.h"
#include "core/bulk/help_terms.h"
#include "core/bulk/incoming_payloads.h"
#include "core/channel/port.h"
#include "core/wire/wire.h"
#include "local/channel.h"
#include "local/choices.h"
#include "local/peer_memory.h"

namespace ucxx::core {
namespace {

/// One chunk of so many is taken from any payload, not from one that a receive waits for.
constexpr unsigned kLooksInTurn = 8;

}  // namespace

Copies::~Copies() {
  while (Copy* copy = copying_.front()) take(*copy);
  while (Copy* copy = waiting_.front()) take(*copy);
}

Copies::Way Copies::wayOf(const Announcement& announcement, const void* buffer,
                          std::size_t size) const noexcept {
  if (!announcement.hasAddress() || port_.local == nullptr) return Way::None;
  const local::PeerMemory& memory = port_.local->memory();
  if (memory.isMapped(announcement.address, size)) return Way::Mapped;
  if (memory.isOpen()) return Way::Kernel;
  return port_.local->isShared(buffer, size) ? Way::Mapped : Way::None;
}

void Copies::add(const Announcement& announcement, void* buffer, std::size_t size, Fetch& fetch) {
  port_.beginCopying();
  const std::size_t chunk_bytes = chunkBytesFor(size);
  const auto chunks = static_cast<std::uint32_t>(chunksOf(size, chunk_bytes));
  auto* copy =
      new (base::PoolAllocator<Copy>().allocate(1)) Copy{.number = announcement.number,
                                                         .from = announcement.address,
                                                         .to = static_cast<std::byte*>(buffer),
                                                         .size = size,
                                                         .chunk_bytes = chunk_bytes,
                                                         .chunks = local::ChunkOwner(chunks),
                                                         .fetch = &fetch};
  copy->can_read = port_.local->memory().canReach(announcement.address, size);
  copying_.pushBack(*copy);
  const bool comes_too_late = comesTooLate(*copy);
  const bool may_lend = !comes_too_late && mayLend(*copy);
  if (!comes_too_late) was_helped_ = was_helped_ && may_lend;
  try {
    if (may_lend) lend(*copy);
  } catch (const std::bad_alloc&) {
    take(*copy);  // its helper has not been told
    throw;
  }
}

/// Whom this would wake, to help with little that can be read without it.
bool Copies::comesTooLate(const Copy& copy) const noexcept {
  return copy.can_read && copy.size <= local::choices::kMostAtOnce && port_.local->isPeerAsleep();
}

/// Whether the peer could write to its buffer, and is likely to.
bool Copies::mayLend(const Copy& copy) const noexcept {
  // A peer that leaves controls unread has no time to help, and is not to have more of them.
  if (port_.isHoldingControls()) return false;
  if (!copy.can_read) return true;
  return copy.chunks.chunks() > 1 && port_.local->canPeerRunBeside() &&
         (port_.local->memory().isOpen() || port_.local->isShared(copy.to, copy.size));
}

/// Without a free word this side copies alone.
void Copies::lend(Copy& copy) {
  const int slot = std::countr_one(lent_);
  if (slot >= static_cast<int>(local::EndMemory::kChunkWords)) return;
  lent_ |= 1u << slot;
  copy.slot = slot;
  round_ = static_cast<std::uint16_t>(round_ % UINT16_MAX + 1);
  copy.chunks.lend(port_.local->ownEnd().chunks[slot], round_);
  const HelpTerms terms{reinterpret_cast<std::uintptr_t>(copy.to),
                        static_cast<std::uint32_t>(copy.chunk_bytes),
                        static_cast<std::uint16_t>(slot), round_};
  WireHeader header = port_.headerFor(MessageKind::Help, {}, copy.number, 0);
  terms.write(header);
  port_.sendControl(header);
}

std::size_t Copies::work() {
  if (Copy* ready = findUntouched()) {
    settle(*ready);
    return 1;
  }
  Copy* copy = next();
  if (copy == nullptr) return 0;
  if (!copy->can_read) {
    copy->failed = copy->slot < 0;
  } else if (const auto chunk = copy->chunks.take()) {
    if (copyChunk(*copy, *chunk)) return copy->chunk_bytes;
    copy->failed = true;
    copy->chunks.revoke();
  }
  wait(*copy);
  return 1;
}

/// What receives wait for comes before the rest, which is not to wait for ever either.
Copies::Copy* Copies::next() noexcept {
  Copy* copy = copying_.front();
  if (++looks_ % kLooksInTurn == 0) return copy;
  while (copy != nullptr && !copy->fetch->isForReceive()) copy = copying_.after(*copy);
  return copy != nullptr ? copy : copying_.front();
}

bool Copies::copyChunk(Copy& copy, std::uint32_t chunk) noexcept {
  const std::size_t offset = chunk * copy.chunk_bytes;
  const std::size_t size = std::min(copy.chunk_bytes, copy.size - offset);
  base::reached(base::Phase::ChunkTaken);
  const bool copied =
      port_.local->memory().read(copy.to + offset, copy.from + offset, size, copy.size);
  base::reached(base::Phase::ChunkCopied);
  return copied;
}

void Copies::wait(Copy& copy) noexcept {
  if (std::exchange(copy.waits, true)) return;
  copying_.remove(copy);
  waiting_.pushBack(copy);
}

Copies::Copy* Copies::findUntouched() noexcept {
  Copy* copy = waiting_.front();
  while (copy != nullptr && isTouched(*copy)) copy = waiting_.after(*copy);
  return copy;
}

/// Whether a helper may be writing to its buffer, or will be.
bool Copies::isTouched(Copy& copy) noexcept {
  const bool is_helpers = !copy.can_read && !copy.failed && copy.status == UCS_OK;
  if (is_helpers && !copy.chunks.isHelperThrough()) return true;
  if (copy.chunks.isHelperIdle() || copy.chunks.isBroken()) return false;
  return port_.state == Port::State::Up || port_.local->mayPeerCopy();
}

void Copies::settle(Copy& copy) {
  if (!copy.can_read) {
    copy.failed = !copy.chunks.hasHelperDoneAll();
    return finish(copy);
  }
  if (copy.status != UCS_OK || copy.failed || !copy.chunks.reclaim()) return finish(copy);
  waiting_.remove(copy);  // its helper has failed: alone, then
  copying_.pushBack(copy);
  copy.waits = false;
}

void Copies::finish(Copy& ended) {
  const Copy copy = take(ended);
  Fetch& fetch = *copy.fetch;
  if (copy.chunks.isBroken()) {
    port_.fail(UCS_ERR_INVALID_PARAM);
    return fetch.done(fetch, UCS_ERR_INVALID_PARAM);
  }
  if (copy.status != UCS_OK) {
    port_.sendControl(MessageKind::Drop, copy.number);
    return fetch.done(fetch, copy.status);
  }
  if (copy.failed) return fetch.payloads->copyFailed(copy.number, copy.to, copy.size, fetch);
  if (copy.slot >= 0) was_helped_ = copy.chunks.unhelped() != copy.chunks.chunks();
  // Only now: if the sender was there afterwards, what was read before was its payload.
  if (!port_.local->isPeerThere()) return fetch.done(fetch, UCS_ERR_CONNECTION_RESET);
  base::reached(base::Phase::PayloadTaken);
  port_.sendControl(MessageKind::Taken, copy.number);
  fetch.done(fetch, UCS_OK);
}

Copies::Copy Copies::take(Copy& copy) noexcept {
  (copy.waits ? waiting_ : copying_).remove(copy);
  if (copy.slot >= 0) lent_ &= ~(1u << copy.slot);
  const Copy taken = copy;
  base::PoolAllocator<Copy>().deallocate(&copy, 1);
  return taken;
}

void Copies::turn() noexcept {
  if (Copy* copy = copying_.popFront()) copying_.pushBack(*copy);
}

bool Copies::isQuiet() noexcept { return copying_.empty() && findUntouched() == nullptr; }

void Copies::stop(Copy& copy, ucs_status_t status) noexcept {
  copy.chunks.revoke();
  copy.status = status;
  wait(copy);
}

/// One that ends now, since nobody touches its buffer.
Copies::Copy* Copies::findStopped() noexcept {
  Copy* copy = waiting_.front();
  while (copy != nullptr && (copy->status == UCS_OK || isTouched(*copy)))
    copy = waiting_.after(*copy);
  return copy;
}

void Copies::revoke(const std::function<bool(const Fetch&)>& chosen, ucs_status_t status) {
  for (List* list : {&copying_, &waiting_}) {
    for (Copy* copy = list->front(); copy != nullptr;) {
      Copy* next = list->after(*copy);
      if (copy->status == UCS_OK && chosen(*copy->fetch)) stop(*copy, status);
      copy = next;
    }
  }
  // A callback may fork: what both sides write is not the child's.
  while (!base::isForkedChild()) {
    Copy* stopped = findStopped();
    if (stopped == nullptr) return;
    finish(*stopped);
  }
}

void Copies::end(ucs_status_t status) noexcept {
  revoke([](const Fetch&) { return true; }, status);
}

void Copies::abandon() noexcept {
  while (Copy* copy = waiting_.front()) {
    Fetch& fetch = *take(*copy).fetch;
    fetch.done(fetch, UCS_ERR_CANCELED);
  }
}

}  // namespace ucxx::core
