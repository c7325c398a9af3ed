// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A symmetric heap that is exhausted. Run with SHMEM_SYMMETRIC_SIZE=1m.
#include <cstddef>
#include <cstring>
#include <vector>

#include "shmem/check.h"

namespace {

constexpr std::size_t kHeapBytes = std::size_t{1} << 20;

using Blocks = std::vector<void*>;

void fillOwn(void* block, std::size_t bytes, std::size_t index) {
  std::memset(block, static_cast<int>(index % 251 + 1), bytes);
}

void checkOwn(const void* block, std::size_t bytes, std::size_t index) {
  for (std::size_t at = 0; at < bytes; ++at)
    CHECK_EQ(static_cast<const unsigned char*>(block)[at], index % 251 + 1);
}

Blocks takeAll(std::size_t bytes) {
  Blocks blocks;
  while (void* const block = shmem_malloc(bytes)) {
    fillOwn(block, bytes, blocks.size());
    blocks.push_back(block);
  }
  return blocks;
}

void checkAll(const Blocks& blocks, std::size_t bytes) {
  for (std::size_t index = 0; index < blocks.size(); ++index) checkOwn(blocks[index], bytes, index);
}

void releaseAll(const Blocks& blocks) {
  for (void* const block : blocks) shmem_free(block);
}

std::size_t countAtNextPe(std::size_t count) {
  static std::size_t counts;
  counts = count;
  shmem_barrier_all();
  const std::size_t there = shmem_size_g(&counts, (shmem_my_pe() + 1) % shmem_n_pes());
  shmem_barrier_all();
  return there;
}

/// Nearly all of the heap can be had, and the same number of blocks on all PEs, time after time.
void testFillAndRelease() {
  for (const std::size_t bytes : {1000, 640, 4096, 100'000}) {
    const Blocks first = takeAll(bytes);
    CHECK(first.size() * bytes > kHeapBytes * 8 / 10);
    CHECK(first.size() * bytes <= kHeapBytes);
    CHECK_EQ(countAtNextPe(first.size()), first.size());
    checkAll(first, bytes);
    releaseAll(first);
    const Blocks second = takeAll(bytes);
    CHECK_EQ(second.size(), first.size());
    releaseAll(second);
  }
}

/// Whatever needs more fails and leaves all as it is.
void testFullHeapRefuses() {
  constexpr std::size_t kBytes = 4000;
  const Blocks blocks = takeAll(kBytes);
  CHECK(shmem_calloc(1, kBytes) == nullptr);
  CHECK(shmem_align(64, kBytes) == nullptr);
  CHECK(shmem_malloc_with_hints(kBytes, SHMEM_MALLOC_SIGNAL_REMOTE) == nullptr);
  CHECK(shmem_realloc(nullptr, kBytes) == nullptr);
  CHECK(shmem_realloc(blocks[0], 3 * kBytes) == nullptr);
  checkAll(blocks, kBytes);
  CHECK(shmem_realloc(blocks[0], kBytes) == blocks[0]);
  checkAll(blocks, kBytes);
  releaseAll(blocks);
}

/// A hole is enough, and holes join.
void testHoles() {
  constexpr std::size_t kBytes = 4096;
  Blocks blocks = takeAll(kBytes);
  shmem_free(blocks[3]);
  shmem_free(blocks[5]);
  CHECK(shmem_malloc(2 * kBytes) == nullptr);
  shmem_free(blocks[4]);
  void* const joined = shmem_malloc(3 * kBytes);
  CHECK(joined != nullptr);
  std::memset(joined, 0, 3 * kBytes);
  blocks[3] = blocks[4] = blocks[5] = nullptr;
  for (std::size_t index = 6; index < blocks.size(); ++index)
    checkOwn(blocks[index], kBytes, index);
  shmem_free(joined);
  releaseAll(blocks);
}

/// Failing calls follow each other without a pause, and others follow them.
void testManyRefusals() {
  for (int time = 0; time < 500; ++time) {
    void* const block = shmem_malloc(500);
    CHECK(block != nullptr);
    CHECK(shmem_malloc(2 * kHeapBytes) == nullptr);
    CHECK(shmem_realloc(block, 2 * kHeapBytes) == nullptr);
    shmem_free(block);
  }
}

void testWholeHeap() {
  void* const whole = shmem_malloc(kHeapBytes - 4096);
  CHECK(whole != nullptr);
  CHECK(shmem_malloc(8192) == nullptr);
  std::memset(whole, 1, kHeapBytes - 4096);
  shmem_free(whole);
}

/// A free part that has pages comes before a smaller one that has none. For a heap without pages.
void testPagesComeFirst() {
  void* const large = shmem_malloc(kHeapBytes * 6 / 10);
  void* const between = shmem_malloc(1000);
  shmem_free(large);
  void* const block = shmem_malloc(kHeapBytes * 2 / 10);
  CHECK(block == large);
  shmem_free(block);
  shmem_free(between);
}

}  // namespace

int main() {
  shmem_init();
  testPagesComeFirst();
  testFillAndRelease();
  testFullHeapRefuses();
  testHoles();
  testManyRefusals();
  testWholeHeap();
  shmem_finalize();
}
