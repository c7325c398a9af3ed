// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "base/fence.h"
#include "base/foreign_fence.h"
#include "base/phase.h"
#include "shmem/access/hot.h"
#include "shmem/memory/node.h"

// How a PE waits for a word in its slot, and how whoever writes there wakes it.
//
// A waiting thread polls; then it lets others run; then it announces a sleep, fences for both sides
// (membarrier), looks once more, and sleeps on the doorbell of its slot. Whoever stores looks at
// one word after the store, without a fence; the first one that sees the announcement takes it
// back and rings, so that of many stores one costs a system call. A sleep ends after some
// milliseconds at the latest: stores through shmem_ptr wake nobody.

namespace ucxx::shmem {

/// Wakes all that sleep there, unless another thread does just now.
[[gnu::cold, gnu::noinline]] void ring(Doorbell& doorbell) noexcept;

/// To be called after each store into the slot for which a thread may wait.
UCXX_SHMEM_HOT void wakeIfAsleep(Doorbell& doorbell) noexcept {
  base::reached(base::Phase::PeStored);
  if (node.must_fence) [[unlikely]] {
    base::fullFence();
  } else {
    base::orderedByForeignFence();
  }
  if (doorbell.is_announced.load(std::memory_order_relaxed) != 0) [[unlikely]]
    ring(doorbell);
}

inline void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield" ::: "memory");
#endif
}

/// A condition of which the type is forgotten.
struct Condition {
  bool (*holds)(const void* context);
  const void* context;
};

/// Wait on, with pauses for other threads, and sleep until the doorbell of their kind rings. `call`
/// is the name of the function that the program has called and `awaited` the PE that it waits for,
/// or -1: `oshrun` reads both when a PE dies.
[[gnu::cold, gnu::noinline]] void waitLongForFlags(Condition condition, const char* call,
                                                   int awaited) noexcept;
/// False: the check of the thread (wait_check.h) has ended the wait. The last look at the condition
/// was after that.
[[gnu::cold, gnu::noinline]] bool waitLongForAccesses(Condition condition,
                                                      const char* call) noexcept;

template <class Done>
inline bool holdsSoon(const Done& done) noexcept {
  for (int polls = node.polls; polls > 0; --polls) {
    if (done()) return true;
    relax();
  }
  return false;
}

template <class Done>
inline Condition conditionOf(const Done& done) noexcept {
  return {[](const void* context) { return (*static_cast<const Done*>(context))(); }, &done};
}

/// Returns when `done()`, which acquires what it looks at, is true: flags of the library ...
template <class Done>
inline void waitForFlags(const Done& done, const char* call, int awaited = -1) noexcept {
  if (!holdsSoon(done)) waitLongForFlags(conditionOf(done), call, awaited);
}
/// ... or memory of the program: then also, with false, when the check of the thread says so.
template <class Done>
inline bool waitForAccesses(const Done& done, const char* call) noexcept {
  return holdsSoon(done) || waitLongForAccesses(conditionOf(done), call);
}

}  // namespace ucxx::shmem
