// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <sys/types.h>
#include <ucs/type/status.h>

#include "base/completion.h"
#include "base/id128.h"
#include "core/channel/incoming.h"
#include "core/channel/link_types.h"
#include "core/loop/reviews.h"
#include "core/wire/wire.h"
#include "local/channel.h"
#include "local/way.h"
#include "ucp/worker.h"

namespace ucxx::core {

class Loop;
struct Notice;
struct Operation;

struct NoticeDeleter {
  void operator()(Notice* notice) const noexcept;
};
using NoticePointer = std::unique_ptr<Notice, NoticeDeleter>;

/// A link as its parts see it: the order of the messages that it sends, the channels that carry
/// them, and how much is on its way. `Inlet` is a port that knows what has come over
/// it, and `Link` an inlet that knows endpoints; both own parts, which hold the port or inlet that
/// they need. The port is destroyed after them, and its channels with it: what waits in a channel
/// for room is ended before that (`Link::end`), since the end of it is told to a part. The loop's.
class Port {
 public:
  enum class State : std::uint8_t { Connecting, Up, Ended };

  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;

  bool isSending() const noexcept { return state == State::Up && failing == UCS_OK; }
  /// The peer is gone or misbehaved: every endpoint and request on the link ends, after this round.
  void fail(ucs_status_t status) noexcept;
  /// A message was sent.
  bool hasSent() const noexcept { return next_sequence_ != 0; }
  /// What the link fails, or has ended, with; OK: it goes on.
  ucs_status_t failureStatus() const noexcept;
  /// Messages are not taken in the short way (link_small.cpp) before the next one has been taken in
  /// the long way.
  void becomeUnusual() noexcept { takes_usual = false; }

  /// @name Headers: a message has its place in the order as soon as it has its header
  /// @{
  WireHeader headerFor(MessageKind kind, PairName about, std::uint64_t argument,
                       std::uint64_t length) noexcept;
  /// Headers of what is sent of announcement `number`: a piece by the channel, all of it by UCX.
  WireHeader headerOfPiece(std::uint64_t number, std::uint64_t length) noexcept;
  WireHeader headerOfPayload(std::uint64_t number, std::uint64_t length) noexcept;
  /// @}

  /// @name Sending
  /// @{
  /// Gives a message to its carrier; `header` and payload stay untouched until it ends, at once or,
  /// with INPROGRESS, as `completion` is told.
  ucs_status_t put(std::span<const std::byte> header, const void* buffer, std::size_t size,
                   Carrier carrier, base::Completion& completion,
                   std::optional<local::Way> fragment = {});
  ucs_status_t put(std::span<const std::byte> header, std::span<const ucp_dt_iov_t> blocks,
                   Carrier carrier, base::Completion& completion);
  /// Gives a message to the ring; header and payload need not stay.
  ucs_status_t putCopy(std::span<const std::byte> header, const void* buffer, std::size_t size);
  /// How a fragment of a payload of such a size is written to the bulk ring; none: it is no
  /// fragment, or there is no such ring.
  std::optional<local::Way> fragmentWayOf(std::size_t size) const noexcept;
  const Fragments& fragments() const noexcept { return fragments_; }
  /// How what comes from the memory of devices is sent by UCX.
  const Fragments& deviceFragments() const noexcept { return device_fragments_; }
  /// Chooses both, by the carriers that the link has now.
  void chooseFragments();
  /// So much of a put or get goes in one message.
  std::size_t pieceBytes() const noexcept { return fragments_.each; }
  /// Pushes out what its carriers still hold, as far as they can tell.
  ucs_status_t flush(base::Completion& completion);
  /// A message that was not announced has ended with `status`: what its sender is told. The link
  /// fails with it, for what comes after it would never have its turn.
  [[nodiscard]] ucs_status_t sendEnded(ucs_status_t status) noexcept;
  /// One of the `pending_parts` has ended: the last one frees a link that has ended.
  void partEnded() noexcept {
    --pending_parts;
    if (state == State::Ended) review.ask();
  }
  /// @}

  /// @name Messages of the library, with a copy of a small payload
  /// @{
  /// Throws `std::bad_alloc` before anything has been told. The own worker takes it in this call.
  void tell(MessageKind kind, PairName about, std::uint64_t argument,
            std::span<const std::byte> payload);
  /// Tells what is in `notice`, the first `size` bytes of it. Not to the own worker.
  void tell(NoticePointer notice, MessageKind kind, std::uint64_t argument,
            std::size_t size) noexcept;
  /// A control message, without a payload, but for the addresses of UCX. The link fails if there is
  /// no memory for it, or too many wait because the peer takes none. A link that is not up sends
  /// none.
  void sendControl(MessageKind kind, std::uint64_t argument = 0);
  void sendControl(const WireHeader& header, std::span<const std::byte> payload = {});
  /// Control messages wait for room.
  bool isHoldingControls() const noexcept { return controls_ != 0; }
  /// @}

