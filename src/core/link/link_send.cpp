// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <algorithm>

#include "base/completion.h"
#include "base/file_descriptor.h"
#include "base/list.h"
#include "base/object_pool.h"
#include "base/phase.h"
#include "base/phases.h"
#include "core/bulk/offers.h"
#include "core/channel/channels.h"
#include "core/channel/credit.h"
#include "core/channel/incoming.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/at_once.h"
#include "core/link/carrier.h"
#include "core/link/goodbye.h"
#include "core/link/link.h"
#include "core/link/recalls.h"
#include "core/link/send_actions.h"
#include "core/loop/reviews.h"
#include "core/match/endpoint_state.h"
#include "core/match/transfers.h"
#include "core/onesided/accesses.h"
#include "core/plan/plan.h"
#include "core/plan/plans.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/posted_receive.h"
#include "core/wire/wire.h"
#include "local/choices.h"
#include "ucp/library.h"

namespace ucxx::core {
namespace {

template <class T>
std::span<const std::byte> bytesOf(const T& header) noexcept {
  return {reinterpret_cast<const std::byte*>(&header), sizeof header};
}

std::span<const std::byte> amHeaderOf(Operation& op) {
  auto& extra = static_cast<AmSendExtra&>(*op.extra);
  extra.header = writeAmHeader(op.header, extra.prologue);
  return extra.header;
}

}  // namespace

/// A part of an operation on its way, beside its first message.
struct Link::Transmission final : base::Completion {
  Transmission(Link& link_, Operation& op_, const WireHeader& header_, Carrier carrier) noexcept
      : header(header_), link(link_), op(op_), announced(carrier == Carrier::UcxAnnounced) {
    done = [](base::Completion& self, ucs_status_t status) {
      static_cast<Transmission&>(self).ended(status);
    };
  }
  void ended(ucs_status_t status) noexcept {
    Link& its_link = link;
    Operation& its_op = op;
    const bool was_announced = announced;
    base::PoolAllocator<Transmission>().deallocate(this, 1);
    if (was_announced) return its_link.announcementEnded(&its_op, status);
    its_link.partEnded();
    endPart(its_op, its_link.sendEnded(status));
  }

