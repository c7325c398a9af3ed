// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx::base {

/// Asks for the cache line at `address` as one to be read.
[[gnu::always_inline]] inline void prefetchForRead(const void* address) noexcept {
  __builtin_prefetch(address);
}

/// Asks for the cache line at `address` as one to be written, so that the store does not wait for
/// it. By assembly on x86-64: what the compiler makes of `__builtin_prefetch` without `-mprfchw`
/// asks for a copy only. Processors that do not know the instruction skip it.
[[gnu::always_inline]] inline void prefetchForWrite(const void* address) noexcept {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" ::"m"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address, 1);
#endif
}

}  // namespace ucxx::base
