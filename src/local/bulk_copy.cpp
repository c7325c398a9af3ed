// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "local/bulk_copy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

// The sanitizers of gcc do not see such stores.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <immintrin.h>
#define UCXX_COPIES_BY_VECTORS 1
#else
#define UCXX_COPIES_BY_VECTORS 0
#endif

namespace ucxx::local {
namespace {

void copy(std::byte* to, const std::byte* from, std::size_t size) noexcept {
  if (size != 0) std::memcpy(to, from, size);
}

}  // namespace

#if UCXX_COPIES_BY_VECTORS
namespace {

constexpr std::size_t kLine = 64;
constexpr std::size_t kPair = 2 * kLine;
/// So many bytes before it is read a line is asked for, also of what lies behind the payload: the
/// next fragment. Measured from 256 to 2048.
constexpr std::size_t kAheadCached = 768;
constexpr std::size_t kAheadStreaming = 1024;

/// Whole lines; `to` begins one where stores go past the caches.
using CopyLines = void (*)(std::byte* to, const std::byte* from, std::size_t size);

template <std::size_t kAhead>
[[gnu::always_inline]] inline void askFor(const std::byte* from) noexcept {
  __builtin_prefetch(from + kAhead, 0, 3);
  __builtin_prefetch(from + kAhead + kLine, 0, 3);
}

[[gnu::target("avx512f")]] void prefetch512(std::byte* to, const std::byte* from,
                                            std::size_t size) {
  std::size_t at = 0;
  for (; at + kPair <= size; at += kPair) {
    askFor<kAheadCached>(from + at);
    const __m512i first = _mm512_loadu_si512(from + at);
    const __m512i second = _mm512_loadu_si512(from + at + kLine);
    _mm512_storeu_si512(to + at, first);
    _mm512_storeu_si512(to + at + kLine, second);
  }
  if (at != size) _mm512_storeu_si512(to + at, _mm512_loadu_si512(from + at));
}

[[gnu::target("avx512f")]] void stream512(std::byte* to, const std::byte* from, std::size_t size) {
  const auto line = [to](std::size_t at) { return reinterpret_cast<__m512i*>(to + at); };
  std::size_t at = 0;
  for (; at + kPair <= size; at += kPair) {
    askFor<kAheadStreaming>(from + at);
    const __m512i first = _mm512_loadu_si512(from + at);
    const __m512i second = _mm512_loadu_si512(from + at + kLine);
    _mm512_stream_si512(line(at), first);
    _mm512_stream_si512(line(at + kLine), second);
  }
  if (at != size) _mm512_stream_si512(line(at), _mm512_loadu_si512(from + at));
}

[[gnu::target("avx2")]] void prefetch256(std::byte* to, const std::byte* from, std::size_t size) {
  for (std::size_t at = 0; at < size; at += kLine) {
    __builtin_prefetch(from + at + kAheadCached, 0, 3);
    const auto* words = reinterpret_cast<const __m256i*>(from + at);
    auto* line = reinterpret_cast<__m256i*>(to + at);
    const __m256i first = _mm256_loadu_si256(words), second = _mm256_loadu_si256(words + 1);
    _mm256_storeu_si256(line, first);
    _mm256_storeu_si256(line + 1, second);
  }
}

[[gnu::target("avx2")]] void stream256(std::byte* to, const std::byte* from, std::size_t size) {
  for (std::size_t at = 0; at < size; at += kLine) {
    __builtin_prefetch(from + at + kAheadStreaming, 0, 3);
    const auto* words = reinterpret_cast<const __m256i*>(from + at);
    auto* line = reinterpret_cast<__m256i*>(to + at);
    const __m256i first = _mm256_loadu_si256(words), second = _mm256_loadu_si256(words + 1);
    _mm256_stream_si256(line, first);
    _mm256_stream_si256(line + 1, second);
  }
}

/// Nobody has measured more than that without wide vectors.
void plain(std::byte* to, const std::byte* from, std::size_t size) { std::memcpy(to, from, size); }

void stream128(std::byte* to, const std::byte* from, std::size_t size) {
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
}

struct Copiers {
  CopyLines prefetching;
  CopyLines streaming;
};

Copiers copiersOfThisMachine() noexcept {
  if (__builtin_cpu_supports("avx512f")) return {prefetch512, stream512};
  if (__builtin_cpu_supports("avx2")) return {prefetch256, stream256};
  return {plain, stream128};
}

const Copiers copiers = copiersOfThisMachine();

/// Whole lines of the destination by `lines`, what is before and behind them by `memcpy`.
void copyBy(CopyLines lines, std::byte* to, const std::byte* from, std::size_t size) noexcept {
  const std::size_t head = std::min(size, -reinterpret_cast<std::uintptr_t>(to) % kLine);
  const std::size_t whole = (size - head) / kLine * kLine;
  copy(to, from, head);
  lines(to + head, from + head, whole);
  copy(to + head + whole, from + head + whole, size - head - whole);
}

}  // namespace

void copyPrefetching(std::byte* to, const std::byte* from, std::size_t size) noexcept {
  copyBy(copiers.prefetching, to, from, size);
}

void copyStreaming(std::byte* to, const std::byte* from, std::size_t size) noexcept {
  copyBy(copiers.streaming, to, from, size);
  _mm_sfence();  // a release store alone is not ordered behind such stores
}

bool isStreamingFaster() noexcept { return __builtin_cpu_is("amd") != 0; }
#else
void copyPrefetching(std::byte* to, const std::byte* from, std::size_t size) noexcept {
  copy(to, from, size);
}

void copyStreaming(std::byte* to, const std::byte* from, std::size_t size) noexcept {
  copy(to, from, size);
}

bool isStreamingFaster() noexcept { return false; }
#endif

}  // namespace ucxx::local