  /// Bytes that have come by the channel go to their place; `whole`: the payload they are a part
  /// of.
  [[gnu::always_inline]] void copyIn(void* to, const void* from, std::size_t size,
                                     std::size_t whole) const noexcept {
    if (size == sizeof(std::uint64_t)) [[likely]]
      std::memcpy(to, from, sizeof(std::uint64_t));
    else
      copyLong(to, from, size, whole);
  }

  /// @name What parts tell the link
  /// @{
  /// A message has its turn.
  virtual void handle(Incoming& message) = 0;
  /// Nobody will take `message`: its announcement is dropped, its credit returned, and what follows
  /// it is refused, too.
  virtual void refuse(const Incoming& message) = 0;
  /// From now on there is something to copy between the memories of the two processes, or will be
  /// when the peer has done its part.
  virtual void beginCopying() noexcept = 0;
  /// An announcement of the peer is fetched, or dropped: it may announce another message.
  virtual void announcementTaken() noexcept = 0;
  /// An announcement of the local side is over, which `op` waited for (null: nobody does any more):
  /// it was sent, or never will be. CANCELED: its receiver had no use for it.
  virtual void announcementEnded(Operation* op, ucs_status_t status) noexcept = 0;
  /// @}

  Loop& loop;
  Review review;  // after a round in which something has happened to the link
  ChannelKind channel;
  State state = State::Connecting;
  base::Id128 peer;  // worker; zero until known
  pid_t peer_process =
      -1;  // 0: in a pid namespace that is not seen from here; -1: not met, or ended
  std::uint64_t peer_name = 0;  // what the link is called in headers to the peer
  std::unique_ptr<ucp::Endpoint> ucp;
  std::unique_ptr<local::Channel> local;
  ucs_status_t error = UCS_OK;       // what the link has ended with
  std::string failure;               // more about it, for people
  ucs_status_t failing = UCS_OK;     // to be acted upon after this round
  ucs_status_t ucx_status = UCS_OK;  // what UCX beside the ring ended with
  std::size_t pending_parts = 0;     // operations of the channel, not ended

 protected:
  Port(Loop& its_loop, ChannelKind its_channel) noexcept;
  virtual ~Port();

  /// A round has ended in which `review` was asked. The link may be gone afterwards.
  virtual void onReviewDue() = 0;

  /// What is in the ring came before it: that is read first.
  virtual void ucxLost(ucs_status_t status) noexcept = 0;
  /// The answer to a goodbye has left.
  virtual void goodbyeAnswered() noexcept = 0;
  void ucpFailed(ucs_status_t status) noexcept {
    local == nullptr ? fail(status) : ucxLost(status);
  }

  std::uint32_t next_sequence_ = 0;  // of the next message that is sent
  bool takes_usual = false;          // see `becomeUnusual`

 private:
  friend struct Notice;
  void copyLong(void* to, const void* from, std::size_t size, std::size_t whole) const noexcept;
  ucs_status_t given(ucs_status_t status) noexcept;
  void give(NoticePointer notice, std::size_t size) noexcept;
  std::size_t mostControls() const noexcept;

  std::size_t controls_ = 0;  // not sent yet
  Fragments fragments_;
  Fragments device_fragments_;  // of what comes from the memory of devices, by UCX
};

/// A message of the library on its way: its header, and a payload of its own.
struct Notice final : base::Completion {
  /// With room for so many bytes. `under_way` counts the notice until it has left; null: no number
  /// counts it. The number is the port's, or that of a part of its link: both stay until the notice
  /// has ended, since `pending_parts` counts it from the moment it is given to a channel. Throws
  /// `std::bad_alloc`.
  static NoticePointer make(Port& port, std::size_t bytes, std::size_t* under_way = nullptr);
  std::byte* payload() noexcept { return reinterpret_cast<std::byte*>(this + 1); }

  Port& port;
  const std::size_t room;
  std::size_t* const under_way;
  WireHeader header;

 private:
  friend struct NoticeDeleter;
  Notice(Port& its_port, std::size_t bytes, std::size_t* counter) noexcept;
  ~Notice() = default;
  void ended(ucs_status_t status) noexcept;
};

}  // namespace ucxx::core
