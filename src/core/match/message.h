// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <ucxx/typedefs.h>

#include "base/list.h"
#include "base/object_pool.h"
#include "core/channel/incoming.h"
#include "core/match/matcher.h"
#include "core/wire/wire.h"
#include "local/claims.h"

namespace ucxx::core {

class EndpointState;
class Inlet;
struct FetchAhead;
struct Operation;

/// The buffers that a receive had made for a message, and gave back with it: they are handed on.
struct WholeBuffers {
  std::vector<std::shared_ptr<Buffer>> buffers;
  std::vector<FrameInfo> frames;  // multi-buffer messages
};

/// What only some messages have.
struct MessageExtra {
  AmPrologue prologue;                  // active messages
  std::unique_ptr<WholeBuffers> whole;  // active and multi-buffer messages that were given back
};

/// A message that no receive has taken yet, or that one has given back. It is linked in one queue:
/// a matcher, a queue of an endpoint, or those that probes hold. Freed by the receive that takes it
/// (payload.cpp), by `discard`, with its endpoint, as left behind by a peer that has gone
/// (loss.cpp), or when the worker ends.
struct Message : ArrivedMessage {
  MessageKind kind = MessageKind::Tag;
  bool fetching : 1 = false;       // streams: the bytes are on their way
  bool is_cut_off : 1 = false;     // lost, or after what is (loss.cpp); of a stream: taken back
  bool is_listed : 1 = false;      // its link knows it by its sequence: it may be recalled
  bool is_recalled : 1 = false;    // a probe holds it
  bool is_given_back : 1 = false;  // a receive had taken it
  bool is_gap : 1 = false;  // streams: given back, up to `number`; what follows it there was not
  bool stays : 1 = false;   // not to be fetched before a receive has matched it
  local::Claim claim = 0;   // by which its sender may recall it (local/claims.h); 0: by none
  std::uint32_t sequence = 0;
  Inlet* inlet = nullptr;  // over which it has come; null once that has ended
  /// Self channel: the key of the endpoint that has sent it. When its link has ended: as which one,
  /// counted. On its way back from a receive: the number of its inlet.
  std::uint64_t origin = 0;
  Operation* sender = nullptr;  // self channel: still in the sender's buffer
  Announcement announcement;    // to be fetched
  std::byte* bytes = nullptr;   // own copy of what came, with room for `size`
  std::size_t filled = 0;       // bytes that are there
  std::size_t consumed = 0;     // streams: bytes that were given away
  std::size_t credit = 0;       // what its sender gets back when it is consumed
  union {
    std::uint64_t endpoint = 0;  // multi-buffer messages: the key of the one they came to
    Operation* receiver;         // streams: fetched straight into its buffer
  };
  FetchAhead* ahead = nullptr;  // its payload comes, or may come, before its receive (ahead.h)
  std::unique_ptr<MessageExtra> extra;
  base::ListNode node;  // in an endpoint's queue, or among those that probes hold

  bool inMemory() const noexcept { return !announcement && sender == nullptr; }
  bool isWhole() const noexcept { return inMemory() && filled == size; }
  WholeBuffers* whole() const noexcept { return extra != nullptr ? extra->whole.get() : nullptr; }
  /// The link ended before all of the message had come.
  bool isLost() const noexcept { return inlet == nullptr && (is_cut_off || !isWhole()); }
};
using MessageList = base::List<Message, &Message::node>;

Message* makeMessage(std::uint64_t tag, std::size_t size);
/// Gives `message` room for its bytes. Throws `std::bad_alloc`.
void reserve(Message& message);
void destroyMessage(Message* message) noexcept;
struct MessageDeleter {
  void operator()(Message* message) const noexcept { destroyMessage(message); }
};
using MessagePointer = std::unique_ptr<Message, MessageDeleter>;
/// Bytes of the prologue of an active message; 0: the message is another one.
inline std::size_t prologueBytes(const Message& message) noexcept {
  return message.extra != nullptr ? prologueBytes(message.extra->prologue) : 0;
}
/// The memory that it takes here.
std::size_t heldBy(const Message& message) noexcept;

}  // namespace ucxx::core
