// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/match/landing.h"

#include <algorithm>
#include <utility>

#include <ucxx/buffer.h>

#include "base/completion.h"
#include "base/log.h"
#include "core/bulk/device_fetches.h"
#include "core/bulk/incoming_payloads.h"
#include "core/channel/channels.h"
#include "core/channel/incoming.h"
#include "core/loop/loop.h"
#include "core/match/inlet.h"
#include "core/match/self_copies.h"
#include "core/match/transfers.h"
#include "core/request/device_copies.h"
#include "core/request/host_memory.h"
#include "core/request/known_memory.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/outcome.h"
#include "ucp/library.h"

namespace ucxx::core {
namespace {

/// Null: of a receive into memory of the host.
Landing* landingOf(const Operation& op) noexcept {
  if (op.kind == OperationKind::ScatterRecv) {
    auto& extra = static_cast<ScatterExtra&>(*op.extra);
    return extra.on_device.empty() ? nullptr : &extra.landing;
  }
  if (op.kind == OperationKind::StreamRecv && op.extra != nullptr)
    return &static_cast<StreamRecvExtra&>(*op.extra).landing;
  return nullptr;
}

void freeMemory(Operation& op) noexcept {
  if (op.kind == OperationKind::ScatterRecv)
    static_cast<ScatterExtra&>(*op.extra).staging = nullptr;
  else
    static_cast<StreamRecvExtra&>(*op.extra).memory = nullptr;
}

/// The message of `op` may be given back at the end, out of the memory where it was before; and
/// later, if the caller tells when not any more.
void endBehind(Operation& op, ucs_status_t status) noexcept {
  Landing* const landing = op.received != 0 ? landingOf(op) : nullptr;
  if (landing == nullptr) return freeMemory(op), complete(op, status);
  const bool stays = status == UCS_OK && landing->isTold();
  if (!stays) landing->letGo();
  op.outcome.hold();
  complete(op, status);
  if (!stays) freeMemory(op);
  release(op);
}

bool isOfDevice(const std::shared_ptr<Buffer>& buffer, const void* place) noexcept {
  return buffer != nullptr && buffer->getType() != BufferType::Host && buffer->data() == place;
}

}  // namespace

std::shared_ptr<std::byte> landingMemory(std::size_t size, bool is_from_far) {
  if (auto staging = takeStaging(size)) return staging;
  return bytesOf(makeReceiveBuffer(size, is_from_far));
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
  part.is_to_device = true;
  part.gate = gate_;
  part.held = std::move(held);
  part.landing = this;
  part.done = [](base::Completion& self, ucs_status_t status) {
    static_cast<Part&>(self).landing->ended(status);
  };
}

void Landing::start(Operation& op) noexcept {
  op_ = &op;
  op.stage = Stage::Landing;
  coming_ = parts_.size() + 1;  // this loop: none ends the operation inside it
  for (Part& part : parts_) deviceCopiesOf(*op.loop).start(part);
  ended(UCS_OK);
}

void Landing::setCaller() noexcept {
  gate_ = KnownMemory::gate();
  is_told_ = KnownMemory::isTold();
}

bool Landing::isAtGate() const noexcept {
  const auto is_at_gate = [](const Part& part) { return part.gate != nullptr; };
  return !parts_.empty() && std::all_of(parts_.begin(), parts_.end(), is_at_gate);
}

void Landing::withdraw(DeviceCopies& copies) noexcept {
  for (Part& part : parts_) copies.withdraw(part);
  drop();
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
      return endBehind(op, status);
  }
}

bool comesToDevices(const Loop& loop, const Announcement& announcement) noexcept {
  if (!ucp::mayHaveCuda() || announcement.number != 0) return true;
  return announcement && channelsOf(loop).reachesDevices();
}

bool isOnDevice(const Operation& op, const void* place) noexcept {
  if (!ucp::mayHaveCuda()) return false;
  if (op.kind == OperationKind::ScatterRecv) {
    const auto& extra = static_cast<const ScatterExtra&>(*op.extra);
    return !extra.on_device.empty() && extra.staging == nullptr;
  }
  if (op.kind == OperationKind::AmRecv)
    return isOfDevice(static_cast<const AmRecvExtra&>(*op.extra).buffer, place);
  if (op.kind != OperationKind::MultiRecv) return false;
  const auto& extra = static_cast<const MultiRecvExtra&>(*op.extra);
  return extra.has_device_buffers &&
         std::any_of(extra.buffers.begin(), extra.buffers.end(),
                     [&](const auto& buffer) { return isOfDevice(buffer, place); });
}

std::shared_ptr<CopyGate> gateOf(const Operation& op) noexcept {
  const Landing* const landing = landingOf(op);
  return landing == nullptr ? nullptr : landing->gate();
}

bool isLetGo(const Operation& op) noexcept {
  const Landing* const landing = landingOf(op);
  return landing != nullptr && landing->isLetGo();
}

void letMessageGo(Operation& op) noexcept {
  Landing* const landing = landingOf(op);
  if (landing == nullptr || !landing->isTold() || landing->isLetGo()) return;
  landing->letGo();
  freeMemory(op);
}

void turnBack(Operation& op) noexcept {
  Landing* const landing = landingOf(op);
  if (landing == nullptr || landing->gate() == nullptr) return;
  if (op.stage == Stage::Moving && op.port != nullptr)
    return inletOf(*op.port).incoming().device_fetches.turnBack(op);
  if (op.stage != Stage::Landing) return;
  if (landing->isEmpty()) return turnBackToSelf(op);
  if (landing->isAtGate() && giveBackAtGate(op, *landing)) endBehind(op, UCS_ERR_CANCELED);
}

void* placeOnHost(Operation& op, std::size_t size) noexcept {
  if (prepareScatter(op, size, {}) == UCS_OK) return op.buffer;
  base::log(
      LogLevel::Warn, "request",
      "{}: no memory to give a message of {} bytes back: its cancel waits for the stream that "
      "the array names",
      toString(op.kind), size);
  return nullptr;
}

}  // namespace ucxx::core
