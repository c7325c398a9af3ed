// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Point-to-point synchronisation, and what waits for or reads a signal.
#include "shmem/waiting/waits.h"

#include "shmem/api/define.h"
#include "shmem/api/types.h"

using namespace ucxx::shmem;

#define ONE(name, T)                                                           \
  UCXX_SHMEM_DEFINE(void, name##_wait_until, (T * ivar, int cmp, T cmp_value), \
                    { waitUntilOne(ivar, cmp, cmp_value, SELF); })             \
  UCXX_SHMEM_DEFINE(int, name##_test, (T * ivar, int cmp, T cmp_value),        \
                    { return testOne(ivar, cmp, cmp_value, SELF); })
UCXX_SHMEM_AMO_TYPES(ONE)
ONE(short, short)
ONE(ushort, unsigned short)
#undef ONE

/// One set of functions for a value that all variables are compared with, one for a value for each.
#define SEVERAL(name, T, suffix, Values, address, is_vector)                                       \
  UCXX_SHMEM_DEFINE(                                                                               \
      void, name##_wait_until_all##suffix,                                                         \
      (T * ivars, size_t nelems, const int* status, int cmp, Values),                              \
      { waitForAll(Variables<T>(ivars, nelems, status, cmp, address, is_vector, SELF), SELF); })   \
  UCXX_SHMEM_DEFINE(size_t, name##_wait_until_any##suffix,                                         \
                    (T * ivars, size_t nelems, const int* status, int cmp, Values), {              \
                      return waitForAny(                                                           \
                          Variables<T>(ivars, nelems, status, cmp, address, is_vector, SELF),      \
                          SELF);                                                                   \
                    })                                                                             \
  UCXX_SHMEM_DEFINE(                                                                               \
      size_t, name##_wait_until_some##suffix,                                                      \
      (T * ivars, size_t nelems, size_t * indices, const int* status, int cmp, Values), {          \
        return waitForSome(Variables<T>(ivars, nelems, status, cmp, address, is_vector, SELF),     \
                           indices, SELF);                                                         \
      })                                                                                           \
  UCXX_SHMEM_DEFINE(                                                                               \
      int, name##_test_all##suffix,                                                                \
      (T * ivars, size_t nelems, const int* status, int cmp, Values),                              \
      { return Variables<T>(ivars, nelems, status, cmp, address, is_vector, SELF).areAllTrue(); }) \
  UCXX_SHMEM_DEFINE(                                                                               \
      size_t, name##_test_any##suffix,                                                             \
      (T * ivars, size_t nelems, const int* status, int cmp, Values),                              \
      { return Variables<T>(ivars, nelems, status, cmp, address, is_vector, SELF).anyTrue(); })    \
  UCXX_SHMEM_DEFINE(                                                                               \
      size_t, name##_test_some##suffix,                                                            \
      (T * ivars, size_t nelems, size_t * indices, const int* status, int cmp, Values), {          \
        return Variables<T>(ivars, nelems, status, cmp, address, is_vector, SELF)                  \
            .allTrue(indices);                                                                     \
      })
#define BOTH(name, T)                                \
  SEVERAL(name, T, , T cmp_value, &cmp_value, false) \
  SEVERAL(name, T, _vector, const T* cmp_values, cmp_values, true)
UCXX_SHMEM_AMO_TYPES(BOTH)
BOTH(short, short)
BOTH(ushort, unsigned short)
#undef BOTH

UCXX_SHMEM_DEFINE(uint64_t, signal_fetch, (const uint64_t* sig_addr), {
  requireSymmetric(sig_addr, sizeof *sig_addr, SELF);
  return loadWhole<uint64_t>(sig_addr);
})
UCXX_SHMEM_DEFINE(uint64_t, signal_wait_until, (uint64_t * sig_addr, int cmp, uint64_t cmp_value), {
  requireComparison(cmp, SELF);
  requireSymmetric(sig_addr, sizeof *sig_addr, SELF);
  uint64_t value = 0;
  waitForAccesses([&] { return compares(value = loadWhole<uint64_t>(sig_addr), cmp, cmp_value); },
                  SELF);
  return value;
})
