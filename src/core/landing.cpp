// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/landing.h"

#include <new>
#include <utility>

#include <ucxx/buffer.h>

#include "base/object_pool.h"
#include "core/host_memory.h"
#include "core/loop.h"
#include "core/transfers.h"
#include "ucp/library.h"

namespace ucxx::core {

std::shared_ptr<std::byte> landingMemory(std::size_t size, bool is_from_far) {
  if (auto staging = takeStaging(size)) return staging;
  const std::shared_ptr<Buffer> buffer = makeReceiveBuffer(size, is_from_far);
  return {buffer, static_cast<std::byte*>(buffer->data())};
}

std::byte* Landing::where(void* place, std::size_t size, bool is_from_far) {
  std::shared_ptr<std::byte> memory = landingMemory(size, is_from_far);
  std::byte* const bytes = memory.get();
  add(place, bytes, size, std::move(memory));
  return bytes;
}

void Landing::add(void* place, const std::byte* bytes, std::size_t size,
                  std::shared_ptr<void> held) {
  Part& part = parts_.emplace_back();
  part.to = place;
  part.from = bytes;
  part.size = size;
  part.gate = gate_;
  part.memory = std::move(held);
  part.landing = this;
  part.done = [](base::Completion& self, ucs_status_t status) {
    static_cast<Part&>(self).landing->ended(status);
  };
}

void Landing::start(Operation& op) noexcept {
  op_ = &op;
  op.stage = Stage::Landing;
  coming_ = parts_.size() + 1;  // this loop: none ends the operation inside it
  for (Part& part : parts_) op.loop->device_copies.start(part);
  ended(UCS_OK);
}

void Landing::ended(ucs_status_t status) noexcept {
  if (status_ == UCS_OK) status_ = status;
  if (--coming_ != 0) return;
  drop();
  landed(*op_, status_);
}

void landed(Operation& op, ucs_status_t status) {
  switch (op.kind) {
    case OperationKind::AmRecv:
      return amReceived(op, status);
    case OperationKind::MultiRecv:
      return multiReceived(op, status);
    default:
      return complete(op, status);
  }
}

bool reachesDevices(const Loop& loop, const Announcement& announcement) noexcept {
  if (!ucp::mayHaveCuda() || announcement.number != 0) return true;  // device_fetches.h
  return announcement && loop.reachesDevices();
}

namespace {

Landing* landingOf(const Operation& op) noexcept {
  switch (op.kind) {
    case OperationKind::ScatterRecv:
      return &static_cast<ScatterExtra&>(*op.extra).landing;
    case OperationKind::StreamRecv:
      return op.extra == nullptr ? nullptr : &static_cast<StreamRecvExtra&>(*op.extra).landing;
    default:
      return nullptr;
  }
}

/// `op` takes its message straight into memory of a device.
bool isPlacedOnDevice(const Operation& op) noexcept {
  if (op.kind == OperationKind::ScatterRecv) {
    const auto& extra = static_cast<const ScatterExtra&>(*op.extra);
    return !extra.on_device.empty() && extra.staging == nullptr;
  }
  if (op.kind != OperationKind::AmRecv) return false;
  const auto& extra = static_cast<const AmRecvExtra&>(*op.extra);
  return extra.buffer->getType() != BufferType::Host && extra.landing.isEmpty();
}

}  // namespace

bool needsCopies(const Operation& sender, std::size_t size, const Operation& op) noexcept {
  return size != 0 && ucp::mayHaveCuda() && (sender.on_device || isPlacedOnDevice(op));
}

std::shared_ptr<CopyGate> gateOf(const Operation& op) noexcept {
  const Landing* const landing = landingOf(op);
  return landing == nullptr ? nullptr : landing->gate();
}

bool needsCopies(const Message& piece) noexcept {
  return piece.sender != nullptr && piece.sender->on_device && ucp::mayHaveCuda();
}

namespace {

/// A block of a send on its way: a part of it, and of its receive or a piece of a stream.
struct FromSender final : DeviceCopy {
  Operation* sender = nullptr;
  Operation* op = nullptr;
  EndpointState* stream = nullptr;

  static FromSender* make() noexcept try {
    auto* const copy = new (base::PoolAllocator<FromSender>().allocate(1)) FromSender;
    copy->done = [](base::Completion& self, ucs_status_t status) {
      auto& copy = static_cast<FromSender&>(self);
      const FromSender ended = std::move(copy);
      copy.~FromSender();
      base::PoolAllocator<FromSender>().deallocate(&copy, 1);
      ended.end(status);
    };
    return copy;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  /// The receive first: its callback may flush, and wait for the send.
  void end(ucs_status_t status) const noexcept {
    op != nullptr ? endPart(*op, status) : streamPieceFetched(*stream, status);
    endPart(*sender, status);
  }
};

void copyBlock(const FromSender& whose, const void* from, std::size_t size, void* to) noexcept {
  FromSender* const copy = FromSender::make();
  if (copy == nullptr) return whose.end(UCS_ERR_NO_MEMORY);
  copy->sender = whose.sender;
  copy->op = whose.op;
  copy->stream = whose.stream;
  if (whose.op != nullptr) copy->gate = gateOf(*whose.op);
  copy->from = from;
  copy->to = to;
  copy->size = size;
  whose.sender->loop->device_copies.start(*copy);
}

}  // namespace

void copyFromSender(Operation& sender, const void* from, std::size_t size, Operation& op,
                    void* to) noexcept {
  FromSender whose;
  whose.sender = &sender;
  whose.op = &op;
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

void copyPieceFromSender(EndpointState& endpoint, Operation& sender, std::size_t size,
                         void* to) noexcept {
  FromSender whose;
  whose.sender = &sender;
  whose.stream = &endpoint;
  copyBlock(whose, sender.buffer, size, to);
}

}  // namespace ucxx::core
