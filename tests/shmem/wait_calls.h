// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include "shmem/types.h"

namespace ucxx::test {

/// The functions that wait for variables of one type, or test them.
template <class T>
struct WaitCalls {
  void (*wait_until)(T*, int, T);
  int (*test)(T*, int, T);
  void (*wait_until_all)(T*, std::size_t, const int*, int, T);
  std::size_t (*wait_until_any)(T*, std::size_t, const int*, int, T);
  std::size_t (*wait_until_some)(T*, std::size_t, std::size_t*, const int*, int, T);
  int (*test_all)(T*, std::size_t, const int*, int, T);
  std::size_t (*test_any)(T*, std::size_t, const int*, int, T);
  std::size_t (*test_some)(T*, std::size_t, std::size_t*, const int*, int, T);
  void (*wait_until_all_vector)(T*, std::size_t, const int*, int, const T*);
  std::size_t (*wait_until_any_vector)(T*, std::size_t, const int*, int, const T*);
  std::size_t (*wait_until_some_vector)(T*, std::size_t, std::size_t*, const int*, int, const T*);
  int (*test_all_vector)(T*, std::size_t, const int*, int, const T*);
  std::size_t (*test_any_vector)(T*, std::size_t, const int*, int, const T*);
  std::size_t (*test_some_vector)(T*, std::size_t, std::size_t*, const int*, int, const T*);
};

}  // namespace ucxx::test

#define WAIT_CALLS(name, T)                                                                      \
  ucxx::test::WaitCalls<T> {                                                                     \
    shmem_##name##_wait_until, shmem_##name##_test, shmem_##name##_wait_until_all,               \
        shmem_##name##_wait_until_any, shmem_##name##_wait_until_some, shmem_##name##_test_all,  \
        shmem_##name##_test_any, shmem_##name##_test_some, shmem_##name##_wait_until_all_vector, \
        shmem_##name##_wait_until_any_vector, shmem_##name##_wait_until_some_vector,             \
        shmem_##name##_test_all_vector, shmem_##name##_test_any_vector,                          \
        shmem_##name##_test_some_vector                                                          \
  }
