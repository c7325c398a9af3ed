// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/request/host_memory.h"

#include <cstdlib>
#include <new>
#include <utility>

#include "base/file_descriptor.h"
#include "base/object_pool.h"
#include "local/arena.h"
#include "local/choices.h"

namespace ucxx::core {
namespace {

/// A forked child has none of it, and may have found the lock taken.
local::Arena* pool() noexcept { return base::isForkedChild() ? nullptr : local::Arena::existing(); }

}  // namespace

PoolStats hostPoolStats() noexcept {
  local::Arena* const arena = pool();
  if (arena == nullptr) return {};
  const local::Arena::Stats stats = arena->stats();
  return {.used_bytes = stats.used_bytes,
          .idle_bytes = stats.idle_bytes,
          .idle_limit_bytes = stats.limits.idle,
          .total_limit_bytes = stats.limits.total,
          .taken = stats.taken,
          .reused = stats.reused};
}

std::uint64_t trimHostPool() noexcept {
  local::Arena* const arena = pool();
  return arena == nullptr ? 0 : arena->trim();
}

void setHostPoolLimits(const PoolLimits& limits) noexcept {
  if (local::Arena* const arena = local::Arena::get())
    arena->setLimits(limits.idle_bytes, limits.total_bytes);
}

namespace {

/// What a message from far is received into: its pages come with its bytes.
std::shared_ptr<void> reserveShared(std::size_t size) {
  local::Arena* const arena = local::Arena::get();
  if (arena == nullptr) return nullptr;
  const local::Arena::Reserved reserved = arena->reserve(size);
  if (reserved.block == nullptr) return nullptr;
  return {reserved.block, [arena, size, has_pages = reserved.has_pages](void* begin) {
            has_pages ? arena->free(begin, size) : arena->freeReserved(begin, size);
          }};
}

std::shared_ptr<Buffer> makeFromMalloc(std::size_t size) {
  std::unique_ptr<void, void (*)(void*)> block(std::malloc(size), std::free);
  if (block == nullptr) throw std::bad_alloc();
  auto buffer = std::make_shared<HostBuffer>(nullptr, block.get(), size);
  (void)block.release();  // a buffer without a shared block ends it
  return buffer;
}

}  // namespace

std::shared_ptr<void> allocateMapped(std::size_t size) {
  local::Arena* const arena = local::Arena::get();
  void* const block = arena == nullptr ? nullptr : arena->allocate(size);
  if (block == nullptr) return nullptr;
  return {block, [arena, size](void* begin) { arena->free(begin, size); }};
}

std::shared_ptr<void> allocateShared(std::size_t size) {
  return size < local::choices::kLeastShared ? nullptr : allocateMapped(size);
}

std::shared_ptr<std::byte> bytesOf(const std::shared_ptr<Buffer>& buffer) {
  return {buffer, static_cast<std::byte*>(buffer->data())};
}

std::shared_ptr<Buffer> makeReceiveBuffer(std::size_t size, bool is_from_far) {
  if (!is_from_far || size < local::choices::kLeastShared)
    return std::allocate_shared<HostBuffer>(base::PoolAllocator<HostBuffer>(), size);
  auto block = reserveShared(size);
  if (block == nullptr) return makeFromMalloc(size);
  void* const data = block.get();
  return std::make_shared<HostBuffer>(std::move(block), data, size);
}

}  // namespace ucxx::core
