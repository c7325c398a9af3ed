// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Every generic with every type that can be told apart, with a context and without: for C11, and for
// C++ as well. headers_check.py compares the functions that the object refers to with the table.
#include <shmem.h>

#ifdef __cplusplus
#include <complex>
typedef std::complex<double> complexd;
typedef std::complex<float> complexf;
#define EXTERN_C extern "C"
#else
typedef double _Complex complexd;
typedef float _Complex complexf;
#define EXTERN_C extern
#endif

EXTERN_C shmem_ctx_t const ctx;
EXTERN_C shmem_team_t const team;
EXTERN_C uint64_t signals[2];
EXTERN_C int const status[1];
EXTERN_C size_t indices[1];

// With a context and without.
#define BOTH(call, ...)     \
  do {                      \
    call(__VA_ARGS__);      \
    call(ctx, __VA_ARGS__); \
  } while (0)

// The result is of the type that the pointer has.
#define SAME_TYPE(pointer, result)      \
  do {                                  \
    __typeof__(result)* same = pointer; \
    (void)same;                         \
  } while (0)

#define PUT_GET(T, name)                                                          \
  void put_get_##name(T* dest, const T* source);                                  \
  void put_get_##name(T* dest, const T* source) {                                 \
    SAME_TYPE(dest, shmem_g(source, 0));                                          \
    SAME_TYPE(dest, shmem_g(ctx, source, 0));                                     \
    BOTH(shmem_put, dest, source, 1, 0);                                          \
    BOTH(shmem_get, dest, source, 1, 0);                                          \
    BOTH(shmem_p, dest, *source, 0);                                              \
    BOTH(shmem_g, source, 0);                                                     \
    BOTH(shmem_g, dest, 0);                                                       \
    BOTH(shmem_iput, dest, source, 1, 2, 1, 0);                                   \
    BOTH(shmem_iget, dest, source, 1, 2, 1, 0);                                   \
    BOTH(shmem_ibput, dest, source, 1, 2, 1, 1, 0);                               \
    BOTH(shmem_ibget, dest, source, 1, 2, 1, 1, 0);                               \
    BOTH(shmem_put_nbi, dest, source, 1, 0);                                      \
    BOTH(shmem_get_nbi, dest, source, 1, 0);                                      \
    BOTH(shmem_put_signal, dest, source, 1, signals, 1, SHMEM_SIGNAL_SET, 0);     \
    BOTH(shmem_put_signal_nbi, dest, source, 1, signals, 1, SHMEM_SIGNAL_ADD, 0); \
  }

#define COLLECTIVES(T, name)                          \
  void collectives_##name(T* dest, const T* source);  \
  void collectives_##name(T* dest, const T* source) { \
    shmem_broadcast(team, dest, source, 1, 0);        \
    shmem_collect(team, dest, source, 1);             \
    shmem_fcollect(team, dest, source, 1);            \
    shmem_alltoall(team, dest, source, 1);            \
    shmem_alltoalls(team, dest, source, 1, 2, 1);     \
    shmem_max_reduce(team, dest, source, 1);          \
    shmem_min_reduce(team, dest, source, 1);          \
  }

#define SUMS(T, name)                          \
  void sums_##name(T* dest, const T* source);  \
  void sums_##name(T* dest, const T* source) { \
    shmem_sum_reduce(team, dest, source, 1);   \
    shmem_prod_reduce(team, dest, source, 1);  \
    shmem_sum_inscan(team, dest, source, 1);   \
    shmem_sum_exscan(team, dest, source, 1);   \
  }

// By the names of C: C++ has its own complex numbers for them too.
#define OLD_SUMS(name)                                             \
  void old_sums_##name(name* z, long* pSync);                      \
  void old_sums_##name(name* z, long* pSync) {                     \
    shmem_##name##_sum_to_all(z, z + 1, 1, 0, 0, 1, z + 2, pSync);  \
    shmem_##name##_prod_to_all(z, z + 1, 1, 0, 0, 1, z + 2, pSync); \
    shmem_##name##_sum_reduce(team, z, z + 1, 1);                  \
  }

