// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The symmetric heap: each function, its edges, and what peers put right before.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "shmem/check.h"

namespace {

constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();

unsigned char* bytesAt(void* block) { return static_cast<unsigned char*>(block); }

bool isAligned(const void* block, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(block) % alignment == 0;
}

int next() { return (shmem_my_pe() + 1) % shmem_n_pes(); }
int previous() { return (shmem_my_pe() + shmem_n_pes() - 1) % shmem_n_pes(); }

unsigned char byteOf(int pe, std::size_t at) {
  return static_cast<unsigned char>(static_cast<std::size_t>(pe) * 31 + at * 7 + 1);
}

void fill(void* block, std::size_t bytes, int pe) {
  for (std::size_t at = 0; at < bytes; ++at) bytesAt(block)[at] = byteOf(pe, at);
}

bool isFilled(void* block, std::size_t bytes, int pe) {
  for (std::size_t at = 0; at < bytes; ++at) {
    if (bytesAt(block)[at] != byteOf(pe, at)) return false;
  }
  return true;
}

bool isAll(void* block, std::size_t bytes, unsigned char value) {
  return std::all_of(bytesAt(block), bytesAt(block) + bytes,
                     [=](unsigned char byte) { return byte == value; });
}

/// Puts the pattern of this PE into the next one's block.
void putFilled(void* block, std::size_t bytes) {
  std::vector<unsigned char> source(bytes);
  fill(source.data(), bytes, shmem_my_pe());
  shmem_putmem(block, source.data(), bytes, next());
}

// No barrier is asked for here, so that PEs that call it unequally often do not hang.
void testNothing() {
  for (int time = 0; time <= shmem_my_pe(); ++time) {
    CHECK(shmem_malloc(0) == nullptr);
    CHECK(shmem_calloc(0, 8) == nullptr);
    CHECK(shmem_calloc(8, 0) == nullptr);
    CHECK(shmem_calloc(0, 0) == nullptr);
    CHECK(shmem_calloc(0, kMost) == nullptr);
    CHECK(shmem_align(64, 0) == nullptr);
    CHECK(shmem_malloc_with_hints(0, SHMEM_MALLOC_ATOMICS_REMOTE) == nullptr);
    CHECK(shmem_realloc(nullptr, 0) == nullptr);
    shmem_free(nullptr);
  }
}

void testUsableAtOnce() {
  for (const std::size_t bytes : {1, 7, 64, 4097, 300'000}) {
    void* const block = shmem_malloc(bytes);
    CHECK(block != nullptr);
    CHECK(isAligned(block, alignof(std::max_align_t)));
    putFilled(block, bytes);
    shmem_barrier_all();
    CHECK(isFilled(block, bytes, previous()));
    shmem_free(block);
  }
}

void testAlignments() {
  std::vector<void*> blocks;
  for (std::size_t alignment = sizeof(void*); alignment <= std::size_t{2} << 20; alignment *= 2) {
    void* const block = shmem_align(alignment, alignment / 2 + 3);
    CHECK(block != nullptr);
    CHECK(isAligned(block, alignment));
    blocks.push_back(block);
    putFilled(block, 11);
  }
  shmem_barrier_all();
  for (void* const block : blocks) CHECK(isFilled(block, 11, previous()));
  for (void* const block : blocks) shmem_free(block);
}

constexpr std::size_t kMostAlignment = std::size_t{64} << 20;

/// Beyond the largest it is null, on all PEs.
void testLargeAlignments() {
  for (std::size_t alignment = std::size_t{4} << 20; alignment <= std::size_t{1} << 31;
       alignment *= 2) {
    void* const block = shmem_align(alignment, 8);
    CHECK_EQ(block != nullptr, alignment <= kMostAlignment);
    CHECK(isAligned(block, alignment));
    shmem_free(block);
  }
}

/// With something before it; each PE's copy as its owner sees it, and as the others do.
void testLargestAlignmentInHeap() {
  if (shmem_n_pes() > 3) return;  // what lies before it takes memory of each
  void* const before = shmem_malloc(100);
  void* const block = shmem_align(kMostAlignment, 1000);
  CHECK(block != nullptr && isAligned(block, kMostAlignment));
  for (int pe = 0; pe < shmem_n_pes(); ++pe) CHECK(isAligned(shmem_ptr(block, pe), kMostAlignment));
  putFilled(block, 1000);
  shmem_barrier_all();
  CHECK(isFilled(block, 1000, previous()));
  shmem_free(block);
  shmem_free(before);
}

void testHints() {
  const long both = SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE;
  for (const long hints :
       {0L, SHMEM_MALLOC_ATOMICS_REMOTE, SHMEM_MALLOC_SIGNAL_REMOTE, both, 1L << 20}) {
    auto* const word =
        static_cast<std::uint64_t*>(shmem_malloc_with_hints(sizeof(std::uint64_t), hints));
    CHECK(word != nullptr);
    *word = 5;
    shmem_barrier_all();
    shmem_uint64_atomic_add(word, 2, next());
    shmem_barrier_all();
    CHECK_EQ(*word, 7U);
    word[0] = 9;
    auto* const longer = static_cast<std::uint64_t*>(shmem_realloc(word, 1000));
    CHECK_EQ(longer[0], 9U);
    shmem_free(longer);
  }
}

/// All bits are zero on each PE when the call returns on any.
void testCallocAfterReuse() {
  constexpr std::size_t kBytes = 50'000;
  for (int time = 0; time < 4; ++time) {
    void* const dirty = shmem_malloc(kBytes);
    std::memset(dirty, 0xff, kBytes);
    shmem_free(dirty);
    void* const block = shmem_calloc(kBytes / 8, 8);
    std::vector<unsigned char> of_next(kBytes);
    shmem_getmem(of_next.data(), block, kBytes, next());
    CHECK(isAll(of_next.data(), kBytes, 0));
    shmem_barrier_all();
    CHECK(isAll(block, kBytes, 0));
    shmem_free(block);
  }
}

/// What cannot be had is null on all PEs, and nothing is lost by it.
void testImpossible() {
  void* const before = shmem_malloc(100);
  fill(before, 100, shmem_my_pe());
  for (const std::size_t bytes :
       {std::size_t{1} << 40, kMost, kMost - 63, kMost / 2, kMost / 2 + 1}) {
    CHECK(shmem_malloc(bytes) == nullptr);
    CHECK(shmem_calloc(bytes, 1) == nullptr);
    CHECK(shmem_align(4096, bytes) == nullptr);
    CHECK(shmem_malloc_with_hints(bytes, SHMEM_MALLOC_SIGNAL_REMOTE) == nullptr);
    CHECK(shmem_realloc(nullptr, bytes) == nullptr);
    CHECK(shmem_realloc(before, bytes) == nullptr);
    CHECK(isFilled(before, 100, shmem_my_pe()));
  }
  void* const after = shmem_malloc(100);
  CHECK(after != nullptr);
  shmem_free(after);
  shmem_free(before);
}

void testCallocOverflow() {
  constexpr std::size_t kHalf = std::size_t{1} << 32;
  CHECK(shmem_calloc(kHalf, kHalf) == nullptr);
  CHECK(shmem_calloc(kHalf + 1, kHalf) == nullptr);
  CHECK(shmem_calloc(kMost / 2 + 2, 2) == nullptr);
  CHECK(shmem_calloc(3, kMost / 3 + 1) == nullptr);
  CHECK(shmem_calloc(kMost, kMost) == nullptr);
}

/// Resizes a block right behind a put into it: its barrier lets the put come in first.
void* resizedBehindPut(void* block, std::size_t bytes, std::size_t new_bytes) {
  putFilled(block, bytes);
  void* const resized = shmem_realloc(block, new_bytes);
  CHECK(resized != nullptr);
  CHECK(isFilled(resized, std::min(bytes, new_bytes), previous()));
  shmem_barrier_all();
  return resized;
}

void testReallocInPlace() {
  void* const block = shmem_malloc(1000);
  CHECK(resizedBehindPut(block, 1000, 200'000) == block);
  CHECK(resizedBehindPut(block, 200'000, 200'001) == block);
  shmem_free(block);
}

void testReallocMoves() {
  void* const block = shmem_malloc(1000);
  void* const wall = shmem_malloc(64);
  fill(wall, 64, shmem_my_pe());
  void* const moved = resizedBehindPut(block, 1000, 100'000);
  CHECK(moved != block);
  CHECK(isFilled(wall, 64, shmem_my_pe()));
  putFilled(moved, 100'000);
  shmem_barrier_all();
  CHECK(isFilled(moved, 100'000, previous()));
  shmem_free(wall);
  shmem_free(moved);
}

void testReallocShrinks() {
  void* const block = shmem_malloc(100'000);
  void* const shorter = resizedBehindPut(block, 100'000, 1000);
  void* const shortest = resizedBehindPut(shorter, 1000, 1);
  CHECK(shmem_realloc(shortest, 0) == nullptr);
}

/// A block of shmem_align that moves keeps its contents; its alignment may go.
void testReallocOfAligned() {
  void* const block = shmem_align(65536, 5000);
  void* const wall = shmem_malloc(64);
  void* const moved = resizedBehindPut(block, 5000, 70'000);
  CHECK(isAligned(moved, alignof(std::max_align_t)));
  shmem_free(wall);
  shmem_free(moved);
}

void testReallocOfNull() {
  void* const block = shmem_realloc(nullptr, 5000);
  CHECK(block != nullptr);
  CHECK(resizedBehindPut(block, 5000, 5000) == block);
  shmem_free(block);
}

/// Free waits for puts that are under way, so the next owner of the memory does not see them.
void testFreeBehindPut() {
  constexpr std::size_t kBytes = 4096;
  for (int time = 0; time < 50; ++time) {
    void* const block = shmem_malloc(kBytes);
    putFilled(block, kBytes);
    shmem_free(block);
    void* const zeros = shmem_calloc(1, kBytes);
    CHECK(isAll(zeros, kBytes, 0));
    shmem_free(zeros);
  }
}

/// One that is in the heap has its pages on all PEs, also in the middle.
void testLargeBlock() {
  constexpr std::size_t kBytes = std::size_t{24} << 20;
  auto* const block = static_cast<std::uint64_t*>(shmem_malloc(kBytes));
  CHECK(block != nullptr);
  const auto mine = static_cast<std::uint64_t>(shmem_my_pe());
  for (std::size_t at = 0; at < kBytes / 8; at += 512)
    shmem_uint64_p(block + at, at + mine, next());
  shmem_barrier_all();
  const auto theirs = static_cast<std::uint64_t>(previous());
  for (std::size_t at = 0; at < kBytes / 8; at += 512) CHECK_EQ(block[at], at + theirs);
  shmem_free(block);
}

}  // namespace

int main() {
  shmem_init();
  testNothing();
  testUsableAtOnce();
  testAlignments();
  testLargeAlignments();
  testLargestAlignmentInHeap();
  testHints();
  testCallocAfterReuse();
  testImpossible();
  testCallocOverflow();
  testReallocInPlace();
  testReallocMoves();
  testReallocShrinks();
  testReallocOfAligned();
  testReallocOfNull();
  testFreeBehindPut();
  testLargeBlock();
  shmem_finalize();
}
