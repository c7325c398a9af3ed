// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <ucxx/buffer.h>
#include <ucxx/endpoint.h>
#include <ucxx/request_am.h>
#include <ucxx/worker.h>

#include "base/list.h"
#include "base/log.h"
#include "base/rare_line.h"
#include "core/channel/incoming.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/loop/counters.h"
#include "core/loop/loop.h"
#include "core/match/ahead.h"
#include "core/match/endpoint_state.h"
#include "core/match/inbox.h"
#include "core/match/inlet.h"
#include "core/match/intake.h"
#include "core/match/landing.h"
#include "core/match/matcher.h"
#include "core/match/message.h"
#include "core/match/recallable_messages.h"
#include "core/match/receivers.h"
#include "core/match/transfers.h"
#include "core/request/complete_receive.h"
#include "core/request/endpoint_core.h"
#include "core/request/host_memory.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/outcome.h"
#include "core/request/posted_receive.h"
#include "core/request/requests.h"
#include "core/wire/wire.h"

namespace ucxx::core {
namespace {

AmRecvExtra& extraOf(Operation& op) noexcept { return static_cast<AmRecvExtra&>(*op.extra); }

/// How the payload of a message comes.
struct Arrival {
  std::size_t size = 0;
  bool announced = false;
  Source source;
};

bool isFar(const Inlet* inlet, const Announcement& announcement) noexcept {
  const bool is_ucx = announcement && announcement.number == 0;
  return is_ucx || (inlet != nullptr && inlet->channel == ChannelKind::Ucp);
}

/// Memory of a device of the library's own; null: there is none.
std::shared_ptr<Buffer> makeOfDevice(const Loop& loop, std::size_t size) noexcept try {
  return allocateBuffer(loop.options.cuda_buffer_type, size);
} catch (const std::exception&) {
  return nullptr;
}

/// The memory for a message: that of the registered allocator of the sender's memory type for
/// announced ones and those of devices, that of the library for the rest.
ucs_status_t makeBuffer(Loop& loop, const AmPrologue& prologue, const Arrival& arrival,
                        std::shared_ptr<Buffer>& buffer) {
  const std::size_t size = arrival.size;
  const bool is_hosts = prologue.memory_type == UCS_MEMORY_TYPE_HOST;
  const auto found = inboxOf(loop).receivers.allocators.find(prologue.memory_type);
  const bool is_asked = arrival.announced || (!is_hosts && size != 0);
  if (is_asked && found != inboxOf(loop).receivers.allocators.end()) {
    buffer = found->second(size);
    return UCS_OK;
  }
  if (size > loop.options.multi_bytes) return UCS_ERR_NO_MEMORY;
  if (is_asked && prologue.memory_type == UCS_MEMORY_TYPE_CUDA) buffer = makeOfDevice(loop, size);
  if (buffer != nullptr) return UCS_OK;
  if (arrival.announced && !is_hosts &&
      prologue.policy == AmSendMemoryTypePolicy::ErrorOnUnsupported)
    return UCS_ERR_UNSUPPORTED;
  buffer = makeReceiveBuffer(size, arrival.source.is_far);
  return UCS_OK;
}

/// Where the bytes come first.
void* placeIn(Buffer& buffer, const Arrival& arrival, Landing& landing) {
  if (arrival.size == 0) return nullptr;
  const bool lands = buffer.getType() != BufferType::Host && !arrival.source.reaches_devices;
  return lands ? landing.where(buffer.data(), arrival.size, arrival.source.is_far) : buffer.data();
}

/// Gives `op` its buffer. Not OK: the message cannot be received.
ucs_status_t prepareAm(Operation& op, const AmPrologue& prologue, const Arrival& arrival) noexcept {
  AmRecvExtra& extra = extraOf(op);
  try {
    extra.user_header = prologue.user_header;
    const ucs_status_t status = makeBuffer(*op.loop, prologue, arrival, extra.buffer);
    if (status != UCS_OK) return status;
    Buffer* const buffer = extra.buffer.get();
    if (buffer == nullptr || buffer->getSize() < arrival.size) return UCS_ERR_NO_MEMORY;
    if (buffer->getType() != BufferType::Host && prologue.memory_type == UCS_MEMORY_TYPE_HOST)
      return UCS_ERR_UNSUPPORTED;
    op.buffer = placeIn(*buffer, arrival, extra.landing);
    op.length = arrival.size;
    return UCS_OK;
  } catch (...) {  // an allocator of the program's may throw anything
    return UCS_ERR_NO_MEMORY;
  }
}

/// On the self channel the size takes the place of an announcement.
bool isAnnounced(const Announcement& announcement, const Operation* sender,
                 std::size_t size) noexcept {
  return announcement || (sender != nullptr && size > kSelfCopyBytes);
}

void deliverAm(Inlet& inlet, const Incoming& message, const AmPrologue& prologue, Operation& op) {
  const std::size_t size = message.header.length;
  const Arrival arrival{
      size,
      isAnnounced(message.announcement, message.sender, size),
      {isFar(&inlet, message.announcement),
       message.sender != nullptr || comesToDevices(inlet.loop, message.announcement)}};
  const ucs_status_t status = prepareAm(op, prologue, arrival);
  if (status == UCS_OK) return deliver(inlet, message, op);
  inlet.refuse(message);
  amReceived(op, status);
}

/// Gives `op` what its message has in memory already, without a copy.
ucs_status_t adopt(Operation& op, const Message& message) noexcept {
  AmRecvExtra& extra = extraOf(op);
  try {
    extra.user_header = message.extra->prologue.user_header;
  } catch (const std::bad_alloc&) {
    return UCS_ERR_NO_MEMORY;
  }
  extra.buffer = message.ahead->memory;
  op.buffer = message.bytes;
  op.length = message.size;
  return UCS_OK;
}

/// Takes a message that was kept; destroys it.
void consumeAm(Message* message, Operation& op) noexcept {
  if (message->whole() != nullptr) return consume(message, op);
  Inlet* const inlet = message->inlet;
  const Arrival arrival{
      message->size,
      isAnnounced(message->announcement, message->sender, message->size),
      {isFar(message->inlet, message->announcement),
       message->sender != nullptr || comesToDevices(*op.loop, message->announcement)}};
  const bool is_fetched = message->ahead != nullptr && message->ahead->memory != nullptr;
  const ucs_status_t status =
      is_fetched ? adopt(op, *message) : prepareAm(op, message->extra->prologue, arrival);
  if (status != UCS_OK) {
    discard(message);
    return amReceived(op, status);
  }
  try {
    consume(message, op);
  } catch (const std::bad_alloc&) {
    if (inlet != nullptr) inlet->fail(UCS_ERR_NO_MEMORY);
    amReceived(op, UCS_ERR_NO_MEMORY);
  }
}

Message* keepAm(Inlet& inlet, const Incoming& message, const AmPrologue& prologue) {
  auto own = std::make_unique<MessageExtra>();
  own->prologue = prologue;
  Message* kept = keep(inlet, message);
  kept->extra = std::move(own);
  return kept;
}

/// A request that the library makes itself, for a registered receiver.
Operation* makeReceiverOperation(EndpointState& endpoint, const AmReceiverCallbackType& receiver) {
  Loop& loop = endpoint.loop;
  // Without a parent until it has ended: a message on its way must not keep a worker that was
  // dropped.
  std::shared_ptr<Request> request = makeRequest<RequestAm>(nullptr, OperationKind::AmRecv);
  Operation& op = request->operation();
  op.loop = &loop;
  op.endpoint = &endpoint;
  auto extra = std::make_unique<AmRecvExtra>();
  extra->receiver = receiver;
  extra->self = std::move(request);
  op.extra = std::move(extra);
  op.outcome.holdAlone();
  op.stage = Stage::Moving;
  Requests::track(op);
  return &op;
}

/// The bytes of an announced message come to `op`, of a registered receiver.
void countIn(Operation& op, Inlet& inlet, std::size_t size) noexcept {
  extraOf(op).counted_by = &inlet.intake();
  extraOf(op).counted_bytes = size;
  inlet.intake().begins(size);
}

void holdAm(Inlet& inlet, const Incoming& message, const AmPrologue& prologue) {
  inlet.intake().waits(*message.endpoint);
  message.endpoint->am_held.pushBack(*keepAm(inlet, message, prologue));
}

void onReceiverAm(Inlet& inlet, const Incoming& message, const AmPrologue& prologue) {
  const AmReceiverCallbackType* receiver = inboxOf(inlet.loop).receivers.find(*prologue.callback);
  if (receiver == nullptr) {
    inboxOf(inlet.loop)
        .unknown_receivers.log(LogLevel::Warn, "worker",
                               "no receiver is registered for active message {} of {:?}",
                               prologue.callback->id, std::string(prologue.callback->owner));
    inlet.loop.counters.dropped_messages.add();
    return inlet.refuse(message);
  }
  const std::size_t size = message.header.length;
  if (message.announcement && inlet.intake().mustWait(size))
    return holdAm(inlet, message, prologue);
  if (!inlet.recallable().tryTake(message.claim)) return inlet.refuse(message);
  Operation& op = *makeReceiverOperation(*message.endpoint, *receiver);
  if (message.announcement) countIn(op, inlet, size);
  deliverAm(inlet, message, prologue, op);
}

/// Takes the oldest message that is held out of its queue. Returns the operation of its receiver,
/// or null: there is no memory for it.
Operation* takeHeld(EndpointState& endpoint) noexcept {
  const Message& message = *endpoint.am_held.popFront();
  try {
    return makeReceiverOperation(
        endpoint, *inboxOf(endpoint.loop).receivers.find(*message.extra->prologue.callback));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void callReceiver(const AmReceiverCallbackType& receiver, std::shared_ptr<Request> request,
                  ucp_ep_h handle) noexcept {
  try {
    receiver(std::move(request), handle);
  } catch (const std::exception& error) {
    base::log(LogLevel::Error, "worker", "an active-message receiver threw: {}", error.what());
  } catch (...) {
    base::log(LogLevel::Error, "worker", "an active-message receiver threw");
  }
}

/// Nothing comes any more for those that wait, once the endpoint is over.
void endAmReceives(EndpointState& endpoint) {
  while (Operation* late = endpoint.isOver() ? endpoint.am_receives.popFront() : nullptr)
    complete(*late, endpoint.overStatus());
}

}  // namespace

std::unique_ptr<OperationExtra> AmSendExtra::again() const {
  auto extra = std::make_unique<AmSendExtra>();
  extra->iov = iov;
  extra->prologue = prologue;
  return extra;
}

void startAmRecv(Operation& op) {
  EndpointState& endpoint = endpointOf(op);
  op.extra = std::make_unique<AmRecvExtra>();
  endpoint.am_receives.pushBack(op);
  pumpAm(endpoint);
  endAmReceives(endpoint);
}

void pumpAm(EndpointState& endpoint) {
  while (!endpoint.am_receives.empty() && !endpoint.am_messages.empty()) {
    if (endInVain(*endpoint.am_receives.front())) continue;
    Message* const message = endpoint.am_messages.popFront();
    if (!tryTake(*message)) {
      discard(message);
      continue;
    }
    Operation& op = *endpoint.am_receives.popFront();
    op.number = message->number;
    consumeAm(message, op);
  }
}

void restoreAm(EndpointState& endpoint, Message& message) {
  MessageList& queue = endpoint.am_messages;
  Message* newer = queue.front();
  while (newer != nullptr && newer->number < message.number) newer = queue.after(*newer);
  queue.insert(newer, message);
  pumpAm(endpoint);
}

void takeWholeAm(Message* message, Operation& op) noexcept {
  AmRecvExtra& extra = extraOf(op);
  extra.buffer = std::move(message->extra->whole->buffers.front());
  extra.user_header = std::move(message->extra->prologue.user_header);
  op.buffer = message->size == 0 ? nullptr : extra.buffer->data();
  op.length = message->size;
  destroyMessage(message);
  amReceived(op, UCS_OK);
}

void startReceiver(EndpointState& endpoint) noexcept {
  Message* const message = endpoint.am_held.front();
  Inlet& inlet = *message->inlet;
  if (!tryTake(*message)) {
    endpoint.am_held.remove(*message);
    return discard(message);
  }
  Operation* const op = takeHeld(endpoint);
  if (op == nullptr) {
    discard(message);
    return inlet.fail(UCS_ERR_NO_MEMORY);
  }
  countIn(*op, inlet, message->size);
  consumeAm(message, *op);
}

void refuseReceiver(EndpointState& endpoint, ucs_status_t status) noexcept {
  Message* const message = endpoint.am_held.front();
  Operation* const op = takeHeld(endpoint);
  discard(message);
  if (op != nullptr) amReceived(*op, status);
}

void onAm(Inlet& inlet, const Incoming& message) {
  const std::optional<AmPrologue> prologue = readAmPrologue(message.prologue);
  if (!prologue) {
    inlet.refuse(message);
    return inlet.fail(UCS_ERR_INVALID_PARAM);
  }
  if (message.endpoint == nullptr || message.endpoint->isOver()) return inlet.refuse(message);
  if (prologue->callback) return onReceiverAm(inlet, message, *prologue);
  WaitList& receives = message.endpoint->am_receives;
  if (!receives.empty() && !inlet.recallable().tryTake(message.claim)) return inlet.refuse(message);
  const std::uint64_t number = ++message.endpoint->am_arrivals;
  if (Operation* op = receives.popFront()) {
    op->number = number;
    return deliverAm(inlet, message, *prologue, *op);
  }
  Message& kept = *keepAm(inlet, message, *prologue);
  kept.number = number;
  queueUp(message.endpoint->am_messages, kept);
  if (!kept.inMemory()) inlet.ahead().consider(kept, message.header);
}

Operation* receiveOfAm(EndpointState& endpoint, std::size_t size) noexcept {
  Operation* const op = endpoint.am_receives.front();
  if (op == nullptr || endpoint.isOver() || size > endpoint.loop.options.multi_bytes)
    return nullptr;
  try {
    extraOf(*op).buffer = makeReceiveBuffer(size, false);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  return op;
}

void takeAm(Inlet& inlet, std::span<const std::byte> payload, Operation& op) noexcept {
  EndpointState& endpoint = endpointOf(op);
  endpoint.am_receives.remove(op);
  op.number = ++endpoint.am_arrivals;
  op.stage = Stage::Moving;
  op.buffer = payload.empty() ? nullptr : extraOf(op).buffer->data();
  op.length = op.received = payload.size();
  inlet.copyIn(op.buffer, payload.data(), payload.size(), payload.size());
  completeReceive(op);
}

bool withdrawAmRecv(Operation& op) noexcept {
  if (!op.wait_node.linked()) return false;
  endpointOf(op).am_receives.remove(op);
  return true;
}

namespace {

/// `op` waits again: the oldest of the receives that wait have the lowest orders.
void goOnWaitingForAm(Operation& op) {
  EndpointState& endpoint = endpointOf(op);
  if (op.cancel_requested.load(std::memory_order_relaxed)) return complete(op, UCS_ERR_CANCELED);
  op.stage = Stage::Waiting;
  op.buffer = nullptr;
  op.length = op.received = 0;
  WaitList& queue = endpoint.am_receives;
  Operation* newer = queue.front();
  while (newer != nullptr && newer->order < op.order) newer = queue.after(*newer);
  queue.insert(newer, op);
  pumpAm(endpoint);
  endAmReceives(endpoint);
}

}  // namespace

namespace {

void endIntake(AmRecvExtra& extra) noexcept {
  if (Intake* const intake = std::exchange(extra.counted_by, nullptr))
    intake->ends(extra.counted_bytes);
}

}  // namespace

void amReceived(Operation& op, ucs_status_t status) {
  AmRecvExtra& extra = extraOf(op);
  if (status == UCS_OK && !extra.landing.isEmpty()) {
    endIntake(extra);  // the link may be gone when it has landed
    return extra.landing.start(op);
  }
  extra.landing.drop();
  if (status != UCS_OK) extra.buffer = nullptr;
  const bool is_taken_back = status == kTakenBack;
  if (!extra.receiver) return is_taken_back ? goOnWaitingForAm(op) : complete(op, status);
  const AmReceiverCallbackType receiver = std::move(extra.receiver);
  std::shared_ptr<Request> self = std::move(extra.self);
  const ucp_ep_h handle = op.endpoint->handle();
  std::shared_ptr<Component> parent = endpointOf(op).user.lock();
  if (parent == nullptr) parent = op.loop->user();
  self->setParent(std::move(parent));
  Intake* const intake = std::exchange(extra.counted_by, nullptr);
  const std::size_t bytes = extra.counted_bytes;
  complete(op, is_taken_back ? UCS_ERR_CANCELED : status);
  if (!is_taken_back) callReceiver(receiver, std::move(self), handle);  // nothing has come for it
  if (intake != nullptr) intake->ends(bytes);
}

}  // namespace ucxx::core
