// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

/// Sizes that decide how messages go between processes of one machine. Each was measured; the
/// benchmark `choices` measures them again elsewhere.
namespace ucxx::core::choices {

/// A payload that both processes copy has so many chunks, of these sizes.
inline constexpr std::size_t kChunksOfPayload = 4;
inline constexpr std::size_t kLeastChunk = 16 << 10;
inline constexpr std::size_t kMostChunk = 1 << 20;
/// Copied in one round of the loop; then it looks at everything else.
inline constexpr std::size_t kCopiedAtOnce = 4 << 20;
/// Buffers of the library from this size on lie where local peers map them: what is announced.
inline constexpr std::size_t kLeastShared = 64 << 10;

/// A ring that has moved so many bytes at less than 1/4 of what the kernel copies has a sender that
/// does not run; so many payloads are then copied instead. (15 busy processes on 2 cores: 8 MiB in
/// 64 fillings of a ring took up to 2 s.)
inline constexpr std::size_t kBytesOfAVerdict = 1 << 20;
inline constexpr double kSlowRing = 4;
inline constexpr int kCopiesInstead = 16;

}  // namespace ucxx::core::choices
