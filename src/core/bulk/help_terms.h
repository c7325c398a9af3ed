// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/wire/wire.h"
#include "local/choices.h"
#include "local/chunks.h"

namespace ucxx::core {

/// What the sender of an announced payload is told so that it can help to copy it: how it stands in
/// the header of a Help, which has no payload of its own and so fits one cache line.
struct HelpTerms {
  std::uint64_t to = 0;           ///< address of the receiver's buffer
  std::uint32_t chunk_bytes = 0;  ///< of every chunk but the last
  std::uint16_t slot = 0;         ///< which of the receiver's chunk words
  std::uint16_t round = 0;        ///< of that word

  void write(WireHeader& header) const noexcept {
    header.endpoint = to;
    header.length =
        std::uint64_t{round} << 48 | std::uint64_t{slot} << 32 | std::uint64_t{chunk_bytes};
  }
  static HelpTerms read(const WireHeader& header) noexcept {
    return {header.endpoint, static_cast<std::uint32_t>(header.length),
            static_cast<std::uint16_t>(header.length >> 32),
            static_cast<std::uint16_t>(header.length >> 48)};
  }
};

/// What each process copies at a time of a payload that both copy: whole pages.
constexpr std::size_t chunkBytesFor(std::size_t size) noexcept {
  namespace choices = local::choices;
  constexpr std::size_t kPageBytes = 4096;
  const std::size_t halves = std::min(size / 2, choices::kMostHalf);
  const std::size_t part = std::clamp(std::max(size / choices::kChunksOfPayload, halves),
                                      choices::kLeastChunk, choices::kMostChunk);
  // What would be too many chunks has larger ones.
  return (std::max(part, size / local::kMostChunks) + kPageBytes - 1) / kPageBytes * kPageBytes;
}

/// How many chunks of `chunk_bytes`, which is not 0, make `size` bytes.
constexpr std::size_t chunksOf(std::size_t size, std::size_t chunk_bytes) noexcept {
  return (size + chunk_bytes - 1) / chunk_bytes;
}

}  // namespace ucxx::core
