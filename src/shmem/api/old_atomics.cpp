// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Atomic operations by the names that they had before OpenSHMEM 1.4. The standard has them for few
// types; other libraries have them for those here.
#include "shmem/access/atomics.h"
#include "shmem/access/locked.h"
#include "shmem/api/define.h"
#include "shmem/api/types.h"

using namespace ucxx::shmem;

#define EXTENDED(name, T)                                          \
  UCXX_SHMEM_DEFINE(T, name##_fetch, (const T* source, int pe),    \
                    { return atomicFetch(source, pe, SELF); })     \
  UCXX_SHMEM_DEFINE(void, name##_set, (T * dest, T value, int pe), \
                    { atomicSet(dest, value, pe, SELF); })         \
  UCXX_SHMEM_DEFINE(T, name##_swap, (T * dest, T value, int pe),   \
                    { return atomicSwap(dest, value, pe, SELF); })
UCXX_SHMEM_OLD_EXTENDED_AMO_TYPES(EXTENDED)
#undef EXTENDED

#define STANDARD(name, T)                                                          \
  UCXX_SHMEM_DEFINE(T, name##_cswap, (T * dest, T cond, T value, int pe),          \
                    { return atomicCompareSwap(dest, cond, value, pe, SELF); })    \
  UCXX_SHMEM_DEFINE(T, name##_finc, (T * dest, int pe),                            \
                    { return atomicFetchAdd(dest, static_cast<T>(1), pe, SELF); }) \
  UCXX_SHMEM_DEFINE(T, name##_fadd, (T * dest, T value, int pe),                   \
                    { return atomicFetchAdd(dest, value, pe, SELF); })             \
  UCXX_SHMEM_DEFINE(void, name##_inc, (T * dest, int pe),                          \
                    { atomicFetchAdd(dest, static_cast<T>(1), pe, SELF); })        \
  UCXX_SHMEM_DEFINE(void, name##_add, (T * dest, T value, int pe),                 \
                    { atomicFetchAdd(dest, value, pe, SELF); })
UCXX_SHMEM_OLD_AMO_TYPES(STANDARD)
#undef STANDARD

UCXX_SHMEM_DEFINE(long, swap, (long* dest, long value, int pe),
                  { return atomicSwap(dest, value, pe, SELF); })

UCXX_SHMEM_DEFINE(long double, longdouble_fetch, (const long double* source, int pe),
                  { return lockedFetch(source, pe, SELF); })
UCXX_SHMEM_DEFINE(void, longdouble_set, (long double* dest, long double value, int pe),
                  { lockedSet(dest, value, pe, SELF); })
UCXX_SHMEM_DEFINE(long double, longdouble_swap, (long double* dest, long double value, int pe),
                  { return lockedSwap(dest, value, pe, SELF); })
