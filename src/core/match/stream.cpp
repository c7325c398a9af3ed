// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "base/list.h"
#include "core/bulk/incoming_payloads.h"
#include "core/channel/incoming.h"
#include "core/channel/port.h"
#include "core/link/endpoint_end.h"
#include "core/loop/loop.h"
#include "core/loop/reviews.h"
#include "core/match/ahead.h"
#include "core/match/endpoint_state.h"
#include "core/match/inlet.h"
#include "core/match/landing.h"
#include "core/match/matcher.h"
#include "core/match/message.h"
#include "core/match/recallable_messages.h"
#include "core/match/self_copies.h"
#include "core/match/transfers.h"
#include "core/request/cancel.h"
#include "core/request/complete_receive.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/outcome.h"
#include "core/request/posted_receive.h"
#include "core/wire/wire.h"
#include "local/claims.h"

namespace ucxx::core {
namespace {

StreamRecvExtra& placeExtraOf(const Operation& op) noexcept {
  return static_cast<StreamRecvExtra&>(*op.extra);
}

/// A receive has all that it gets.
void endWithSuccess(Operation& op) noexcept {
  if (op.extra == nullptr || op.outcome.isDisowned()) [[likely]]
    return complete(op, UCS_OK);
  StreamRecvExtra& extra = placeExtraOf(op);
  try {
    extra.landing.add(extra.place, extra.memory.get(), op.received, extra.memory);
  } catch (const std::bad_alloc&) {
    return complete(op, UCS_ERR_NO_MEMORY);
  }
  extra.landing.start(op);
}

void dropFront(EndpointState& endpoint) noexcept { discard(endpoint.stream_messages.popFront()); }

/// `op` has all that it wants; if it takes less, all that is in memory, `next` being the next
/// piece.
bool isServed(const Operation& op, const Message* next) noexcept {
  if (op.received == op.length) return true;
  return op.takes_some && op.received != 0 &&
         (next == nullptr || next->announcement || isComing(*next) || needsCopies(*next));
}

/// Copies from the oldest piece to the oldest receive; ends whichever is used up.
void copyPiece(EndpointState& endpoint, Message& piece, Operation& op) {
  const void* source = piece.sender != nullptr ? piece.sender->buffer : piece.bytes;
  const std::size_t count = std::min(piece.size - piece.consumed, op.length - op.received);
  if (count != 0)
    std::memcpy(static_cast<std::byte*>(op.buffer) + op.received,
                static_cast<const std::byte*>(source) + piece.consumed, count);
  piece.consumed += count;
  op.received += count;
  op.number = endpoint.stream_taken += count;
  const bool used_up = piece.consumed == piece.size;
  const bool ends = isServed(op, used_up ? endpoint.stream_messages.after(piece) : &piece);
  // Off the list before the piece goes: its end may be the end of a flush, whose callback posts.
  if (ends) endpoint.stream_receives.remove(op);
  if (used_up) dropFront(endpoint);
  if (ends) endWithSuccess(op);
}

/// Straight into the receive when it wants all of the piece, else into memory first. False: no
/// memory, the receive has ended.
bool fetchPiece(EndpointState& endpoint, Message& piece, Operation& op) {
  if (piece.ahead != nullptr) leaveAhead(piece);
  std::byte* target = nullptr;
  const bool direct = op.length - op.received >= piece.size;
  if (!direct) {
    try {
      if (piece.size > endpoint.loop.options.multi_bytes) throw std::bad_alloc();
      reserve(piece);
    } catch (const std::bad_alloc&) {
      endpoint.stream_receives.remove(op);
      complete(op, UCS_ERR_NO_MEMORY);
      return false;
    }
    target = piece.bytes;
  } else {
    target = static_cast<std::byte*>(op.buffer) + op.received;
    piece.receiver = &op;
    op.stage = Stage::Moving;
    op.number = endpoint.stream_taken += piece.size;
  }
  piece.fetching = true;
  if (piece.is_listed) piece.inlet->recallable().unlist(piece);  // nobody takes it back any more
  if (Operation* const sender = std::exchange(piece.sender, nullptr))
    copyPieceFromSender(endpoint, *sender, piece.size, target);
  else
    piece.inlet->incoming().fetchPiece(endpoint, std::exchange(piece.announcement, {}), target,
                                       piece.size);
  return true;
}

/// The last one that was given back, where no receive has what comes after it; or null.
Message* lastTaken(const EndpointState& endpoint) noexcept {
  Message* piece = endpoint.stream_messages.front();
  while (piece != nullptr && piece->is_gap && piece->number != endpoint.stream_taken)
    piece = endpoint.stream_messages.after(*piece);
  return piece != nullptr && piece->is_gap ? piece : nullptr;
}

/// What comes after the last bytes that receives have was given back, and is in its place again.
void closeGaps(EndpointState& endpoint) noexcept {
  while (Message* last = lastTaken(endpoint)) {
    last->is_gap = false;
    endpoint.stream_taken -= last->size;
  }
}

/// A piece is lost: what comes behind it has no place in the stream any more.
void breakStream(EndpointState& endpoint, Operation* direct, ucs_status_t status) {
  while (!endpoint.stream_messages.empty()) dropFront(endpoint);
  if (direct != nullptr) {
    endpoint.stream_receives.remove(*direct);
    complete(*direct, status);
  }
  Inlet* const inlet = endpoint.inlet;
  if (inlet != nullptr && endpoint.listed) inlet->sendControl(MessageKind::Close, endpoint);
  endEndpoint(endpoint, status);
  endStreamReceives(endpoint);
}

/// A piece is as if it had never been sent.
void pieceTakenBack(EndpointState& endpoint, Message& piece, Operation* direct) {
  if (direct != nullptr) {
    direct->number = endpoint.stream_taken -= piece.size;
    direct->stage = Stage::Waiting;
  }
  endpoint.stream_messages.remove(piece);
  discard(&piece);
  closeGaps(endpoint);
  if (direct != nullptr && direct->cancelled && withdrawOperation(*direct))
    complete(*direct, UCS_ERR_CANCELED);
  pumpStream(endpoint);
  if (endpoint.isOver()) endStreamReceives(endpoint);
}

/// Bytes were given back after a later receive had taken what follows them: the next receive would
/// get them out of order.
void breakAtGap(EndpointState& endpoint) {
  if (fetchedPiece(endpoint) != nullptr) return;  // its end comes back to the stream
  if (!endpoint.isOver())
    tellWhy(endpoint,
            " (a stream receive was cancelled after a later one had taken the bytes that follow: "
            "its own bytes have no place in the stream any more)");
  breakStream(endpoint, nullptr, UCS_ERR_CONNECTION_RESET);
}

/// The sender of a piece has closed, and taken it back: what came after it has no place any more.
void breakAtCut(EndpointState& endpoint) {
  if (!endpoint.isOver())
    tellWhy(endpoint, " (the peer closes, and has taken back bytes of the stream)");
  breakStream(endpoint, nullptr, UCS_ERR_CONNECTION_RESET);
}

}  // namespace

void pumpStream(EndpointState& endpoint) {
  for (;;) {
    Message* piece = endpoint.stream_messages.front();
    Operation* op = endpoint.stream_receives.front();
    if (piece == nullptr || op == nullptr || piece->fetching || op->stage == Stage::Moving) return;
    if (isComing(*piece)) return;
    if (endInVain(*op)) continue;
    if (piece->is_gap) [[unlikely]]
      return breakAtGap(endpoint);
    if (piece->is_cut_off) return breakAtCut(endpoint);
    if (const ucs_status_t status = failureOf(*piece); status != UCS_OK)
      return breakStream(endpoint, nullptr, status);
    const local::Claim claim = piece->claim;
    if (!tryTake(*piece)) {
      if (piece->inlet->recallable().leavesGap(claim)) return breakAtCut(endpoint);
      dropFront(endpoint);
    } else if (piece->announcement || needsCopies(*piece)) {
      fetchPiece(endpoint, *piece, *op);
    } else {
      copyPiece(endpoint, *piece, *op);
    }
  }
}

void restoreStream(EndpointState& endpoint, Message& piece) {
  MessageList& queue = endpoint.stream_messages;
  Message* later = queue.front();
  while (later != nullptr && later->is_gap && later->number < piece.number)
    later = queue.after(*later);
  piece.is_gap = true;
  queue.insert(later, piece);
  closeGaps(endpoint);
  pumpStream(endpoint);
}

Message* fetchedPiece(const EndpointState& endpoint) noexcept {
  // Before it there is only what was given back.
  Message* piece = endpoint.stream_messages.front();
  while (piece != nullptr && !piece->fetching && piece->is_given_back)
    piece = endpoint.stream_messages.after(*piece);
  return piece != nullptr && piece->fetching ? piece : nullptr;
}

void streamPieceFetched(EndpointState& endpoint, ucs_status_t status) {
  Message& piece = *fetchedPiece(endpoint);
  Operation* direct = std::exchange(piece.receiver, nullptr);
  piece.fetching = false;
  if (endpoint.isOver()) endpoint.review.ask();
  if (status == kTakenBack) return pieceTakenBack(endpoint, piece, direct);
  if (status != UCS_OK) return breakStream(endpoint, direct, status);
  if (direct != nullptr) {
    direct->received += piece.size;
    direct->stage = Stage::Waiting;
    const Message* next = endpoint.stream_messages.after(piece);
    endpoint.stream_messages.remove(piece);
    discard(&piece);
    if (isServed(*direct, next)) {
      endpoint.stream_receives.remove(*direct);
      endWithSuccess(*direct);
    } else if (direct->cancelled && withdrawOperation(*direct)) {
      complete(*direct, UCS_ERR_CANCELED);
    }
  }
  pumpStream(endpoint);
  if (endpoint.isOver()) endStreamReceives(endpoint);
}

void endStreamReceives(EndpointState& endpoint) noexcept {
  if (fetchedPiece(endpoint) != nullptr) return;  // its end comes back here
  const Message* piece = endpoint.stream_messages.front();
  if (piece != nullptr && isComing(*piece) && piece->inlet->state == Port::State::Up) return;
  while (Operation* op = endpoint.stream_receives.popFront()) complete(*op, endpoint.overStatus());
}

namespace {

/// The blocks of a receive into memory of a device. If there is more than the next blocks hold,
/// only those pages are taken that are written. Throws `std::bad_alloc`.
void collect(Operation& op) {
  auto& extra = static_cast<StreamRecvExtra&>(*op.extra);
  extra.memory = landingMemory(op.length, true);
  op.buffer = extra.memory.get();
}

}  // namespace

void setPlace(Operation& op, void* place) {
  auto extra = std::make_unique<StreamRecvExtra>(place);
  extra->landing.setCaller();
  op.extra = std::move(extra);
}

void startStreamRecv(Operation& op) {
  EndpointState& endpoint = endpointOf(op);
  if (op.extra != nullptr) collect(op);
  endpoint.stream_receives.pushBack(op);
  pumpStream(endpoint);
  if (endpoint.isOver()) endStreamReceives(endpoint);
}

void onStream(Inlet& inlet, const Incoming& message) {
  if (message.endpoint == nullptr || message.endpoint->isOver()) return inlet.refuse(message);
  Message& kept = *keep(inlet, message);
  queueUp(message.endpoint->stream_messages, kept);
  if (!kept.inMemory()) inlet.ahead().consider(kept, message.header, message.endpoint);
  pumpStream(*message.endpoint);
}

Operation* receiveOfStream(const EndpointState& endpoint, std::size_t size) noexcept {
  Operation* const op = endpoint.stream_receives.front();
  const bool waits = op != nullptr && endpoint.stream_messages.empty() && !endpoint.isOver();
  return waits && size != 0 && size <= op->length - op->received && !op->outcome.isDisowned()
             ? op
             : nullptr;
}

void takeStream(Inlet& inlet, std::span<const std::byte> payload, Operation& op) noexcept {
  EndpointState& endpoint = endpointOf(op);
  inlet.copyIn(static_cast<std::byte*>(op.buffer) + op.received, payload.data(), payload.size(),
               payload.size());
  op.received += payload.size();
  op.number = endpoint.stream_taken += payload.size();
  if (!isServed(op, nullptr)) return;
  endpoint.stream_receives.remove(op);
  op.extra == nullptr ? completeReceive(op) : endWithSuccess(op);
}

bool withdrawStreamRecv(Operation& op) noexcept {
  if (!op.wait_node.linked() || op.stage == Stage::Moving) return false;
  // Bytes that it has must not be lost: without a place for them it waits for the rest.
  if (op.received != 0) return !op.endpoint->isOver() && giveBackPart(op);
  endpointOf(op).stream_receives.remove(op);
  return true;
}

}  // namespace ucxx::core
