// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <sys/uio.h>

#include "base/completion.h"
#include "base/file_descriptor.h"
#include "base/list.h"
#include "base/poller.h"
#include "base/shared_memory.h"
#include "local/bell.h"
#include "local/bulk_copy.h"
#include "local/bulk_ring.h"
#include "local/chunks.h"
#include "local/peer_memory.h"
#include "local/process.h"
#include "local/ring.h"

namespace ucxx::local {

class Arena;
class Hub;

/// One end of what joins two workers of one machine: a ring in each direction, the peer's bell, and
/// its process. Made and polled by a hub.
class Channel final : private base::PollHandler {
 public:
  /// The segment: whole pages that have memory at once, and behind them the bulk rings.
  static constexpr std::size_t kPageBytes = 4096;
  static constexpr std::size_t kUsedBytes =
      2 * (RingMemory::bytesFor(RingMemory::kDefaultLines) + sizeof(EndMemory));
  static constexpr std::size_t kSegmentBytes =
      (kUsedBytes + kPageBytes - 1) / kPageBytes * kPageBytes;
  static constexpr std::size_t kSparseBytes = 2 * choices::kBulkBytes;

  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// @name Meeting: what the peer must be given, by the door
  /// @{
  /// The caller's end of a new channel. Throws when memory or descriptors are short.
  static std::unique_ptr<Channel> call(Hub& hub);
  /// The other end: what came with a hello. Throws `Error` that says what is wrong with it.
  static std::unique_ptr<Channel> answer(Hub& hub, std::span<const std::byte> terms,
                                         std::vector<base::FileDescriptor> descriptors);
  /// For the hello, or the welcome: what its descriptors are.
  std::vector<std::byte> terms() const;
  /// Borrowed; they live as long as the channel.
  std::vector<int> descriptors() const;
  /// The caller's end: what came with the welcome. Throws `Error` that says what is wrong with it.
  void join(std::span<const std::byte> terms, std::vector<base::FileDescriptor> descriptors);
  /// From now on the hub polls it. The peer's end of `socket` (-1: there is none) stays open as
  /// long as it runs this program.
  void begin(int socket);
  /// @}

  /// Sends a message if there is room for it, and nothing waits before it.
  template <class Header>
  [[gnu::always_inline]] bool trySend(const Header& header, const void* payload,
                                      std::size_t size) noexcept {
    return waiting_.empty() && put(header, payload, size);
  }
  /// Sends a message, in order; EXCEEDS_LIMIT if no ring can hold it. INPROGRESS: the ring is full,
  /// `header` and payload stay untouched until `completion` is told. A `fragment` goes through the
  /// bulk ring, written in this way, if that has memory.
  ucs_status_t send(std::span<const std::byte> header, const void* payload, std::size_t size,
                    base::Completion& completion, std::optional<Way> fragment = {});
  ucs_status_t send(std::span<const std::byte> header, std::span<const iovec> payload,
                    base::Completion& completion);
  /// The same, of a copy if it has to wait: header and payload are the caller's again. Throws
  /// `std::bad_alloc`.
  ucs_status_t sendCopy(std::span<const std::byte> header, std::span<const iovec> payload);
  /// Ends when all that was sent before is in the ring.
  ucs_status_t flush(base::Completion& completion);
  /// The payload of the message that waits for room with `completion` may be changed from now on: a
  /// copy of it goes. False: there is no such message, or no memory for that.
  bool keepPayload(const base::Completion& completion) noexcept;
  /// What waits for room ends with CANCELED.
  void cancelSends() noexcept;

