// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "local/streaming_copy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ucxx::local {
namespace {

void copy(std::byte* to, const std::byte* from, std::size_t size) noexcept {
  if (size != 0) std::memcpy(to, from, size);
}

}  // namespace

#if defined(__SSE2__)
namespace {

constexpr std::size_t kStoredBytes = 64;

/// Whole lines; `to` begins one.
void streamLines(std::byte* to, const std::byte* from, std::size_t size) noexcept {
  for (std::size_t at = 0; at < size; at += kStoredBytes) {
    const auto* words = reinterpret_cast<const __m128i*>(from + at);
    auto* line = reinterpret_cast<__m128i*>(to + at);
    const __m128i first = _mm_loadu_si128(words), second = _mm_loadu_si128(words + 1);
    const __m128i third = _mm_loadu_si128(words + 2), fourth = _mm_loadu_si128(words + 3);
    _mm_stream_si128(line, first);
    _mm_stream_si128(line + 1, second);
    _mm_stream_si128(line + 2, third);
    _mm_stream_si128(line + 3, fourth);
  }
}

}  // namespace

void copyStreaming(std::byte* to, const std::byte* from, std::size_t size) noexcept {
  const std::size_t head = std::min(size, -reinterpret_cast<std::uintptr_t>(to) % kStoredBytes);
  const std::size_t lines = (size - head) / kStoredBytes * kStoredBytes;
  copy(to, from, head);
  streamLines(to + head, from + head, lines);
  copy(to + head + lines, from + head + lines, size - head - lines);
  _mm_sfence();  // a release store alone is not ordered behind such stores
}
#else
void copyStreaming(std::byte* to, const std::byte* from, std::size_t size) noexcept {
  copy(to, from, size);
}
#endif

bool isStreamingFaster() noexcept {
  // The sanitizers of gcc do not see such stores.
#if defined(__SSE2__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  return __builtin_cpu_is("amd") != 0;
#else
  return false;
#endif
}

}  // namespace ucxx::local
