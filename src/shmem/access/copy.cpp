// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/access/copy.h"

#include <algorithm>

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

constexpr std::size_t kPiece = 2048;

/// From some 2 KiB to 1 MiB, memcpy of glibc is one instruction of the processor (`rep movsb`).
/// With AMD's cores that takes 10 to 20 times as long where `to` is less than 16 bytes behind
/// `from`, counted within a page. Pieces that are shorter are copied by vectors.
bool isSlowAsAWhole(const void* to, const void* from) noexcept {
  constexpr std::uintptr_t kPage = 4096, kSlow = 16;
  const auto target = reinterpret_cast<std::uintptr_t>(to);
  const std::uintptr_t behind = (target - reinterpret_cast<std::uintptr_t>(from)) % kPage;
  return behind != 0 && behind < kSlow;
}

/// From the end on: the processor would take a load for one of what a store just before has
/// written, where their addresses are equal within a page.
void copyInPieces(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  for (std::size_t left = bytes; left > 0;) {
    std::size_t piece = std::min(left, kPiece);
    asm("" : "+r"(piece));  // gcc makes the same instruction of what it knows to be short
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
  if (isSlowAsAWhole(to, from)) return copyInPieces(target, source, bytes);
  std::memcpy(to, from, bytes);
}
#endif

}  // namespace ucxx::shmem
