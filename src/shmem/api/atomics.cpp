// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Atomic operations. The value of a non-blocking fetch is there on return.
#include "shmem/access/atomics.h"

#include "shmem/api/define.h"
#include "shmem/api/types.h"

using namespace ucxx::shmem;

/// NAME and NAME_nbi, which fetch a value of type T; `...` computes it, and parameters are wrapped.
#define FETCHING(name, T, parameters, ...)                                            \
  UCXX_SHMEM_DEFINE_BOTH(T, name, parameters, { return __VA_ARGS__; })                \
  UCXX_SHMEM_DEFINE_BOTH(void, name##_nbi, (T * fetch, UCXX_SHMEM_UNWRAP parameters), \
                         { *fetch = __VA_ARGS__; })

#define EXTENDED(name, T)                                                                          \
  FETCHING(name##_atomic_fetch, T, (const T* source, int pe), atomicFetch(source, world_pe, SELF)) \
  FETCHING(name##_atomic_swap, T, (T * dest, T value, int pe),                                     \
           atomicSwap(dest, value, world_pe, SELF))                                                \
  UCXX_SHMEM_DEFINE_BOTH(void, name##_atomic_set, (T * dest, T value, int pe),                     \
                         { atomicSet(dest, value, world_pe, SELF); })
UCXX_SHMEM_EXTENDED_AMO_TYPES(EXTENDED)
#undef EXTENDED

#define STANDARD(name, T)                                                              \
  FETCHING(name##_atomic_compare_swap, T, (T * dest, T cond, T value, int pe),         \
           atomicCompareSwap(dest, cond, value, world_pe, SELF))                       \
  FETCHING(name##_atomic_fetch_inc, T, (T * dest, int pe),                             \
           atomicFetchAdd(dest, static_cast<T>(1), world_pe, SELF))                    \
  FETCHING(name##_atomic_fetch_add, T, (T * dest, T value, int pe),                    \
           atomicFetchAdd(dest, value, world_pe, SELF))                                \
  UCXX_SHMEM_DEFINE_BOTH(void, name##_atomic_inc, (T * dest, int pe),                  \
                         { atomicFetchAdd(dest, static_cast<T>(1), world_pe, SELF); }) \
  UCXX_SHMEM_DEFINE_BOTH(void, name##_atomic_add, (T * dest, T value, int pe),         \
                         { atomicFetchAdd(dest, value, world_pe, SELF); })
UCXX_SHMEM_AMO_TYPES(STANDARD)
#undef STANDARD

#define BITWISE_PLAIN(name, T, operation, function)                                       \
  UCXX_SHMEM_DEFINE_BOTH(T, name##_atomic_fetch_##operation, (T * dest, T value, int pe), \
                         { return function(dest, value, world_pe, SELF); })               \
  UCXX_SHMEM_DEFINE_BOTH(void, name##_atomic_##operation, (T * dest, T value, int pe),    \
                         { function(dest, value, world_pe, SELF); })
#define BITWISE(name, T)                      \
  BITWISE_PLAIN(name, T, and, atomicFetchAnd) \
  BITWISE_PLAIN(name, T, or, atomicFetchOr)   \
  BITWISE_PLAIN(name, T, xor, atomicFetchXor)
UCXX_SHMEM_BITWISE_AMO_TYPES(BITWISE)
UCXX_SHMEM_SIGNED_INTEGERS(BITWISE)
#undef BITWISE

#define BITWISE_NBI(name, T, operation, function)                     \
  UCXX_SHMEM_DEFINE_BOTH(void, name##_atomic_fetch_##operation##_nbi, \
                         (T * fetch, T * dest, T value, int pe),      \
                         { *fetch = function(dest, value, world_pe, SELF); })
#define BITWISE(name, T)                    \
  BITWISE_NBI(name, T, and, atomicFetchAnd) \
  BITWISE_NBI(name, T, or, atomicFetchOr)   \
  BITWISE_NBI(name, T, xor, atomicFetchXor)
UCXX_SHMEM_BITWISE_AMO_TYPES(BITWISE)
#undef BITWISE
