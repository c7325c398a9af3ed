// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <optional>

#include "base/list.h"
#include "core/channel/incoming.h"
#include "core/match/endpoint_state.h"
#include "core/match/inlet.h"
#include "core/match/intake.h"
#include "core/match/landing.h"
#include "core/match/matcher.h"
#include "core/match/message.h"
#include "core/match/recallable_messages.h"
#include "core/request/cancel.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_actions.h"
#include "core/request/outcome.h"
#include "core/wire/wire.h"

/// One group of functions per kind of transfer. `start...` begins an operation, `on...` takes a
/// message in its turn, `withdraw...` takes out an operation that nothing has touched yet (false:
/// it moves), `...Received` is told when the payload of an operation is complete, or has failed.
namespace ucxx::core {

class Loop;
struct Blocks;
struct FetchAhead;

/// From where the payload of a message comes.
struct Source {
  bool is_far = false;           // another machine, or UCX
  bool reaches_devices = false;  // whoever writes it does
};

/// What the fetch of a payload ends with that its sender has taken back. No request does: its
/// receive goes on waiting.
inline constexpr ucs_status_t kTakenBack = UCS_ERR_NO_MESSAGE;

/// Up to this size the self channel copies an unexpected message instead of keeping its sender.
inline constexpr std::size_t kSelfCopyBytes = 8 << 10;

// payload.cpp: bytes from a message into an operation
/// `op` takes a message that just arrives.
void deliver(Inlet& inlet, const Incoming& message, Operation& op);
/// `op`, a tag receive, takes a message of the own worker's.
void deliverBytes(Inlet& inlet, const void* bytes, std::size_t size, std::uint64_t tag,
                  Operation& op);
/// `op` takes the oldest message in `matcher` that it matches and that its sender has not recalled;
/// or it waits there.
inline void postTo(Matcher& matcher, Operation& op);
/// `op` takes `matched`, which it has matched.
void takeFrom(Matcher& matcher, Message* matched, Operation& op);
/// A message that was kept is the receiver's from now on. False: its sender has recalled it.
bool tryTakeClaimed(Message& message) noexcept;
inline bool tryTake(Message& message) noexcept {
  return message.claim == 0 || tryTakeClaimed(message);
}
/// The sender of `message` has recalled it, and the caller has not taken it.
bool isRecalled(const Message& message) noexcept;
/// `op` takes a message that was kept, and that is its own; destroys it.
void consume(Message* message, Operation& op);
/// Into a queue from which it may be recalled.
inline void queueUp(MessageList& queue, Message& message) noexcept {
  queue.pushBack(message);
  if (message.is_listed) message.inlet->recallable().noteQueue(queue, message);
}
/// Nobody takes it now: a copy, or the announcement. The self channel may leave it at the sender.
Message* keep(Inlet& inlet, const Incoming& message);
/// Ends a message that nobody will take: credit, announcement, sender.
void discard(Message* message) noexcept;
/// All bytes of `op` are there, or will never come.
inline void payloadReceived(Operation& op, ucs_status_t status) { actionsOf(op).ended(op, status); }
/// All bytes are there of a message that `op` has taken while they came; destroys it.
void takenReceived(Message* message, Operation& op, ucs_status_t status);

/// The message of `op`, a tag or multi-buffer receive, was taken back: it waits for the next one.
void goOnWaiting(Matcher& matcher, Operation& op);

// give_back.cpp: a receive that has ended with success gives its message back
/// `Request::giveBack`, from any thread: the message of `op`, a receive, goes back to its place.
/// False: it has none, or it cannot. Throws `std::bad_alloc`, and nothing has happened.
bool giveBackMessage(Operation& op);
/// `op` ends with success, and nobody wants it: its message goes back. False: no memory for that.
bool giveBackInVain(Operation& op) noexcept;
/// Nobody wants what `op`, which waits, would take: it ends now. False: it is wanted.
inline bool endInVain(Operation& op) noexcept;
/// A stream receive, the oldest one, is off its list, and what it has taken so far goes back.
/// False: no memory for that, nothing has happened.
bool giveBackPart(Operation& op) noexcept;
/// A receive that waits for the gate of `landing` has nothing to land any more: its message goes
/// back. False: no memory for that, nothing has happened.
bool giveBackAtGate(Operation& op, Landing& landing) noexcept;

// loss.cpp
/// The link ends: what is still at its peer is lost, what is whole stays.
void loseMessagesOf(Inlet& inlet);
/// The worker ends: so does what nobody has received.
void discardMessages(Loop& loop) noexcept;
/// The endpoint is over: what it sends over the self channel and nobody has received ends.
void revokeSends(EndpointState& endpoint);

// tag.cpp
/// A receive of an endpoint that is over, and what it matches has not come before that.
bool cannotCome(const Operation& receive, const Matcher& arrived) noexcept;
/// A message that arrives is kept, or a receive waits for it. False: for that it is too late, its
/// sender has recalled it.
bool tryMatch(Inlet& inlet, const Incoming& message, const Matcher& receives) noexcept;
void startTagRecv(Operation& op);
void startTagRecvOf(Operation& op, Message* message);
void onTag(Inlet& inlet, const Incoming& message);
bool withdrawTagRecv(Operation& op) noexcept;
void tagReceived(Operation& op, ucs_status_t status);
Message* probeTag(Loop& loop, std::uint64_t tag, std::uint64_t mask, bool remove);
/// Ends a message that a probe removed and nobody received.
void discardProbed(Loop& loop, Message* message) noexcept;

void postTo(Matcher& matcher, Operation& op) {
  if (cannotCome(op, matcher)) return complete(op, op.endpoint->overStatus());
  if (ArrivedMessage* matched = matcher.post(op))
    takeFrom(matcher, static_cast<Message*>(matched), op);
}

bool endInVain(Operation& op) noexcept {
  if (!op.outcome.isDisowned() || !withdrawOperation(op)) [[likely]]
    return false;
  complete(op, UCS_ERR_CANCELED);
  return true;
}

// scatter.cpp: several blocks as one tag message
struct GatherExtra : OperationExtra {
  std::vector<ucp_dt_iov_t> iov;    // empty: there is one buffer
  std::vector<std::byte> gathered;  // their bytes, for the self channel
  std::unique_ptr<OperationExtra> again() const override;
  std::vector<const void*> buffers() const override;
};
/// What a tag receive into several blocks, or into memory of a device, needs.
struct ScatterExtra final : OperationExtra {
  std::vector<ucp_dt_iov_t> iov;
  std::vector<bool> on_device;         // of each; empty: all are the host's
  std::shared_ptr<std::byte> staging;  // what comes, until it is whole; null: it comes in its place
  Landing landing;
  std::unique_ptr<OperationExtra> again() const override;
  std::vector<const void*> buffers() const override;
};
/// Copies the blocks of a send into one, which is all that the self channel takes. False: there is
/// no memory for it.
bool gather(Operation& op) noexcept;
/// What a receive into several blocks, of `length` bytes in all, is to match.
void setBlocks(Operation& op, Blocks&& blocks, std::uint64_t tag, std::uint64_t mask);
/// The memory into which a matched message comes first; not OK: it does not fit, or there is none.
ucs_status_t prepareScatter(Operation& op, std::size_t size, const Source& source);
void scatterReceived(Operation& op, ucs_status_t status);
/// The message is here, whole, and does not stay.
void takeScattered(Operation& op, const void* bytes, std::size_t size);
/// What was received is where the processor does not reach it.
bool isScattered(const Operation& op) noexcept;
/// Else: all of it, to `to`.
void gatherScattered(const Operation& op, std::byte* to, std::size_t size) noexcept;

// am.cpp
struct AmSendExtra final : GatherExtra {
  AmPrologue prologue;
  std::vector<std::byte> header;  // wire header and prologue, once sent
  std::unique_ptr<OperationExtra> again() const override;
};
struct AmRecvExtra final : OperationExtra {
  std::shared_ptr<Buffer> buffer;
  std::string user_header;
  AmReceiverCallbackType receiver;  // of a message for a registered callback
  std::shared_ptr<Request> self;    // handed to it
  Intake* counted_by = nullptr;     // null: none does
  std::size_t counted_bytes = 0;
  Landing landing;
};
void startAmRecv(Operation& op);
/// Gives messages to the receives that wait for them.
void pumpAm(EndpointState& endpoint);
void onAm(Inlet& inlet, const Incoming& message);
/// The receive that waits for the next message, with a buffer for its `size` bytes, which are in
/// memory; null: there is none, or no memory, and nothing has happened.
Operation* receiveOfAm(EndpointState& endpoint, std::size_t size) noexcept;
/// The receive that `receiveOfAm` has found gets the bytes.
void takeAm(Inlet& inlet, std::span<const std::byte> payload, Operation& op) noexcept;
/// The oldest message that is held for a registered receiver comes now; or never, and its receiver
/// is told `status`.
void startReceiver(EndpointState& endpoint) noexcept;
void refuseReceiver(EndpointState& endpoint, ucs_status_t status) noexcept;
/// A message is back that a receive had taken.
void restoreAm(EndpointState& endpoint, Message& message);
/// `op` takes one with its buffer; destroys it.
void takeWholeAm(Message* message, Operation& op) noexcept;
bool withdrawAmRecv(Operation& op) noexcept;
void amReceived(Operation& op, ucs_status_t status);

// stream.cpp
/// Of a receive into memory of a device, whose bytes are collected before they land.
struct StreamRecvExtra final : OperationExtra {
  explicit StreamRecvExtra(void* place_) noexcept : place(place_) {}
  void* const place;
  std::shared_ptr<std::byte> memory;
  Landing landing;
};
/// The bytes of `op` go to `place`, in memory of a device.
void setPlace(Operation& op, void* place);
void startStreamRecv(Operation& op);
void pumpStream(EndpointState& endpoint);
void onStream(Inlet& inlet, const Incoming& message);
/// The receive that waits for the next bytes, and wants so many of them or more; or null.
Operation* receiveOfStream(const EndpointState& endpoint, std::size_t size) noexcept;
/// The receive that `receiveOfStream` has found gets the bytes.
void takeStream(Inlet& inlet, std::span<const std::byte> payload, Operation& op) noexcept;
bool withdrawStreamRecv(Operation& op) noexcept;
/// Bytes are back that a receive had taken, the last of them at the place `piece.number`.
void restoreStream(EndpointState& endpoint, Message& piece);
/// The piece that is on its way, or null.
Message* fetchedPiece(const EndpointState& endpoint) noexcept;
void streamPieceFetched(EndpointState& endpoint, ucs_status_t status);
/// The endpoint is over: receives that what is here cannot fill end.
void endStreamReceives(EndpointState& endpoint) noexcept;

// multi.cpp
struct MultiSendExtra final : OperationExtra {
  std::vector<const void*> sources;
  std::vector<FrameInfo> frames;
  std::shared_ptr<void> packed;  // table and small frames
  std::size_t packed_bytes = 0;
  std::unique_ptr<OperationExtra> again() const override;
  std::vector<const void*> buffers() const override { return sources; }
  void* ownBuffer() const noexcept override { return packed.get(); }
  void renew() noexcept override;
};
struct MultiRecvExtra final : OperationExtra {
  std::shared_ptr<void> packed;
  std::vector<FrameInfo> frames;
  std::vector<std::shared_ptr<Buffer>> buffers;
  Inlet* inlet = nullptr;      // null: it has ended
  std::uint32_t sequence = 0;  // of the Multi message
  bool parsed = false;
  FetchAhead* ahead = nullptr;  // of an operation of the library's own: for whom it receives
  std::string reason;           // why it was refused, if there is more to say than the status
  Landing landing;              // of frames
  bool has_device_buffers = false;
};
/// Frames so small that their message can be sent in this call. Null: it cannot, nothing has
/// happened.
std::shared_ptr<Request> sendFramesAtOnce(EndpointState& endpoint,
                                          const std::vector<const void*>& buffers,
                                          const std::vector<std::size_t>& sizes,
                                          const std::vector<int>& is_cuda, std::uint64_t tag);
std::unique_ptr<MultiSendExtra> packFrames(const std::vector<const void*>& buffers,
                                           const std::vector<std::size_t>& sizes,
                                           const std::vector<int>& is_cuda);
void startMultiRecv(Operation& op);
/// No message within the limits of the worker has a table, with its small frames, of `size` bytes.
bool isTableTooLong(const Loop& loop, std::size_t size) noexcept;
void onMulti(Inlet& inlet, const Incoming& message);
void onMultiFrame(Inlet& inlet, const Incoming& message);
/// What the large frames of a kept message take; nothing: it cannot be fetched without a receive.
/// Throws `std::bad_alloc`.
std::optional<std::size_t> largeFrameBytes(const Inlet& inlet, const Message& message);
/// Each of them has been announced.
bool haveFramesCome(const Inlet& inlet, const Message& message);
/// An operation of the library's own that gets them, with buffers for all; null: it cannot be
/// received. Throws `std::bad_alloc`.
std::unique_ptr<Operation> makeFramesReceive(Inlet& inlet, FetchAhead& ahead);
void fetchFrames(Operation& op);
/// `op` takes what such an operation has received, and ends.
void takeFrames(Operation& op, Operation& from);
/// `op` takes a message with its buffers; destroys it.
void takeWholeMulti(Message* message, Operation& op) noexcept;
bool withdrawMultiRecv(Operation& op) noexcept;
void multiReceived(Operation& op, ucs_status_t status);
/// The buffer of a matched multi-buffer message; not OK: it cannot be received.
ucs_status_t prepareMultiRecv(Operation& op, Inlet* inlet, std::size_t size,
                              std::uint32_t sequence);

// sends.cpp
/// Its blocks, if they are several.
const std::vector<ucp_dt_iov_t>* iovOf(const Operation& op) noexcept;
/// A multi-buffer message, of which some frames go by themselves.
bool hasFramesApart(const Operation& op) noexcept;
/// How many bytes the header of an active message has more.
std::size_t prologueBytesOf(const Operation& op) noexcept;
/// Can go in fragments, of which each knows its offset.
bool isContiguous(const Operation& op) noexcept;
/// A send from the memory of a device, or of a frame that is there, as it is said to be.
bool comesFromDevice(const Operation& op) noexcept;

// link_send.cpp
/// What a send ends with when its announcement was dropped.
ucs_status_t statusOfDropped(const Operation& op) noexcept;

}  // namespace ucxx::core
