// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What kernels call to start transfers and to wait for them: for nvcc, NVRTC and clang, for devices
// of compute capability 7.0 or more. For them the header includes nothing. A compiler for the
// processor takes it, too: there threads stand for a kernel.

#pragma once

#if !defined(__CUDA_ARCH__)
#include <sched.h>
#endif

#if defined(__CUDACC__) || defined(__CUDA__)
#define UCXX_DEVICE __device__ inline
#else
#define UCXX_DEVICE inline
#endif

namespace ucxx {
namespace device {

static_assert(sizeof(int) == 4 && sizeof(unsigned long long) == 8, "words of 4 and 8 bytes");

/// `ucs_status_t`, as far as this header gives it.
enum Status : int { kOk = 0, kInProgress = 1, kCanceled = -16 };

/// What the library tells a kernel, in memory of the processor: the status, then `done`.
struct Answer {
  unsigned long long done;
  int status;
  unsigned is_over;  // `done` grows no more
};

/// A condition, for kernels: `Condition::deviceHandle()`. It lies in memory of the device, and only
/// the functions below use what is in it.
struct alignas(64) Handle {
  unsigned long long* trigger;
  const Answer* answer;
  unsigned long long base;    // what both words were at first
  unsigned long long ticket;  // calls of `trigger` that have begun
  unsigned long long turn;    // those whose word was written
};
static_assert(sizeof(Handle) == 64, "the library makes it, and an older header must find it so");

/// One end of a prepared transfer, for kernels: `Prepared::deviceHandle()`. As `Handle`.
struct alignas(64) Prepared {
  unsigned long long* words;    // by partition: the iteration for which it is ready, or arrived
  const Answer* answer;         // the number and the status of the last iteration that has ended
  unsigned long long* mistake;  // one more than a partition that is not there
  unsigned long long* counts;   // by partition: calls of `ready`; null: a receive
  unsigned partitions;
  unsigned contributors;
};
static_assert(sizeof(Prepared) == 64, "as that of Handle");

/// @name Words that others write or read meanwhile
/// @{
#ifdef __CUDA_ARCH__

UCXX_DEVICE unsigned long long loadOfSystem(const unsigned long long* word) {
  unsigned long long value;
  asm volatile("ld.acquire.sys.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}
UCXX_DEVICE unsigned loadOfSystem(const unsigned* word) {
  unsigned value;
  asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}
UCXX_DEVICE unsigned long long loadOfDevice(const unsigned long long* word) {
  unsigned long long value;
  asm volatile("ld.acquire.gpu.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}
UCXX_DEVICE void storeOfDevice(unsigned long long* word, unsigned long long value) {
  asm volatile("st.release.gpu.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}
UCXX_DEVICE unsigned long long nextOfDevice(unsigned long long* word) {
  unsigned long long before;
  asm volatile("atom.acq_rel.gpu.global.add.u64 %0, [%1], 1;"
               : "=l"(before)
               : "l"(word)
               : "memory");
  return before;
}
/// All that this thread has seen is seen before the word, also by the processor. The fence and a
/// plain store are faster than a store that releases.
UCXX_DEVICE void tell(unsigned long long* word, unsigned long long value) {
  asm volatile("fence.acq_rel.sys;" ::: "memory");
  asm volatile("st.relaxed.sys.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}
UCXX_DEVICE void pause(unsigned nanoseconds) {
  asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds) : "memory");
}

#else

UCXX_DEVICE unsigned long long loadOfSystem(const unsigned long long* word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
UCXX_DEVICE unsigned loadOfSystem(const unsigned* word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
UCXX_DEVICE unsigned long long loadOfDevice(const unsigned long long* word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
UCXX_DEVICE void storeOfDevice(unsigned long long* word, unsigned long long value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
UCXX_DEVICE unsigned long long nextOfDevice(unsigned long long* word) {
  return __atomic_fetch_add(word, 1ULL, __ATOMIC_ACQ_REL);
}
UCXX_DEVICE void tell(unsigned long long* word, unsigned long long value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
UCXX_DEVICE void pause(unsigned) { sched_yield(); }

#endif
/// @}

/// Starts what was posted with the condition, as `Condition::trigger` does. One thread calls it,
/// after the barrier that the data needs (`__syncthreads` if the threads of its block have written
/// them, a grid barrier if those of others have): what they wrote is seen by whoever sends it.
/// Returns how often the condition was triggered now, for `wait`. Threads and kernels may call it
/// at the same time.
UCXX_DEVICE unsigned long long trigger(Handle* handle) {
  const unsigned long long before = nextOfDevice(&handle->ticket);
  while (loadOfDevice(&handle->turn) != before) pause(20);  // the words are written in turn
  tell(handle->trigger, handle->base + before + 1);
  storeOfDevice(&handle->turn, before + 1);
  return before + 1;
}

/// What `test` tells.
UCXX_DEVICE int statusOf(const Answer* answer, unsigned long long base, unsigned long long epoch) {
  if (epoch == 0) return kOk;
  const bool is_over = loadOfSystem(&answer->is_over) != 0;  // first: of one that is, all is told
  const unsigned long long done = loadOfSystem(&answer->done) - base;
  if (static_cast<long long>(done - epoch) >= 0)
    return *static_cast<const volatile int*>(&answer->status);
  return is_over ? kCanceled : kInProgress;
}

/// The status of a condition that has ended `epoch` times, which is that of its last end (of no end
/// yet, `epoch` 0, it is 0): 0, or the first error of its transfers, as in `ucs_status_t`;
/// `kInProgress` while it has ended less often, `kCanceled` when it is over and will not. What a
/// transfer has received is seen by this thread afterwards, and by others after a barrier.
UCXX_DEVICE int test(const Handle* handle, unsigned long long epoch) {
  return statusOf(handle->answer, handle->base, epoch);
}

/// What `wait` does.
template <class Waited>
UCXX_DEVICE int awaitEnd(const Waited* waited, unsigned long long epoch) {
  constexpr unsigned kLongest = 500;  // nanoseconds
  for (unsigned nanoseconds = 20;;
       nanoseconds = nanoseconds < kLongest ? 2 * nanoseconds : kLongest) {
    const int status = test(waited, epoch);
    if (status != kInProgress) return status;
    pause(nanoseconds);
  }
}

/// Waits until `test` is no longer `kInProgress`, and returns it. One thread of a block calls it;
/// a grid that waits while blocks that have to trigger first find no room on the device waits for
/// ever.
UCXX_DEVICE int wait(const Handle* handle, unsigned long long epoch) {
  return awaitEnd(handle, epoch);
}

/// One of the `PrepareOptions::contributors` calls that make `partition` of a prepared send ready
/// in an iteration: one thread, after the barrier that its data needs, as for `trigger`. What the
/// callers wrote is seen by whoever sends it. Returns the number of that iteration, from 1: calls
/// of the next one come after it has ended, but perhaps before it was started. 0: there is no such
/// partition, or the plan receives; the plan ends with INVALID_PARAM when an iteration is next in
/// progress. It ends so, too, when a partition is made ready once more before the last one of its
/// iteration; after that, but before the end, nobody sees it, and the next iteration sends too
/// early.
UCXX_DEVICE unsigned long long ready(Prepared* plan, unsigned partition) {
  if (plan->counts == nullptr || partition >= plan->partitions) {
    tell(plan->mistake, partition + 1ULL);
    return 0;
  }
  const unsigned long long call = nextOfDevice(&plan->counts[partition]);
  if (call % plan->contributors == plan->contributors - 1)
    tell(&plan->words[partition], call / plan->contributors + 1);
  return call / plan->contributors + 1;
}

/// Whether the bytes of `partition` of a prepared receive have come in `iteration`, the last one
/// that was started: this thread sees them then, and others after a barrier. Look at `test`, too: a
/// plan that has failed receives nothing more. False for one that is not there, or of a send: the
/// plan ends as for `ready`.
UCXX_DEVICE bool arrived(const Prepared* plan, unsigned partition, unsigned long long iteration) {
  if (plan->counts == nullptr && partition < plan->partitions)
    return loadOfSystem(&plan->words[partition]) >= iteration;
  tell(plan->mistake, partition + 1ULL);
  return false;
}

/// As those of a condition, for an iteration, from 1: that of `Prepared::iterations` when it was
/// the last one started.
UCXX_DEVICE int test(const Prepared* plan, unsigned long long iteration) {
  return statusOf(plan->answer, 0, iteration);
}
UCXX_DEVICE int wait(const Prepared* plan, unsigned long long iteration) {
  return awaitEnd(plan, iteration);
}

}  // namespace device
}  // namespace ucxx
