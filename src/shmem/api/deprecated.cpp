// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What OpenSHMEM has deprecated and still requires: older names, and collectives of active sets.
// And the functions of caches, which it has dropped. (Atomic operations: old_atomics.cpp.)
#include "shmem/access/ordering.h"
#include "shmem/api/define.h"
#include "shmem/api/types.h"
#include "shmem/collectives/checks.h"
#include "shmem/collectives/data.h"
#include "shmem/collectives/reduce.h"
#include "shmem/collectives/sync.h"
#include "shmem/joining/start.h"
#include "shmem/memory/allocation.h"
#include "shmem/memory/heap.h"
#include "shmem/teams/active_set.h"
#include "shmem/waiting/waits.h"

using namespace ucxx::shmem;

/// As UCXX_SHMEM_DEFINE, for names that do not begin with shmem_: pNAME, and NAME as its weak
/// alias.
#define OLD_NAME(result, name, parameters, ...)                         \
  extern "C" [[gnu::visibility("default")]] result p##name parameters { \
    [[maybe_unused]] static constexpr const char* SELF = #name;         \
    __VA_ARGS__                                                         \
  }                                                                     \
  extern "C"                                                            \
      [[gnu::weak, gnu::alias("p" #name), gnu::visibility("default")]] decltype(p##name) name;

OLD_NAME(void, start_pes, (int), { startPes(SELF); })
OLD_NAME(int, _my_pe, (void), { return ownPe(SELF); })
OLD_NAME(int, _num_pes, (void), { return pesOfJob(SELF); })
OLD_NAME(void*, shmalloc, (size_t size),
         { return allocate(size, Heap::kLeastAlignment, Filled::No, SELF); })
OLD_NAME(void, shfree, (void* ptr), { release(ptr, SELF); })
OLD_NAME(void*, shrealloc, (void* ptr, size_t size), { return reallocate(ptr, size, SELF); })
OLD_NAME(void*, shmemalign, (size_t alignment, size_t size),
         { return allocateAligned(alignment, size, SELF); })

// Memory is coherent: there is nothing to do.
UCXX_SHMEM_DEFINE(void, set_cache_inv, (void), {})
UCXX_SHMEM_DEFINE(void, clear_cache_inv, (void), {})
UCXX_SHMEM_DEFINE(void, set_cache_line_inv, (void*), {})
UCXX_SHMEM_DEFINE(void, clear_cache_line_inv, (void*), {})
UCXX_SHMEM_DEFINE(void, udcflush, (void), {})
UCXX_SHMEM_DEFINE(void, udcflush_line, (void*), {})

#define WAIT(name, T)                                           \
  UCXX_SHMEM_DEFINE(void, name##_wait, (T * ivar, T cmp_value), \
                    { waitUntilOne(ivar, SHMEM_CMP_NE, cmp_value, SELF); })
UCXX_SHMEM_OLD_WAIT_TYPES(WAIT)
#undef WAIT
UCXX_SHMEM_DEFINE(void, wait, (long* ivar, long cmp_value),
                  { waitUntilOne(ivar, SHMEM_CMP_NE, cmp_value, SELF); })
UCXX_SHMEM_DEFINE(void, wait_until, (long* ivar, int cmp, long cmp_value),
                  { waitUntilOne(ivar, cmp, cmp_value, SELF); })

// Collectives of active sets. `ACTIVE_SET` is what each takes behind its own parameters.
#define ACTIVE_SET int PE_start, int logPE_stride, int PE_size
#define TEAM(psync) teamOf(ActiveSet{PE_start, logPE_stride, PE_size}, psync, SELF)

UCXX_SHMEM_DEFINE(void, barrier, (ACTIVE_SET, long* pSync), {
  quiet();
  ucxx::shmem::sync(TEAM(pSync), SELF);
})
UCXX_SHMEM_DEFINE(void, sync, (ACTIVE_SET, long* pSync), { ucxx::shmem::sync(TEAM(pSync), SELF); })

#define DATA(bits, bytes)                                                                         \
  UCXX_SHMEM_DEFINE(                                                                              \
      void, broadcast##bits,                                                                      \
      (void* dest, const void* source, size_t nelems, int PE_root, ACTIVE_SET, long* pSync),      \
      { broadcast(TEAM(pSync), dest, source, nelems*(bytes), PE_root, false, SELF); })            \
  UCXX_SHMEM_DEFINE(void, collect##bits,                                                          \
                    (void* dest, const void* source, size_t nelems, ACTIVE_SET, long* pSync),     \
                    { collect(TEAM(pSync), dest, kRoomNotSaid, source, nelems*(bytes), SELF); })  \
  UCXX_SHMEM_DEFINE(void, fcollect##bits,                                                         \
                    (void* dest, const void* source, size_t nelems, ACTIVE_SET, long* pSync),     \
                    { fcollect(TEAM(pSync), dest, source, nelems*(bytes), SELF); })               \
  UCXX_SHMEM_DEFINE(void, alltoall##bits,                                                         \
                    (void* dest, const void* source, size_t nelems, ACTIVE_SET, long* pSync),     \
                    { alltoall(TEAM(pSync), dest, source, nelems*(bytes), SELF); })               \
  UCXX_SHMEM_DEFINE(void, alltoalls##bits,                                                        \
                    (void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
                     ACTIVE_SET, long* pSync),                                                    \
                    {                                                                             \
                      alltoalls(TEAM(pSync), dest, source, {bytes, nelems, dst, sst}, SELF);      \
                    })
DATA(32, 4)
DATA(64, 8)
#undef DATA

namespace {

std::size_t elements(int count, const char* call) noexcept {
  if (count < 0) fail(call, "nreduce is %d: it must not be negative", count);
  return static_cast<std::size_t>(count);
}

}  // namespace

#define TO_ALL(name, T, operation, Operator)                                                     \
  UCXX_SHMEM_DEFINE(                                                                             \
      void, name##_##operation##_to_all,                                                         \
      (T * dest, const T* source, int nreduce, ACTIVE_SET, T*, long* pSync), {                   \
        reduce<Operator>(Operands<T>{TEAM(pSync), dest, source, elements(nreduce, SELF), SELF}); \
      })
#define BITWISE(name, T) UCXX_SHMEM_BITWISE_OPERATIONS(TO_ALL, name, T)
#define ORDERED(name, T) UCXX_SHMEM_ORDERED_OPERATIONS(TO_ALL, name, T)
#define ARITHMETIC(name, T) UCXX_SHMEM_ARITHMETIC_OPERATIONS(TO_ALL, name, T)
UCXX_SHMEM_OLD_BITWISE_TYPES(BITWISE)
UCXX_SHMEM_OLD_ORDERED_TYPES(ORDERED)
UCXX_SHMEM_OLD_ARITHMETIC_TYPES(ARITHMETIC)
