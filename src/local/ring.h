// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// One direction of a local channel: a ring of 64-byte lines in shared memory, with one producer
// and one consumer, each in a process of its own, which may be killed at any instruction.
//
// A record fills whole lines and never wraps: a flag word, the header, the payload. If they do not
// all fit one line, the payload begins with a line: copies between two cores are up to three times
// as fast then.
//
//   flag word:  63 ... 32 mark of the lap | 31 note | 30 ... 15 payload bytes | 14 ... 0 header
//   bytes
//
// A record with a note has one word of payload, which says where its payload is: bulk_ring.h.
//
// Its one release store publishes the record; before, nothing of it can be seen (payloads that are
// written past the caches bring a fence along for that, see bulk_copy.h). The mark is
// 2 * lap + 1, so the zeros of fresh memory match no lap. A record that does not fit before the end
// of the ring is put to its start, and then a pad record published that leads there.
//
// The consumer reads as flag only the first word of the line where the next record will begin. So
// that user bytes of an earlier lap never stand there, the producer remembers by one private bit
// per line which first words may be no flag of the last lap (user bytes, or skipped by a pad), and
// before it publishes a record zeroes the first word of the line that follows, if its bit is set.
// For that this line must be free: one line of the ring always is. Messages of one line find
// flags only, and touch no second cache line. What the consumer finds is therefore zero, a flag of
// the last lap (both: nothing there yet), or the record's; anything else breaks the ring.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include <sys/uio.h>

#include "base/copying.h"
#include "base/foreign_fence.h"
#include "base/phase.h"
#include "base/prefetch.h"
#include "local/bulk_copy.h"
#include "local/choices.h"

namespace ucxx::local {

inline constexpr std::size_t kLineBytes = 64;

/// How a ring begins in shared memory; its lines follow. Zeros are an empty ring. Each word has a
/// cache line of its own, since it is read often and written rarely, or the other way round.
struct RingMemory {
  /// Both directions of a pair of workers are 256 KiB and their control words.
  static constexpr std::size_t kDefaultLines = choices::kRingLines;
  static constexpr std::size_t bytesFor(std::size_t lines) noexcept {
    return sizeof(RingMemory) + lines * kLineBytes;
  }

  alignas(kLineBytes) std::atomic<std::uint64_t> consumed;  ///< lines ever freed: the consumer's
  std::atomic<std::uint64_t> bulk_consumed;                 ///< the same, bytes of bulk_ring.h
  alignas(kLineBytes) std::atomic<std::uint32_t> hot;       ///< see bell.h; the consumer's
  std::atomic<std::uint32_t> wanted;                        ///< WantedWays; the consumer's
  alignas(kLineBytes) std::atomic<std::uint32_t> waiting;   ///< set by the producer, taken by the
                                                            ///< consumer that rings
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

/// What both ends know of a ring.
class RingShape {
 public:
  /// `memory` begins with a RingMemory and has `lines` lines, a power of two from 16 to 4096;
  /// throws INVALID_PARAM else. The memory must outlive it.
  RingShape(std::span<std::byte> memory, std::size_t lines);

  std::size_t lines() const noexcept { return mask_ + 1; }
  std::size_t maxRecordLines() const noexcept { return lines() / 4; }
  RingMemory& control() const noexcept { return *control_; }
  std::size_t lineOf(std::uint64_t position) const noexcept { return position & mask_; }
  std::byte* line(std::size_t number) const noexcept { return first_ + number * kLineBytes; }
  std::atomic<std::uint64_t>& flag(std::size_t number) const noexcept { return word(number, 0); }
  std::atomic<std::uint64_t>& word(std::size_t number, std::size_t index) const noexcept {
    return reinterpret_cast<std::atomic<std::uint64_t>*>(line(number))[index];
  }
  /// The mark of the lap that `position`, in lines since the start, belongs to.
  std::uint32_t markOf(std::uint64_t position) const noexcept {
    return static_cast<std::uint32_t>(position >> shift_) * 2 + 1;
  }

 private:
  RingMemory* control_;
  std::byte* first_;
  std::size_t mask_;
  unsigned shift_;
};

/// The flag word.
struct RingFlag {
  static constexpr unsigned kHeaderBits = 15;
  static constexpr unsigned kPayloadBits = 16;
  static constexpr std::uint64_t kNote = std::uint64_t{1} << (kHeaderBits + kPayloadBits);
  /// As header size: a pad, up to the end of the ring.
  static constexpr std::size_t kPad = (std::size_t{1} << kHeaderBits) - 1;

