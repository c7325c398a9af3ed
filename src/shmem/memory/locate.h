// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include "shmem/access/hot.h"
#include "shmem/memory/node.h"

// From the local address of a symmetric object to a PE's copy of it.

namespace ucxx::shmem {

/// A PE's copy of a symmetric object, and the PE's control page.
struct Place {
  std::byte* address;
  Control& control;
};

/// As `locate`; looks at everything. An address that is not symmetric ends the program, with a
/// message; so do, with SHMEM_DEBUG, a PE that does not exist and bytes beyond the object's
/// segment.
[[gnu::cold, gnu::noinline]] Place locateSlowly(const void* address, std::size_t bytes, int pe,
                                                const char* call) noexcept;

/// Whether `locate` takes the fast path.
UCXX_SHMEM_HOT bool isNear(const void* address) noexcept {
  const auto* const local = static_cast<const std::byte*>(address);
  return static_cast<std::size_t>(local - node.heap) < node.fast_heap ||
         static_cast<std::size_t>(local - node.statics) < node.fast_statics;
}

/// `call` is the name of the function that the program has called, for messages.
UCXX_SHMEM_HOT Place locate(const void* address, std::size_t bytes, int pe,
                            const char* call) noexcept {
  auto* const local = static_cast<std::byte*>(const_cast<void*>(address));
  const std::size_t shift = shiftOf(pe);
  if (static_cast<std::size_t>(local - node.heap) < node.fast_heap) [[likely]]
    return {local + (shift - node.own_shift), controlAt(shift)};
  const auto offset = static_cast<std::size_t>(local - node.statics);
  if (offset < node.fast_statics) [[likely]]
    return {node.first_statics + (shift + offset), controlAt(shift)};
  return locateSlowly(address, bytes, pe, call);
}

/// Where the object lies in the slot of a PE; null: the address is not symmetric.
std::byte* addressAt(const void* address, int pe) noexcept;

/// Ends the program unless the address is symmetric.
void requireSymmetric(const void* address, std::size_t bytes, const char* call) noexcept;

/// Of the first byte against the begin of the slot; only for symmetric addresses.
std::size_t offsetInSlot(const void* address) noexcept;

}  // namespace ucxx::shmem
