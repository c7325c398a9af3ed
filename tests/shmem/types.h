// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <shmem.h>

// The type tables of OpenSHMEM 1.6, written anew from the standard, so that a row that the
// library's tables lack is found. Each calls X(name, type) for its rows.

namespace ucxx::test {

/// An element of the calls that name 128 bits.
struct alignas(16) Bits128 {
  std::uint64_t low, high;
  bool operator==(const Bits128&) const = default;
};

/// The number in any of the types; where there is room, its complement too.
template <class T>
T fromNumber(std::uint64_t number) {
  if constexpr (std::is_same_v<T, Bits128>) {
    return {number, ~number};
  } else {
    return static_cast<T>(number);
  }
}

}  // namespace ucxx::test

// clang-format off
/// Remote memory access, data collectives; max and min.
#define FOR_RMA_TYPES(X) \
  X(float, float) X(double, double) X(longdouble, long double) X(char, char) X(schar, signed char) \
  X(short, short) X(int, int) X(long, long) X(longlong, long long) X(uchar, unsigned char) \
  X(ushort, unsigned short) X(uint, unsigned int) X(ulong, unsigned long) \
  X(ulonglong, unsigned long long) X(int8, std::int8_t) X(int16, std::int16_t) \
  X(int32, std::int32_t) X(int64, std::int64_t) X(uint8, std::uint8_t) X(uint16, std::uint16_t) \
  X(uint32, std::uint32_t) X(uint64, std::uint64_t) X(size, std::size_t) X(ptrdiff, std::ptrdiff_t)
/// The calls that name bits: X(bits, type of an element).
#define FOR_BITS(X) \
  X(8, std::uint8_t) X(16, std::uint16_t) X(32, std::uint32_t) X(64, std::uint64_t) \
  X(128, ucxx::test::Bits128)
/// Atomic operations.
#define FOR_AMO_TYPES(X) \
  X(int, int) X(long, long) X(longlong, long long) X(uint, unsigned int) X(ulong, unsigned long) \
  X(ulonglong, unsigned long long) X(int32, std::int32_t) X(int64, std::int64_t) \
  X(uint32, std::uint32_t) X(uint64, std::uint64_t) X(size, std::size_t) X(ptrdiff, std::ptrdiff_t)
/// fetch, set, swap.
#define FOR_EXTENDED_AMO_TYPES(X) FOR_AMO_TYPES(X) X(float, float) X(double, double)
/// and, or, xor: atomic.
#define FOR_BITWISE_AMO_TYPES(X) \
  X(uint, unsigned int) X(ulong, unsigned long) X(ulonglong, unsigned long long) \
  X(int32, std::int32_t) X(int64, std::int64_t) X(uint32, std::uint32_t) X(uint64, std::uint64_t)
/// Waits and tests. Beyond the standard: those of several short variables.
#define FOR_WAIT_TYPES(X) FOR_AMO_TYPES(X) X(short, short) X(ushort, unsigned short)
/// and, or, xor: reductions.
#define FOR_BITWISE_TYPES(X) \
  X(uchar, unsigned char) X(ushort, unsigned short) X(uint, unsigned int) X(ulong, unsigned long) \
  X(ulonglong, unsigned long long) X(int8, std::int8_t) X(int16, std::int16_t) \
  X(int32, std::int32_t) X(int64, std::int64_t) X(uint8, std::uint8_t) X(uint16, std::uint16_t) \
  X(uint32, std::uint32_t) X(uint64, std::uint64_t) X(size, std::size_t)
#define FOR_COMPLEX_TYPES(X) X(complexd, ucxx_shmem_complexd) X(complexf, ucxx_shmem_complexf)
/// sum, prod; scans.
#define FOR_ARITHMETIC_TYPES(X) FOR_RMA_TYPES(X) FOR_COMPLEX_TYPES(X)

/// Deprecated: reductions of active sets: and or xor; max min; sum prod.
#define FOR_OLD_BITWISE_TYPES(X) X(short, short) X(int, int) X(long, long) X(longlong, long long)
#define FOR_OLD_ORDERED_TYPES(X) \
  FOR_OLD_BITWISE_TYPES(X) X(float, float) X(double, double) X(longdouble, long double)
#define FOR_OLD_ARITHMETIC_TYPES(X) FOR_OLD_ORDERED_TYPES(X) FOR_COMPLEX_TYPES(X)
/// Deprecated: shmem_TYPE_{cswap,finc,inc,fadd,add}; {fetch,set,swap}; wait.
#define FOR_OLD_AMO_TYPES(X) X(int, int) X(long, long) X(longlong, long long)
#define FOR_OLD_EXTENDED_AMO_TYPES(X) FOR_OLD_AMO_TYPES(X) X(float, float) X(double, double)
#define FOR_OLD_WAIT_TYPES(X) X(short, short) X(int, int) X(long, long) X(longlong, long long)
/// Beyond the standard: the same names, of more types; {fetch,set,swap} of long double as well.
#define FOR_MORE_OLD_AMO_TYPES(X) \
  X(short, short) X(ushort, unsigned short) X(uint, unsigned int) X(ulong, unsigned long) X(ulonglong, unsigned long long) \
  X(int32, std::int32_t) X(int64, std::int64_t) X(uint32, std::uint32_t) X(uint64, std::uint64_t) \
  X(size, std::size_t) X(ptrdiff, std::ptrdiff_t)
// clang-format on
