// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/match/self_copies.h"

#include <new>
#include <utility>

#include "base/completion.h"
#include "base/object_pool.h"
#include "core/match/landing.h"
#include "core/match/message.h"
#include "core/match/transfers.h"
#include "core/request/device_copies.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "ucp/library.h"

namespace ucxx::core {
namespace {

/// A block of a send on its way: a part of it, and of its receive or a piece of a stream.
struct SelfCopy final : DeviceCopy {
  Operation* sender = nullptr;
  Operation* op = nullptr;
  EndpointState* stream = nullptr;

  static SelfCopy* make() noexcept try {
    auto* const copy = new (base::PoolAllocator<SelfCopy>().allocate(1)) SelfCopy;
    copy->done = [](base::Completion& self, ucs_status_t status) {
      auto& copy = static_cast<SelfCopy&>(self);
      const SelfCopy ended = std::move(copy);
      copy.~SelfCopy();
      base::PoolAllocator<SelfCopy>().deallocate(&copy, 1);
      ended.end(status);
    };
    return copy;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  /// The bytes come to `receive`, at `place`.
  void comesTo(const Operation& receive, const void* place) noexcept {
    is_to_device = isOnDevice(receive, place);
    if (is_to_device) gate = gateOf(receive);
  }
  /// The receive first: its callback may flush, and wait for the send.
  void end(ucs_status_t status) const noexcept {
    op != nullptr ? endPart(*op, status) : streamPieceFetched(*stream, status);
    endPart(*sender, status);
  }
};

/// What active messages and frames say of their memory, nobody has asked the driver about.
bool isKnownOnDevice(const Operation& sender) noexcept {
  const bool is_asked =
      sender.kind == OperationKind::TagSend || sender.kind == OperationKind::StreamSend;
  return is_asked && sender.on_device;
}

void copyBlock(const SelfCopy& whose, const void* from, std::size_t size, void* to) noexcept {
  SelfCopy* const copy = SelfCopy::make();
  if (copy == nullptr) return whose.end(UCS_ERR_NO_MEMORY);
  copy->sender = whose.sender;
  copy->op = whose.op;
  copy->stream = whose.stream;
  copy->from = from;
  copy->to = to;
  copy->size = size;
  copy->is_from_device = isKnownOnDevice(*whose.sender);
  copy->is_to_device = whose.is_to_device;
  copy->gate = whose.gate;
  deviceCopiesOf(*whose.sender->loop).start(*copy);
}

}  // namespace

bool needsCopies(const Operation& sender, std::size_t size, const Operation& op) noexcept {
  return size != 0 && ucp::mayHaveCuda() && (sender.on_device || isOnDevice(op, op.buffer));
}

bool needsCopies(const Message& piece) noexcept {
  return piece.sender != nullptr && piece.sender->on_device && ucp::mayHaveCuda();
}

void copyFromSender(Operation& sender, const void* from, std::size_t size, Operation& op,
                    void* to) noexcept {
  SelfCopy whose;
  whose.sender = &sender;
  whose.op = &op;
  whose.comesTo(op, to);
  op.stage = Stage::Landing;
  ++op.parts;
  const auto* const iov = iovOf(sender);
  if (iov == nullptr) return copyBlock(whose, from, size, to);
  auto* next = static_cast<std::byte*>(to);
  for (const ucp_dt_iov_t& block : *iov) {
    ++op.parts;
    ++sender.parts;
    copyBlock(whose, block.buffer, block.length, next);
    next += block.length;
  }
  whose.end(UCS_OK);
}

void turnBackToSelf(Operation& op) noexcept {
  DeviceCopies& copies = deviceCopiesOf(*op.loop);
  const std::shared_ptr<CopyGate> gate = gateOf(op);
  unsigned waiting = 0;
  copies.eachAt(*gate, [&](DeviceCopy&) { ++waiting; });
  if (waiting == 0 || waiting != op.parts) return;
  auto* const place = static_cast<std::byte*>(op.buffer);
  auto* const on_host = static_cast<std::byte*>(placeOnHost(op, op.received));
  if (on_host == nullptr) return;
  copies.eachAt(*gate, [&](DeviceCopy& copy) {
    copy.to = on_host + (static_cast<std::byte*>(copy.to) - place);
    copy.is_to_device = false;
    copy.gate = nullptr;
  });
}

void copyPieceFromSender(EndpointState& endpoint, Operation& sender, std::size_t size,
                         void* to) noexcept {
  SelfCopy whose;
  whose.sender = &sender;
  whose.stream = &endpoint;
  if (const Operation* const receiver = fetchedPiece(endpoint)->receiver)
    whose.comesTo(*receiver, to);
  copyBlock(whose, sender.buffer, size, to);
}

}  // namespace ucxx::core