  static constexpr std::uint64_t make(std::uint32_t mark, std::size_t header,
                                      std::size_t payload) noexcept {
    return std::uint64_t{mark} << 32 | payload << kHeaderBits | header;
  }
  static constexpr std::uint32_t mark(std::uint64_t flag) noexcept {
    return static_cast<std::uint32_t>(flag >> 32);
  }
  static constexpr std::size_t header(std::uint64_t flag) noexcept { return flag & kPad; }
  static constexpr std::size_t payload(std::uint64_t flag) noexcept {
    return (flag & (kNote - 1)) >> kHeaderBits;
  }
  static constexpr bool hasNote(std::uint64_t flag) noexcept { return (flag & kNote) != 0; }
  /// Where the payload of a record begins.
  static constexpr std::size_t payloadAt(std::size_t header, std::size_t payload) noexcept {
    const std::size_t at = sizeof(std::uint64_t) + header;
    return at + payload <= kLineBytes ? at : (at + kLineBytes - 1) / kLineBytes * kLineBytes;
  }
  static constexpr std::size_t linesOf(std::size_t header, std::size_t payload) noexcept {
    return (payloadAt(header, payload) + payload + kLineBytes - 1) / kLineBytes;
  }
};

/// The end that writes. One thread at a time.
class Producer {
 public:
  static constexpr std::size_t kMaxHeaderBytes = RingFlag::kPad - 1;

  /// On a fresh ring.
  explicit Producer(std::span<std::byte> memory, std::size_t lines = RingMemory::kDefaultLines);

  /// Header and payload of a record together; a header has at most `kMaxHeaderBytes` of them.
  std::size_t maxRecordBytes() const noexcept {
    return (ring_.maxRecordLines() - 1) * kLineBytes - sizeof(std::uint64_t);
  }
  /// Whether a record of this size can be put now. Never for one that is over the limits.
  bool isRoomFor(std::size_t header, std::size_t payload) noexcept {
    return isAllowed(header, payload) && makeRoom(placeFor(header, payload));
  }

  /// Publishes a record. False: no room now, or broken; nothing has happened.
  bool put(std::span<const std::byte> header, const void* payload, std::size_t size) noexcept {
    return isAllowed(header.size(), size) && putAt(placeFor(header.size(), size), header, size,
                                                   [&](std::byte* to) { copy(to, payload, size); });
  }
  bool put(std::span<const std::byte> header, std::span<const iovec> payload) noexcept;
  /// The same with a header that is in registers: small messages cost little else.
  template <std::size_t kWords>
  [[gnu::always_inline]] bool put(const std::array<std::uint64_t, kWords>& header,
                                  const void* payload, std::size_t size) noexcept {
    const auto write = [&](std::byte * to) __attribute__((always_inline)) {
      copy(to, payload, size);
    };
    if (size <= kLineBytes - sizeof(std::uint64_t) - sizeof header)  // fits wherever it begins
      return putAt({0, ring_.lineOf(head_), 1}, header, size, write);
    return isAllowed(sizeof header, size) &&
           putAt(placeFor(sizeof header, size), header, size, write);
  }

  /// The record of a payload that is in the bulk ring.
  template <class Header>
  bool putNote(const Header& header, std::uint64_t note) noexcept {
    const std::span<const std::byte> bytes = std::as_bytes(std::span(header));
    const auto write = [&](std::byte* to) { std::memcpy(to, &note, sizeof note); };
    return isAllowed(bytes.size(), sizeof note) &&
           putAt(placeFor(bytes.size(), sizeof note), bytes, sizeof note, write, RingFlag::kNote);
  }

  /// There was no room: the consumer will ring when there is more. Look once more afterwards.
  void announceWaiting() noexcept {
    ring_.control().waiting.store(1, std::memory_order_relaxed);
    base::foreignFence();
  }
  /// A record is to be put soon: the line so many behind its first one is asked for.
  void askForLine(std::size_t ahead) const noexcept {
    base::prefetchForWrite(ring_.line(ring_.lineOf(head_ + ahead)));
  }
  /// Whether the consumer wrote what no consumer writes; for ever.
  bool isBroken() const noexcept { return broken_; }

  RingMemory& memory() const noexcept { return ring_.control(); }

 private:
  /// Where a record goes.
  struct Place {
    std::size_t pad;    // lines that are skipped before it
    std::size_t first;  // its first line
    std::size_t lines;
  };