  /// @name The bulk rings (bulk_ring.h)
  /// @{
  /// A payload that is sent now in fragments has room there, all of it; and the ring has a line for
  /// the record of each.
  bool hasBulkRoomFor(std::size_t size) noexcept {
    return waiting_.empty() && bulk_out_.hasRoomFor(size) &&
           out_.isRoomFor(0, choices::kMostFragments * kLineBytes);
  }
  /// Fragments go through it: it has memory, or has not failed to get some.
  bool hasBulkRing() const noexcept { return bulk_out_.isUsable(); }
  /// Sends a fragment, as `trySend`. If `is_timed`, its receiver learns how long it took to write.
  template <class Header>
  bool trySendFragment(const Header& header, const void* payload, std::size_t size, Way way,
                       bool is_timed) noexcept {
    return waiting_.empty() &&
           putFragment(std::as_bytes(std::span(header)), payload, size, way, is_timed);
  }
  /// How the peer wants payloads of such a size to come.
  Way wantedByPeer(std::size_t size) const noexcept {
    return WantedWays::of(out_.memory().wanted.load(std::memory_order_relaxed), sizeClassOf(size));
  }
  /// How this side wants them.
  void want(unsigned size_class, Way way) noexcept;
  /// Of a payload that is being handed over, or a part of it: it came through the bulk ring.
  bool isInBulk(const void* bytes) const noexcept {
    const auto* const byte = static_cast<const std::byte*>(bytes);
    return byte >= bulk_bytes_.data() && byte < bulk_bytes_.data() + bulk_bytes_.size();
  }
  /// ... which says this of itself.
  const BulkNote& note() const noexcept { return note_; }
  /// ... and is copied from there so. `whole`: what it is a fragment of.
  void copyOut(void* to, const void* from, std::size_t size, std::size_t whole) const noexcept {
    const auto copy = note_.way == Way::Streaming || whole >= choices::kLeastPastCaches
                          ? copyStreaming
                          : copyPrefetching;
    copy(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), size);
  }
  /// To be called now and then, at most every second: gives back what was not used since the last
  /// time, and lets go of what was copied from or to the peer's library memory. True: there is
  /// still some.
  bool giveBackBulkMemory() noexcept {
    const bool keeps_touched = memory_ && memory_->keepTouchedIfUsed();
    return bulk_out_.keepIfUsed() || keeps_touched;
  }
  bool hasBulkMemory() const noexcept { return bulk_out_.hasMemory(); }
  /// `giveBackBulkMemory` has something to do after a while.
  bool mustWatchBulkMemory() const noexcept {
    return bulk_out_.needsLook() || (memory_ && memory_->hasTouched());
  }
  /// @}

  /// @name Copies between the memories of the two processes
  /// @{
  PeerMemory& memory() noexcept { return *memory_; }
  /// There is none of that before.
  bool hasJoined() const noexcept { return memory_.has_value(); }
  /// In the library memory of this process, which the peer has mapped if it could.
  bool isShared(const void* begin, std::size_t size) const noexcept;
  EndMemory& ownEnd() const noexcept { return endOf(is_callers_); }
  EndMemory& peerEnd() const noexcept { return endOf(!is_callers_); }
  bool canPeerRunBeside() const noexcept { return runs_beside_; }
  /// Wakes the peer if it sleeps: it looks at what was written before.
  void wake() noexcept {
    base::fullFence();
    bell_->ringIfAsleep();
  }
  /// Words of its memory that it watches were written: wakes the peer if it sleeps. Any thread.
  void stored() noexcept { bell_->afterStore(); }
  const PeerProcess& peerProcess() const noexcept { return *process_; }
  /// As far as is known now: what needs it waits until it has woken up.
  bool isPeerAsleep() const noexcept { return bell_->isOwnerAsleep(); }
  /// It runs this program, and has not left.
  bool isPeerThere() const noexcept { return process_->isThere(socket_) && !hasPeerLeft(); }
  /// It has said that it touches nothing of this link any more.
  bool hasPeerLeft() const noexcept { return peerEnd().left.load(std::memory_order_acquire) != 0; }
  /// It may still be in the middle of a copy. An end of the socket proves that it is not: that
  /// comes from the thread that copies, or when the program has ended, be it by exec.
  bool mayPeerCopy() const noexcept { return !has_hung_up_ && process_->isAlive(); }
  /// The socket is about to be closed.
  void forgetSocket() noexcept;
  /// From now on the peer may copy nothing from or to this process.
  void leave() noexcept { ownEnd().left.store(1, std::memory_order_seq_cst); }
  /// @}

  /// There is a message. Whether the ring is whole, `peek` finds out.
  bool hasCome() const noexcept { return in_.hasCome(); }
  /// From now on the ring is looked at, whether or not the peer raises its bit: it may have died
  /// between a record and that.
  void expectLast() noexcept;
  /// Nothing is left of what the peer has sent.
  bool isDrained() noexcept { return !peek(); }

  /// The owner's own pointer, e.g. its link.
  void* context = nullptr;

