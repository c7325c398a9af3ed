// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/object_pool.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <utility>

namespace ucxx::base {
namespace pool {

constinit thread_local ThreadCache thread_cache{};

namespace {

constexpr std::uint32_t kBatchSize = 32;
constexpr std::size_t kChunkBytes = std::size_t{128} << 10;
constexpr std::uint32_t kChunkUnits = kChunkBytes / kPoolUnitBytes;
constexpr std::uint32_t kMaxChunks = 1u << 16;  // 8 GiB; more pending requests are a mistake

// Aligned to its size, so that a block finds its chunk. A block's number is its chunk's number and
// its unit in there; 0 would be a header, and means none.
struct Chunk {
  std::uint32_t number;
  // What lies under a batch in the stack, by the batch's first unit. Not in the block itself: a pop
  // that loses its race reads the link of a batch that is already somebody's object.
  std::atomic<std::uint32_t> below[kChunkUnits];
};
constexpr std::uint32_t kHeaderUnits = sizeClass(sizeof(Chunk)) + 1;

// Number of the top batch in the low half; the high half counts pops, so that a batch that went
// and came back is not taken for unchanged (ABA) unless 2^32 pops fit into one.
struct alignas(128) Stack {
  std::atomic<std::uint64_t> top;
};

constinit Stack stacks[kSizes]{};
constinit std::atomic<Chunk*> chunks[kMaxChunks]{};
constinit std::atomic<std::uint32_t> chunk_count{0};

Chunk* chunkOf(const Block* block) {
  return reinterpret_cast<Chunk*>(reinterpret_cast<std::uintptr_t>(block) & ~(kChunkBytes - 1));
}

Block* blockAt(Chunk* chunk, std::uint32_t unit) {
  return reinterpret_cast<Block*>(reinterpret_cast<char*>(chunk) + unit * kPoolUnitBytes);
}

std::uint32_t unitOf(const Chunk* chunk, const Block* block) {
  const auto offset = reinterpret_cast<const char*>(block) - reinterpret_cast<const char*>(chunk);
  return static_cast<std::uint32_t>(static_cast<std::size_t>(offset) / kPoolUnitBytes);
}

void pushBatch(unsigned size_class, Block* batch) noexcept {
  Chunk* chunk = chunkOf(batch);
  const std::uint32_t unit = unitOf(chunk, batch);
  const std::uint32_t number = chunk->number * kChunkUnits + unit;
  std::atomic<std::uint64_t>& top = stacks[size_class].top;
  std::uint64_t seen = top.load(std::memory_order_relaxed);
  std::uint64_t wanted = 0;
  do {
    const std::uint64_t pops = seen >> 32 << 32;
    chunk->below[unit].store(static_cast<std::uint32_t>(seen), std::memory_order_relaxed);
    wanted = pops | number;
  } while (!top.compare_exchange_weak(seen, wanted, std::memory_order_release,
                                      std::memory_order_relaxed));
}

Block* popBatch(unsigned size_class) noexcept {
  std::atomic<std::uint64_t>& top = stacks[size_class].top;
  std::uint64_t seen = top.load(std::memory_order_acquire);
  for (;;) {
    const auto number = static_cast<std::uint32_t>(seen);
    if (number == 0) return nullptr;
    Chunk* chunk = chunks[number / kChunkUnits].load(std::memory_order_relaxed);
    const std::uint32_t unit = number % kChunkUnits;
    const std::uint64_t pops = (seen >> 32) + 1;
    const std::uint64_t wanted = pops << 32 | chunk->below[unit].load(std::memory_order_relaxed);
    if (top.compare_exchange_weak(seen, wanted, std::memory_order_acquire)) {
      return blockAt(chunk, unit);
    }
  }
}

Chunk* makeChunk() {
  void* memory = ::operator new (kChunkBytes, std::align_val_t{kChunkBytes});
  std::uint32_t number = chunk_count.load(std::memory_order_relaxed);
  do {
    if (number == kMaxChunks) {
      ::operator delete (memory, std::align_val_t{kChunkBytes});
      throw std::bad_alloc();
    }
  } while (!chunk_count.compare_exchange_weak(number, number + 1, std::memory_order_relaxed));
  auto* chunk = ::new (memory) Chunk{};
  chunk->number = number;
  chunks[number].store(chunk, std::memory_order_release);  // pushes of its batches publish it
  return chunk;
}

Block* makeBatch(Chunk* chunk, std::uint32_t first, std::uint32_t units, std::uint32_t count) {
  Block* next = nullptr;
  for (std::uint32_t i = count; i-- > 0;) {
    next = ::new (blockAt(chunk, first + i * units)) Block{next, 0};
  }
  next->batch_size = count;
  return next;
}

// Cuts a new chunk into batches, shares all but the first, returns that. Two threads that find the
// stack empty at once make two chunks: no lock that a fork could leave closed.
Block* growPool(unsigned size_class) {
  const std::uint32_t units = size_class + 1;
  Chunk* chunk = makeChunk();
  std::uint32_t unit = kHeaderUnits;
  Block* first = makeBatch(chunk, unit, units, kBatchSize);
  unit += kBatchSize * units;
  while (unit + units <= kChunkUnits) {
    const std::uint32_t count = std::min(kBatchSize, (kChunkUnits - unit) / units);
    pushBatch(size_class, makeBatch(chunk, unit, units, count));
    unit += count * units;
  }
  return first;
}

Block* takeBatch(unsigned size_class) {
  Block* batch = popBatch(size_class);
  return batch != nullptr ? batch : growPool(size_class);
}

void shareBatch(unsigned size_class, Block* batch, std::uint32_t count) noexcept {
  if (batch == nullptr) return;
  batch->batch_size = count;
  pushBatch(size_class, batch);
}

void shareAll(ThreadCache& cache) noexcept {
  for (unsigned i = 0; i < kSizes; ++i) {
    const Magazine magazine = std::exchange(cache.magazines[i], {});
    shareBatch(i, magazine.head, kBatchSize - magazine.room);
    if (magazine.spare != nullptr) pushBatch(i, magazine.spare);
  }
}

struct ExitGuard {
  ~ExitGuard() {
    thread_cache.exited = true;
    shareAll(thread_cache);
  }
};

// Sees to it that this thread's blocks are shared when it exits.
void enroll(ThreadCache& cache) {
  thread_local ExitGuard guard;
  static_cast<void>(guard);
  cache.enrolled = true;
}

}  // namespace

void* allocateSlow(unsigned size_class) {
  ThreadCache& cache = thread_cache;
  if (cache.exited) {  // a destructor that runs after the guard: keep nothing
    Block* block = takeBatch(size_class);
    shareBatch(size_class, block->next, block->batch_size - 1);
    return block;
  }
  if (!cache.enrolled) enroll(cache);
  Magazine& magazine = cache.magazines[size_class];
  Block* batch = std::exchange(magazine.spare, nullptr);
  if (batch == nullptr) batch = takeBatch(size_class);
  magazine.head = batch->next;
  magazine.room = kBatchSize - batch->batch_size + 1;
  return batch;
}

void freeSlow(unsigned size_class, void* memory) noexcept {
  auto* block = ::new (memory) Block{nullptr, 0};
  ThreadCache& cache = thread_cache;
  if (cache.exited) return shareBatch(size_class, block, 1);
  if (!cache.enrolled) enroll(cache);
  Magazine& magazine = cache.magazines[size_class];
  if (magazine.head != nullptr) {
    if (magazine.spare != nullptr) pushBatch(size_class, magazine.spare);
    magazine.head->batch_size = kBatchSize;
    magazine.spare = magazine.head;
  }
  magazine.head = block;
  magazine.room = kBatchSize - 1;
}

}  // namespace pool

std::size_t poolReservedBytes() noexcept {
  return pool::chunk_count.load(std::memory_order_relaxed) * pool::kChunkBytes;
}

}  // namespace ucxx::base
