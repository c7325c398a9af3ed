// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/arena.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <exception>
#include <utility>

#include <sys/resource.h>

#include "base/file_descriptor.h"
#include "base/log.h"
#include "base/machine_memory.h"

namespace ucxx::local {
namespace {

constexpr std::size_t kPageBytes = 4096;
/// What free blocks may keep, at most and of the machine's memory.
constexpr std::size_t kMostIdle = std::size_t{256} << 20;
constexpr std::size_t kIdlePart = 16;

constexpr std::size_t kNone = SIZE_MAX;

/// Four sizes from each power of two to the next, so that blocks can be used again.
std::size_t blockBytesFor(std::size_t size) noexcept {
  const std::size_t step = std::max(std::bit_floor(std::max<std::size_t>(size, 1)) / 4, kPageBytes);
  return (size + step - 1) / step * step;
}

}  // namespace

Arena* Arena::get() noexcept {
  static std::atomic<Arena*> made{nullptr};
  static std::mutex making;
  if (base::isForkedChild()) return nullptr;
  if (Arena* arena = made.load(std::memory_order_acquire)) return arena;
  const std::lock_guard lock(making);
  if (made.load(std::memory_order_relaxed) == nullptr && mayReserve()) {
    try {
      made.store(new Arena(std::min(base::machineMemory(), kMostBytes),
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
    : memory_(base::SharedMemory::reserve(bytes)), most_idle_(most_idle) {}

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
    const std::size_t cold = takeCold(block_bytes);
    if (cold == kNone) return nullptr;
    if (memory_.populate(cold, block_bytes)) return place(cold);
    const std::lock_guard lock(mutex_);
    shelves_[block_bytes].cold.push_back(cold);
  } catch (const std::bad_alloc&) {
  }
  return nullptr;
}

std::size_t Arena::takeWarm(std::size_t block_bytes) {
  const std::lock_guard lock(mutex_);
  Shelf& shelf = shelves_[block_bytes];
  if (shelf.warm.empty()) return kNone;
  const std::size_t offset = shelf.warm.back();
  shelf.warm.pop_back();
  idle_ -= block_bytes;
  return offset;
}

std::size_t Arena::takeCold(std::size_t block_bytes) {
  const std::lock_guard lock(mutex_);
  Shelf& shelf = shelves_[block_bytes];
  if (!shelf.cold.empty()) {
    const std::size_t offset = shelf.cold.back();
    shelf.cold.pop_back();
    return offset;
  }
  if (block_bytes > bytes().size() - used_) return kNone;
  return std::exchange(used_, used_ + block_bytes);
}

void Arena::free(void* block, std::size_t size) noexcept {
  if (base::isForkedChild()) return;
  const auto offset = static_cast<std::size_t>(static_cast<std::byte*>(block) - bytes().data());
  try {
    const std::lock_guard lock(mutex_);
    putBack(offset, blockBytesFor(size));
  } catch (const std::bad_alloc&) {  // it is lost
  }
}

void Arena::putBack(std::size_t offset, std::size_t block_bytes) {
  Shelf& own = shelves_[block_bytes];
  for (auto& [bytes, shelf] : shelves_) {
    if (&shelf != &own) cool(shelf, bytes, block_bytes);
  }
  own.warm.push_back(offset);
  idle_ += block_bytes;
  cool(own, block_bytes, 0);
}

/// Takes the pages of free blocks until `room` bytes more may be idle.
void Arena::cool(Shelf& shelf, std::size_t block_bytes, std::size_t room) {
  while (!shelf.warm.empty() && idle_ + room > most_idle_) {
    const std::size_t offset = shelf.warm.back();
    shelf.cold.push_back(offset);
    shelf.warm.pop_back();
    idle_ -= block_bytes;
    memory_.discard(offset, block_bytes);
  }
}

}  // namespace ucxx::local
