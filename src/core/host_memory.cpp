// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/host_memory.h"

#include "local/arena.h"
#include "local/choices.h"

namespace ucxx::core {

std::shared_ptr<void> allocateShared(std::size_t size) {
  if (size < local::choices::kLeastShared) return nullptr;
  local::Arena* const arena = local::Arena::get();
  void* const block = arena == nullptr ? nullptr : arena->allocate(size);
  if (block == nullptr) return nullptr;
  return {block, [arena, size](void* begin) { arena->free(begin, size); }};
}

}  // namespace ucxx::core
