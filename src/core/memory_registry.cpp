// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "core/memory_registry.h"

#include <mutex>

#include "base/id128.h"

namespace ucxx::core {

std::uint64_t MemoryRegistry::add(void* begin, std::size_t size) {
  const std::unique_lock lock(mutex_);
  for (;;) {
    const std::uint64_t id = base::randomU64();
    if (id != 0 && regions_.try_emplace(id, Region{static_cast<std::byte*>(begin), size}).second)
      return id;
  }
}

void MemoryRegistry::remove(std::uint64_t id) noexcept {
  const std::unique_lock lock(mutex_);
  regions_.erase(id);
}

std::byte* MemoryRegistry::find(std::uint64_t id, std::uint64_t offset,
                                std::size_t size) const noexcept {
  const auto found = regions_.find(id);
  if (found == regions_.end()) return nullptr;
  const auto& [begin, all] = found->second;
  return offset <= all && size <= all - offset ? begin + offset : nullptr;
}

}  // namespace ucxx::core
