// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// The self channel: what is sent is handed to its receiver inside the call.

#include "base/cuda_driver.h"
#include "core/channel/incoming.h"
#include "core/channel/port.h"
#include "core/link/at_once.h"
#include "core/link/link.h"
#include "core/link/send_actions.h"
#include "core/match/inbox.h"
#include "core/match/inlet.h"
#include "core/match/large_frames.h"
#include "core/match/matcher.h"
#include "core/match/transfers.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/posted_receive.h"
#include "core/wire/wire.h"
#include "ucp/library.h"

namespace ucxx::core {
/// Only if a receive waits for it.
[[gnu::noinline]] bool Link::giveToSelf(const void* buffer, std::size_t size, std::uint64_t tag) {
  PostedReceive* receive = inboxOf(loop).tags.match(tag);
  if (receive == nullptr) return false;
  countSent(size);
  countReceived(size);
  deliverBytes(*this, buffer, size, tag, static_cast<Operation&>(*receive));
  return true;
}

void Link::sendSelf(Operation& op) {
  // Where there is no driver of CUDA, no memory is a device's, whatever its caller says.
  const bool is_on_device = comesFromDevice(op) && ucp::mayHaveCuda();
  if (is_on_device && base::cuda::driver() == nullptr) return complete(op, UCS_ERR_UNSUPPORTED);
  if (iovOf(op) != nullptr && !is_on_device && !gather(op)) return complete(op, UCS_ERR_NO_MEMORY);
  if (isOfEndedPlan(op)) [[unlikely]]
    return complete(op, UCS_ERR_CONNECTION_RESET);
  begin(op);
  try {
    handToSelf(op);
  } catch (const std::bad_alloc&) {
    op.part_status = UCS_ERR_NO_MEMORY;
  }
  endPart(op, UCS_OK);
}

void Link::handToSelf(Operation& op) {
  Incoming message;
  if (op.kind == OperationKind::AmSend) {
    auto& extra = static_cast<AmSendExtra&>(*op.extra);
    extra.header = writeAmHeader(op.header, extra.prologue);
    message.prologue = std::span<const std::byte>(extra.header).subspan(sizeof(WireHeader));
  }
  message.header = op.header;
  message.bytes = op.buffer;
  message.size = op.length;
  message.sender = &op;
  ++op.parts;  // the message
  handle(message);
  if (!message.sender_kept) endPart(op, UCS_OK);
  if (op.kind == OperationKind::MultiSend) {
    const std::uint32_t sequence = op.header.sequence;
    sendFrames(*this, op, sequence);
    frames_.close(sequence);
  }
}

}  // namespace ucxx::core
