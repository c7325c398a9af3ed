// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/memory_table.h"

#include <mutex>
#include <vector>

#include "base/immortal.h"
#include "local/arena.h"

namespace ucxx::local {
namespace {

/// Which entries are free. Never destroyed: static objects may hold memory.
struct Free {
  std::mutex mutex;
  std::vector<std::uint32_t> given_back;
  std::uint32_t next = 0;

  std::optional<std::uint32_t> take() {
    const std::lock_guard lock(mutex);
    if (!given_back.empty()) {
      const std::uint32_t entry = given_back.back();
      given_back.pop_back();
      return entry;
    }
    if (next == MemoryTable::kEntries) return std::nullopt;
    given_back.reserve(next + 1);  // so that it can be given back
    return next++;
  }
  void giveBack(std::uint32_t entry) noexcept {
    const std::lock_guard lock(mutex);
    given_back.push_back(entry);
  }
};

Free& free() {
  static base::Immortal<Free> entries;
  return *entries;
}

MemoryTable* table() noexcept {
  Arena* arena = Arena::get();
  return arena == nullptr ? nullptr : arena->table();
}

}  // namespace

std::optional<std::uint32_t> MemoryTable::enter(std::uint64_t id, const void* base,
                                                std::size_t size) noexcept try {
  MemoryTable* own = table();
  if (own == nullptr) return std::nullopt;
  const auto number = free().take();
  if (!number) return std::nullopt;
  Entry& entry = own->entries[*number];
  entry.base.store(reinterpret_cast<std::uintptr_t>(base), std::memory_order_relaxed);
  entry.size.store(size, std::memory_order_relaxed);
  entry.id.store(id, std::memory_order_release);
  return number;
} catch (const std::bad_alloc&) {
  return std::nullopt;
}

void MemoryTable::leave(std::uint32_t entry) noexcept {
  MemoryTable* own = table();
  if (own == nullptr) return;  // a forked child's is its parent's
  own->entries[entry].id.store(0, std::memory_order_seq_cst);
  free().giveBack(entry);
}

const MemoryTable::Entry* MemoryTable::own(std::uint32_t entry) noexcept {
  const MemoryTable* own = table();
  return own == nullptr ? nullptr : &own->entries[entry];
}

}  // namespace ucxx::local
