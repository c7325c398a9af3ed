// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>

namespace ucxx::base {

/// Loads behind it happen after stores before it. ThreadSanitizer knows no fences: for it, a locked
/// instruction on a word of the whole process.
inline void fullFence() noexcept {
#if defined(__SANITIZE_THREAD__)
  static constinit std::atomic<int> word{0};
  word.fetch_add(0, std::memory_order_seq_cst);
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

/// Stores behind it happen after loads and stores before it.
inline void releaseFence() noexcept {
#if defined(__SANITIZE_THREAD__)
  fullFence();
#else
  std::atomic_thread_fence(std::memory_order_release);
#endif
}

/// Where one thread releases memory and another acquires it through another mapping of it: two ends
/// in one process have no address in common that ThreadSanitizer could see.
inline void betweenMappings() noexcept {
#if defined(__SANITIZE_THREAD__)
  fullFence();
#endif
}

}  // namespace ucxx::base
