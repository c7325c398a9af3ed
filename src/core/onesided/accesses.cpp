// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/onesided/accesses.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/object_pool.h"
#include "base/phase.h"
#include "base/phases.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/onesided/atomic_update.h"
#include "core/onesided/memory_key.h"
#include "core/onesided/memory_registry.h"
#include "core/onesided/one_sided.h"
#include "core/onesided/remote_memory.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/posted_receive.h"
#include "core/wire/wire.h"
#include "local/channel.h"
#include "local/choices.h"
#include "local/peer_memory.h"

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

/// The next bytes of a put or get, or the whole of an atomic operation, at `place`. False: no word
/// can be there.
bool accessAt(std::byte* place, Operation& op, std::size_t size) noexcept {
  OneSidedExtra& extra = oneSidedOf(op);
  std::byte* const own = static_cast<std::byte*>(op.buffer) + extra.begun;
  if (op.kind == OperationKind::MemPut)
    std::memmove(place, own, size);  // on an endpoint to the own worker they may overlap
  else if (op.kind == OperationKind::MemGet)
    std::memmove(own, place, size);
  else if (extra.update.mayBeAt(place))
    update(place, op);
  else
    return false;
  return true;
}

/// There is nothing left of it but answers.
bool isBegun(Operation& op) noexcept {
  return op.kind == OperationKind::Flush || op.part_status != UCS_OK ||
         oneSidedOf(op).begun == lengthOf(op);
}

}  // namespace

std::unique_ptr<OperationExtra> OneSidedExtra::again() const {
  auto extra = std::make_unique<OneSidedExtra>();
  extra->memory = memory;
  extra->update = update;
  extra->operands = operands;
  extra->renew();
  return extra;
}

std::vector<const void*> OneSidedExtra::buffers() const {
  std::vector<const void*> places;
  for (const void* const place : {operands.operand, operands.expected})
    if (place != nullptr) places.push_back(place);
  return places;
}

void OneSidedExtra::renew() noexcept {
  const auto read = [this](const void* place, std::uint64_t& word) {
    if (place != nullptr) std::memcpy(&word, place, update.word_bytes);
  };
  read(operands.operand, update.operand);
  read(operands.expected, update.expected);
}

void Accesses::add(Operation& op) {
  op.port = &port_;
  oneSidedOf(op).memory->look(port_);
  queue(op);
}

/// Whatever waits longer is tried first.
void Accesses::queue(Operation& op) {
  ++op.parts;  // its own, until it has begun all that it is to do
  const bool is_next = active_.empty() && !isFull();
  active_.pushBack(op);
  if (is_next) goOn(op);
  if (!active_.empty()) port_.beginCopying();
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
      size = send(op, std::min(left, port_.pieceBytes()));
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
  if (port_.channel == ChannelKind::Self) return Way::Here;
  if (!memory.isWatched()) return Way::Messages;
  if (!memory.isThere()) return Way::None;
  if (memory.begin() != nullptr) return Way::Here;
  const bool may_copy = op.kind != OperationKind::Atomic && !extra.kernel_failed;
  return may_copy && port_.local->memory().isOpen() ? Way::Kernel : Way::Messages;
}

std::size_t Accesses::access(Operation& op, std::size_t size) noexcept {
  OneSidedExtra& extra = oneSidedOf(op);
  const RemoteMemory& memory = *extra.memory;
  bool is_done = false;
  const auto use = [&](std::byte* place) { is_done = accessAt(place, op, size); };
  const std::uint64_t offset = op.tag + extra.begun;
  if (port_.channel != ChannelKind::Self)
    use(memory.begin() + offset);
  else
    (void)ownMemory().reach(memory.key().name(), offset, size, use);
  if (!is_done) op.part_status = UCS_ERR_INVALID_PARAM;
  return is_done ? size : 0;
}

/// Not before it is known that the peer is still there: another program may have its memory, or its
/// number. What was read while it ended is nothing either.
std::size_t Accesses::copy(Operation& op, std::size_t size) noexcept {
  OneSidedExtra& extra = oneSidedOf(op);
  std::byte* const own = static_cast<std::byte*>(op.buffer) + extra.begun;
  const std::uint64_t place = extra.memory->key().base + op.tag + extra.begun;
  local::PeerMemory& memory = port_.local->memory();
  bool copied = port_.local->isPeerThere();
  if (op.kind == OperationKind::MemPut)
    copied = copied && memory.write(place, own, size, op.length);
  else
    copied = copied && memory.read(own, place, size, op.length) && port_.local->isPeerThere();
  extra.kernel_failed = !copied;
  return copied ? size : 0;
}

/// A message for its next piece, or for all of an atomic operation.
std::size_t Accesses::send(Operation& op, std::size_t size) {
  OneSidedExtra& extra = oneSidedOf(op);
  const AccessPlace place{extra.memory->key().name(), op.tag + extra.begun};
  if (op.kind == OperationKind::MemGet)
    ask({Purpose::Bytes, &op, extra.begun, size}, MessageKind::Get, place, nullptr);
  else if (op.kind == OperationKind::MemPut)
    tell(place, {static_cast<const std::byte*>(op.buffer) + extra.begun, size}, op);
  else if (extra.update.fetches != 0)
    ask({Purpose::Bytes, &op, 0, size}, MessageKind::Atomic, place, &extra.update);
  else
    tell(place, extra.update);
  return size;
}

Accesses::Sent::Sent(Accesses& accesses_, Operation* put_) noexcept
    : accesses(accesses_), put(put_) {
  done = [](base::Completion& self, ucs_status_t status) {
    static_cast<Sent&>(self).ended(status);
  };
}