#define BITS(T, name)                          \
  void bits_##name(T* dest, const T* source);  \
  void bits_##name(T* dest, const T* source) { \
    shmem_and_reduce(team, dest, source, 1);   \
    shmem_or_reduce(team, dest, source, 1);    \
    shmem_xor_reduce(team, dest, source, 1);   \
  }

#define ATOMICS_EXTENDED(T, name)                              \
  void atomics_extended_##name(T* dest, const T* source);      \
  void atomics_extended_##name(T* dest, const T* source) {     \
    SAME_TYPE(dest, shmem_atomic_fetch(source, 0));            \
    SAME_TYPE(dest, shmem_atomic_swap(ctx, dest, *source, 0)); \
    BOTH(shmem_atomic_fetch, source, 0);                       \
    BOTH(shmem_atomic_fetch, dest, 0);                         \
    BOTH(shmem_atomic_set, dest, *source, 0);                  \
    BOTH(shmem_atomic_swap, dest, *source, 0);                 \
    BOTH(shmem_atomic_fetch_nbi, dest + 1, source, 0);         \
    BOTH(shmem_atomic_swap_nbi, dest + 1, dest, *source, 0);   \
  }

#define ATOMICS(T, name)                                                    \
  void atomics_##name(T* dest, T value);                                    \
  void atomics_##name(T* dest, T value) {                                   \
    SAME_TYPE(dest, shmem_atomic_fetch_inc(dest, 0));                       \
    SAME_TYPE(dest, shmem_atomic_compare_swap(ctx, dest, value, value, 0)); \
    BOTH(shmem_atomic_compare_swap, dest, value, value, 0);                 \
    BOTH(shmem_atomic_fetch_inc, dest, 0);                                  \
    BOTH(shmem_atomic_inc, dest, 0);                                        \
    BOTH(shmem_atomic_fetch_add, dest, value, 0);                           \
    BOTH(shmem_atomic_add, dest, value, 0);                                 \
    BOTH(shmem_atomic_compare_swap_nbi, dest + 1, dest, value, value, 0);   \
    BOTH(shmem_atomic_fetch_inc_nbi, dest + 1, dest, 0);                    \
    BOTH(shmem_atomic_fetch_add_nbi, dest + 1, dest, value, 0);             \
  }

#define ATOMICS_OF_BITS(T, name)                                \
  void atomics_of_bits_##name(T* dest, T value);                \
  void atomics_of_bits_##name(T* dest, T value) {               \
    SAME_TYPE(dest, shmem_atomic_fetch_and(dest, value, 0));    \
    BOTH(shmem_atomic_fetch_and, dest, value, 0);               \
    BOTH(shmem_atomic_fetch_or, dest, value, 0);                \
    BOTH(shmem_atomic_fetch_xor, dest, value, 0);               \
    BOTH(shmem_atomic_and, dest, value, 0);                     \
    BOTH(shmem_atomic_or, dest, value, 0);                      \
    BOTH(shmem_atomic_xor, dest, value, 0);                     \
  }

#define ATOMICS_OF_BITS_NBI(T, name)                            \
  void atomics_of_bits_nbi_##name(T* dest, T value);            \
  void atomics_of_bits_nbi_##name(T* dest, T value) {           \
    BOTH(shmem_atomic_fetch_and_nbi, dest + 1, dest, value, 0); \
    BOTH(shmem_atomic_fetch_or_nbi, dest + 1, dest, value, 0);  \
    BOTH(shmem_atomic_fetch_xor_nbi, dest + 1, dest, value, 0); \
  }

#define WAITS(T, name)                            \
  int waits_##name(T* ivar, T value);             \
  int waits_##name(T* ivar, T value) {            \
    shmem_wait_until(ivar, SHMEM_CMP_EQ, value);  \
    return shmem_test(ivar, SHMEM_CMP_NE, value); \
  }

