// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/match/ahead.h"

#include <new>
#include <utility>

#include "base/file_descriptor.h"
#include "base/object_pool.h"
#include "core/bulk/fetch.h"
#include "core/bulk/incoming_payloads.h"
#include "core/channel/incoming.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/loop/counters.h"
#include "core/loop/loop.h"
#include "core/loop/reviews.h"
#include "core/match/endpoint_state.h"
#include "core/match/inbox.h"
#include "core/match/inlet.h"
#include "core/match/large_frames.h"
#include "core/match/matcher.h"
#include "core/match/recallable_messages.h"
#include "core/match/receivers.h"
#include "core/match/transfers.h"
#include "core/request/endpoint_core.h"
#include "core/request/host_memory.h"
#include "core/wire/wire.h"

namespace ucxx::core {
namespace {

/// How long a message waits for its receive before its payload is fetched without one.
constexpr auto kPatience = std::chrono::milliseconds(1);
/// How long it waits while payloads of its peer come that receives wait for, perhaps for ever.
constexpr auto kLongPatience = std::chrono::milliseconds(20);
/// Bytes of a peer that come so at a time: what is matched meanwhile shares with few.
constexpr std::size_t kMostComing = 1 << 20;
/// What one costs beside what every message does: its record, and a buffer of the library's.
constexpr std::size_t kAheadBytes = 256;
static_assert(sizeof(FetchAhead) + base::kPoolUnitBytes <= kAheadBytes);

std::size_t costOfFetching(std::size_t size, std::size_t prologue = 0) noexcept {
  return costOf(size, prologue) + kAheadBytes;
}

FetchAhead* makeFetchAhead() noexcept try {
  return new (base::PoolAllocator<FetchAhead>().allocate(1)) FetchAhead;
} catch (const std::bad_alloc&) {
  return nullptr;
}

void destroy(FetchAhead& fetch) noexcept {
  fetch.~FetchAhead();
  base::PoolAllocator<FetchAhead>().deallocate(&fetch, 1);
}

bool hasAllocator(const Loop& loop) noexcept {
  return inboxOf(loop).receivers.allocators.count(UCS_MEMORY_TYPE_HOST) != 0;
}

/// The message whose frames these are is `op`'s.
void handFrames(Message* message, Operation& op) {
  const std::unique_ptr<Operation> frames = std::move(message->ahead->frames);
  discard(message);
  takeFrames(op, *frames);
}

/// What only its receive may do: it goes to a registered receiver, to the memory of a device, or to
/// memory that the user allocates.
bool isReceives(const Loop& loop, const FetchAhead& fetch) noexcept {
  const Message& message = *fetch.message;
  if (message.kind == MessageKind::Multi) return fetch.standing == nullptr && hasAllocator(loop);
  if (message.kind != MessageKind::Am) return false;
  const AmPrologue& prologue = message.extra->prologue;
  return prologue.callback || prologue.memory_type != UCS_MEMORY_TYPE_HOST || hasAllocator(loop);
}

}  // namespace

Ahead::Ahead(Inlet& inlet) noexcept
    : inlet_(inlet), work_deadline_(inlet.loop.deadlines, *this, [](Ahead& it) { it.work(); }) {}

Ahead::~Ahead() { waitsNoMore(); }

void Ahead::consider(Message& message, const WireHeader& header, EndpointState* stream) noexcept {
  const bool is_taken = standingOf(inlet_.loop, message) != nullptr;
  if (header.stays != 0 || (!is_taken && costOfFetching(message.size) > limit())) return;
  if (message.extra != nullptr && message.extra->prologue.callback) return;
  enlist(message, stream);
}

void Ahead::considerFrames(Message& message) noexcept {
  if (message.ahead != nullptr || message.stays) return;
  if (limit() != 0 || standingOf(inlet_.loop, message) != nullptr) enlist(message, nullptr);
}

void Ahead::enlist(Message& message, EndpointState* stream) noexcept {
  const std::shared_ptr<Standing> standing = standingOf(inlet_.loop, message);
  FetchAhead* const fetch = attach(message, standing);
  if (fetch == nullptr) return;
  fetch->stream = stream;
  if (standing != nullptr) return standing->work();
  fetch->since = base::Clock::now();
  work_deadline_.setNoLater(fetch->since + kPatience);
}

FetchAhead* Ahead::attach(Message& message, const std::shared_ptr<Standing>& standing) noexcept {
  FetchAhead* const fetch = makeFetchAhead();
  if (fetch == nullptr) return nullptr;
  fetch->owner = this;
  fetch->message = &message;
  fetch->standing = standing;
  message.ahead = fetch;
  waitingOf(*fetch).pushBack(*fetch);
  return fetch;
}

void Ahead::work() noexcept {
  looks_soon_ = false;
  if (waiting_.empty()) return waitsNoMore();
  if (std::exchange(is_working_, true)) return;
  try {
    workInTurn();
  } catch (const std::bad_alloc&) {  // not of a table: the message waits for its receive
    if (FetchAhead* oldest = waiting_.front()) leaveWithSender(*oldest);
    workSoon();
  }
  if (waiting_.empty()) waitsNoMore();
  is_working_ = false;
}

void Ahead::workInTurn() {
  const base::TimePoint now = base::Clock::now();
  while (FetchAhead* oldest = base::isForkedChild() ? nullptr : waiting_.front()) {
    if (!inlet_.mayFetchAhead() || coming_bytes_ >= kMostComing) return;
    const base::TimePoint due =
        oldest->since + (inlet_.incoming().isFetchingForReceives() ? kLongPatience : kPatience);
    if (now < due) return work_deadline_.setNoLater(due);
    const std::optional<std::size_t> cost = costOfAll(*oldest);
    if (!cost || *cost > limit()) {
      leaveWithSender(*oldest);
    } else if (oldest->message->inMemory() && !haveFramesCome(inlet_, *oldest->message)) {
      awaitFrames(*oldest, now);
    } else if (!hasRoomFor(*cost)) {
      return lacksRoom();
    } else if (othersComeFirst()) {
      lacksRoom();
      return workSoon();
    } else {
      begin(*oldest, *cost);
    }
  }
}

/// They come straight behind their message, or never; after a while, if their sender is slow.
void Ahead::awaitFrames(FetchAhead& fetch, base::TimePoint now) noexcept {
  if (inlet_.frames().opened(fetch.message->sequence) == nullptr) return leaveWithSender(fetch);
  fetch.since = now + kLongPatience;
  waiting_.remove(fetch);
  waiting_.pushBack(fetch);
}

/// Nothing: it is not to be fetched without a receive.
std::optional<std::size_t> Ahead::costOfAll(const FetchAhead& fetch) const {
  const Message& message = *fetch.message;
  if (isReceives(inlet_.loop, fetch)) return std::nullopt;
  if (message.inMemory()) {
    const auto bytes = message.isWhole() ? largeFrameBytes(inlet_, message) : std::nullopt;
    return bytes && *bytes != 0 ? bytes : std::nullopt;
  }
  if (message.size > inlet_.loop.options.multi_bytes) return std::nullopt;
  if (message.kind == MessageKind::Multi && isTableTooLong(inlet_.loop, message.size))
    return std::nullopt;
  return costOfFetching(message.size, prologueBytes(message));
}

void Ahead::begin(FetchAhead& fetch, std::size_t cost) {
  waitsNoMore();
  if (fetch.message->inMemory()) return beginFrames(fetch, cost);
  try {
    const bool is_from_far =
        inlet_.channel == ChannelKind::Ucp || fetch.message->announcement.number == 0;
    fetch.memory = makeReceiveBuffer(fetch.message->size, is_from_far);
  } catch (const std::bad_alloc&) {
    return leaveWithSender(fetch);
  }
  fetch.message->sender != nullptr ? copyFromSelf(fetch, cost) : beginPayload(fetch, cost);
}

/// Whoever comes too late leaves the message as it is: its sender drops it soon.
void Ahead::beginPayload(FetchAhead& fetch, std::size_t cost) {
  Message& message = *fetch.message;
  Fetch* const coming = Fetch::make(inlet_.incoming());
  if (coming == nullptr || !inlet_.recallable().tryTake(message.claim)) {
    if (coming != nullptr) coming->free();
    fetch.memory = nullptr;
    return leaveWithSender(fetch);
  }
  coming->ahead = &fetch;
  comes(fetch, cost);
  message.bytes = static_cast<std::byte*>(fetch.memory->data());
  const Announcement announcement = std::exchange(message.announcement, {});
  inlet_.incoming().start(*coming, announcement, message.bytes, message.size);
}

/// An allocator of the user's may do anything with the message: it comes before that is asked.
void Ahead::beginFrames(FetchAhead& fetch, std::size_t cost) {
  if (!inlet_.recallable().tryTake(fetch.message->claim)) return leaveWithSender(fetch);
  fetch.frame_bytes = cost;
  comes(fetch, cost);
  std::unique_ptr<Operation> frames;
  try {
    frames = makeFramesReceive(inlet_, fetch);
  } catch (const std::bad_alloc&) {
  }
  if (frames == nullptr || fetch.message == nullptr) return comesNot(fetch);
  fetch.frames = std::move(frames);
  fetchFrames(*fetch.frames);
}

/// The payload does not come: its receive gets the message, and is told what is wrong.
void Ahead::comesNot(FetchAhead& fetch) {
  Message* const message = fetch.message;
  Operation* const receiver = std::exchange(fetch.receiver, nullptr);
  endComing(fetch);
  if (message == nullptr) return forget(fetch);
  message->stays = true;
  fetch.frame_bytes = 0;
  if (fetch.memory == nullptr) {
    message->ahead = nullptr;
    forget(fetch);
  } else {
    letGo(fetch);  // the table is here
  }
  if (receiver != nullptr) consume(message, *receiver);
}

void Ahead::endComing(FetchAhead& fetch) noexcept {
  coming_.remove(fetch);
  if (fetch.standing == nullptr) coming_bytes_ -= fetch.cost;
  fetch.is_coming = false;
}

void Ahead::comes(FetchAhead& fetch, std::size_t cost) noexcept {
  Message& message = *fetch.message;
  message.claim = 0;
  waitingOf(fetch).remove(fetch);
  coming_.pushBack(fetch);
  fetch.is_coming = true;
  charge(fetch, cost);
  if (fetch.standing == nullptr) coming_bytes_ += fetch.cost;
  inlet_.loop.counters.fetched_ahead.add();
}

void Ahead::copyFromSelf(FetchAhead& fetch, std::size_t cost) {
  Message& message = *fetch.message;
  Operation& sender = *std::exchange(message.sender, nullptr);
  message.bytes = static_cast<std::byte*>(fetch.memory->data());
  message.filled = message.size;
  inlet_.copyIn(message.bytes, sender.buffer, message.size, message.size);
  comes(fetch, cost);
  isHere(fetch);
  endPart(sender, UCS_OK);
}

void Ahead::leaveWithSender(FetchAhead& fetch) noexcept {
  if (fetch.memory != nullptr) return waitingOf(fetch).remove(fetch);  // the table is here
  fetch.message->ahead = nullptr;
  forget(fetch);
}

void Ahead::letGo(FetchAhead& fetch) noexcept {
  if (fetch.node.linked()) {
    waitingOf(fetch).remove(fetch);
    lookAtRest();
  }
  giveBack(fetch);
}

void Ahead::forget(FetchAhead& fetch) noexcept {
  letGo(fetch);
  destroy(fetch);
}

void Ahead::ended(FetchAhead& fetch, ucs_status_t status) {
  Message* const message = fetch.message;
  if (message != nullptr && status == UCS_OK) message->filled = message->size;
  fetch.status = status;
  inlet_.review.ask();  // others may come now
  EndpointState* const stream = fetch.stream;
  isHere(fetch);
  if (message == nullptr) return forget(fetch);
  if (Operation* receiver = std::exchange(fetch.receiver, nullptr)) {
    const bool has_frames = fetch.frames != nullptr && status == UCS_OK;
    return has_frames ? handFrames(message, *receiver) : takenReceived(message, *receiver, status);
  }
  if (status == kTakenBack) inlet_.recallable().dropTakenBack(*message);
  if (stream == nullptr) return;
  pumpStream(*stream);
  if (stream->isOver()) endStreamReceives(*stream);
}

/// Nothing of `fetch` comes any more; after a table its frames may.
void Ahead::isHere(FetchAhead& fetch) {
  endComing(fetch);
  const bool may_have_frames = fetch.message != nullptr && fetch.receiver == nullptr &&
                               fetch.message->kind == MessageKind::Multi &&
                               fetch.frames == nullptr && fetch.status == UCS_OK;
  if (may_have_frames) return waitForFrames(fetch);
  if (fetch.status == UCS_OK && fetch.message != nullptr && fetch.message->is_listed)
    inlet_.recallable().unlist(*fetch.message);
}

/// Frames for a standing receive come next; if that is off, with the receive of the message.
void Ahead::waitForFrames(FetchAhead& fetch) noexcept {
  if (fetch.standing == nullptr) return waiting_.pushBack(fetch);
  if (fetch.standing->limit == 0) return;
  List& waiting = fetch.standing->waiting;
  waiting.insert(waiting.front(), fetch);
  inlet_.loop.needsTimeAt(inlet_.loop.now());
}

void Ahead::revoke(const EndpointState& endpoint, ucs_status_t status) {
  for (FetchAhead* fetch = coming_.front(); fetch != nullptr;) {
    if (fetch->receiver == nullptr || fetch->receiver->endpoint != &endpoint) {
      fetch = coming_.after(*fetch);
      continue;
    }
    Operation& receiver = *std::exchange(fetch->receiver, nullptr);
    discard(fetch->message);
    payloadReceived(receiver, status);
    fetch = coming_.front();  // its callback may have changed them
  }
}

void leaveAhead(Message& message) noexcept {
  FetchAhead& fetch = *std::exchange(message.ahead, nullptr);
  if (fetch.memory != nullptr) message.bytes = nullptr;
  fetch.message = nullptr;
  if (fetch.is_coming) return;  // into memory of its own
  fetch.owner != nullptr ? fetch.owner->forget(fetch) : destroy(fetch);
}

void loseAhead(Message& message) noexcept {
  FetchAhead& fetch = *message.ahead;
  const bool is_here = fetch.memory != nullptr || fetch.frames != nullptr;
  if (is_here && !fetch.is_coming && fetch.status == UCS_OK)
    return std::exchange(fetch.owner, nullptr)->letGo(fetch);
  leaveAhead(message);
  if (message.bytes == nullptr) message.filled = 0;
}

bool takeAhead(Message* message, Operation& op) {
  FetchAhead& fetch = *message->ahead;
  if (fetch.status != UCS_OK) {
    takenReceived(message, op, fetch.status);
  } else if (fetch.frames == nullptr) {
    return false;
  } else if (fetch.is_coming) {
    fetch.receiver = &op;
  } else {
    handFrames(message, op);
  }
  return true;
}

void fetchedAhead(FetchAhead& fetch, ucs_status_t status) { fetch.owner->ended(fetch, status); }

}  // namespace ucxx::core