/// The message has left, or never will.
void Accesses::Sent::ended(ucs_status_t status) noexcept {
  Accesses& its = accesses;
  Operation* const op = put;
  its.sent_.remove(*this);
  base::PoolAllocator<Sent>().deallocate(this, 1);
  --its.under_way_;
  its.port_.partEnded();
  status = its.port_.sendEnded(status);
  if (op != nullptr) endPart(*op, status);
}

Accesses::Sent& Accesses::makeMessage(Operation* put) {
  return *new (base::PoolAllocator<Sent>().allocate(1)) Sent(*this, put);
}

/// To the channel. Nothing is in the way any more: its number in the order is used.
void Accesses::give(Sent& sent, MessageKind kind, const AccessPlace& place, std::size_t length,
                    std::span<const std::byte> bytes) noexcept {
  sent_.pushBack(sent);
  ++under_way_;
  ++port_.pending_parts;
  if (sent.put != nullptr) ++sent.put->parts;
  sent.header = port_.headerFor(kind, {}, place.offset, length);
  sent.header.endpoint = place.name;
  const auto header = std::as_bytes(std::span(&sent.header, 1));
  const ucs_status_t status = port_.put(header, bytes.data(), bytes.size(), Carrier::Channel, sent);
  if (status != UCS_INPROGRESS) sent.ended(status);
  base::reached(base::Phase::AccessSent);
}

/// A message that the peer answers.
void Accesses::ask(const Question& question, MessageKind kind, const AccessPlace& place,
                   const AtomicUpdate* update) {
  Sent& sent = makeMessage(nullptr);
  try {
    questions_.push_back(question);
  } catch (...) {
    base::PoolAllocator<Sent>().deallocate(&sent, 1);
    throw;
  }
  ++under_way_;
  if (question.op != nullptr) ++question.op->parts;
  if (update == nullptr) return give(sent, kind, place, question.size, {});
  sent.update = *update;
  give(sent, kind, place, sizeof *update, std::as_bytes(std::span(&sent.update, 1)));
}

/// One that it does not.
void Accesses::tell(const AccessPlace& place, std::span<const std::byte> bytes, Operation& put) {
  give(makeMessage(&put), MessageKind::Put, place, bytes.size(), bytes);
  told(bytes.size());
}

/// The message has the update itself, so the operation is over.
void Accesses::tell(const AccessPlace& place, const AtomicUpdate& update) {
  Sent& sent = makeMessage(nullptr);
  sent.update = update;
  const auto bytes = std::as_bytes(std::span(&sent.update, 1));
  give(sent, MessageKind::Atomic, place, bytes.size(), bytes);
  told(bytes.size());
}

void Accesses::told(std::size_t bytes) {
  unsettled_bytes_ += costOf(bytes);
  if (unsettled_bytes_ < kMostUnsettled || settling_ != 0) return;
  const std::size_t unsettled = unsettled_bytes_;
  try {
    askWhetherSettled(nullptr);
  } catch (const std::bad_alloc&) {  // what was told is on its way; the next asks again
  }
  unsettled_bytes_ = unsettled;  // nothing more before the answer
}

void Accesses::settle(Operation& op) { queue(op); }

/// For a flush; or for nobody: then what the answer says is for the next flush.
std::size_t Accesses::askWhetherSettled(Operation* flush) {
  ask({flush != nullptr ? Purpose::Flush : Purpose::Room, flush, 0, 0}, MessageKind::Settle, {},
      nullptr);
  ++settling_;
  unsettled_bytes_ = 0;
  return 0;
}

bool Accesses::take(ucs_status_t status, const void* bytes, std::size_t size) noexcept {
  if (questions_.empty()) return false;
  const Question question = questions_.front();
  if (size != (status == UCS_OK ? question.size : 0)) return false;
  questions_.pop_front();
  --under_way_;
  if (question.purpose != Purpose::Bytes) return settled(question, status), true;
  if (question.op == nullptr) return true;
  if (size != 0)
    std::memcpy(static_cast<std::byte*>(question.op->buffer) + question.offset, bytes, size);
  endPart(*question.op, status);
  return true;
}

void Accesses::settled(const Question& question, ucs_status_t status) noexcept {
  --settling_;
  if (status == UCS_OK) status = std::exchange(refused_, UCS_OK);
  if (question.purpose == Purpose::Room) unsettled_bytes_ = 0;
  if (question.op != nullptr) return endPart(*question.op, status);
  refused_ = status;
}

bool Accesses::revoke(Operation& op, ucs_status_t status) noexcept {
  bool is_cut = false;
  for (Question& question : questions_) {
    if (question.op != &op) continue;
    question.op = nullptr;
    --op.parts;
    is_cut = true;
  }
  if (op.wait_node.linked()) {
    active_.remove(op);
    --op.parts;
    is_cut = true;
  }
  if (is_cut && op.part_status == UCS_OK) op.part_status = status;
  if (op.kind == OperationKind::MemPut) keepBytesOf(op);
  // A flush of the channel may be under way: it knows an operation that has ended.
  if (op.parts != 0 && op.kind != OperationKind::Flush) return false;
  complete(op, op.kind == OperationKind::Flush ? status : op.part_status);
  return true;
}

/// The ring's messages go on without the buffer of `put`.
void Accesses::keepBytesOf(const Operation& put) noexcept {
  for (Sent* sent = sent_.front(); sent != nullptr; sent = sent_.after(*sent)) {
    if (sent->put != &put || port_.local == nullptr || !port_.local->keepPayload(*sent)) continue;
    --std::exchange(sent->put, nullptr)->parts;
  }
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
