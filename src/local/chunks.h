// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// How two processes divide the copying of one payload, chunk by chunk. The owner of the buffer
// takes chunks from the front; a helper, if it is there, from the back, each just before it copies
// it. An absent helper costs nothing, and what nobody has taken can be revoked at once.
//
//   claims   63 ... 48 round | 47 ... 24 front | 23 ... 0 back     whoever takes, by
//   compare-and-swap done     63 ... 48 round | 24 failed       | 23 ... 0 chunks   the helper,
//   behind each copy
//
// Chunks [front, back) are free. A word serves many payloads, one after the other; the round tells
// them apart. While the helper has taken more than it has done, it may be writing: the owner keeps
// its buffer until both agree, or the helper's process has ended.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "local/claims.h"
#include "local/ring.h"

namespace ucxx::local {

/// In shared memory; zeros are no round.
struct ChunkMemory {
  alignas(kLineBytes) std::atomic<std::uint64_t> claims;
  std::atomic<std::uint64_t> done;
};

/// What one end of a channel writes for the other, beside its ring.
struct EndMemory {
  static constexpr std::size_t kChunkWords = 16;

  /// Not 0: this end has left; it promises nothing about what is to be copied from it.
  alignas(kLineBytes) std::atomic<std::uint32_t> left;
  ChunkMemory chunks[kChunkWords];         ///< of what comes to this end
  alignas(kLineBytes) ClaimMemory claims;  ///< of what this end sends
};

/// The most chunks of a payload.
inline constexpr std::uint32_t kMostChunks = (1u << 24) - 1;

/// The side that has the buffer. Copies must not overlap in time: one thread.
class ChunkOwner {
 public:
  /// Without a helper.
  explicit ChunkOwner(std::uint32_t chunks) noexcept : back_(chunks), chunks_(chunks) {}
  /// Lends the work to the helper that is told of `memory` and `round`, not 0 and not the last one.
  void lend(ChunkMemory& memory, std::uint16_t round) noexcept;

  /// The next chunk from the front; none: all are taken, or the memory is broken.
  std::optional<std::uint32_t> take() noexcept;
  /// From now on nobody takes what is free.
  void revoke() noexcept;
  /// Whether the helper has done, or given back, all that it took: it touches the buffer no more.
  /// Not before all are taken or revoked.
  bool isHelperIdle() noexcept;
  /// Of an owner that leaves all to its helper: whether that has taken all, or given up.
  bool isHelperThrough() noexcept;
  /// The helper is idle: it has done all of them.
  bool hasHelperDoneAll() const noexcept;
  /// The helper is idle, and nothing was revoked: how many it has left to the owner.
  std::uint32_t unhelped() const noexcept { return back_; }
  /// The helper is idle: what it failed at is free again, for the owner alone. False: there is
  /// none, or the memory is broken.
  bool reclaim() noexcept;
  /// The helper wrote what no helper writes.
  bool isBroken() const noexcept { return broken_; }
  std::uint32_t chunks() const noexcept { return chunks_; }

 private:
  bool readBack(std::uint64_t claims) noexcept;

  ChunkMemory* memory_ = nullptr;
  std::uint16_t round_ = 0;
  std::uint32_t front_ = 0;
  std::uint32_t back_;
  std::uint32_t done_from_ = 0;  // what lies behind, the helper has done
  const std::uint32_t chunks_;
  bool broken_ = false;
};

/// The other side.
class ChunkHelper {
 public:
  ChunkHelper(ChunkMemory& memory, std::uint16_t round, std::uint32_t chunks) noexcept
      : memory_(memory), round_(round), chunks_(chunks) {}

  /// The next chunk from the back; none: nothing is free any more.
  std::optional<std::uint32_t> take() noexcept;
  /// The chunk that was taken last is copied.
  void done() noexcept;
  /// It is not, and this helper takes no more.
  void fail() noexcept;
  bool hasTaken() const noexcept { return taken_ != 0; }

 private:
  ChunkMemory& memory_;
  const std::uint16_t round_;
  const std::uint32_t chunks_;
  std::uint32_t taken_ = 0;
  bool failed_ = false;
};

}  // namespace ucxx::local
