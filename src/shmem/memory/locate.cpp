// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/memory/locate.h"

#include "shmem/checks/failure.h"

namespace ucxx::shmem {
namespace {

std::byte* ownSlot() noexcept { return node.slots + node.own_shift; }

/// A part of the local memory that each PE has at the same place of its slot.
struct Segment {
  std::byte* begin;
  std::size_t bytes;
};

Segment heap() noexcept { return {node.heap, node.heap_bytes}; }
Segment statics() noexcept { return {node.statics, node.statics_bytes}; }

bool contains(const Segment& segment, const std::byte* address) noexcept {
  return static_cast<std::size_t>(address - segment.begin) < segment.bytes;
}

const std::byte* bytesOf(const void* address) noexcept {
  return static_cast<const std::byte*>(address);
}

void checkPe(int pe, const char* call) noexcept {
  if (pe < 0 || pe >= node.pes)
    fail(call, "PE %d does not exist: the last one is %d", pe, node.pes - 1);
}

/// Of the segment that has the address.
[[noreturn]] void failBeyond(const void* address, std::size_t bytes, const char* call) noexcept {
  fail(call, "%zu bytes at %p reach beyond the end of the symmetric %s", bytes, address,
       contains(heap(), bytesOf(address)) ? "heap" : "statics");
}

[[noreturn]] void failNotSymmetric(const void* address, const char* call) noexcept {
  fail(call,
       "%p is not a symmetric address: give memory of shmem_malloc, or a global or static variable "
       "of the program that links libucxx_shmem",
       address);
}

void checkSymmetric(const void* address, std::size_t bytes, const char* call) noexcept {
  const std::byte* const first = bytesOf(address);
  for (const Segment& segment : {heap(), statics()}) {
    if (!contains(segment, first)) continue;
    if (bytes > segment.bytes - static_cast<std::size_t>(first - segment.begin))
      failBeyond(address, bytes, call);
    return;
  }
  failNotSymmetric(address, call);
}

}  // namespace

// The local PE's own statics are at the address that the program uses: a thread sanitizer knows no
// other.
std::byte* addressAt(const void* address, int pe) noexcept {
  auto* const local = static_cast<std::byte*>(const_cast<void*>(address));
  if (contains(heap(), local)) return local + (shiftOf(pe) - node.own_shift);
  if (!contains(statics(), local)) return nullptr;
  if (pe == node.me) return local;
  return node.first_statics + shiftOf(pe) + (local - node.statics);
}

std::size_t offsetInSlot(const void* address) noexcept {
  const std::byte* const local = bytesOf(address);
  if (contains(heap(), local)) return static_cast<std::size_t>(local - ownSlot());
  return static_cast<std::size_t>(node.first_statics - node.slots + (local - node.statics));
}

Place locateSlowly(const void* address, std::size_t bytes, int pe, const char* call) noexcept {
  if (!node.is_running) failNotRunning(call);
  if (node.is_debug) {
    checkPe(pe, call);
    checkSymmetric(address, bytes, call);
  }
  std::byte* const there = addressAt(address, pe);
  if (there == nullptr) failNotSymmetric(address, call);
  return {there, controlOf(pe)};
}

void requireSymmetric(const void* address, std::size_t bytes, const char* call) noexcept {
  if (!node.is_running) failNotRunning(call);
  if (node.is_debug) {
    checkSymmetric(address, bytes, call);
  } else if (addressAt(address, node.me) == nullptr) {
    failNotSymmetric(address, call);
  }
}

}  // namespace ucxx::shmem
