// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "functions.h"

#include "library.h"
#include "several.h"

namespace ucxx::python::shmem {

Functions functions;

namespace {

#define UCXX_SHMEM_FOUND(text) \
  Found<"shmem_" text> { library }
#define UCXX_SHMEM_EXCHANGES(name)                                 \
  .fetch = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_fetch"),         \
  .fetch_nbi = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_fetch_nbi"), \
  .set = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_set"),             \
  .swap = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_swap"),           \
  .swap_nbi = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_swap_nbi")

#define UCXX_SHMEM_ATOMICS(name)                                                       \
  {                                                                                    \
    UCXX_SHMEM_EXCHANGES(name),                                                        \
        .compare_swap = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_compare_swap"),         \
        .compare_swap_nbi = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_compare_swap_nbi"), \
        .inc = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_inc"),                           \
        .fetch_inc = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_fetch_inc"),               \
        .fetch_inc_nbi = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_fetch_inc_nbi"),       \
        .add = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_add"),                           \
        .bit_and = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_and"),                       \
        .bit_or = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_or"),                         \
        .bit_xor = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_xor"),                       \
        .fetch_add = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_fetch_add"),               \
        .fetch_and = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_fetch_and"),               \
        .fetch_or = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_fetch_or"),                 \
        .fetch_xor = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_fetch_xor"),               \
        .fetch_add_nbi = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_fetch_add_nbi"),       \
        .fetch_and_nbi = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_fetch_and_nbi"),       \
        .fetch_or_nbi = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_fetch_or_nbi"),         \
        .fetch_xor_nbi = UCXX_SHMEM_FOUND("ctx_" #name "_atomic_fetch_xor_nbi")        \
  }

#define UCXX_SHMEM_STRIDED(bits, name)                                            \
  {                                                                               \
    UCXX_SHMEM_FOUND("ctx_iput" #bits), UCXX_SHMEM_FOUND("ctx_iget" #bits),       \
        UCXX_SHMEM_FOUND("ctx_ibput" #bits), UCXX_SHMEM_FOUND("ctx_ibget" #bits), \
        UCXX_SHMEM_FOUND(#name "_alltoalls")                                      \
  }

#define UCXX_SHMEM_ARITHMETIC(name)                                              \
  UCXX_SHMEM_FOUND(#name "_sum_reduce"), UCXX_SHMEM_FOUND(#name "_prod_reduce"), \
      UCXX_SHMEM_FOUND(#name "_sum_inscan"), UCXX_SHMEM_FOUND(#name "_sum_exscan")
#define UCXX_SHMEM_ORDERED(name)                                                \
  UCXX_SHMEM_FOUND(#name "_max_reduce"), UCXX_SHMEM_FOUND(#name "_min_reduce"), \
      UCXX_SHMEM_ARITHMETIC(name)
#define UCXX_SHMEM_OF_INTEGERS(name)                                             \
  {                                                                              \
    UCXX_SHMEM_FOUND(#name "_and_reduce"), UCXX_SHMEM_FOUND(#name "_or_reduce"), \
        UCXX_SHMEM_FOUND(#name "_xor_reduce"), UCXX_SHMEM_ORDERED(name)          \
  }
#define UCXX_SHMEM_OF_REALS(name) \
  { nullptr, nullptr, nullptr, UCXX_SHMEM_ORDERED(name) }
#define UCXX_SHMEM_OF_COMPLEX(name) \
  { nullptr, nullptr, nullptr, nullptr, nullptr, UCXX_SHMEM_ARITHMETIC(name) }

}  // namespace

void findFunctions(const Library& library) {
  functions = {
#define UCXX_SHMEM_ADDRESS(name) .name = UCXX_SHMEM_FOUND(#name),
      UCXX_SHMEM_PLAIN_FUNCTIONS(UCXX_SHMEM_ADDRESS)
#undef UCXX_SHMEM_ADDRESS
          .wait_int32 = waitsOf<std::int32_t, "shmem_int32">(library),
      .wait_int64 = waitsOf<std::int64_t, "shmem_int64">(library),
      .wait_uint32 = waitsOf<std::uint32_t, "shmem_uint32">(library),
      .wait_uint64 = waitsOf<std::uint64_t, "shmem_uint64">(library),
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
              UCXX_SHMEM_OF_REALS(float),
              UCXX_SHMEM_OF_REALS(double),
              UCXX_SHMEM_OF_REALS(longdouble),
              UCXX_SHMEM_OF_COMPLEX(complexf),
              UCXX_SHMEM_OF_COMPLEX(complexd),
          },
      .collectmem = Found<"shmemx_collectmem">{library},
      .extensions = {Perhaps<"shmemx_init_with">{library},
                     Perhaps<"shmemx_set_warning_handler">{library},
                     Perhaps<"shmemx_set_wait_check">{library}},
  };
}

}  // namespace ucxx::python::shmem
