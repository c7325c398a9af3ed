// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <stdexcept>

#include <fmt/format.h>

#include <ucxx/exception.h>
#include <ucxx/request_tag_multi.h>

#include "base/object_pool.h"
#include "core/bulk/incoming_payloads.h"
#include "core/channel/incoming.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/loop/loop.h"
#include "core/match/ahead.h"
#include "core/match/closed_pairs.h"
#include "core/match/endpoint_state.h"
#include "core/match/inbox.h"
#include "core/match/inlet.h"
#include "core/match/landing.h"
#include "core/match/large_frames.h"
#include "core/match/matcher.h"
#include "core/match/message.h"
#include "core/match/multi_frames.h"
#include "core/match/recallable_messages.h"
#include "core/match/receivers.h"
#include "core/match/self_copies.h"
#include "core/match/transfers.h"
#include "core/request/endpoint_core.h"
#include "core/request/host_memory.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/posted_receive.h"
#include "core/wire/wire.h"
#include "ucp/library.h"

namespace ucxx::core {
namespace {

MultiRecvExtra& recvExtra(Operation& op) noexcept {
  return static_cast<MultiRecvExtra&>(*op.extra);
}

ucs_status_t fillRequests(Operation& op,
                          const std::vector<std::shared_ptr<Buffer>>& buffers) noexcept try {
  auto& multi = static_cast<RequestTagMulti&>(*op.request);
  multi._bufferRequests.reserve(buffers.size());
  for (const auto& buffer : buffers) {
    multi._bufferRequests.push_back(std::allocate_shared<BufferRequest>(
        base::PoolAllocator<BufferRequest>(),
        BufferRequest{ownerlessEndedRequest<Request, OperationKind::MultiRecv>(), nullptr,
                      buffer}));
  }
  multi._isFilled = true;
  return UCS_OK;
} catch (const std::bad_alloc&) {
  return UCS_ERR_NO_MEMORY;
}

void finish(Operation& op, MultiRecvExtra& extra, ucs_status_t status) {
  if (status == UCS_OK && !extra.landing.isEmpty()) {
    extra.inlet = nullptr;  // all frames have come
    return extra.landing.start(op);
  }
  extra.landing.drop();
  if (status == UCS_OK) {
    op.received = 0;  // until now what came with the table
    for (const FrameInfo& frame : extra.frames) op.received += frame.size;
    if (extra.ahead == nullptr) status = fillRequests(op, extra.buffers);
  } else if (extra.inlet != nullptr) {
    extra.inlet->frames().refuse(extra.sequence);
  }
  if (extra.ahead != nullptr) return fetchedAhead(*extra.ahead, status);
  if (status != kTakenBack) return complete(op, status);
  extra.packed = nullptr;
  extra.frames.clear();
  extra.buffers.clear();
  extra.inlet = nullptr;
  extra.parsed = false;
  op.buffer = nullptr;
  op.length = 0;
  goOnWaiting(inboxOf(*op.loop).multis, op);
}

/// The buffer of a frame that is not packed: by the registered allocator of its memory type, if
/// there is one.
std::shared_ptr<Buffer> makeFrame(Loop& loop, const FrameInfo& frame, bool is_from_far) {
  const auto& allocators = inboxOf(loop).receivers.allocators;
  const auto found = allocators.find(frame.cuda ? UCS_MEMORY_TYPE_CUDA : UCS_MEMORY_TYPE_HOST);
  if (found == allocators.end())
    return frame.cuda ? allocateBuffer(loop.options.cuda_buffer_type, frame.size)
                      : makeReceiveBuffer(frame.size, is_from_far);
  std::shared_ptr<Buffer> buffer = found->second(frame.size);
  if (buffer == nullptr || buffer->getSize() < frame.size)
    throw NoMemoryError(fmt::format("the allocator has given no buffer of {} bytes", frame.size));
  if (!frame.cuda && buffer->getType() != BufferType::Host)
    throw std::runtime_error("the allocator of host memory has given another one");
  return buffer;
}

/// The buffers of the frames: views of the packed block, blocks of their own for large ones.
void makeBuffers(Operation& op, MultiRecvExtra& extra) {
  auto* packed = static_cast<std::byte*>(extra.packed.get()) + frameTableBytes(extra.frames.size());
  const bool is_from_far = extra.inlet != nullptr && extra.inlet->channel == ChannelKind::Ucp;
  extra.buffers.reserve(extra.frames.size());
  for (const FrameInfo& frame : extra.frames) {
    if (!frame.packed) {
      extra.buffers.push_back(makeFrame(*op.loop, frame, is_from_far));
      extra.has_device_buffers |= extra.buffers.back()->getType() != BufferType::Host;
      continue;
    }
    extra.buffers.push_back(std::allocate_shared<HostBuffer>(base::PoolAllocator<HostBuffer>(),
                                                             extra.packed, packed, frame.size));
    packed += frame.size;
  }
}

MultiLimits limitsOf(const Loop& loop) noexcept {
  return {loop.options.multi_frames, loop.options.multi_bytes};
}

/// The frames of a message whose table is here.
std::optional<std::vector<FrameInfo>> framesOf(const Loop& loop, const Message& message) {
  return readFrameTable({message.bytes, message.size}, limitsOf(loop));
}

/// What the sender says it sends, which may be anything.
std::string framesOf(std::span<const std::byte> table) {
  std::uint64_t frames = 0;
  if (table.size() >= sizeof frames) std::memcpy(&frames, table.data(), sizeof frames);
  return fmt::format("{} frames", frames);
}

std::string excessOf(const std::string& what, const MultiLimits& limits) {
  return fmt::format(
      ": {}; at most {} frames with {} bytes in all are allowed "
      "(WorkerOptions::multi_frames, multi_bytes)",
      what, limits.frames, limits.bytes);
}

ucs_status_t refuse(MultiRecvExtra& extra, ucs_status_t status, const std::exception& why) try {
  extra.reason = fmt::format(": {}", why.what());
  return status;
} catch (const std::bad_alloc&) {
  return status;
}

/// Reads the table of what came and makes the buffers; not OK: they cannot be received.
ucs_status_t parse(Operation& op, MultiRecvExtra& extra) {
  const MultiLimits limits = limitsOf(*op.loop);
  const std::span<const std::byte> table(static_cast<std::byte*>(op.buffer), op.length);
  try {
    auto frames = readFrameTable(table, limits);
    if (!frames) {
      extra.reason = excessOf(framesOf(table), limits);
      return UCS_ERR_EXCEEDS_LIMIT;
    }
    extra.frames = std::move(*frames);
    makeBuffers(op, extra);
  } catch (const std::bad_alloc&) {
    return UCS_ERR_NO_MEMORY;
  } catch (const NoMemoryError& error) {  // of a device, or of an allocator
    return refuse(extra, UCS_ERR_NO_MEMORY, error);
  } catch (const std::exception& error) {
    return refuse(extra, UCS_ERR_UNSUPPORTED, error);
  }
  return UCS_OK;
}

/// An announced frame comes.
void fetchFrame(Inlet& inlet, const LargeFrame& frame) {
  Operation& op = *frame.receiver;
  const bool lands = frame.is_placed_on_device && frame.size != 0 &&
                     !comesToDevices(inlet.loop, frame.announcement);
  void* place = frame.buffer;
  try {
    const bool is_far = inlet.channel == ChannelKind::Ucp;
    if (lands) place = recvExtra(op).landing.where(frame.buffer, frame.size, is_far);
  } catch (const std::bad_alloc&) {
    inlet.frames().drop(frame);
    return endPart(op, UCS_ERR_NO_MEMORY);
  }
  --op.parts;  // the fetch is a part itself
  inlet.incoming().fetch(op, frame.announcement, place, frame.size);
}

/// A frame of the own worker's, of which the processor does not reach both places.
bool needsCopies(const LargeFrame& frame) noexcept {
  return frame.size != 0 && (frame.is_on_device || frame.is_placed_on_device) && ucp::mayHaveCuda();
}

/// `frame` has come and somebody waits for it.
void takeFrame(Inlet& inlet, const LargeFrame& frame) {
  Operation& op = *frame.receiver;
  if (frame.size != frame.wanted) {
    inlet.frames().drop(frame);
    return endPart(op, UCS_ERR_INVALID_PARAM);
  }
  if (frame.announcement) return fetchFrame(inlet, frame);
  if (needsCopies(frame)) {
    --op.parts;  // the copy is a part itself
    return copyFromSender(*frame.sender, frame.bytes, frame.size, op, frame.buffer);
  }
  inlet.copyIn(frame.buffer, frame.bytes, frame.size, frame.size);
  endPart(*frame.sender, UCS_OK);
  endPart(op, UCS_OK);
}

/// Asks for frame `index`: it has come already, or will.
void askForFrame(Operation& op, MultiRecvExtra& extra, std::size_t index) {
  Inlet& inlet = *extra.inlet;
  const std::uint64_t key = frameKey(extra.sequence, index);
  LargeFrame& frame = inlet.frames().at(key);
  ++op.parts;
  frame.receiver = &op;
  frame.buffer = extra.buffers[index]->data();
  frame.wanted = extra.frames[index].size;
  frame.is_on_device = extra.frames[index].cuda;
  frame.is_placed_on_device = extra.buffers[index]->getType() != BufferType::Host;
  if (!frame.hasCome()) return;
  takeFrame(inlet, inlet.frames().take(key));
}

bool needsLink(const MultiRecvExtra& extra) noexcept {
  return std::any_of(extra.frames.begin(), extra.frames.end(),
                     [](const FrameInfo& frame) { return !frame.packed; });
}

void askForFrames(Operation& op, MultiRecvExtra& extra) {
  if (extra.inlet == nullptr && needsLink(extra))
    return finish(op, extra, UCS_ERR_CONNECTION_RESET);
  op.parts = 1;  // this loop: frames that are here already must not end the operation inside it
  try {
    for (std::size_t i = 0; i < extra.frames.size(); ++i) {
      if (!extra.frames[i].packed) askForFrame(op, extra, i);
    }
  } catch (const std::bad_alloc&) {
    op.part_status = UCS_ERR_NO_MEMORY;
  }
  endPart(op, UCS_OK);
}

}  // namespace

void onMultiFrame(Inlet& inlet, const Incoming& message) {
  const std::uint64_t key = message.header.argument;
  const OpenMulti* multi = inlet.frames().opened(sequenceOf(key));
  if (multi == nullptr) {  // frames follow their message at once
    inlet.refuse(message);
    return inlet.fail(UCS_ERR_INVALID_PARAM);
  }
  if (multi->refused) return inlet.refuse(message);
  LargeFrame& frame = inlet.frames().at(key);
  if (frame.hasCome()) {  // the same frame twice
    inlet.refuse(message);
    return inlet.fail(UCS_ERR_INVALID_PARAM);
  }
  frame.announcement = message.announcement;
  frame.sender = message.sender;
  frame.bytes = message.bytes;
  frame.size = message.header.length;
  message.sender_kept = message.sender != nullptr;
  if (frame.receiver == nullptr) {
    Message* const whole = multi->stays ? nullptr : inlet.recallable().listed(multi->sequence);
    if (whole != nullptr) inlet.ahead().considerFrames(*whole);
    return;
  }
  takeFrame(inlet, inlet.frames().take(key));
}

bool isTableTooLong(const Loop& loop, std::size_t size) noexcept {
  return size > frameTableBytes(limitsOf(loop).frames) + kPackedTotalBytes;
}

void startMultiRecv(Operation& op) {
  op.extra = std::make_unique<MultiRecvExtra>();
  postTo(inboxOf(*op.loop).multis, op);
}

void onMulti(Inlet& inlet, const Incoming& message) {
  inlet.frames().open(message.header);
  Matcher& multis = inboxOf(inlet.loop).multis;
  if (!tryMatch(inlet, message, multis)) return inlet.refuse(message);
  if (PostedReceive* receive = multis.match(message.header.argument))
    return deliver(inlet, message, static_cast<Operation&>(*receive));
  const std::uint64_t pair = message.header.endpoint;
  const bool is_own = message.header.sender_opened == 0;
  const EndpointState* endpoint = inlet.findEndpoint(message.header);
  if (endpoint == nullptr && inlet.closed.has(pair, is_own)) return inlet.refuse(message);
  Message& kept = *keep(inlet, message);
  if (endpoint != nullptr) kept.endpoint = endpoint->key;
  multis.keep(kept);
  if (!kept.inMemory()) inlet.ahead().consider(kept, message.header);
}

std::optional<std::size_t> largeFrameBytes(const Inlet& inlet, const Message& message) {
  const auto frames = framesOf(inlet.loop, message);
  const auto is_on_device = [](const FrameInfo& frame) { return frame.cuda; };
  if (!frames || std::any_of(frames->begin(), frames->end(), is_on_device)) return std::nullopt;
  std::size_t bytes = 0;
  for (const FrameInfo& frame : *frames)
    if (!frame.packed) bytes += costOf(frame.size);
  return bytes;
}

bool haveFramesCome(const Inlet& inlet, const Message& message) {
  const auto frames = framesOf(inlet.loop, message);
  for (std::size_t i = 0; frames && i < frames->size(); ++i) {
    if (!(*frames)[i].packed && !inlet.frames().hasCome(frameKey(message.sequence, i)))
      return false;
  }
  return true;
}

std::unique_ptr<Operation> makeFramesReceive(Inlet& inlet, FetchAhead& ahead) {
  const Message& message = *ahead.message;
  auto op = std::make_unique<Operation>();
  op->kind = OperationKind::MultiRecv;
  op->loop = &inlet.loop;
  op->stage = Stage::Moving;
  op->extra = std::make_unique<MultiRecvExtra>();
  MultiRecvExtra& extra = recvExtra(*op);
  extra.ahead = &ahead;
  extra.parsed = true;
  if (prepareMultiRecv(*op, &inlet, message.size, message.sequence) != UCS_OK) return nullptr;
  std::memcpy(op->buffer, message.bytes, message.size);
  return parse(*op, extra) == UCS_OK ? std::move(op) : nullptr;
}

void fetchFrames(Operation& op) { askForFrames(op, recvExtra(op)); }

void takeFrames(Operation& op, Operation& from) {
  MultiRecvExtra& extra = recvExtra(op);
  MultiRecvExtra& fetched = recvExtra(from);
  extra.packed = std::move(fetched.packed);
  extra.frames = std::move(fetched.frames);
  extra.buffers = std::move(fetched.buffers);
  extra.parsed = true;
  finish(op, extra, UCS_OK);
}

void takeWholeMulti(Message* message, Operation& op) noexcept {
  MultiRecvExtra& extra = recvExtra(op);
  extra.buffers = std::move(message->extra->whole->buffers);
  extra.frames = std::move(message->extra->whole->frames);
  extra.parsed = true;
  destroyMessage(message);
  multiReceived(op, UCS_OK);
}

bool withdrawMultiRecv(Operation& op) noexcept { return inboxOf(*op.loop).multis.withdraw(op); }

ucs_status_t prepareMultiRecv(Operation& op, Inlet* inlet, std::size_t size,
                              std::uint32_t sequence) {
  MultiRecvExtra& extra = recvExtra(op);
  const MultiLimits limits = limitsOf(*op.loop);
  try {
    if (isTableTooLong(*op.loop, size)) {
      extra.reason = excessOf(fmt::format("a table of {} bytes", size), limits);
      return UCS_ERR_EXCEEDS_LIMIT;
    }
    extra.packed = allocatePacked(size);
  } catch (const std::bad_alloc&) {
    return UCS_ERR_NO_MEMORY;
  }
  extra.inlet = inlet;
  extra.sequence = sequence;
  op.buffer = extra.packed.get();
  op.length = size;
  return UCS_OK;
}

void multiReceived(Operation& op, ucs_status_t status) {
  MultiRecvExtra& extra = recvExtra(op);
  if (status == UCS_OK && !extra.parsed) {
    extra.parsed = true;
    status = parse(op, extra);
    if (status == UCS_OK) return askForFrames(op, extra);
  }
  finish(op, extra, status);
}

}  // namespace ucxx::core
