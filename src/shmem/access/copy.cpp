// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/access/copy.h"

#include "local/bulk_copy.h"

namespace ucxx::shmem {

#if defined(__SANITIZE_THREAD__)
void copyMuch(void* to, const void* from, std::size_t bytes) noexcept {
  auto* target = static_cast<std::byte*>(to);
  const auto* source = static_cast<const std::byte*>(from);
  for (std::size_t step = 0; bytes > 0; bytes -= step, target += step, source += step) {
    step = bytes >= sizeof(std::uint64_t) ? sizeof(std::uint64_t) : 1;
    if (copiedAsWord<std::uint64_t>(target, source, step)) continue;
    step = 1;
    storeWhole(target, loadWhole<std::byte>(source));
  }
}
#else
// Stores past the caches were faster with AMD's cores only.
void copyMuch(void* to, const void* from, std::size_t bytes) noexcept {
  if (!local::isStreamingFaster()) {
    std::memcpy(to, from, bytes);
    return;
  }
  local::copyStreaming(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes);
}
#endif

}  // namespace ucxx::shmem
