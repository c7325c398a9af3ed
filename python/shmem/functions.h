// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <ucxx_shmem/functions.h>

#include "shmemx.h"

// The C functions that the extension calls, by their addresses: a table that is filled from the
// library which library.h loads. The types are those of libucxx_shmem; handles of another library
// stand in its pointers.

namespace ucxx::python::shmem {

/// Waits for several elements, and tests of them. They are compared with one value (Wanted is T),
/// or each with its own (const T*).
template <class T, class Wanted>
struct SeveralFunctions {
  void (*wait_until_all)(T*, std::size_t, const int*, int, Wanted);
  std::size_t (*wait_until_any)(T*, std::size_t, const int*, int, Wanted);
  std::size_t (*wait_until_some)(T*, std::size_t, std::size_t*, const int*, int, Wanted);
  int (*test_all)(T*, std::size_t, const int*, int, Wanted);
  std::size_t (*test_any)(T*, std::size_t, const int*, int, Wanted);
  std::size_t (*test_some)(T*, std::size_t, std::size_t*, const int*, int, Wanted);
};

/// wait_until and test of one type.
template <class T>
struct WaitFunctions {
  void (*wait_until)(T*, int, T);
  int (*test)(T*, int, T);
  SeveralFunctions<T, T> with_one;
  SeveralFunctions<T, const T*> with_each;
};

/// The atomic operations of one type; of float and double there are fetch, set and swap alone.
template <class T>
struct AtomicFunctions {
  using Update = void (*)(shmem_ctx_t, T*, T, int);
  using Fetch = T (*)(shmem_ctx_t, T*, T, int);
  using FetchNbi = void (*)(shmem_ctx_t, T*, T*, T, int);

