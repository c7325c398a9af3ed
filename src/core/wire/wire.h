// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ucxx/am_types.h>

namespace ucxx::core {

/// What a message on a link is. Transfers carry a payload. One-sided ones are limited by what may
/// be under way, and the rest are control messages: no credit ever holds these back.
enum class MessageKind : std::uint8_t {
  Tag = 1,      ///< argument: tag
  Multi,        ///< argument: tag; payload: frame table and the small frames
  Am,           ///< header is followed by an AmPrologue
  Stream,       ///<
  Fragment,     ///< the next bytes of the transfer sent just before it; argument: offset
  Piece,        ///< the next bytes of what was fetched; argument: number of its announcement
  MultiFrame,   ///< one large frame; argument: sequence of its Multi << 32 | index of the frame
  Open,         ///< an endpoint was made; argument: listener (reached.h), 0: for the worker itself
  Opened,       ///< the open made a passive endpoint
  Accept,       ///< the listener's user accepted the open
  Reject,       ///< nobody will answer the open
  Close,        ///< the endpoint is closed; nothing for it follows
  Credit,       ///< argument: unexpected bytes that were consumed
  Fetch,        ///< send the payload; argument: number of its announcement
  Help,         ///< the payload is being copied, help: help_terms.h; argument: number
  Taken,        ///< the payload was copied; argument: number of its announcement
  Drop,         ///< nobody wants the payload; argument: number of its announcement
  Recall,       ///< nobody is to receive the message any more; argument: its sequence, kGapBit
  Bye,          ///< no endpoint is left on this side: may the link end? argument: a number
  ByeAnswer,    ///< nor on this one: it ends; argument: the number of the goodbye
  UcxAsk,       ///< by the local channel: to meet by UCX as well; payload: the sender's address
  UcxAnswer,    ///< the sender's address; empty: not now, argument: its status, negated
  Put,          ///< bytes for the memory that `endpoint` names, an id; argument: offset
  Get,          ///< `length` bytes of it are wanted; no payload
  Atomic,       ///< payload: an AtomicUpdate of a word of it
  Settle,       ///< what became of the puts and the atomics that fetch nothing, since the last one?
  Answer,       ///< to the oldest Get, Atomic that fetches, or Settle; argument: status, negated
  Closing,      ///< the endpoint was closed, and waits for sends that its peer has not taken
  Gone,         ///< to a Fetch that came too late: nothing comes; argument: number, kGapBit
  ListenerAsk,  ///< is it still there? argument: listener (reached.h); `endpoint`: a number
  ListenerAnswer,  ///< argument: the same with another port of the caller's, or 0 if it is not;
                   ///< `endpoint`: the number of the question
  PlanOffer,       ///< a prepared send; argument: its tag; payload: plan_wire.h
  PlanAnswer,      ///< its receive; `endpoint`: the number of the plan, here and below
  PlanReady,       ///< the receiver is ready; argument: for this iteration
  PlanData,        ///< bytes of an iteration; argument: a PlanPart
  PlanClose,       ///< this end is closed
  PlanClosed,      ///< to a PlanClose: nothing more comes of that plan
  // About a payload in memory of a device; argument: number of its announcement.
  Stage,   ///< copy it to where it can be copied from, in parts
  Staged,  ///< the next part: `length` bytes at `endpoint`; or none: it failed with that status
  StagedTaken,  ///< the oldest part was copied
  FetchByUcx,   ///< send it by UCX
  NotByUcx,     ///< to that: UCX is not there
  UcxPayload,   ///< to that: this is it, as UCX announces it
};
/// The status in a Staged: the sender has no memory that its peer can copy from; the peer may
/// Fetch.
inline constexpr ucs_status_t kCannotStage = UCS_ERR_UNSUPPORTED;
/// What was sent after it in its stream is not to be received in its place.
inline constexpr std::uint64_t kGapBit = std::uint64_t{1} << 63;
inline constexpr std::uint8_t kLastMessageKind = static_cast<std::uint8_t>(MessageKind::UcxPayload);

/// About a prepared transfer, which is known by a number.
constexpr bool isOfPlan(MessageKind kind) noexcept {
  return kind >= MessageKind::PlanOffer && kind <= MessageKind::PlanClosed;
}

/// One-sided: it reaches for memory that its receiver has registered.
constexpr bool isAccess(MessageKind kind) noexcept {
  return kind >= MessageKind::Put && kind <= MessageKind::Settle;
}

/// What stays with the sender of a message until it is fetched. Both sides number such messages
/// from 1, in their order.
enum class Announces : std::uint8_t {
  Nothing,
  Payload,           ///< in memory of the host
  OnDevice,          ///< of a device; only where the two are on one machine
  OnDeviceByHandle,  ///< of a device; UCX could map it in another process
};

/// The header of every message. Little endian; both sides of a link agree on the
/// layout at the door.
struct WireHeader {
  std::uint64_t link = 0;      ///< the receiver's random name of the link; through a ring, of what
                               ///< may be recalled: its claim (local/claims.h)
  std::uint64_t endpoint = 0;  ///< the pair, by the id that its opener chose; of memory: its id
  std::uint64_t argument = 0;
  std::uint64_t length = 0;    ///< of the whole transfer
  std::uint32_t sequence = 0;  ///< per link and direction; messages are taken in this order, but
                               ///< pieces on the local channel, which have none of their own
  MessageKind kind = MessageKind::Tag;
  std::uint8_t sender_opened = 0;  ///< 1: `endpoint` is an id of the sender's, 0: of the receiver's
  std::uint8_t announces = 0;      ///< an Announces
  std::uint8_t stays = 0;          ///< 1: its payload is not fetched before a receive has matched
};
static_assert(sizeof(WireHeader) == 40);

/// Which pair of endpoints a message is about, by the id that its opener chose; or, of messages
/// that are about something else, which memory or prepared transfer.
struct PairName {
  std::uint64_t id = 0;
  bool own_opened = false;  // the local side has chosen the id
};

/// A header as it lies in memory, made of registers: to read by the word what was just stored by
/// the byte takes the processor several times as long.
using HeaderWords = std::array<std::uint64_t, sizeof(WireHeader) / sizeof(std::uint64_t)>;
inline constexpr std::size_t kLinkWord = 0, kPairWord = 1, kArgumentWord = 2, kLengthWord = 3;
inline constexpr std::size_t kLastWord = 4;  // sequence, kind and flags
static_assert(offsetof(WireHeader, link) == kLinkWord * sizeof(std::uint64_t));
static_assert(offsetof(WireHeader, endpoint) == kPairWord * sizeof(std::uint64_t));
static_assert(offsetof(WireHeader, argument) == kArgumentWord * sizeof(std::uint64_t));
static_assert(offsetof(WireHeader, length) == kLengthWord * sizeof(std::uint64_t));
static_assert(offsetof(WireHeader, sequence) == kLastWord * sizeof(std::uint64_t));
static_assert(offsetof(WireHeader, kind) == offsetof(WireHeader, sequence) + 4);
static_assert(offsetof(WireHeader, sender_opened) == offsetof(WireHeader, sequence) + 5);
inline constexpr std::uint64_t kSenderOpenedBit = std::uint64_t{1} << 40;
/// The last word of a header that announces nothing.
constexpr std::uint64_t lastWord(std::uint32_t sequence, MessageKind kind,
                                 bool sender_opened) noexcept {
  return sequence | std::uint64_t{static_cast<std::uint8_t>(kind)} << 32 |
         (sender_opened ? kSenderOpenedBit : 0);
}

/// A status as an argument, and back; `otherwise`: it is none.
constexpr std::uint64_t argumentOf(ucs_status_t status) noexcept {
  return static_cast<std::uint64_t>(-static_cast<int>(status));
}
constexpr ucs_status_t statusFrom(std::uint64_t argument, ucs_status_t otherwise) noexcept {
  return argument < std::uint64_t{-UCS_ERR_LAST}
             ? static_cast<ucs_status_t>(-static_cast<int>(argument))
             : otherwise;
}

/// What an unexpected message costs its receiver: its bytes, and in the memory that it really takes
/// (message.cpp) the record of it, which limits floods of empty ones. Both sides count the same.
inline constexpr std::size_t kRecordBytes = 256;
constexpr std::size_t costOf(std::size_t length, std::size_t prologue = 0) noexcept {
  return length + prologue + kRecordBytes;
}

/// Null when the bytes are no header of the library: too short, unknown kind, odd flags.
std::optional<WireHeader> readHeader(std::span<const std::byte> bytes) noexcept;

/// What follows the header of an active message, as its sender has it: nothing is owned.
struct AmPrologueView {
  ucs_memory_type_t memory_type = UCS_MEMORY_TYPE_HOST;
  AmSendMemoryTypePolicy policy = AmSendMemoryTypePolicy::FallbackToHost;
  const AmReceiverCallbackInfo* callback = nullptr;  ///< null: for a receive
  std::string_view user_header;
};

/// An `AmPrologueView` that owns what it has.
struct AmPrologue {
  ucs_memory_type_t memory_type = UCS_MEMORY_TYPE_HOST;
  AmSendMemoryTypePolicy policy = AmSendMemoryTypePolicy::FallbackToHost;
  std::optional<AmReceiverCallbackInfo> callback;
  std::string user_header;

