// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/arena.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <exception>
#include <iterator>

#include <sys/resource.h>

#include "base/file_descriptor.h"
#include "base/log.h"
#include "base/machine_memory.h"
#include "local/memory_table.h"

namespace ucxx::local {
namespace {

constexpr std::size_t kPageBytes = 4096;
/// What free blocks may keep, at most and of the machine's memory.
constexpr std::size_t kMostIdle = std::size_t{256} << 20;
constexpr std::size_t kIdlePart = 16;

constexpr std::size_t kNone = SIZE_MAX;

std::atomic<Arena*> made{nullptr};  // the process's
/// Whole pages.
constexpr std::size_t kTableBytes = MemoryTable::kBytes;
static_assert(kTableBytes % kPageBytes == 0);

/// Four sizes from each power of two to the next, so that blocks can be used again.
std::size_t blockBytesFor(std::size_t size) noexcept {
  const std::size_t step = std::max(std::bit_floor(std::max<std::size_t>(size, 1)) / 4, kPageBytes);
  return (size + step - 1) / step * step;
}

}  // namespace

Arena* Arena::existing() noexcept { return made.load(std::memory_order_acquire); }

Arena* Arena::get() noexcept {
  static std::mutex making;
  if (base::isForkedChild()) return nullptr;
  if (Arena* arena = made.load(std::memory_order_acquire)) return arena;
  const std::lock_guard lock(making);
  if (made.load(std::memory_order_relaxed) == nullptr && mayReserve()) {
    try {
      made.store(new Arena(std::min(base::machineMemory(), kMostBytes - kTableBytes),
                           std::min(base::machineMemory() / kIdlePart, kMostIdle)),
                 std::memory_order_release);
    } catch (const std::exception& error) {
      base::log(LogLevel::Debug, "local", "no library memory: {}", error.what());
    }
  }
  return made.load(std::memory_order_relaxed);
}

bool Arena::mayReserve() noexcept {
  rlimit most{};
  return ::getrlimit(RLIMIT_AS, &most) != 0 || most.rlim_cur == RLIM_INFINITY;
}

Arena::Arena(std::size_t bytes, std::size_t most_idle)
    : memory_(base::SharedMemory::reserve(kTableBytes + bytes)),
      most_idle_(most_idle),
      gaps_{{kTableBytes, bytes}} {}

MemoryTable* Arena::table() noexcept {
  const std::lock_guard lock(mutex_);
  has_table_ = has_table_ || memory_.populate(0, kTableBytes);
  return has_table_ ? reinterpret_cast<MemoryTable*>(bytes().data()) : nullptr;
}

bool Arena::contains(const void* begin, std::size_t size) const noexcept {
  const std::size_t offset =
      reinterpret_cast<std::uintptr_t>(begin) - reinterpret_cast<std::uintptr_t>(bytes().data());
  return offset < bytes().size() && size <= bytes().size() - offset;
}

void* Arena::allocate(std::size_t size) noexcept {
  if (size > bytes().size() || base::isForkedChild()) return nullptr;
  try {
    const std::size_t block_bytes = blockBytesFor(size);
    if (const std::size_t warm = takeWarm(block_bytes); warm != kNone) return place(warm);
    const std::size_t gap = takeGap(block_bytes);
    if (gap == kNone) return nullptr;
    const bool has_pages = memory_.populate(gap, block_bytes);
    const std::lock_guard lock(mutex_);
    if (has_pages) return countTaken(block_bytes), place(gap);
    addGap(gap, block_bytes);
  } catch (const std::bad_alloc&) {
  }
  return nullptr;
}

std::size_t Arena::takeWarm(std::size_t block_bytes) {
  const std::lock_guard lock(mutex_);
  const auto blocks = warm_.find(block_bytes);
  if (blocks == warm_.end() || blocks->second.empty()) return kNone;
  const std::size_t offset = blocks->second.back();
  blocks->second.pop_back();
  idle_ -= block_bytes;
  countTaken(block_bytes);
  ++reused_;
  return offset;
}

void Arena::countTaken(std::size_t block_bytes) noexcept {
  used_ += block_bytes;
  ++taken_;
}

Arena::Stats Arena::stats() noexcept {
  const std::lock_guard lock(mutex_);
  return {used_, idle_, most_idle_, taken_, reused_};
}

std::size_t Arena::takeGap(std::size_t block_bytes) {
  const std::lock_guard lock(mutex_);
  if (const std::size_t offset = findGap(block_bytes); offset != kNone) return offset;
  cool(most_idle_);
  return findGap(block_bytes);
}

/// The first that is large enough: what is taken stays together.
std::size_t Arena::findGap(std::size_t block_bytes) {
  const auto found = std::find_if(gaps_.begin(), gaps_.end(),
                                  [&](const auto& gap) { return gap.second >= block_bytes; });
  if (found == gaps_.end()) return kNone;
  const auto [offset, bytes] = *found;
  if (bytes > block_bytes) gaps_.emplace_hint(found, offset + block_bytes, bytes - block_bytes);
  gaps_.erase(found);
  return offset;
}

void Arena::addGap(std::size_t offset, std::size_t bytes) {
  auto gap = gaps_.emplace(offset, bytes).first;
  const auto next = std::next(gap);
  if (next != gaps_.end() && offset + bytes == next->first) {
    gap->second += next->second;
    gaps_.erase(next);
  }
  if (gap == gaps_.begin()) return;
  const auto before = std::prev(gap);
  if (before->first + before->second != offset) return;
  before->second += gap->second;
  gaps_.erase(gap);
}

void Arena::free(void* block, std::size_t size) noexcept {
  if (base::isForkedChild()) return;
  const auto offset = static_cast<std::size_t>(static_cast<std::byte*>(block) - bytes().data());
  try {
    const std::lock_guard lock(mutex_);
    used_ -= blockBytesFor(size);
    putBack(offset, blockBytesFor(size));
  } catch (const std::bad_alloc&) {  // it is lost
  }
}

void Arena::putBack(std::size_t offset, std::size_t block_bytes) {
  auto& own = warm_[block_bytes];
  own.push_back(offset);
  idle_ += block_bytes;
  for (auto& [bytes, blocks] : warm_) {
    if (&blocks != &own) cool(blocks, bytes, 0);
  }
  cool(own, block_bytes, 0);
}

/// Takes the pages of free blocks until `room` bytes more may be idle.
void Arena::cool(std::size_t room) {
  for (auto& [bytes, blocks] : warm_) cool(blocks, bytes, room);
}

void Arena::cool(std::vector<std::size_t>& blocks, std::size_t block_bytes, std::size_t room) {
  while (!blocks.empty() && idle_ + room > most_idle_) {
    const std::size_t offset = blocks.back();
    addGap(offset, block_bytes);
    blocks.pop_back();
    idle_ -= block_bytes;
    memory_.discard(offset, block_bytes);
  }
}

}  // namespace ucxx::local
