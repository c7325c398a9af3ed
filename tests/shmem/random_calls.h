// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "shmem/types.h"

// Tables of the functions that a random program chooses from, with the types of their arguments
// forgotten: an element has a size only.

namespace ucxx::test {

struct Copying {
  std::size_t element;
  void (*call)(shmem_ctx_t, void* dest, const void* source, std::size_t count, int pe);
};
struct CopyingBlocks {
  std::size_t element;
  void (*call)(shmem_ctx_t, void* dest, const void* source, std::ptrdiff_t to, std::ptrdiff_t from,
               std::size_t block, std::size_t blocks, int pe);
};
struct CopyingOne {
  std::size_t element;
  void (*call)(shmem_ctx_t, void* dest, const void* source, int pe);
};

#define ARGUMENTS (shmem_ctx_t c, void* d, const void* s, std::size_t n, int pe)
#define TYPED(name, T, operation)                                                              \
  Copying{sizeof(T), [] ARGUMENTS {                                                            \
            shmem_ctx_##name##_##operation(c, static_cast<T*>(d), static_cast<const T*>(s), n, \
                                           pe);                                                \
          }},
#define SIZED(call, T) Copying{sizeof(T), call},
#define PUT(name, T) TYPED(name, T, put)
#define PUT_NBI(name, T) TYPED(name, T, put_nbi)
#define GET(name, T) TYPED(name, T, get)
#define GET_NBI(name, T) TYPED(name, T, get_nbi)
#define PUT_BITS(bits, T) SIZED(shmem_ctx_put##bits, T)
#define PUT_BITS_NBI(bits, T) SIZED(shmem_ctx_put##bits##_nbi, T)
#define GET_BITS(bits, T) SIZED(shmem_ctx_get##bits, T)
#define GET_BITS_NBI(bits, T) SIZED(shmem_ctx_get##bits##_nbi, T)
inline constexpr std::array kPuts{FOR_RMA_TYPES(PUT) FOR_BITS(PUT_BITS)
                                      SIZED(shmem_ctx_putmem, char)};
inline constexpr std::array kPutsNbi{FOR_RMA_TYPES(PUT_NBI) FOR_BITS(PUT_BITS_NBI)
                                         SIZED(shmem_ctx_putmem_nbi, char)};
inline constexpr std::array kGets{FOR_RMA_TYPES(GET) FOR_BITS(GET_BITS)
                                      SIZED(shmem_ctx_getmem, char)};
inline constexpr std::array kGetsNbi{FOR_RMA_TYPES(GET_NBI) FOR_BITS(GET_BITS_NBI)
                                         SIZED(shmem_ctx_getmem_nbi, char)};
#undef PUT
#undef PUT_NBI
#undef GET
#undef GET_NBI
#undef PUT_BITS
#undef PUT_BITS_NBI
#undef GET_BITS
#undef GET_BITS_NBI
#undef TYPED
#undef SIZED
#undef ARGUMENTS

/// With a block of one element, iput and iget.
#define ARGUMENTS                                                                 \
  (shmem_ctx_t c, void* d, const void* s, std::ptrdiff_t to, std::ptrdiff_t from, \
   std::size_t block, std::size_t blocks, int pe)
#define TYPED(name, T, single, several)                                                         \
  CopyingBlocks{sizeof(T), [] ARGUMENTS {                                                       \
                  auto* const dest = static_cast<T*>(d);                                        \
                  const auto* const source = static_cast<const T*>(s);                          \
                  if (block == 1)                                                               \
                    shmem_ctx_##name##_##single(c, dest, source, to, from, blocks, pe);         \
                  else                                                                          \
                    shmem_ctx_##name##_##several(c, dest, source, to, from, block, blocks, pe); \
                }},
#define SIZED(T, single, several)                                  \
  CopyingBlocks{sizeof(T), [] ARGUMENTS {                          \
                  if (block == 1)                                  \
                    single(c, d, s, to, from, blocks, pe);         \
                  else                                             \
                    several(c, d, s, to, from, block, blocks, pe); \
                }},
#define PUT(name, T) TYPED(name, T, iput, ibput)
#define GET(name, T) TYPED(name, T, iget, ibget)
#define PUT_BITS(bits, T) SIZED(T, shmem_ctx_iput##bits, shmem_ctx_ibput##bits)
#define GET_BITS(bits, T) SIZED(T, shmem_ctx_iget##bits, shmem_ctx_ibget##bits)
inline constexpr std::array kBlockPuts{FOR_RMA_TYPES(PUT) FOR_BITS(PUT_BITS)};
inline constexpr std::array kBlockGets{FOR_RMA_TYPES(GET) FOR_BITS(GET_BITS)};
#undef PUT
#undef GET
#undef PUT_BITS
#undef GET_BITS
#undef TYPED
#undef SIZED
#undef ARGUMENTS