#define WAITS_FOR_MANY(T, name)                                                    \
  void waits_for_many_##name(T* ivars, const T* values);                           \
  void waits_for_many_##name(T* ivars, const T* values) {                          \
    shmem_wait_until_all(ivars, 1, status, SHMEM_CMP_GT, *values);                 \
    shmem_wait_until_any(ivars, 1, status, SHMEM_CMP_GE, *values);                 \
    shmem_wait_until_some(ivars, 1, indices, status, SHMEM_CMP_LT, *values);       \
    shmem_test_all(ivars, 1, status, SHMEM_CMP_LE, *values);                       \
    shmem_test_any(ivars, 1, status, SHMEM_CMP_EQ, *values);                       \
    shmem_test_some(ivars, 1, indices, status, SHMEM_CMP_NE, *values);             \
    shmem_wait_until_all_vector(ivars, 1, status, SHMEM_CMP_EQ, values);           \
    shmem_wait_until_any_vector(ivars, 1, status, SHMEM_CMP_EQ, values);           \
    shmem_wait_until_some_vector(ivars, 1, indices, status, SHMEM_CMP_EQ, values); \
    shmem_test_all_vector(ivars, 1, status, SHMEM_CMP_EQ, values);                 \
    shmem_test_any_vector(ivars, 1, status, SHMEM_CMP_EQ, values);                 \
    shmem_test_some_vector(ivars, 1, indices, status, SHMEM_CMP_EQ, values);       \
  }

#define OLD_EXTENDED(T, name)                          \
  void old_extended_##name(T* dest, const T* source);  \
  void old_extended_##name(T* dest, const T* source) { \
    shmem_set(dest, shmem_fetch(source, 0), 0);        \
    shmem_set(dest, shmem_swap(dest, *source, 0), 0);  \
  }

#define OLD(T, name)                                                      \
  void old_##name(T* dest, T value);                                      \
  void old_##name(T* dest, T value) {                                     \
    shmem_add(dest, shmem_cswap(dest, value, value, 0), 0);               \
    shmem_add(dest, shmem_finc(dest, 0) + shmem_fadd(dest, value, 0), 0); \
    shmem_inc(dest, 0);                                                   \
  }

// The tables of types: three kinds of floating point, the small integers, those that atomics know.
#define REAL(USE) USE(float, float) USE(double, double)
#define SMALL(USE)                                                                                \
  USE(signed char, schar) USE(short, short) USE(unsigned char, uchar) USE(unsigned short, ushort)
#define INT(USE) USE(int, int) USE(long, long)
#define UNSIGNED(USE)                                                                  \
  USE(unsigned int, uint) USE(unsigned long, ulong) USE(unsigned long long, ulonglong)
#define STANDARD(USE) INT(USE) USE(long long, longlong) UNSIGNED(USE)
#define ALL(USE) REAL(USE) USE(long double, longdouble) USE(char, char) SMALL(USE) STANDARD(USE)

ALL(PUT_GET)
ALL(COLLECTIVES)
ALL(SUMS)
SUMS(complexd, complexd)
SUMS(complexf, complexf)
OLD_SUMS(complexd)
OLD_SUMS(complexf)
SMALL(BITS)
INT(BITS)
UNSIGNED(BITS)
REAL(ATOMICS_EXTENDED)
STANDARD(ATOMICS_EXTENDED)
STANDARD(ATOMICS)
STANDARD(ATOMICS_OF_BITS)
INT(ATOMICS_OF_BITS_NBI)
UNSIGNED(ATOMICS_OF_BITS_NBI)
WAITS(short, short)
WAITS(unsigned short, ushort)
STANDARD(WAITS)
STANDARD(WAITS_FOR_MANY)
WAITS_FOR_MANY(short, short)
WAITS_FOR_MANY(unsigned short, ushort)
REAL(OLD_EXTENDED)
OLD_EXTENDED(long double, longdouble)
OLD_EXTENDED(short, short)
OLD_EXTENDED(unsigned short, ushort)
STANDARD(OLD_EXTENDED)
OLD(short, short)
OLD(unsigned short, ushort)
STANDARD(OLD)

int not_by_type(long* pSync);
int not_by_type(long* pSync) {
  BOTH(shmem_signal_add, signals, 1, 0);
  BOTH(shmem_signal_set, signals, 1, 0);
  shmem_sync(0, 0, 1, pSync);
  return shmem_sync(team);
}
