// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

/// What decides how messages go between processes of one machine, and the measurement behind each:
/// GB/s of `./dev bench choices` on a virtual machine with 2 cores, whose host places them far from
/// each other (a cache line takes 300 ns) or near (65 ns). Run it on yours: it shows each way,
/// piece and chunk by size. For the size of a ring, what is streamed, and how often to look at
/// what, change the number here and run `./dev bench local_`.
namespace ucxx::local::choices {

/// Lines of a ring: 128 KiB. 4096 were 5 to 20 % faster for 1 MiB and more when far, not when near,
/// and cost each pair 260 KiB more.
inline constexpr std::size_t kRingLines = 2048;
/// A payload above this goes through the bulk ring (bulk_ring.h). In a record and in fragments: 4
/// KiB take 0.96 and 0.45 us when near, 1.3 and 1.5 when far; 8 KiB 1.4 and 0.59, 1.8 and 1.8.
inline constexpr std::size_t kMostInRecord = 3 << 10;
/// In fragments of so many bytes: up to 8 KiB of what has up to 64 KiB, and 16 KiB above. At least
/// three, so that both sides copy at the same time: 16 KiB move 8 % faster in three than in two or
/// four.
inline constexpr std::size_t kMostFragment = 16 << 10;
constexpr std::size_t fragmentOf(std::size_t size) noexcept {
  constexpr std::size_t kMostOfSmall = 64 << 10, kSmall = 8 << 10, kParts = 3, kLine = 64;
  if (size > kMostOfSmall) return kMostFragment;
  return std::min(kSmall, (size / kParts + kLine) / kLine * kLine);
}
/// Bytes of a bulk ring. Through one of 128 KiB, which the second-level cache holds, 64 KiB and
/// more take two to three times as long when near; 4 MiB are not faster.
inline constexpr std::size_t kBulkBytes = 2 << 20;
/// So much goes at once, without being announced, while there is room. 1 MiB takes 39 us announced,
/// 33 at once, when near.
inline constexpr std::size_t kMostAtOnce = 1 << 20;
inline constexpr std::size_t kMostFragments = kMostAtOnce / kMostFragment;
/// ... and of what lies in library memory, which the receiver copies without a ring.
inline constexpr std::size_t kMostOfLibraryAtOnce = 64 << 10;
/// Source and destination of what is larger do not stay in the caches: it is read past them.
inline constexpr std::size_t kLeastPastCaches = 8 << 20;

/// The largest payload of a record, of what goes through no bulk ring. A larger one waits for its
/// receive, and then comes in such pieces or is copied. Pieces of 4 KiB to 31 KiB differ by a
/// tenth. 64 KiB in four records take 5.9 us instead of 7.0 announced when far, 4.6 instead of 5.2
/// when near; from library memory 3.0 announced.
inline constexpr std::size_t kPiece = 16 << 10;
/// From so many bytes on, a payload is written past the caches where that is faster at all
/// (bulk_copy.h). Half a round trip in us, plain and past them: 2 KiB 1.6 and 0.8 when far,
/// 0.49 and 0.68 when near; 16 KiB 9.9 and 2.3, 3.2 and 2.3. 4 KiB, 32 under way: 2.4 and 0.6, 0.7
/// and 0.4. Plain writes to a ring that no second-level cache holds (2 MiB) took 1.2 us for 16 KiB
/// when near, 3 to 8 when far.
inline constexpr std::size_t kLeastStreamed = 2 << 10;
/// The same for payloads that are copied from or into mapped memory: where source and destination
/// do not fit the third-level cache (32 MiB), a plain store fetches its line from memory first.
/// Both sides, plain and past the caches: 16 MiB 59 and 43, 24 MiB 36 and 39, 32 MiB 29 and 34, 64
/// MiB 22 and 29 to 42.
inline constexpr std::size_t kLeastStreamedCopy = 24 << 20;
/// Buffers of the library that are larger lie in memory that peers map.
inline constexpr std::size_t kLeastShared = kPiece + 1;

/// Neighbouring partitions of a prepared transfer that become ready together are copied into the
/// receiver's memory by the thread that makes them ready, if they are not larger; past the caches
/// from so many bytes on. Half a round trip in us, by a tag message, pushed, pushed past the
/// caches: 8 B 0.22, 0.11, - when near, 0.41, 0.38, - when far; 1 KiB 0.42, 0.23, -, and 1.1, 0.81,
/// -; 4 KiB 1.6, 0.78, 2.0, and 2.9, 2.8, 2.1; 16 KiB 3.9, 2.9, 4.3, and 10, 9.5, 4.6; 64 KiB 12,
/// 12, 9, and 36, 36, 7.6; 256 KiB 38, 45, 31, and 128, -, 31; 512 KiB 48, 64, 61, and 210, -, 61.
/// What both processes copy is faster from there on, when near.
inline constexpr std::size_t kMostPushed = 256 << 10;
inline constexpr std::size_t kLeastStreamedPush = (16 << 10) + 1;

/// A payload that both processes copy goes in halves, as far as those have at most 64 KiB, or in
/// quarters, so that a late helper finds some. A system call costs as much as a copy of some 10
/// KiB. 64 KiB: 10 in halves, 7 in quarters; 256 KiB: 15 and 13; 1 MiB: 17 and 16; 64 MiB: 10 in
/// chunks of 512 KiB to 4 MiB, 4.6 in those of 16 KiB.
inline constexpr std::size_t kMostHalf = 64 << 10;
inline constexpr std::size_t kChunksOfPayload = 4;
inline constexpr std::size_t kLeastChunk = 16 << 10;
inline constexpr std::size_t kMostChunk = 1 << 20;
/// Copied in one round of the loop: under a millisecond, then it looks at everything else.
inline constexpr std::size_t kCopiedAtOnce = 4 << 20;

/// Where a record of so many lines is taken, its answer's last line is asked for. Half a round trip
/// in ns, without and with it: 8 B 360 and 310, 64 B 470 and 450 (two processors of Intel, whose
/// host places them near and far by turns). 1 KiB gets slower.
inline constexpr std::size_t kMostLinesAskedFor = 2;

/// How many lines ahead of a record, in a burst, the reader asks for one: 32 messages of 8 B in
/// flight take 77 ns each, 85 without (Intel, medians of 21 runs in turn; a line takes 150 ns).
inline constexpr std::size_t kLinesAskedAhead = 8;

/// Records, and bytes of their payloads, that are taken from one ring before the next has its turn,
/// and before their receiver can post for what comes next: nobody has asked for that yet, so it is
/// copied twice. 32 under way: 8 B take 0.12 us each with 64 records, 0.10 with 16; 16 KiB take 5.1
/// with any number of bytes, 1.3 with so many.
inline constexpr int kTakenAtOnce = 16;
inline constexpr std::size_t kBytesTakenAtOnce = 16 << 10;
/// Rings that are polled however idle they are: a look at each costs a nanosecond.
inline constexpr std::size_t kAlwaysHot = 4;
/// Rounds without a record after which one more ring is left to its bell.
inline constexpr std::uint32_t kIdlePolls = 1 << 14;

}  // namespace ucxx::local::choices
