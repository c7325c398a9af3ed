// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/faults/allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::int64_t> left{-1};

bool mayAllocate() {
  if (left.load(std::memory_order_relaxed) < 0) return true;
  return left.fetch_sub(1, std::memory_order_relaxed) != 0;
}

void* allocate(std::size_t size) noexcept { return mayAllocate() ? std::malloc(size) : nullptr; }

void* allocate(std::size_t size, std::align_val_t alignment) noexcept {
  const auto step = static_cast<std::size_t>(alignment);
  return mayAllocate() ? std::aligned_alloc(step, (size + step - 1) / step * step) : nullptr;
}

void* orThrow(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void ucxx::faults::failAllocation(std::int64_t after) { left = after; }
bool ucxx::faults::hasAllocationFailed() { return left < 0; }

// The program's own; those of arrays and the silent ones that are not here call these.
void* operator new(std::size_t size) { return orThrow(allocate(size)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return orThrow(allocate(size, alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