// Not long double, of which a value has bytes that mean nothing.
#define ONE_TYPES(X)      \
  FOR_AMO_TYPES(X)        \
  X(char, char)           \
  X(short, short)         \
  X(uchar, unsigned char) \
  X(int8, std::int8_t) X(uint16, std::uint16_t) X(float, float) X(double, double)
#define P(name, T)                                                                         \
  CopyingOne{sizeof(T), [](shmem_ctx_t c, void* d, const void* s, int pe) {                \
               shmem_ctx_##name##_p(c, static_cast<T*>(d), *static_cast<const T*>(s), pe); \
             }},
#define G(name, T)                                                                          \
  CopyingOne{sizeof(T), [](shmem_ctx_t c, void* d, const void* s, int pe) {                 \
               *static_cast<T*>(d) = shmem_ctx_##name##_g(c, static_cast<const T*>(s), pe); \
             }},
inline constexpr std::array kPs{ONE_TYPES(P)};
inline constexpr std::array kGs{ONE_TYPES(G)};
#undef P
#undef G
#undef ONE_TYPES

enum class Change { None, Set, CompareSwap, Add, Increment, And, Or, Xor };

/// What becomes of a word.
inline std::uint64_t changed(Change change, std::uint64_t old, std::uint64_t value,
                             std::uint64_t compared) {
  switch (change) {
    case Change::None:
      return old;
    case Change::Set:
      return value;
    case Change::CompareSwap:
      return old == compared ? value : old;
    case Change::Add:
      return old + value;
    case Change::Increment:
      return old + 1;
    case Change::And:
      return old & value;
    case Change::Or:
      return old | value;
    case Change::Xor:
      return old ^ value;
  }
  return old;
}

/// `fetched` is written by those that fetch, behind quiet.
struct Atomic {
  std::size_t bytes;
  Change change;
  bool fetches;
  void (*call)(shmem_ctx_t, void* fetched, void* word, std::uint64_t value, std::uint64_t compared,
               int pe);
};

#define ATOMIC(T, change, fetches, ...)                                                         \
  Atomic{sizeof(T), Change::change, fetches,                                                    \
         [](shmem_ctx_t c, [[maybe_unused]] void* f, void* w, [[maybe_unused]] std::uint64_t v, \
            [[maybe_unused]] std::uint64_t compared, int pe) {                                  \
           [[maybe_unused]] auto* const fetched = static_cast<T*>(f);                           \
           auto* const word = static_cast<T*>(w);                                               \
           [[maybe_unused]] const auto value = static_cast<T>(v);                               \
           __VA_ARGS__;                                                                         \
         }},
#define FETCHING(T, name, change, ...)                                          \
  ATOMIC(T, change, true, *fetched = shmem_ctx_##name(c, word __VA_ARGS__, pe)) \
  ATOMIC(T, change, true, shmem_ctx_##name##_nbi(c, fetched, word __VA_ARGS__, pe))
#define COMBINING(T, name, operation, change)                                         \
  ATOMIC(T, change, false, shmem_ctx_##name##_atomic_##operation(c, word, value, pe)) \
  FETCHING(T, name##_atomic_fetch_##operation, change, , value)
#define STANDARD(name, T)                                                                 \
  FETCHING(T, name##_atomic_fetch, None)                                                  \
  ATOMIC(T, Set, false, shmem_ctx_##name##_atomic_set(c, word, value, pe))                \
  FETCHING(T, name##_atomic_swap, Set, , value)                                           \
  FETCHING(T, name##_atomic_compare_swap, CompareSwap, , static_cast<T>(compared), value) \
  ATOMIC(T, Increment, false, shmem_ctx_##name##_atomic_inc(c, word, pe))                 \
  FETCHING(T, name##_atomic_fetch_inc, Increment)                                         \
  COMBINING(T, name, add, Add)
#define BITWISE(name, T) \
  COMBINING(T, name, and, And) COMBINING(T, name, or, Or) COMBINING(T, name, xor, Xor)
inline constexpr std::array kAtomics{FOR_AMO_TYPES(STANDARD) FOR_BITWISE_AMO_TYPES(BITWISE)};
#undef BITWISE
#undef STANDARD
#undef COMBINING
#undef FETCHING
#undef ATOMIC

}  // namespace ucxx::test
