// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "core/onesided/memory_registry.h"

#include "base/id128.h"
#include "base/immortal.h"
#include "core/onesided/memory_key.h"

namespace ucxx::core {

std::uint64_t MemoryRegistry::add(const void* begin, std::size_t size) {
  auto* const bytes = static_cast<std::byte*>(const_cast<void*>(begin));
  const std::lock_guard lock(mutex_);
  for (;;) {
    const MemoryKey key{base::randomU64(), reinterpret_cast<std::uintptr_t>(begin), size};
    if (key.id != 0 && regions_.try_emplace(key.name(), Region{bytes, size}).second) return key.id;
  }
}

void MemoryRegistry::remove(std::uint64_t name) noexcept {
  std::unique_lock lock(mutex_);
  const auto region = regions_.extract(name);
  if (!region.empty()) left_.wait(lock, [&] { return region.mapped().users == 0; });
}

MemoryRegistry::Region* MemoryRegistry::enter(std::uint64_t name, std::uint64_t offset,
                                              std::size_t size) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = regions_.find(name);
  if (found == regions_.end()) return nullptr;
  Region& region = found->second;
  if (offset > region.size || size > region.size - offset) return nullptr;
  ++region.users;
  return &region;
}

void MemoryRegistry::leave(Region& region) noexcept {
  const std::lock_guard lock(mutex_);
  if (--region.users == 0) left_.notify_all();
}

MemoryRegistry& ownMemory() noexcept {
  static base::Immortal<MemoryRegistry> memory;
  return *memory;
}

}  // namespace ucxx::core