  /// Publishes a record, if there is room for it. Its payload is written first: the consumer looks
  /// at the first line all the time, and would take it away while the other lines are written.
  template <class Header, class WritePayload>
  [[gnu::always_inline]] bool putAt(const Place& place, const Header& header, std::size_t size,
                                    const WritePayload& write, std::uint64_t note = 0) noexcept {
    if (!makeRoom(place)) return false;
    const std::size_t header_size = std::as_bytes(std::span(header)).size();
    write(ring_.line(place.first) + RingFlag::payloadAt(header_size, size));
    base::reached(base::Phase::PayloadCopied);
    const std::size_t old = ring_.lineOf(head_);
    const std::uint64_t start = moveHead(place);
    base::reached(base::Phase::NextFlagCleared);
    putHeader(place.first, header);
    base::reached(base::Phase::RecordCopied);
    base::betweenMappings();
    ring_.flag(place.first)
        .store(RingFlag::make(ring_.markOf(start), header_size, size) | note,
               std::memory_order_release);
    base::reached(base::Phase::RecordPublished);
    if (place.pad != 0) publishPad(old, ring_.markOf(start - 1));
    return true;
  }
  /// Word by word, each out of its register.
  template <std::size_t kWords, std::size_t kAt = 0>
  [[gnu::always_inline]] void putHeader(
      std::size_t line, const std::array<std::uint64_t, kWords>& header) const noexcept {
    ring_.word(line, 1 + kAt).store(header[kAt], std::memory_order_relaxed);
    if constexpr (kAt + 1 < kWords) putHeader<kWords, kAt + 1>(line, header);
  }
  void putHeader(std::size_t line, std::span<const std::byte> header) const noexcept {
    copy(ring_.line(line) + sizeof(std::uint64_t), header.data(), header.size());
  }
  [[gnu::always_inline]] static std::byte* copy(std::byte* to, const void* from,
                                                std::size_t size) noexcept {
    if (size >= choices::kLeastStreamed && isStreamingFaster()) [[unlikely]]
      copyStreaming(to, static_cast<const std::byte*>(from), size);
    else
      base::copyBytes(to, from, size);
    return to + size;
  }
  bool isAllowed(std::size_t header, std::size_t payload) const noexcept {
    return header <= kMaxHeaderBytes && payload <= maxRecordBytes() &&
           header + payload <= maxRecordBytes();
  }
  Place placeFor(std::size_t header, std::size_t payload) const noexcept {
    const std::size_t lines = RingFlag::linesOf(header, payload);
    const std::size_t first = ring_.lineOf(head_);
    const std::size_t left = ring_.lines() - first;
    return lines <= left ? Place{0, first, lines} : Place{left, 0, lines};
  }
  [[gnu::always_inline]] bool makeRoom(const Place& place) noexcept {
    const std::uint64_t end = head_ + place.pad + place.lines + 1;  // one line stays free
    return end <= limit_ || (readConsumed() && end <= limit_);
  }
  bool readConsumed() noexcept;

  /// Past the record, whose first line is returned; no flag stands in the line behind it.
  [[gnu::always_inline]] std::uint64_t moveHead(const Place& place) noexcept {
    const std::uint64_t start = head_ + place.pad;
    if (place.lines > 1) setUserBytes(place.first + 1, place.first + place.lines);
    head_ = start + place.lines;
    clearFlagAt(ring_.lineOf(head_));
    return start;
  }
  void publishPad(std::size_t first, std::uint32_t mark) noexcept;
  [[gnu::always_inline]] void clearFlagAt(std::size_t line) noexcept {
    std::uint64_t& word = user_bytes_[line / 64];
    const std::uint64_t bit = std::uint64_t{1} << line % 64;
    if ((word & bit) == 0) return;
    word &= ~bit;
    ring_.flag(line).store(0, std::memory_order_relaxed);
  }
  void setUserBytes(std::size_t begin, std::size_t end) noexcept;

  RingShape ring_;
  std::uint64_t head_ = 0;                 // in lines since the start, as all positions
  std::uint64_t limit_;                    // what was last seen of consumed, and the ring's lines
  std::vector<std::uint64_t> user_bytes_;  // a bit per line: its first word is no flag
  bool broken_ = false;
};

/// The end that reads. One thread at a time.
class Consumer {
 public:
  /// Both lie in the ring, where a hostile peer may still change every byte: copy what is parsed
  /// before it is checked. The sizes are copies, checked, and stay.
  struct Record {
    std::span<const std::byte> header;
    std::span<const std::byte> payload;
    bool has_note = false;  // the payload is one word, a note
  };

