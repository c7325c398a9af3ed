// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/host_memory.h"

#include <cstdlib>
#include <new>

#include <ucxx/stats.h>

#include "base/file_descriptor.h"
#include "local/arena.h"
#include "local/choices.h"

namespace ucxx {

PoolStats poolStats() noexcept {
  local::Arena* const arena = local::Arena::existing();
  // A forked child has none of it, and may have found the lock taken.
  if (arena == nullptr || base::isForkedChild()) return {};
  const local::Arena::Stats stats = arena->stats();
  return {stats.used_bytes, stats.idle_bytes, stats.most_idle_bytes, stats.taken, stats.reused};
}

namespace core {

std::shared_ptr<void> allocateMapped(std::size_t size) {
  local::Arena* const arena = local::Arena::get();
  void* const block = arena == nullptr ? nullptr : arena->allocate(size);
  if (block == nullptr) return nullptr;
  return {block, [arena, size](void* begin) { arena->free(begin, size); }};
}

std::shared_ptr<void> allocateShared(std::size_t size) {
  return size < local::choices::kLeastShared ? nullptr : allocateMapped(size);
}

std::shared_ptr<Buffer> makeReceiveBuffer(std::size_t size, bool is_from_far) {
  if (!is_from_far || size < local::choices::kLeastShared)
    return std::make_shared<HostBuffer>(size);
  std::unique_ptr<void, void (*)(void*)> block(std::malloc(size), std::free);
  if (block == nullptr) throw std::bad_alloc();
  auto buffer = std::make_shared<HostBuffer>(nullptr, block.get(), size);
  (void)block.release();  // a buffer without a shared block ends it
  return buffer;
}

}  // namespace core
}  // namespace ucxx
