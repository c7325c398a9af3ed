// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

// The type tables of OpenSHMEM 1.6: each calls X(name, type) for its rows.

// clang-format off
#define UCXX_SHMEM_SIGNED_INTEGERS(X) X(int, int) X(long, long) X(longlong, long long)
#define UCXX_SHMEM_BASIC_INTEGERS(X) \
  UCXX_SHMEM_SIGNED_INTEGERS(X) \
  X(uint, unsigned int) X(ulong, unsigned long) X(ulonglong, unsigned long long)
#define UCXX_SHMEM_WIDE_EXACT(X) \
  X(int32, int32_t) X(int64, int64_t) X(uint32, uint32_t) X(uint64, uint64_t)
#define UCXX_SHMEM_NARROW(X) \
  X(char, char) X(schar, signed char) X(short, short) X(uchar, unsigned char) X(ushort, unsigned short) \
  X(int8, int8_t) X(int16, int16_t) X(uint8, uint8_t) X(uint16, uint16_t)
#define UCXX_SHMEM_SIZES(X) X(size, size_t) X(ptrdiff, ptrdiff_t)

/// Remote memory access; also max and min.
#define UCXX_SHMEM_RMA_TYPES(X) \
  X(float, float) X(double, double) X(longdouble, long double) \
  UCXX_SHMEM_BASIC_INTEGERS(X) UCXX_SHMEM_WIDE_EXACT(X) UCXX_SHMEM_NARROW(X) UCXX_SHMEM_SIZES(X)
/// Atomic operations, waits and tests.
#define UCXX_SHMEM_AMO_TYPES(X) \
  UCXX_SHMEM_BASIC_INTEGERS(X) UCXX_SHMEM_WIDE_EXACT(X) UCXX_SHMEM_SIZES(X)
/// fetch, set, swap.
#define UCXX_SHMEM_EXTENDED_AMO_TYPES(X) UCXX_SHMEM_AMO_TYPES(X) X(float, float) X(double, double)
/// and, or, xor: atomic. The blocking ones exist for SIGNED_INTEGERS as well: Open MPI has them.
#define UCXX_SHMEM_BITWISE_AMO_TYPES(X) \
  X(uint, unsigned int) X(ulong, unsigned long) X(ulonglong, unsigned long long) UCXX_SHMEM_WIDE_EXACT(X)
/// and, or, xor: reductions.
#define UCXX_SHMEM_BITWISE_TYPES(X) \
  X(uchar, unsigned char) X(ushort, unsigned short) X(uint, unsigned int) X(ulong, unsigned long) \
  X(ulonglong, unsigned long long) X(int8, int8_t) X(int16, int16_t) X(uint8, uint8_t) X(uint16, uint16_t) \
  UCXX_SHMEM_WIDE_EXACT(X) X(size, size_t)
/// sum, prod, scans.
#define UCXX_SHMEM_ARITHMETIC_TYPES(X) \
  UCXX_SHMEM_RMA_TYPES(X) X(complexd, ucxx_shmem_complexd) X(complexf, ucxx_shmem_complexf)
/// The reductions of a type: each calls X(name, type, operation, Operator).
#define UCXX_SHMEM_BITWISE_OPERATIONS(X, name, T) \
  X(name, T, and, And) X(name, T, or, Or) X(name, T, xor, Xor)
#define UCXX_SHMEM_ORDERED_OPERATIONS(X, name, T) X(name, T, max, Max) X(name, T, min, Min)
#define UCXX_SHMEM_ARITHMETIC_OPERATIONS(X, name, T) X(name, T, sum, Sum) X(name, T, prod, Product)
/// Sizes of the calls that name bits, with a type of that size.
#define UCXX_SHMEM_BITS(X) X(8, 1) X(16, 2) X(32, 4) X(64, 8) X(128, 16)

/// Deprecated functions.
#define UCXX_SHMEM_OLD_BITWISE_TYPES(X) X(short, short) X(int, int) X(long, long) X(longlong, long long)
#define UCXX_SHMEM_OLD_ORDERED_TYPES(X) \
  UCXX_SHMEM_OLD_BITWISE_TYPES(X) X(float, float) X(double, double) X(longdouble, long double)
#define UCXX_SHMEM_OLD_ARITHMETIC_TYPES(X) \
  UCXX_SHMEM_OLD_ORDERED_TYPES(X) X(complexd, ucxx_shmem_complexd) X(complexf, ucxx_shmem_complexf)
/// Those of the standard, and those of other libraries.
#define UCXX_SHMEM_OLD_AMO_TYPES(X) UCXX_SHMEM_AMO_TYPES(X) X(short, short) X(ushort, unsigned short)
#define UCXX_SHMEM_OLD_EXTENDED_AMO_TYPES(X) \
  UCXX_SHMEM_OLD_AMO_TYPES(X) X(float, float) X(double, double)
#define UCXX_SHMEM_OLD_WAIT_TYPES(X) UCXX_SHMEM_OLD_BITWISE_TYPES(X)
// clang-format on
