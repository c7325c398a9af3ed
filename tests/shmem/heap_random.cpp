// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The symmetric heap: a random sequence of calls, the same on all PEs, against a model.
//
//     heap_random [CALLS [SEED]]     2,000 calls
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <random>
#include <vector>

#include "shmem/check.h"

namespace {

constexpr std::size_t kMostBlocks = 120;

std::mt19937 random_numbers;

std::size_t below(std::size_t end) { return random_numbers() % end; }
std::size_t randomSize() { return 1 + below(std::size_t{1} << below(17)); }

int next() { return (shmem_my_pe() + 1) % shmem_n_pes(); }

struct Block {
  unsigned char* at;
  std::size_t bytes;
  std::uint32_t seed;
};

/// What the block of a PE is filled with.
unsigned char byteOf(const Block& block, int pe, std::size_t at) {
  return static_cast<unsigned char>(block.seed + static_cast<std::uint32_t>(pe) * 17 + at * 5);
}

/// The blocks that are there; where they end by where they begin.
struct Model {
  std::vector<Block> blocks;
  std::map<unsigned char*, unsigned char*> parts;

  void add(const Block& block) {
    const auto after = parts.lower_bound(block.at);
    CHECK(after == parts.end() || block.at + block.bytes <= after->first);
    CHECK(after == parts.begin() || std::prev(after)->second <= block.at);
    parts.emplace(block.at, block.at + block.bytes);
    blocks.push_back(block);
  }
  Block take(std::size_t index) {
    const Block block = blocks[index];
    blocks[index] = blocks.back();
    blocks.pop_back();
    parts.erase(block.at);
    return block;
  }
};

Model model;

/// Each PE fills the block of the next one.
void fillNext(const Block& block) {
  std::vector<unsigned char> bytes(block.bytes);
  for (std::size_t at = 0; at < bytes.size(); ++at) bytes[at] = byteOf(block, next(), at);
  shmem_putmem(block.at, bytes.data(), bytes.size(), next());
}

void checkFilled(const Block& block, std::size_t bytes) {
  const int me = shmem_my_pe();
  for (std::size_t at = 0; at < bytes; ++at) CHECK_EQ(block.at[at], byteOf(block, me, at));
}

void addNew(void* at, std::size_t bytes) {
  CHECK(at != nullptr);
  const Block block{static_cast<unsigned char*>(at), bytes,
                    static_cast<std::uint32_t>(random_numbers())};
  model.add(block);
  fillNext(block);
  shmem_barrier_all();
  checkFilled(block, bytes);
}

void allocate() {
  const std::size_t bytes = randomSize();
  addNew(shmem_malloc(bytes), bytes);
}

void allocateCleared() {
  const std::size_t bytes = randomSize();
  auto* const at = static_cast<unsigned char*>(shmem_calloc(bytes, 1));
  CHECK(std::all_of(at, at + bytes, [](unsigned char byte) { return byte == 0; }));
  shmem_barrier_all();
  addNew(at, bytes);
}

void allocateAligned() {
  const std::size_t bytes = randomSize(), alignment = sizeof(void*) << below(10);
  void* const at = shmem_align(alignment, bytes);
  CHECK_EQ(reinterpret_cast<std::uintptr_t>(at) % alignment, 0U);
  addNew(at, bytes);
}

void reallocate() {
  Block block = model.take(below(model.blocks.size()));
  const std::size_t bytes = randomSize(), kept = std::min(block.bytes, bytes);
  block.bytes = bytes;
  block.at = static_cast<unsigned char*>(shmem_realloc(block.at, block.bytes));
  CHECK(block.at != nullptr);
  checkFilled(block, kept);
  shmem_barrier_all();
  model.add(block);
  fillNext(block);
  shmem_barrier_all();
}

void release() {
  const Block block = model.take(below(model.blocks.size()));
  checkFilled(block, block.bytes);
  shmem_free(block.at);
}

void doSomething() {
  if (model.blocks.size() == kMostBlocks) return release();
  const std::size_t choice = model.blocks.empty() ? below(3) : below(9);
  if (choice == 0) return allocateCleared();
  if (choice == 1) return allocateAligned();
  if (choice < 4) return allocate();
  if (choice < 6) return release();
  if (choice < 8) return reallocate();
  allocate();
}

/// Blocks lie at the same places on all PEs.
void checkSamePlaces(const void* first) {
  std::uint64_t places = 0;
  for (const Block& block : model.blocks)
    places = places * 31 +
             static_cast<std::uint64_t>(block.at - static_cast<const unsigned char*>(first));
  static std::uint64_t source, all;
  source = places;
  shmem_uint64_max_reduce(SHMEM_TEAM_WORLD, &all, &source, 1);
  CHECK_EQ(all, places);
  shmem_uint64_min_reduce(SHMEM_TEAM_WORLD, &all, &source, 1);
  CHECK_EQ(all, places);
}

}  // namespace

int main(int argc, char** argv) {
  const int calls = argc > 1 ? std::atoi(argv[1]) : 2000;
  random_numbers.seed(argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 20'261);
  shmem_init();
  void* const first = shmem_malloc(1);
  for (int call = 0; call < calls; ++call) doSomething();
  checkSamePlaces(first);
  while (!model.blocks.empty()) release();
  shmem_free(first);
  shmem_finalize();
}
