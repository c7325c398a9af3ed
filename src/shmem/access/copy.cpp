// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/access/copy.h"

#include "local/bulk_copy.h"

namespace ucxx::shmem {

#if defined(__SANITIZE_THREAD__)
void copyMuch(void* to, const void* from, std::size_t bytes) noexcept {
  auto* target = static_cast<std::byte*>(to);
  const auto* source = static_cast<const std::byte*>(from);
  for (std::size_t step = 0; bytes > 0; bytes -= step, target += step, source += step) {
    step = bytes >= sizeof(std::uint64_t) ? sizeof(std::uint64_t) : 1;
    if (copiedAsWord<std::uint64_t>(target, source, step)) continue;
    step = 1;
    storeWhole(target, loadWhole<std::byte>(source));
  }
}
#else
namespace {

/// Stores past the caches are faster from here on, with AMD's cores only.
constexpr std::size_t kLeastStreamed = std::size_t{16} << 20;

/// From some 2 KiB to 1 MiB, memcpy of glibc is one instruction of the processor (`rep movsb`).
constexpr std::size_t kLeastByVectors = std::size_t{1} << 20;
/// A copy of so much is by vectors, too.
constexpr std::size_t kPiece = 2048;

/// With AMD's cores that instruction takes 10 to 20 times as long where the target's place in its
/// page is 1 to 15 bytes higher than the source's. What overlaps is not for pieces: memcpy of glibc
/// copies it right.
bool isSlowAsAWhole(const void* to, const void* from, std::size_t bytes) noexcept {
  constexpr std::uintptr_t kPage = 4096, kSlow = 16;
  const auto target = reinterpret_cast<std::uintptr_t>(to);
  const auto source = reinterpret_cast<std::uintptr_t>(from);
  const std::uintptr_t higher = (target - source) % kPage;
  if (higher == 0 || higher >= kSlow || bytes >= kLeastByVectors) return false;
  const std::uintptr_t distance = target > source ? target - source : source - target;
  return distance >= bytes && local::isStreamingFaster();
}

/// From the end on: a load that follows a store waits for it where both have the same place in
/// their pages. Pieces end where the target has whole words, so that no word is copied in two.
void copyInPieces(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  for (std::size_t left = bytes; left > 0;) {
    std::size_t piece = (left - 1) % kPiece + 1;
    asm("" : "+r"(piece));  // gcc makes that instruction of what it knows to be short
    left -= piece;
    std::memcpy(to + left, from + left, piece);
  }
}

}  // namespace

void copyMuch(void* to, const void* from, std::size_t bytes) noexcept {
  auto* const target = static_cast<std::byte*>(to);
  const auto* const source = static_cast<const std::byte*>(from);
  if (bytes >= kLeastStreamed && local::isStreamingFaster())
    return local::copyStreaming(target, source, bytes);
  if (isSlowAsAWhole(to, from, bytes)) return copyInPieces(target, source, bytes);
  std::memcpy(to, from, bytes);
}
#endif

}  // namespace ucxx::shmem