  AmPrologueView view() const noexcept {
    return {memory_type, policy, callback ? &*callback : nullptr, user_header};
  }
};

/// What the library's part of an active message's header takes at most.
inline constexpr std::size_t kAmHeaderOverhead =
    sizeof(WireHeader) + 16 + AmReceiverCallbackOwnerMaxLen;

/// How many bytes follow the header.
std::size_t prologueBytes(const AmPrologueView& prologue) noexcept;
inline std::size_t prologueBytes(const AmPrologue& prologue) noexcept {
  return prologueBytes(prologue.view());
}
/// Writes those bytes; `out` has room for them.
void writePrologue(const AmPrologueView& prologue, std::byte* out) noexcept;
/// The bytes of a header, followed by those of `prologue`.
std::vector<std::byte> writeAmHeader(const WireHeader& header, const AmPrologue& prologue);
/// `bytes` are those of a message for a receive, of which its sender tells nothing.
bool isPlainPrologue(std::span<const std::byte> bytes) noexcept;
/// Null when malformed.
std::optional<AmPrologue> readAmPrologue(std::span<const std::byte> bytes);

/// One frame of a multi-buffer message.
struct FrameInfo {
  std::uint64_t size = 0;
  bool cuda = false;
  bool packed = false;  ///< its bytes follow the table; else it comes as a MultiFrame
};
inline constexpr std::size_t kFrameInfoBytes = 16;
inline constexpr std::size_t kTableHeaderBytes = 8;

struct MultiLimits {
  std::size_t frames = 65536;
  std::size_t bytes = std::size_t{64} << 30;
};
std::size_t frameTableBytes(std::size_t frames) noexcept;
void writeFrameTable(std::span<const FrameInfo> frames, std::byte* out) noexcept;
/// Null when malformed, over `limits`, or when the packed frames do not fill the payload exactly.
std::optional<std::vector<FrameInfo>> readFrameTable(std::span<const std::byte> payload,
                                                     const MultiLimits& limits);

}  // namespace ucxx::core
