// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "core/onesided/registered_memory.h"

#include <cstdint>
#include <cstdlib>
#include <new>

#include "base/file_descriptor.h"
#include "core/onesided/memory_registry.h"
#include "core/request/host_memory.h"
#include "local/memory_table.h"

namespace ucxx::core {
namespace {

/// For peers to map, if it can be had.
std::shared_ptr<void> allocate(std::size_t size) {
  if (auto mapped = allocateMapped(size)) return mapped;
  constexpr std::size_t kAlignment = 64;
  if (size > PTRDIFF_MAX) throw std::bad_alloc();  // with what it is rounded up to
  void* const block =
      std::aligned_alloc(kAlignment, (size + kAlignment - 1) / kAlignment * kAlignment);
  if (block == nullptr) throw std::bad_alloc();
  return {block, std::free};
}

}  // namespace

RegisteredMemory::RegisteredMemory(std::size_t size, void* buffer) {
  if (buffer == nullptr && size != 0) {
    own_ = allocate(size);
    buffer = own_.get();
  }
  if (size == 0) buffer = nullptr;
  key_.base = reinterpret_cast<std::uintptr_t>(buffer);
  key_.size = size;
  key_.id = ownMemory().add(buffer, size);
  if (const auto entry = local::MemoryTable::enter(key_.id, buffer, size)) key_.entry = *entry;
}

RegisteredMemory::~RegisteredMemory() {
  if (base::isForkedChild()) {  // its parent's
    (void)new std::shared_ptr<void>(std::move(own_));
    return;
  }
  if (key_.entry != MemoryKey::kNoEntry) local::MemoryTable::leave(key_.entry);
  ownMemory().remove(key_.name());
}

}  // namespace ucxx::core
