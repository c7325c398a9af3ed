// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>

/// What decides how messages go between processes of one machine, and the measurement behind each:
/// GB/s of `./dev bench choices` on a virtual machine with 2 cores, whose host places them far from
/// each other (a cache line takes 300 ns) or near (65 ns). Run it on yours: it shows each way,
/// piece and chunk by size. For the size of a ring, and how often to look at what, change the
/// number here and run `./dev bench local_`.
namespace ucxx::local::choices {

/// Lines of a ring: 128 KiB. 4096 were 5 to 20 % faster for 1 MiB and more when far, not when near,
/// and cost each pair 260 KiB more.
inline constexpr std::size_t kRingLines = 2048;
/// The payload of a record where it goes in several: 4 KiB to 31 KiB differ by a tenth.
inline constexpr std::size_t kPiece = 16 << 10;
/// In pieces at once, up to this size; above, the payload waits for its receive and needs no copy
/// of a message that nobody has asked for. 64 KiB: 20 at once, 9 to 11 announced.
inline constexpr std::size_t kSentAtOnce = 64 << 10;
/// The same from library memory, which peers map. 64 KiB: 25 announced; 32 KiB: 16, at once 8 when
/// far and 19 when near.
inline constexpr std::size_t kSentAtOnceShared = 32 << 10;
/// Buffers of the library that are larger lie in such memory.
inline constexpr std::size_t kLeastShared = kSentAtOnceShared + 1;

/// A payload that both processes copy has so many chunks, of these sizes. 256 KiB: 34 in chunks of
/// 64 KiB, 25 in more or fewer; 64 MiB: 7.4 in those of 256 KiB to 4 MiB, 6.0 in those of 16 KiB.
inline constexpr std::size_t kChunksOfPayload = 4;
inline constexpr std::size_t kLeastChunk = 16 << 10;
inline constexpr std::size_t kMostChunk = 1 << 20;
/// Copied in one round of the loop: under a millisecond, then it looks at everything else.
inline constexpr std::size_t kCopiedAtOnce = 4 << 20;

/// A ring moves 0.4 of what one core copies from its cache to its cache; two processes together
/// twice what one copies through the kernel. So the latter is faster while one kernel copy takes
/// less than 5 times as long as a plain one.
inline constexpr int kKernelTimes = 5;
/// A ring that has moved so many bytes more slowly than the kernel copies loses even to a receiver
/// that copies alone; so many payloads are then copied instead, before the ring is tried again. Its
/// cores are far apart (1 MiB: 5 by the ring, 15 by both copying, where the comparison above spoke
/// for the ring), or its sender does not run (15 busy processes on 2 cores: 8 MiB in 64 fillings of
/// a ring took up to 2 s).
inline constexpr std::size_t kBytesOfAVerdict = 1 << 20;
inline constexpr int kCopiesInstead = 16;

/// Records that are taken from one ring before the next has its turn.
inline constexpr int kTakenAtOnce = 64;
/// Rings that are polled however idle they are: a look at each costs a nanosecond.
inline constexpr std::size_t kAlwaysHot = 4;
/// Rounds without a record after which one more ring is left to its bell.
inline constexpr std::uint32_t kIdlePolls = 1 << 14;

}  // namespace ucxx::local::choices