  WireHeader header;
  Link& link;
  Operation& op;
  const bool announced;
};

void Link::send(Operation& op) {
  // While those are sent, a callback of theirs may post another: it comes behind them.
  if (state != State::Up || !endpointOf(op).before_link.empty())
    return endpointOf(op).before_link.pushBack(op);
  sendInTurn(op);
}

void Link::sendInTurn(Operation& op) {
  if (isOneSided(op.kind)) return accesses_.add(op);
  if (channel == ChannelKind::Self) return sendSelf(op);
  if (!waiting_.empty() || isHoldingSends()) return waiting_.pushBack(op);
  sendNow(op);
}

/// `op` gets its message, and one part of it, so that what follows cannot end it inside.
void Link::begin(Operation& op) {
  op.stage = Stage::Moving;
  op.port = this;
  op.header = headerFor(messageOf(op.kind), op.endpoint->pairName(), op.tag, op.length);
  if (op.kind == OperationKind::PreparedSend) op.header.endpoint = planIdOf(op);
  op.header.stays = op.synchronous || op.on_device ? 1 : 0;
  ++op.parts;
  countSent(op.length);
}

/// Bytes that waited for their turn, while the peer closed its end of the plan.
bool Link::isOfEndedPlan(const Operation& op) const noexcept {
  return op.kind == OperationKind::PreparedSend && !plans_.hasSend(planIdOf(op));
}

void Link::sendNow(Operation& op) {
  // The send was accepted before UCX was there, which takes less than a ring.
  if (channel == ChannelKind::Ucp &&
      sizeof(WireHeader) + prologueBytesOf(op) > channelsOf(loop).maxHeaderBytes())
    return complete(op, UCS_ERR_EXCEEDS_LIMIT);
  // Without CUDA, UCX would read it with the processor.
  if (channel == ChannelKind::Ucp && comesFromDevice(op) && !channelsOf(loop).reachesDevices())
    return complete(op, UCS_ERR_UNSUPPORTED);
  if (isOfEndedPlan(op)) [[unlikely]]
    return complete(op, UCS_ERR_CONNECTION_RESET);
  begin(op);
  const bool eager = isEager(*this, send_credit_, op);
  if (eager) send_credit_.spend(costOf(op.length, prologueBytesOf(op)));
  try {
    // A ring needs no name of the link in the header: there goes the claim.
    if (channel == ChannelKind::Local) op.header.link = op.claim = recalls_.claimFor(op, eager);
    eager ? sendWhole(op) : announce(op);
    if (op.kind == OperationKind::MultiSend) sendFrames(*this, op, op.header.sequence);
  } catch (const std::bad_alloc&) {
    op.part_status = UCS_ERR_NO_MEMORY;
    fail(UCS_ERR_NO_MEMORY);  // the peer has a part of it, and waits for the rest
  }
  endPart(op, UCS_OK);
}

void Link::sendWhole(Operation& op) {
  const std::size_t each = fragmentOf(*this, op);
  if (op.length <= each || !isContiguous(op)) return sendFirst(op, op.buffer, op.length);
  sendFirst(op, op.buffer, each);
  sendRest(op, each);
}

void Link::announce(Operation& op) {
  op.announced = true;
  if (isAnnouncedByUcx(*this, op)) return sendFirst(op, op.buffer, op.length);
  const ucp_dt_iov_t buffer{op.buffer, op.length};
  const auto* iov = iovOf(op);
  const auto place =
      offer(op, op.header, iov != nullptr ? std::span(*iov) : std::span(&buffer, 1), op.on_device);
  sendFirst(op, place.data(), place.size());
  base::reached(base::Phase::Announced);
}

void Link::sendFirst(Operation& op, const void* bytes, std::size_t size) {
  const auto header = op.kind == OperationKind::AmSend ? amHeaderOf(op) : bytesOf(op.header);
  ++op.parts;  // only now: the header of an active message is allocated
  ++pending_parts;
  if (isAnnouncedByUcx(*this, op)) send_credit_.announce();
  const ucs_status_t status = transmitFirst(op, header, bytes, size);
  if (status != UCS_INPROGRESS) op.done(op, status);
}

ucs_status_t Link::transmitFirst(Operation& op, std::span<const std::byte> header,
                                 const void* bytes, std::size_t size) {
  const Carrier carrier = carrierOf(*this, op);
  op.done = [](base::Completion& self, ucs_status_t status) {
    auto& sent = static_cast<Operation&>(self);
    Link& link = linkOf(*sent.port);
    if (isAnnouncedByUcx(link, sent)) return link.announcementEnded(&sent, status);
    link.partEnded();
    endPart(sent, link.sendEnded(status));
  };
  if (op.claim != 0) return putCopy(header, bytes, size);
  const auto* iov = iovOf(op);
  if (iov != nullptr && op.header.announces == 0) return put(header, *iov, carrier, op);
  return put(header, bytes, size, carrier, op,
             op.announced ? std::nullopt : fragmentWayOf(op.length));
}

/// `header` announces `blocks`, a part of `op`. Returns what goes with it: inside a machine, where
/// they are.
std::span<const std::byte> Link::offer(Operation& op, WireHeader& header,
                                       std::span<const ucp_dt_iov_t> blocks, bool on_device) {
  std::span<const std::byte> place;
  const Announces what = on_device ? announcesOf(loop, blocks) : Announces::Payload;
  if (on_device)
    offers_.addOfDevice(op, blocks, what == Announces::OnDeviceByHandle);
  else
    place = offers_.add(op, blocks);  // both may throw: counted after it
  header.announces = static_cast<std::uint8_t>(what);
  if (channel == ChannelKind::Local) header.link = op.claim;
  ++op.parts;
  ++pending_parts;
  send_credit_.announce();
  return channel == ChannelKind::Local ? place : std::span<const std::byte>();
}

void Link::sendRest(Operation& op, std::size_t offset) {
  const auto* bytes = static_cast<const std::byte*>(op.buffer);
  const std::size_t each = fragmentOf(*this, op);
  for (; offset < op.length; offset += each) {
    const std::size_t size = std::min(each, op.length - offset);
    transmit(op, headerFor(MessageKind::Fragment, op.endpoint->pairName(), offset, op.length),
             bytes + offset, size, carrierOf(*this, op));
  }
}

void Link::transmit(Operation& op, const WireHeader& header, const void* buffer, std::size_t size,
                    Carrier carrier) {
  auto* const sent = new (base::PoolAllocator<Transmission>().allocate(1))
      Transmission(*this, op, header, carrier);
  ++pending_parts;
  ++op.parts;
  if (sent->announced) send_credit_.announce();
  const auto bytes = bytesOf(sent->header);
  const auto fragment =
      header.kind == MessageKind::Fragment ? fragmentWayOf(header.length) : std::nullopt;
  const ucs_status_t status = op.claim != 0 ? putCopy(bytes, buffer, size)
                                            : put(bytes, buffer, size, carrier, *sent, fragment);
  if (status != UCS_INPROGRESS) sent->ended(status);
}

void Link::sendFrame(Operation& op, const void* buffer, const FrameInfo& frame,
                     std::uint64_t argument) {
  WireHeader header =
      headerFor(MessageKind::MultiFrame, op.endpoint->pairName(), argument, frame.size);
  const bool on_device = frame.cuda && ucp::mayHaveCuda();
  const bool is_ucx = (on_device && local == nullptr) || !fragments().own_announcements;
  if (channel != ChannelKind::Self && is_ucx)
    return transmit(op, header, buffer, frame.size, Carrier::UcxAnnounced);
  if (channel != ChannelKind::Self) {
    const ucp_dt_iov_t block{const_cast<void*>(buffer), frame.size};
    const auto place = offer(op, header, std::span(&block, 1), on_device);
    transmit(op, header, place.data(), place.size(), Carrier::Channel);
    return base::reached(base::Phase::Announced);
  }
  Incoming message;
  message.header = header;
  message.bytes = buffer;
  message.size = frame.size;
  message.sender = &op;
  ++op.parts;
  handle(message);
  if (!message.sender_kept) endPart(op, UCS_OK);
}

void Link::sendWaiting() {
  while (state == State::Up && !isHoldingSends() && !waiting_.empty() && !base::isForkedChild())
    sendNow(*waiting_.popFront());
}

void Link::withdraw(Operation& op) noexcept {
  WaitList& before_link = endpointOf(op).before_link;
  Operation* early = before_link.front();
  while (early != nullptr && early != &op) early = before_link.after(*early);
  if (early == nullptr && isOneSided(op.kind)) return accesses_.withdraw(op);
  (early != nullptr ? before_link : waiting_).remove(op);
  review.ask();  // it may have held up others
}

/// What ends with its link was perhaps not received.
void Link::announcementEnded(Operation* op, ucs_status_t status) noexcept {
  partEnded();
  send_credit_.announcementEnded();
  if (!waiting_.empty()) review.ask();  // which sends them, outside of UCX's callback
  if (op == nullptr) return;
  if (const ucs_status_t failure_status = failureStatus(); failure_status != UCS_OK)
    status = failure_status;
  else if (goodbye.isAnswered())
    status = UCS_ERR_CONNECTION_RESET;
  else if (status == UCS_ERR_CANCELED)  // UCX has it for a drop, but some versions OK
    status = statusOfDropped(*op);
  endPart(*op, status);
}

/// What a send ends with that the receiver had no use for, which is the receiver's affair; but
/// perhaps nobody was there any more, or the receiver was asked to drop it.
ucs_status_t statusOfDropped(const Operation& op) noexcept {
  if (op.recalling) return UCS_ERR_CANCELED;
  if (!op.endpoint->isOver()) return UCS_OK;
  const ucs_status_t failure = op.endpoint->error.load(std::memory_order_relaxed);
  return failure == UCS_OK ? UCS_ERR_CONNECTION_RESET : failure;
}

}  // namespace ucxx::core
