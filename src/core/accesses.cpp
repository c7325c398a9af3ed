// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/accesses.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/context_state.h"
#include "core/loop.h"
#include "core/transfers.h"
#include "local/choices.h"

namespace ucxx::core {
namespace {

std::size_t lengthOf(Operation& op) noexcept {
  return op.kind == OperationKind::Atomic ? oneSidedOf(op).update.word_bytes : op.length;
}

void update(std::byte* word, Operation& op) noexcept {
  const AtomicUpdate& update = oneSidedOf(op).update;
  const std::uint64_t before = update.apply(word);
  if (update.fetches != 0) update.store(before, op.buffer);
}

/// The next bytes of a put or get, or the whole of an atomic operation, at `place`.
void accessAt(std::byte* place, Operation& op, std::size_t size) noexcept {
  OneSidedExtra& extra = oneSidedOf(op);
  std::byte* const own = static_cast<std::byte*>(op.buffer) + extra.begun;
  if (op.kind == OperationKind::MemPut)
    std::memcpy(place, own, size);
  else if (op.kind == OperationKind::MemGet)
    std::memcpy(own, place, size);
  else
    update(place, op);
}

/// There is nothing left of it but answers.
bool isBegun(Operation& op) noexcept {
  return op.kind == OperationKind::Flush || op.part_status != UCS_OK ||
         oneSidedOf(op).begun == lengthOf(op);
}

}  // namespace

void Accesses::add(Operation& op) {
  op.channel_link = &link_;
  oneSidedOf(op).memory->look(link_);
  queue(op);
}

/// Whatever waits longer is tried first.
void Accesses::queue(Operation& op) {
  ++op.parts;  // its own, until it has begun all that it is to do
  const bool is_next = active_.empty() && !isFull();
  active_.pushBack(op);
  if (is_next) goOn(op);
  if (!active_.empty()) link_.loop.links().startCopying(link_);
}

std::size_t Accesses::work() { return isQuiet() ? 0 : goOn(*active_.front()); }

void Accesses::withdraw(Operation& op) noexcept {
  active_.remove(op);
  --op.parts;
}

/// Returns the bytes, or 1 when there are none. The operation may be gone afterwards.
std::size_t Accesses::goOn(Operation& op) {
  active_.remove(op);
  op.stage = Stage::Moving;
  std::size_t size = 0;
  try {
    size = op.kind == OperationKind::Flush ? askWhetherSettled(&op) : begin(op);
  } catch (const std::bad_alloc&) {
    op.part_status = UCS_ERR_NO_MEMORY;
  }
  if (isBegun(op))
    endPart(op, UCS_OK);
  else
    active_.pushBack(op);  // the others have their turn
  return std::max<std::size_t>(size, 1);
}

/// Does its next piece, or has it done by others. Returns the bytes.
std::size_t Accesses::begin(Operation& op) {
  OneSidedExtra& extra = oneSidedOf(op);
  const std::size_t left = lengthOf(op) - extra.begun;
  if (left == 0) return 0;
  std::size_t size = std::min(left, local::choices::kMostChunk);
  switch (wayOf(op)) {
    case Way::Here:
      size = access(op, size);
      break;
    case Way::Kernel:
      size = copy(op, size);
      break;
    case Way::Messages:
      size = send(op, std::min(left, link_.pieceBytes()));
      break;
    case Way::None:
      op.part_status = UCS_ERR_INVALID_PARAM;
      size = 0;
  }
  extra.begun += size;
  return size;
}

Accesses::Way Accesses::wayOf(Operation& op) const noexcept {
  const OneSidedExtra& extra = oneSidedOf(op);
  const RemoteMemory& memory = *extra.memory;
  if (link_.channel == ChannelKind::Self) return Way::Here;
  if (!memory.isWatched()) return Way::Messages;
  if (!memory.isThere()) return Way::None;
  if (memory.begin() != nullptr) return Way::Here;
  const bool may_copy = op.kind != OperationKind::Atomic && !extra.kernel_failed;
  return may_copy && link_.local->memory().isOpen() ? Way::Kernel : Way::Messages;
}

std::size_t Accesses::access(Operation& op, std::size_t size) noexcept {
  OneSidedExtra& extra = oneSidedOf(op);
  const RemoteMemory& memory = *extra.memory;
  const auto use = [&](std::byte* place) { accessAt(place, op, size); };
  const std::uint64_t offset = extra.offset + extra.begun;
  if (link_.channel != ChannelKind::Self) {
    use(memory.begin() + offset);
  } else if (!link_.loop.context().state().memory.reach(memory.key().id, offset, size, use)) {
    op.part_status = UCS_ERR_INVALID_PARAM;
    return 0;
  }
  return size;
}

/// Not before we know that the peer is still there: another program may have its memory, or its
/// number. What was read while it ended is nothing either.
std::size_t Accesses::copy(Operation& op, std::size_t size) noexcept {
  OneSidedExtra& extra = oneSidedOf(op);
  std::byte* const own = static_cast<std::byte*>(op.buffer) + extra.begun;
  const std::uint64_t place = extra.memory->key().base + extra.offset + extra.begun;
  local::PeerMemory& memory = link_.local->memory();
  bool copied = link_.local->isPeerThere();
  if (op.kind == OperationKind::MemPut)
    copied = copied && memory.write(place, own, size);
  else
    copied = copied && memory.read(own, place, size) && link_.local->isPeerThere();
  extra.kernel_failed = !copied;
  return copied ? size : 0;
}

/// A message for its next piece, or for all of an atomic operation.
std::size_t Accesses::send(Operation& op, std::size_t size) {
  OneSidedExtra& extra = oneSidedOf(op);
  const AccessPlace place{extra.memory->key().id, extra.offset + extra.begun};
  const std::byte* own = static_cast<const std::byte*>(op.buffer) + extra.begun;
  const auto update = std::as_bytes(std::span(&extra.update, 1));
  if (op.kind == OperationKind::MemGet)
    ask({&op, extra.begun, size}, MessageKind::Get, place, {}, size);
  else if (op.kind == OperationKind::MemPut)
    tell(op, MessageKind::Put, place, {own, size});
  else if (extra.update.fetches != 0)
    ask({&op, 0, size}, MessageKind::Atomic, place, update, update.size());
  else
    tell(op, MessageKind::Atomic, place, update);
  return size;
}

/// A message that the peer answers.
void Accesses::ask(const Question& question, MessageKind kind, const AccessPlace& place,
                   std::span<const std::byte> bytes, std::size_t length) {
  questions_.push_back(question);
  under_way_ += 2;  // the message, and its answer
  try {
    link_.sendAccess(question.op, kind, place, bytes, length);
  } catch (...) {
    questions_.pop_back();
    under_way_ -= 2;
    throw;
  }
  if (question.op != nullptr) ++question.op->parts;
}

/// One that it does not.
void Accesses::tell(Operation& op, MessageKind kind, const AccessPlace& place,
                    std::span<const std::byte> bytes) {
  ++under_way_;
  try {
    link_.sendAccess(&op, kind, place, bytes, bytes.size());
  } catch (...) {
    --under_way_;
    throw;
  }
  unsettled_bytes_ += costOf(bytes.size());
  if (unsettled_bytes_ < kMostUnsettled || settling_ != 0) return;
  const std::size_t unsettled = unsettled_bytes_;
  askWhetherSettled(nullptr);
  unsettled_bytes_ = unsettled;  // nothing more before the answer
}

void Accesses::settle(Operation& op) { queue(op); }

/// For a flush; or for nobody: then what the answer says is for the next flush.
std::size_t Accesses::askWhetherSettled(Operation* flush) {
  ask({flush, 0, 0}, MessageKind::Settle, {}, {}, 0);
  ++settling_;
  unsettled_bytes_ = 0;
  return 0;
}

bool Accesses::take(ucs_status_t status, const void* bytes, std::size_t size) noexcept {
  if (questions_.empty()) return false;
  const auto [op, offset, expected] = questions_.front();
  if (size != (status == UCS_OK ? expected : 0)) return false;
  questions_.pop_front();
  --under_way_;
  if (op == nullptr || op->kind == OperationKind::Flush) return settled(op, status), true;
  if (size != 0) std::memcpy(static_cast<std::byte*>(op->buffer) + offset, bytes, size);
  endPart(*op, status);
  return true;
}

void Accesses::settled(Operation* flush, ucs_status_t status) noexcept {
  --settling_;
  if (status == UCS_OK) status = std::exchange(refused_, UCS_OK);
  if (flush != nullptr) return endPart(*flush, status);
  refused_ = status;
  unsettled_bytes_ = 0;
}

/// Callbacks find nothing to begin: the link has ended.
void Accesses::end(ucs_status_t status) noexcept {
  while (!questions_.empty()) {
    Operation* op = questions_.front().op;
    questions_.pop_front();
    --under_way_;
    if (op != nullptr) endPart(*op, status);
  }
  while (Operation* op = active_.popFront()) endPart(*op, status);
}

}  // namespace ucxx::core
