// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "functions.h"

namespace ucxx::python::shmem {
namespace {

#define UCXX_SHMEM_SEVERAL(name, vector)                                          \
  {                                                                               \
    shmem_##name##_wait_until_all##vector, shmem_##name##_wait_until_any##vector, \
        shmem_##name##_wait_until_some##vector, shmem_##name##_test_all##vector,  \
        shmem_##name##_test_any##vector, shmem_##name##_test_some##vector         \
  }
#define UCXX_SHMEM_WAITS(name)                                                  \
  {                                                                             \
    shmem_##name##_wait_until, shmem_##name##_test, UCXX_SHMEM_SEVERAL(name, ), \
        UCXX_SHMEM_SEVERAL(name, _vector)                                       \
  }

#define UCXX_SHMEM_EXCHANGES(name)                                                            \
  .fetch = shmem_ctx_##name##_atomic_fetch, .fetch_nbi = shmem_ctx_##name##_atomic_fetch_nbi, \
  .set = shmem_ctx_##name##_atomic_set, .swap = shmem_ctx_##name##_atomic_swap,               \
  .swap_nbi = shmem_ctx_##name##_atomic_swap_nbi

#define UCXX_SHMEM_ATOMICS(name)                                                                \
  {                                                                                             \
    UCXX_SHMEM_EXCHANGES(name),                                                                 \
        .compare_swap = shmem_ctx_##name##_atomic_compare_swap,                                 \
        .compare_swap_nbi = shmem_ctx_##name##_atomic_compare_swap_nbi,                         \
        .inc = shmem_ctx_##name##_atomic_inc, .fetch_inc = shmem_ctx_##name##_atomic_fetch_inc, \
        .fetch_inc_nbi = shmem_ctx_##name##_atomic_fetch_inc_nbi,                               \
        .add = shmem_ctx_##name##_atomic_add, .bit_and = shmem_ctx_##name##_atomic_and,         \
        .bit_or = shmem_ctx_##name##_atomic_or, .bit_xor = shmem_ctx_##name##_atomic_xor,       \
        .fetch_add = shmem_ctx_##name##_atomic_fetch_add,                                       \
        .fetch_and = shmem_ctx_##name##_atomic_fetch_and,                                       \
        .fetch_or = shmem_ctx_##name##_atomic_fetch_or,                                         \
        .fetch_xor = shmem_ctx_##name##_atomic_fetch_xor,                                       \
        .fetch_add_nbi = shmem_ctx_##name##_atomic_fetch_add_nbi,                               \
        .fetch_and_nbi = shmem_ctx_##name##_atomic_fetch_and_nbi,                               \
        .fetch_or_nbi = shmem_ctx_##name##_atomic_fetch_or_nbi,                                 \
        .fetch_xor_nbi = shmem_ctx_##name##_atomic_fetch_xor_nbi                                \
  }

/// A reduction as a function of buffers of any type.
template <class T>
Reduction untyped(int (*function)(shmem_team_t, T*, const T*, std::size_t)) noexcept {
  return reinterpret_cast<Reduction>(function);
}

template <class T>
auto untypedStrided(int (*function)(shmem_team_t, T*, const T*, std::ptrdiff_t, std::ptrdiff_t,
                                    std::size_t)) noexcept {
  return reinterpret_cast<decltype(StridedFunctions::alltoalls)>(function);
}

#define UCXX_SHMEM_STRIDED(bits, name)                                                        \
  {                                                                                           \
    shmem_ctx_iput##bits, shmem_ctx_iget##bits, shmem_ctx_ibput##bits, shmem_ctx_ibget##bits, \
        untypedStrided(shmem_##name##_alltoalls)                                              \
  }

#define UCXX_SHMEM_ARITHMETIC(name, T)                                           \
  untyped<T>(shmem_##name##_sum_reduce), untyped<T>(shmem_##name##_prod_reduce), \
      untyped<T>(shmem_##name##_sum_inscan), untyped<T>(shmem_##name##_sum_exscan)
#define UCXX_SHMEM_ORDERED(name, T)                                             \
  untyped<T>(shmem_##name##_max_reduce), untyped<T>(shmem_##name##_min_reduce), \
      UCXX_SHMEM_ARITHMETIC(name, T)
#define UCXX_SHMEM_OF_INTEGERS(name)                                                           \
  {                                                                                            \
    untyped<name##_t>(shmem_##name##_and_reduce), untyped<name##_t>(shmem_##name##_or_reduce), \
        untyped<name##_t>(shmem_##name##_xor_reduce), UCXX_SHMEM_ORDERED(name, name##_t)       \
  }
#define UCXX_SHMEM_OF_REALS(name, T) \
  { nullptr, nullptr, nullptr, UCXX_SHMEM_ORDERED(name, T) }
#define UCXX_SHMEM_OF_COMPLEX(name) \
  { nullptr, nullptr, nullptr, nullptr, nullptr, UCXX_SHMEM_ARITHMETIC(name, ucxx_shmem_##name) }

}  // namespace

const Functions functions = {
#define UCXX_SHMEM_ADDRESS(name) .name = &shmem_##name,
    UCXX_SHMEM_PLAIN_FUNCTIONS(UCXX_SHMEM_ADDRESS)
#undef UCXX_SHMEM_ADDRESS
        .wait_int32 = UCXX_SHMEM_WAITS(int32),
    .wait_int64 = UCXX_SHMEM_WAITS(int64),
    .wait_uint32 = UCXX_SHMEM_WAITS(uint32),
    .wait_uint64 = UCXX_SHMEM_WAITS(uint64),
    .atomic_int32 = UCXX_SHMEM_ATOMICS(int32),
    .atomic_int64 = UCXX_SHMEM_ATOMICS(int64),
    .atomic_uint32 = UCXX_SHMEM_ATOMICS(uint32),
    .atomic_uint64 = UCXX_SHMEM_ATOMICS(uint64),
    .atomic_float = {UCXX_SHMEM_EXCHANGES(float)},
    .atomic_double = {UCXX_SHMEM_EXCHANGES(double)},
    .strided = {UCXX_SHMEM_STRIDED(8, uint8), UCXX_SHMEM_STRIDED(16, uint16),
                UCXX_SHMEM_STRIDED(32, uint32), UCXX_SHMEM_STRIDED(64, uint64),
                UCXX_SHMEM_STRIDED(128, longdouble)},
    .reductions =
        {
            UCXX_SHMEM_OF_INTEGERS(int8),
            UCXX_SHMEM_OF_INTEGERS(int16),
            UCXX_SHMEM_OF_INTEGERS(int32),
            UCXX_SHMEM_OF_INTEGERS(int64),
            UCXX_SHMEM_OF_INTEGERS(uint8),
            UCXX_SHMEM_OF_INTEGERS(uint16),
            UCXX_SHMEM_OF_INTEGERS(uint32),
            UCXX_SHMEM_OF_INTEGERS(uint64),
            UCXX_SHMEM_OF_REALS(float, float),
            UCXX_SHMEM_OF_REALS(double, double),
            UCXX_SHMEM_OF_REALS(longdouble, long double),
            UCXX_SHMEM_OF_COMPLEX(complexf),
            UCXX_SHMEM_OF_COMPLEX(complexd),
        },
};

}  // namespace ucxx::python::shmem
