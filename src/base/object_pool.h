// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

// A process-wide pool of fixed-size blocks: what makes a request cost no malloc.
//
// Blocks come in 16 sizes, multiples of 64 bytes up to 1024. Each thread keeps up to two batches of
// free blocks per size; whole batches move between threads through one lock-free stack per size,
// so that a thread that only allocates and one that only frees reach a steady state. A thread that
// exits gives its blocks back. Memory is kept until the process ends.
//
// Threads: everything may be called from any thread at any time, also from destructors of
// thread_local and static objects, and in the child of a fork.

namespace ucxx::base {

inline constexpr std::size_t kPoolUnitBytes = 64;
inline constexpr std::size_t kPoolMaxBytes = 1024;

// Under AddressSanitizer blocks come from operator new: it then finds use after free and leaks of
// pooled objects as of any other. (Poisoning free blocks would find the former only, without the
// stack that freed it.)
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kPoolBypassed = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kPoolBypassed = true;
#else
inline constexpr bool kPoolBypassed = false;
#endif
#else
inline constexpr bool kPoolBypassed = false;
#endif

// Bytes of all chunks so far: what tests and describe() watch for growth.
std::size_t poolReservedBytes() noexcept;

namespace pool {

inline constexpr unsigned kSizes = kPoolMaxBytes / kPoolUnitBytes;

// A free block. The first block of a batch knows how long the batch is.
struct Block {
  Block* next;
  std::uint32_t batch_size;
};

// One thread's free blocks of one size. All zero is the state before the first use and after the
// thread's end: no block to give, no room to take one, so the fast paths need no other test.
struct Magazine {
  Block* head;
  Block* spare;  // a second batch: alloc/free around a batch's edge must not go to the stack
  std::uint32_t room;
};

struct ThreadCache {
  Magazine magazines[kSizes];
  bool enrolled;
  bool exited;
};

// Trivially destructible, so usable until the thread's last instruction; initial-exec, because
// a call of __tls_get_addr would cost more than the rest. constinit spares the wrapper function.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local ThreadCache thread_cache;

void* allocateSlow(unsigned size_class);
void freeSlow(unsigned size_class, void* memory) noexcept;

constexpr unsigned sizeClass(std::size_t bytes) {
  return static_cast<unsigned>((bytes + kPoolUnitBytes - 1) / kPoolUnitBytes) - 1;
}

}  // namespace pool

// `bytes` is 1 to kPoolMaxBytes; the block is aligned to 64 bytes. Throws std::bad_alloc.
inline void* poolAllocate(std::size_t bytes) {
  if constexpr (kPoolBypassed) return ::operator new (bytes, std::align_val_t{kPoolUnitBytes});
  const unsigned size_class = pool::sizeClass(bytes);
  pool::Magazine& magazine = pool::thread_cache.magazines[size_class];
  pool::Block* block = magazine.head;
  if (block == nullptr) [[unlikely]]
    return pool::allocateSlow(size_class);
  magazine.head = block->next;
  ++magazine.room;
  return block;
}

// `bytes` as given to poolAllocate.
inline void poolFree(void* memory, std::size_t bytes) noexcept {
  if constexpr (kPoolBypassed) return ::operator delete (memory, std::align_val_t{kPoolUnitBytes});
  const unsigned size_class = pool::sizeClass(bytes);
  pool::Magazine& magazine = pool::thread_cache.magazines[size_class];
  if (magazine.room == 0) [[unlikely]]
    return pool::freeSlow(size_class, memory);
  magazine.head = ::new (memory) pool::Block{magazine.head, 0};
  --magazine.room;
}

// For std::allocate_shared: one object and its control block become one pool block. Arrays, types
// over 1024 bytes and over-aligned ones go to operator new.
template <class T>
class PoolAllocator {
 public:
  using value_type = T;

  PoolAllocator() noexcept = default;
  template <class U>
  PoolAllocator(const PoolAllocator<U>&) noexcept {}  // NOLINT

  T* allocate(std::size_t count) {
    if (kPooled && count == 1) return static_cast<T*>(poolAllocate(sizeof(T)));
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(::operator new(count * sizeof(T), kAlignment));
  }

  void deallocate(T* memory, std::size_t count) noexcept {
    if (kPooled && count == 1) return poolFree(memory, sizeof(T));
    ::operator delete(memory, kAlignment);
  }

  template <class U>
  bool operator==(const PoolAllocator<U>&) const noexcept {
    return true;
  }

 private:
  static constexpr bool kPooled = sizeof(T) <= kPoolMaxBytes && alignof(T) <= kPoolUnitBytes;
  static constexpr std::align_val_t kAlignment{alignof(T)};
};

}  // namespace ucxx::base
