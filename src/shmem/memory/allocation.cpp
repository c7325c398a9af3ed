// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/memory/allocation.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <optional>

#include "base/available_memory.h"
#include "base/phase.h"
#include "shmem/access/ordering.h"
#include "shmem/checks/arguments.h"
#include "shmem/checks/failure.h"
#include "shmem/collectives/sync.h"
#include "shmem/memory/heap.h"
#include "shmem/memory/locate.h"
#include "shmem/memory/segment.h"
#include "shmem/teams/active_set.h"

namespace ucxx::shmem {
namespace {

Heap& book() noexcept {
  static Heap* const heap = new Heap;  // outlives whatever an exit handler calls
  return *heap;
}

/// So many bytes of the heap have pages; they keep them until the heap ends.
std::size_t populated_bytes = 0;
/// How many collective operations there were that may fail for want of memory.
std::uint64_t operations = 0;

void barrier(const char* call) noexcept {
  quiet();
  sync(world_team, call);
}

bool hasPages(std::size_t end) noexcept {
  end = roundUp(end, kPage);
  if (end <= populated_bytes) return true;
  if (!populate(node.heap + populated_bytes, end - populated_bytes)) return false;
  populated_bytes = end;
  return true;
}

void keepPages(std::size_t bytes) noexcept {
  if (populated_bytes != bytes) discard(node.heap + bytes, populated_bytes - bytes);
  populated_bytes = bytes;
}

/// After an operation that not all PEs could do. Nobody begins another one before all have given
/// back what they took for it.
void undoPages(std::size_t bytes, const char* call) noexcept {
  keepPages(bytes);
  barrier(call);
}

void tellExhausted(std::size_t bytes, const char* call) noexcept {
  if (!node.is_debug) return;
  warn(call, "no room for %zu bytes: %zu of %zu bytes are free; SHMEM_SYMMETRIC_SIZE sets the size",
       bytes, book().freeBytes(), node.heap_bytes);
}

void tellNoPages(std::size_t bytes, const char* call) noexcept {
  if (!node.is_debug) return;
  warn(call,
       "the machine has no memory for %zu bytes on each PE: %zu are left for all programs, after a "
       "reserve; use less, or fewer PEs",
       bytes, static_cast<std::size_t>(base::availableMemory()));
}

/// The barrier after an operation that this PE could do or not: whether all could.
bool allCould(bool could, const char* call) noexcept {
  const std::uint64_t operation = ++operations;
  auto& failed = node.common->failed_allocations[operation % 2];
  if (!could) failed.store(operation, std::memory_order_release);
  barrier(call);
  return failed.load(std::memory_order_acquire) != operation;
}

/// Where there are pages, if there is room: else memory would be asked for that need not be.
std::optional<std::size_t> take(std::size_t bytes, std::size_t alignment) noexcept try {
  if (alignment > kSlotAlignment) return std::nullopt;
  const auto with_pages = book().take(bytes, alignment, populated_bytes);
  return with_pages ? with_pages : book().take(bytes, alignment, node.heap_bytes);
} catch (const std::bad_alloc&) {
  return std::nullopt;
}

std::size_t offsetOf(void* block, const char* call) noexcept {
  const auto offset = static_cast<std::size_t>(static_cast<std::byte*>(block) - node.heap);
  if (!book().bytesAt(offset))
    fail(call, "%p is not the begin of a block of the symmetric heap", block);
  return offset;
}

void* addressOf(std::size_t offset) noexcept { return node.heap + offset; }

/// A new block, filled by `fill` before any PE leaves.
template <class Fill>
void* place(std::size_t bytes, std::size_t alignment, const Fill& fill, const char* call) noexcept {
  const std::size_t populated = populated_bytes;
  const auto offset = take(bytes, alignment);
  if (!offset && alignment <= kSlotAlignment) tellExhausted(bytes, call);
  const bool has_pages = offset && hasPages(*offset + bytes);
  if (offset && !has_pages) tellNoPages(bytes, call);
  if (has_pages) fill(addressOf(*offset));
  base::reached(base::Phase::PeAllocated);
  if (allCould(has_pages, call)) return addressOf(*offset);
  undoPages(populated, call);
  if (offset) book().giveBack(*offset);
  return nullptr;
}

/// To where there is room; null: nowhere.
void* move(std::size_t offset, std::size_t bytes, const char* call) noexcept {
  const std::size_t kept = std::min(*book().bytesAt(offset), bytes);
  const auto fill = [&](void* to) { std::memcpy(to, addressOf(offset), kept); };
  void* const moved = place(bytes, Heap::kLeastAlignment, fill, call);
  if (moved != nullptr) book().giveBack(offset);
  return moved;
}

}  // namespace

void* allocate(std::size_t bytes, std::size_t alignment, Filled filled, const char* call) noexcept {
  requireRunning(call);
  if (bytes == 0) return nullptr;
  compareArguments(world_team, {{"the size", bytes}, {"the alignment", alignment}}, call);
  const auto fill = [&](void* block) {
    if (filled == Filled::WithZeros) std::memset(block, 0, bytes);
  };
  return place(bytes, alignment, fill, call);
}

void* allocateCleared(std::size_t count, std::size_t size, const char* call) noexcept {
  if (count == 0 || size == 0) return nullptr;
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  const std::size_t bytes = size > kMost / count ? kMost : count * size;
  return allocate(bytes, Heap::kLeastAlignment, Filled::WithZeros, call);
}

void* allocateAligned(std::size_t alignment, std::size_t bytes, const char* call) noexcept {
  if (bytes == 0) return nullptr;
  if (!std::has_single_bit(alignment) || alignment % sizeof(void*) != 0)
    fail(call, "an alignment of %zu: it must be a power of two and a multiple of %zu", alignment,
         sizeof(void*));
  if (alignment > kSlotAlignment && node.is_debug)
    warn(call, "an alignment of %zu: %zu is the largest that all PEs can have", alignment,
         kSlotAlignment);
  return allocate(bytes, alignment, Filled::No, call);
}

// What is written by peers up to the barrier is part of the block that is moved.
void* reallocate(void* block, std::size_t bytes, const char* call) noexcept {
  requireRunning(call);
  if (block == nullptr) return allocate(bytes, Heap::kLeastAlignment, Filled::No, call);
  if (bytes == 0) {
    release(block, call);
    return nullptr;
  }
  const std::size_t offset = offsetOf(block, call);
  compareArguments(world_team, {{"the offset of the block", offset}, {"the size", bytes}}, call);
  barrier(call);
  const std::size_t old_bytes = *book().bytesAt(offset), populated = populated_bytes;
  forgetActiveSets(block, old_bytes);
  if (!book().resize(offset, bytes)) return move(offset, bytes, call);
  const bool has_pages = hasPages(offset + bytes);
  if (!has_pages) tellNoPages(bytes, call);
  if (allCould(has_pages, call)) return block;
  undoPages(populated, call);
  book().resize(offset, old_bytes);
  return nullptr;
}

void release(void* block, const char* call) noexcept {
  if (block == nullptr) return;
  requireRunning(call);
  const std::size_t offset = offsetOf(block, call);
  compareArguments(world_team, {{"the offset of the block", offset}}, call);
  barrier(call);
  forgetActiveSets(block, *book().bytesAt(offset));
  book().giveBack(offset);
}

void beginHeap() { book() = Heap(node.heap_bytes); }

void endHeap() noexcept {
  book() = Heap();
  keepPages(0);
}

}  // namespace ucxx::shmem