 private:
  friend class Hub;
  /// A message that waits for room in the ring; without header, a flush.
  struct Waiting {
    base::Completion* completion = nullptr;  // null: nobody waits for it
    std::span<const std::byte> header{};
    std::span<const iovec> blocks{};
    iovec single{};  // when there are no blocks
    std::unique_ptr<std::byte[]> kept{};
    std::optional<Way> fragment{};
    base::ListNode node{};
    std::span<const iovec> payload() const noexcept {
      return blocks.data() != nullptr ? blocks : std::span(&single, 1);
    }
  };

  Channel(Hub& hub, base::SharedMemory segment, bool is_callers);
  EndMemory& endOf(bool callers) const noexcept;
  /// Publishes a record and rings, if there is room.
  template <class Header, class... Payload>
  [[gnu::always_inline]] bool put(const Header& header, Payload... payload) noexcept {
    if (!out_.put(header, payload...)) return false;
    bell_->afterPublish(out_.memory());
    return true;
  }
  bool putOne(std::span<const std::byte> header, const void* payload, std::size_t size,
              std::optional<Way> fragment) noexcept;
  bool putFragment(std::span<const std::byte> header, const void* payload, std::size_t size,
                   Way way, bool is_timed) noexcept;
  bool hasRoomForFragment(std::size_t header, std::size_t size) noexcept;
  bool put(const Waiting& waiting) noexcept;
  bool hasRoomFor(const Waiting& waiting) noexcept;
  /// The next message.
  [[gnu::always_inline]] std::optional<Consumer::Record> peek() noexcept {
    auto record = in_.peek();
    if (record && record->has_note) [[unlikely]]
      record = peekInBulk(*record);
    return record;
  }
  std::optional<Consumer::Record> peekInBulk(Consumer::Record record) noexcept;
  /// An answer is as long as what it answers, as a rule: its last line is asked for. The peer looks
  /// at the first one all the time, and would take it away while the other one is written.
  void expectAnswer() const noexcept {
    const std::size_t lines = in_.recordLines();
    if (lines <= choices::kMostLinesAskedFor) out_.askForLine(lines - 1);
  }
  /// In a burst, each record that is taken asks for one line, `kLinesAskedAhead` lines ahead of it.
  void expectMore() const noexcept { in_.askForLine(choices::kLinesAskedAhead); }
  void pop() noexcept {
    if (std::exchange(has_note_, false)) [[unlikely]]
      bulk_in_.pop();
    in_.pop();
  }
  /// As those of the ring.
  bool release() noexcept;
  bool releaseQuarter() noexcept;
  Waiting& wait(base::Completion* completion);
  void end(Waiting& waiting, ucs_status_t status) noexcept;
  bool sendWaiting();
  bool announceWaiting();
  /// The peer wrote what no peer writes, and the owner does not know yet.
  bool isNewlyBroken() const noexcept {
    return !is_broken_ &&
           (in_.isBroken() || out_.isBroken() || bulk_out_.isBroken() || is_note_broken_);
  }
  void onReady(std::uint32_t events) override;  // of the peer's process

  Hub& hub_;
  std::uint32_t slot_ = 0;
  base::SharedMemory segment_;
  const bool is_callers_;
  Producer out_;
  Consumer in_;
  const std::span<const std::byte> bulk_bytes_;  // of the peer's payloads
  BulkProducer bulk_out_;
  BulkConsumer bulk_in_;
  BulkNote note_;  // of the message that was peeked
  bool has_note_ = false;
  bool is_note_broken_ = false;
  std::optional<PeerBoard> bell_;       // once joined
  std::optional<PeerProcess> process_;  // once joined
  std::optional<PeerMemory> memory_;    // once joined
  bool runs_beside_ = false;
  const Proof proof_;
  const Arena* arena_;  // null: none
  int socket_ = -1;
  bool has_hung_up_ = false;  // the peer
  base::List<Waiting, &Waiting::node> waiting_;
  // The hub's.
  bool is_hot_ = false;
  bool is_cooling_ = false;
  bool is_stuck_ = false;
  bool is_broken_ = false;
  bool has_begun_ = false;
  bool is_watched_ = false;
  std::uint32_t idle_polls_ = 0;
};

}  // namespace ucxx::local