  /// On a fresh ring.
  explicit Consumer(std::span<std::byte> memory, std::size_t lines = RingMemory::kDefaultLines);

  /// `peek` has something to do.
  bool hasCome() const noexcept {
    return RingFlag::mark(ring_.flag(ring_.lineOf(tail_)).load(std::memory_order_relaxed)) == mark_;
  }
  /// The oldest record, which stays until `pop`.
  [[gnu::always_inline]] std::optional<Record> peek() noexcept {
    const std::size_t line = ring_.lineOf(tail_);
    const std::uint64_t flag = ring_.flag(line).load(std::memory_order_acquire);
    if (RingFlag::mark(flag) == mark_) [[likely]] {
      base::betweenMappings();
      return read(line, flag);
    }
    if (flag != 0 && RingFlag::mark(flag) != mark_ - 2) broken_ = true;
    return std::nullopt;
  }
  /// Asks for the line that is `ahead` lines after the next record: it comes while the records
  /// before it are handled.
  void askForLine(std::size_t ahead) const noexcept {
    base::prefetchForRead(ring_.line(ring_.lineOf(tail_ + ahead)));
  }
  /// Of what `peek` has returned last.
  std::size_t recordLines() const noexcept { return next_ - tail_; }
  /// Frees what `peek` has returned last; its spans end. The producer learns of it each quarter
  /// of the ring, and by `release`.
  void pop() noexcept {
    tail_ = next_;
    mark_ = ring_.markOf(tail_);
    if (tail_ - published_ >= ring_.maxRecordLines()) publishConsumed();
  }
  /// When polling finds nothing, and before sleeping: frees all that was popped. True: the producer
  /// waits for room, ring its bell.
  bool release() noexcept { return tail_ != released_ && releaseNow(); }
  /// While there is more: a quarter of the ring was popped and not released.
  bool isQuarterFree() const noexcept { return tail_ - released_ >= ring_.maxRecordLines(); }

  /// While hot, the ring is polled, and its producer need not name it on the board (bell.h). After
  /// `setHot(false)`, look once more.
  void setHot(bool hot) noexcept {
    ring_.control().hot.store(hot ? 1 : 0, std::memory_order_relaxed);
    if (!hot) base::foreignFence();
  }
  /// The producer's foreign fences reach this process: `release` needs none of its own.
  void relyOnForeignFences() noexcept { fenced_ = true; }
  /// Whether the producer wrote what no producer writes; for ever.
  bool isBroken() const noexcept { return broken_; }

  RingMemory& memory() const noexcept { return ring_.control(); }

 private:
  /// What is short is in one line, which is always a line of the ring.
  [[gnu::always_inline]] std::optional<Record> read(std::size_t line, std::uint64_t flag) noexcept {
    const std::size_t header = RingFlag::header(flag);
    const std::size_t payload = RingFlag::payload(flag);
    const std::size_t end = sizeof(std::uint64_t) + header + payload;
    if (end > kLineBytes || broken_) return readLong(line, flag);
    next_ = tail_ + 1;
    return recordAt(line, flag, end - payload);
  }
  Record recordAt(std::size_t line, std::uint64_t flag, std::size_t payload_at) const noexcept {
    const std::byte* record = ring_.line(line);
    return {{record + sizeof(std::uint64_t), RingFlag::header(flag)},
            {record + payload_at, RingFlag::payload(flag)},
            RingFlag::hasNote(flag)};
  }
  std::optional<Record> readLong(std::size_t line, std::uint64_t flag) noexcept;
  std::optional<Record> readBehindPad(std::size_t line) noexcept;
  std::optional<Record> breakRing() noexcept {
    broken_ = true;
    return std::nullopt;
  }
  void publishConsumed() noexcept {
    base::reached(base::Phase::RecordsPopped);
    published_ = tail_;
    ring_.control().consumed.store(tail_, std::memory_order_release);
  }
  bool releaseNow() noexcept;

  RingShape ring_;
  std::uint64_t tail_ = 0;
  std::uint64_t next_ = 0;       // the end of the record that was peeked
  std::uint64_t published_ = 0;  // what the producer knows
  std::uint64_t released_ = 0;   // where `waiting` was looked at last
  std::uint32_t mark_;
  bool fenced_ = false;
  bool broken_ = false;
};

}  // namespace ucxx::local