  T (*fetch)(shmem_ctx_t, const T*, int);
  void (*fetch_nbi)(shmem_ctx_t, T*, const T*, int);
  Update set;
  Fetch swap;
  FetchNbi swap_nbi;
  // Integers only.
  T (*compare_swap)(shmem_ctx_t, T*, T, T, int) = nullptr;
  void (*compare_swap_nbi)(shmem_ctx_t, T*, T*, T, T, int) = nullptr;
  void (*inc)(shmem_ctx_t, T*, int) = nullptr;
  T (*fetch_inc)(shmem_ctx_t, T*, int) = nullptr;
  void (*fetch_inc_nbi)(shmem_ctx_t, T*, T*, int) = nullptr;
  Update add = nullptr, bit_and = nullptr, bit_or = nullptr, bit_xor = nullptr;
  Fetch fetch_add = nullptr, fetch_and = nullptr, fetch_or = nullptr, fetch_xor = nullptr;
  FetchNbi fetch_add_nbi = nullptr, fetch_and_nbi = nullptr, fetch_or_nbi = nullptr,
           fetch_xor_nbi = nullptr;
};

/// Strided transfers of elements of one size.
struct StridedFunctions {
  void (*iput)(shmem_ctx_t, void*, const void*, std::ptrdiff_t, std::ptrdiff_t, std::size_t, int);
  void (*iget)(shmem_ctx_t, void*, const void*, std::ptrdiff_t, std::ptrdiff_t, std::size_t, int);
  void (*ibput)(shmem_ctx_t, void*, const void*, std::ptrdiff_t, std::ptrdiff_t, std::size_t,
                std::size_t, int);
  void (*ibget)(shmem_ctx_t, void*, const void*, std::ptrdiff_t, std::ptrdiff_t, std::size_t,
                std::size_t, int);
  int (*alltoalls)(shmem_team_t, void*, const void*, std::ptrdiff_t, std::ptrdiff_t, std::size_t);
};

/// A reduction or scan, with the type of its elements left out.
using Reduction = int (*)(shmem_team_t, void*, const void*, std::size_t);
/// The reductions of one type; null where there is none.
struct ReductionFunctions {
  Reduction bit_and, bit_or, bit_xor, max, min, sum, prod, inscan, exscan;
};

/// What NumPy's types come down to.
enum class Kind {
  Int8,
  Int16,
  Int32,
  Int64,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Float,
  Double,
  LongDouble,
  ComplexFloat,
  ComplexDouble,
  Bool,
  Other
};

// clang-format off
#define UCXX_SHMEM_PLAIN_FUNCTIONS(each)                                                           \
  each(init_thread) each(query_thread) each(finalize) each(global_exit) each(my_pe) each(n_pes)    \
  each(pe_accessible) each(addr_accessible) each(ptr) each(info_get_version) each(info_get_name)   \
  each(malloc) each(calloc) each(align) each(malloc_with_hints) each(free)                         \
  each(team_my_pe) each(team_n_pes) each(team_get_config) each(team_translate_pe)                  \
  each(team_split_strided) each(team_split_2d) each(team_destroy) each(team_ptr) each(team_sync)   \
  each(team_create_ctx) each(ctx_destroy) each(ctx_session_start) each(ctx_session_stop)           \
  each(ctx_putmem) each(ctx_getmem) each(ctx_putmem_nbi) each(ctx_getmem_nbi)                      \
  each(ctx_putmem_signal) each(ctx_putmem_signal_nbi)                                              \
  each(ctx_signal_add) each(ctx_signal_set) each(signal_fetch) each(signal_wait_until)             \
  each(barrier_all) each(sync_all)                                                                 \
  each(broadcastmem) each(fcollectmem) each(alltoallmem)                                           \
  each(ctx_fence) each(ctx_quiet) each(ctx_pe_quiet)                                               \
  each(set_lock) each(clear_lock) each(test_lock)                                                  \
  each(pcontrol)
// clang-format on

/// What libucxx_shmem has beyond the standard. Null: the library has no such function.
struct Extensions {
  decltype(&shmemx_init_with) init_with;
  decltype(&shmemx_set_warning_handler) set_warning_handler;
  decltype(&shmemx_set_wait_check) set_wait_check;
};

struct Functions {
#define UCXX_SHMEM_MEMBER(name) decltype(&shmem_##name) name;
  UCXX_SHMEM_PLAIN_FUNCTIONS(UCXX_SHMEM_MEMBER)
#undef UCXX_SHMEM_MEMBER
  WaitFunctions<std::int32_t> wait_int32;
  WaitFunctions<std::int64_t> wait_int64;
  WaitFunctions<std::uint32_t> wait_uint32;
  WaitFunctions<std::uint64_t> wait_uint64;
  AtomicFunctions<std::int32_t> atomic_int32;
  AtomicFunctions<std::int64_t> atomic_int64;
  AtomicFunctions<std::uint32_t> atomic_uint32;
  AtomicFunctions<std::uint64_t> atomic_uint64;
  AtomicFunctions<float> atomic_float;
  AtomicFunctions<double> atomic_double;
  StridedFunctions strided[5];  ///< for elements of 1, 2, 4, 8 and 16 bytes
  ReductionFunctions reductions[static_cast<int>(Kind::Bool)];  ///< by Kind
  decltype(&shmemx_collectmem) collectmem;
  Extensions extensions;
};

class Library;
/// The functions of the library that is loaded: null before that. One that the library lacks throws
/// Lacking.
extern Functions functions;
/// Fills the table.
void findFunctions(const Library& library);

template <class T>
const WaitFunctions<T>& waitFunctions() noexcept {
  if constexpr (std::is_same_v<T, std::int32_t>) return functions.wait_int32;
  if constexpr (std::is_same_v<T, std::int64_t>) return functions.wait_int64;
  if constexpr (std::is_same_v<T, std::uint32_t>) return functions.wait_uint32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return functions.wait_uint64;
}
template <class T>
const AtomicFunctions<T>& atomicFunctions() noexcept {
  if constexpr (std::is_same_v<T, std::int32_t>) return functions.atomic_int32;
  if constexpr (std::is_same_v<T, std::int64_t>) return functions.atomic_int64;
  if constexpr (std::is_same_v<T, std::uint32_t>) return functions.atomic_uint32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return functions.atomic_uint64;
  if constexpr (std::is_same_v<T, float>) return functions.atomic_float;
  if constexpr (std::is_same_v<T, double>) return functions.atomic_double;
}

}  // namespace ucxx::python::shmem
