// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "local/streaming_copy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "local/choices.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ucxx::local {

#if defined(__SSE2__)
namespace {

constexpr std::size_t kLine = 64;

/// Whole lines; `to` begins one.
void stream(std::byte* to, const std::byte* from, std::size_t size) noexcept {
  for (std::size_t at = 0; at < size; at += kLine) {
    const auto* words = reinterpret_cast<const __m128i*>(from + at);
    auto* line = reinterpret_cast<__m128i*>(to + at);
    const __m128i first = _mm_loadu_si128(words), second = _mm_loadu_si128(words + 1);
    const __m128i third = _mm_loadu_si128(words + 2), fourth = _mm_loadu_si128(words + 3);
    _mm_stream_si128(line, first);
    _mm_stream_si128(line + 1, second);
    _mm_stream_si128(line + 2, third);
    _mm_stream_si128(line + 3, fourth);
  }
  _mm_sfence();
}

/// Elsewhere not measured.
bool isMeasured() noexcept {
  static const bool is_amd = __builtin_cpu_is("amd");
  return is_amd;
}

}  // namespace

void copyForOthers(std::byte* to, const std::byte* from, std::size_t size) noexcept {
  if (size >= choices::kLeastStreamed && isMeasured()) {
    const std::size_t to_line = -reinterpret_cast<std::uintptr_t>(to) % kLine;
    const std::size_t lines = (size - to_line) / kLine * kLine;
    std::memcpy(to, from, to_line);
    stream(to + to_line, from + to_line, lines);
    to += to_line + lines;
    from += to_line + lines;
    size -= to_line + lines;
  }
  if (size != 0) std::memcpy(to, from, size);
}
#else
void copyForOthers(std::byte* to, const std::byte* from, std::size_t size) noexcept {
  if (size != 0) std::memcpy(to, from, size);
}
#endif

}  // namespace ucxx::local
