// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/copy.h"

#include "local/bulk_copy.h"

namespace ucxx::shmem {

// Stores past the caches were faster with AMD's cores only.
void copyMuch(void* to, const void* from, std::size_t bytes) noexcept {
  if (!local::isStreamingFaster()) {
    std::memcpy(to, from, bytes);
    return;
  }
  local::copyStreaming(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes);
}

}  // namespace ucxx::shmem
