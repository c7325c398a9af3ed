// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The type-generic macros of OpenSHMEM 1.6, for C11 and later.
// Written by tools/shmem_api: change its table and run `python3 tools/shmem_api --write`.
// clang-format off
#pragma once

#include <ucxx_shmem/functions.h>

// One argument behind the others: what follows decides by their number. 0 is what cannot be called.
#define UCXX_SHMEM_PICK_3(a, b, c, name, ...) name
#define UCXX_SHMEM_PICK_4(a, b, c, d, name, ...) name
#define UCXX_SHMEM_PICK_5(a, b, c, d, e, name, ...) name
#define UCXX_SHMEM_PICK_6(a, b, c, d, e, f, name, ...) name
#define UCXX_SHMEM_PICK_7(a, b, c, d, e, f, g, name, ...) name
#define UCXX_SHMEM_PICK_8(a, b, c, d, e, f, g, h, name, ...) name

// Over C functions of the same names
#define shmem_signal_add(...) \
    UCXX_SHMEM_PICK_4(__VA_ARGS__, shmem_ctx_signal_add, shmem_signal_add, 0, 0)(__VA_ARGS__)
#define shmem_signal_set(...) \
    UCXX_SHMEM_PICK_4(__VA_ARGS__, shmem_ctx_signal_set, shmem_signal_set, 0, 0)(__VA_ARGS__)
#define shmem_sync(...) \
    UCXX_SHMEM_PICK_4(__VA_ARGS__, shmem_sync, 0, 0, shmem_team_sync, 0)(__VA_ARGS__)

#ifdef UCXX_SHMEM_COMPLEX
#define UCXX_SHMEM_COMPLEX_CASES(start, end) \
    , ucxx_shmem_complexd*: start##complexd##end \
    , ucxx_shmem_complexf*: start##complexf##end
#else
#define UCXX_SHMEM_COMPLEX_CASES(start, end)
#endif

#define UCXX_SHMEM_RMA(pointer, start, end) _Generic((pointer), \
    float*: start##float##end, \
    double*: start##double##end, \
    long double*: start##longdouble##end, \
    char*: start##char##end, \
    signed char*: start##schar##end, \
    short*: start##short##end, \
    int*: start##int##end, \
    long*: start##long##end, \
    long long*: start##longlong##end, \
    unsigned char*: start##uchar##end, \
    unsigned short*: start##ushort##end, \
    unsigned int*: start##uint##end, \
    unsigned long*: start##ulong##end, \
    unsigned long long*: start##ulonglong##end)

#define UCXX_SHMEM_CONST_RMA(pointer, start, end) _Generic((pointer), \
    float*: start##float##end, \
    const float*: start##float##end, \
    double*: start##double##end, \
    const double*: start##double##end, \
    long double*: start##longdouble##end, \
    const long double*: start##longdouble##end, \
    char*: start##char##end, \
    const char*: start##char##end, \
    signed char*: start##schar##end, \
    const signed char*: start##schar##end, \
    short*: start##short##end, \
    const short*: start##short##end, \
    int*: start##int##end, \
    const int*: start##int##end, \
    long*: start##long##end, \
    const long*: start##long##end, \
    long long*: start##longlong##end, \
    const long long*: start##longlong##end, \
    unsigned char*: start##uchar##end, \
    const unsigned char*: start##uchar##end, \
    unsigned short*: start##ushort##end, \
    const unsigned short*: start##ushort##end, \
    unsigned int*: start##uint##end, \
    const unsigned int*: start##uint##end, \
    unsigned long*: start##ulong##end, \
    const unsigned long*: start##ulong##end, \
    unsigned long long*: start##ulonglong##end, \
    const unsigned long long*: start##ulonglong##end)

#define UCXX_SHMEM_CONST_AMOX(pointer, start, end) _Generic((pointer), \
    float*: start##float##end, \
    const float*: start##float##end, \
    double*: start##double##end, \
    const double*: start##double##end, \
    int*: start##int##end, \
    const int*: start##int##end, \
    long*: start##long##end, \
    const long*: start##long##end, \
    long long*: start##longlong##end, \
    const long long*: start##longlong##end, \
    unsigned int*: start##uint##end, \
    const unsigned int*: start##uint##end, \
    unsigned long*: start##ulong##end, \
    const unsigned long*: start##ulong##end, \
    unsigned long long*: start##ulonglong##end, \
    const unsigned long long*: start##ulonglong##end)

#define UCXX_SHMEM_AMOX(pointer, start, end) _Generic((pointer), \
    float*: start##float##end, \
    double*: start##double##end, \
    int*: start##int##end, \
    long*: start##long##end, \
    long long*: start##longlong##end, \
    unsigned int*: start##uint##end, \
    unsigned long*: start##ulong##end, \
    unsigned long long*: start##ulonglong##end)

#define UCXX_SHMEM_AMO(pointer, start, end) _Generic((pointer), \
    int*: start##int##end, \
    long*: start##long##end, \
    long long*: start##longlong##end, \
    unsigned int*: start##uint##end, \
    unsigned long*: start##ulong##end, \
    unsigned long long*: start##ulonglong##end)

#define UCXX_SHMEM_AMOB_AND_LONGLONG(pointer, start, end) _Generic((pointer), \
    int*: start##int32##end, \
    long*: start##int64##end, \
    long long*: start##longlong##end, \
    unsigned int*: start##uint##end, \
    unsigned long*: start##ulong##end, \
    unsigned long long*: start##ulonglong##end)

#define UCXX_SHMEM_AMOB(pointer, start, end) _Generic((pointer), \
    int*: start##int32##end, \
    long*: start##int64##end, \
    unsigned int*: start##uint##end, \
    unsigned long*: start##ulong##end, \
    unsigned long long*: start##ulonglong##end)

#define UCXX_SHMEM_RED_BIT(pointer, start, end) _Generic((pointer), \
    signed char*: start##int8##end, \
    short*: start##int16##end, \
    int*: start##int32##end, \
    long*: start##int64##end, \
    unsigned char*: start##uchar##end, \
    unsigned short*: start##ushort##end, \
    unsigned int*: start##uint##end, \
    unsigned long*: start##ulong##end, \
    unsigned long long*: start##ulonglong##end)

#define UCXX_SHMEM_RED_NUM(pointer, start, end) _Generic((pointer), \
    float*: start##float##end, \
    double*: start##double##end, \
    long double*: start##longdouble##end, \
    char*: start##char##end, \
    signed char*: start##schar##end, \
    short*: start##short##end, \
    int*: start##int##end, \
    long*: start##long##end, \
    long long*: start##longlong##end, \
    unsigned char*: start##uchar##end, \
    unsigned short*: start##ushort##end, \
    unsigned int*: start##uint##end, \
    unsigned long*: start##ulong##end, \
    unsigned long long*: start##ulonglong##end UCXX_SHMEM_COMPLEX_CASES(start, end))

#define UCXX_SHMEM_P2P(pointer, start, end) _Generic((pointer), \
    short*: start##short##end, \
    volatile short*: start##short##end, \
    int*: start##int##end, \
    volatile int*: start##int##end, \
    long*: start##long##end, \
    volatile long*: start##long##end, \
    long long*: start##longlong##end, \
    volatile long long*: start##longlong##end, \
    unsigned short*: start##ushort##end, \
    volatile unsigned short*: start##ushort##end, \
    unsigned int*: start##uint##end, \
    volatile unsigned int*: start##uint##end, \
    unsigned long*: start##ulong##end, \
    volatile unsigned long*: start##ulong##end, \
    unsigned long long*: start##ulonglong##end, \
    volatile unsigned long long*: start##ulonglong##end)

#define UCXX_SHMEM_CONST_ALL_OLD_AMOX(pointer, start, end) _Generic((pointer), \
    float*: start##float##end, \
    const float*: start##float##end, \
    double*: start##double##end, \
    const double*: start##double##end, \
    long double*: start##longdouble##end, \
    const long double*: start##longdouble##end, \
    short*: start##short##end, \
    const short*: start##short##end, \
    int*: start##int##end, \
    const int*: start##int##end, \
    long*: start##long##end, \
    const long*: start##long##end, \
    long long*: start##longlong##end, \
    const long long*: start##longlong##end, \
    unsigned short*: start##ushort##end, \
    const unsigned short*: start##ushort##end, \
    unsigned int*: start##uint##end, \
    const unsigned int*: start##uint##end, \
    unsigned long*: start##ulong##end, \
    const unsigned long*: start##ulong##end, \
    unsigned long long*: start##ulonglong##end, \
    const unsigned long long*: start##ulonglong##end)

#define UCXX_SHMEM_ALL_OLD_AMOX(pointer, start, end) _Generic((pointer), \
    float*: start##float##end, \
    double*: start##double##end, \
    long double*: start##longdouble##end, \
    short*: start##short##end, \
    int*: start##int##end, \
    long*: start##long##end, \
    long long*: start##longlong##end, \
    unsigned short*: start##ushort##end, \
    unsigned int*: start##uint##end, \
    unsigned long*: start##ulong##end, \
    unsigned long long*: start##ulonglong##end)

#define UCXX_SHMEM_ALL_OLD_AMO(pointer, start, end) _Generic((pointer), \
    short*: start##short##end, \
    int*: start##int##end, \
    long*: start##long##end, \
    long long*: start##longlong##end, \
    unsigned short*: start##ushort##end, \
    unsigned int*: start##uint##end, \
    unsigned long*: start##ulong##end, \
    unsigned long long*: start##ulonglong##end)

// Put and get
#define shmem_put(...) \
    UCXX_SHMEM_PICK_5(__VA_ARGS__, UCXX_SHMEM_ctx_put, UCXX_SHMEM_put, 0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_put(dest, source, nelems, pe) \
    UCXX_SHMEM_RMA(dest, shmem_, _put)(dest, source, nelems, pe)
#define UCXX_SHMEM_ctx_put(ctx, dest, source, nelems, pe) \
    UCXX_SHMEM_RMA(dest, shmem_ctx_, _put)(ctx, dest, source, nelems, pe)
#define shmem_get(...) \
    UCXX_SHMEM_PICK_5(__VA_ARGS__, UCXX_SHMEM_ctx_get, UCXX_SHMEM_get, 0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_get(dest, source, nelems, pe) \
    UCXX_SHMEM_RMA(dest, shmem_, _get)(dest, source, nelems, pe)
#define UCXX_SHMEM_ctx_get(ctx, dest, source, nelems, pe) \
    UCXX_SHMEM_RMA(dest, shmem_ctx_, _get)(ctx, dest, source, nelems, pe)
#define shmem_p(...) \
    UCXX_SHMEM_PICK_4(__VA_ARGS__, UCXX_SHMEM_ctx_p, UCXX_SHMEM_p, 0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_p(dest, value, pe) UCXX_SHMEM_RMA(dest, shmem_, _p)(dest, value, pe)
#define UCXX_SHMEM_ctx_p(ctx, dest, value, pe) \
    UCXX_SHMEM_RMA(dest, shmem_ctx_, _p)(ctx, dest, value, pe)
#define shmem_g(...) \
    UCXX_SHMEM_PICK_3(__VA_ARGS__, UCXX_SHMEM_ctx_g, UCXX_SHMEM_g, 0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_g(source, pe) UCXX_SHMEM_CONST_RMA(source, shmem_, _g)(source, pe)
#define UCXX_SHMEM_ctx_g(ctx, source, pe) \
    UCXX_SHMEM_CONST_RMA(source, shmem_ctx_, _g)(ctx, source, pe)

// Strided put and get
#define shmem_iput(...) \
    UCXX_SHMEM_PICK_7(__VA_ARGS__, UCXX_SHMEM_ctx_iput, UCXX_SHMEM_iput, 0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_iput(dest, source, dst, sst, nelems, pe) \
    UCXX_SHMEM_RMA(dest, shmem_, _iput)(dest, source, dst, sst, nelems, pe)
#define UCXX_SHMEM_ctx_iput(ctx, dest, source, dst, sst, nelems, pe) \
    UCXX_SHMEM_RMA(dest, shmem_ctx_, _iput)(ctx, dest, source, dst, sst, nelems, pe)
#define shmem_iget(...) \
    UCXX_SHMEM_PICK_7(__VA_ARGS__, UCXX_SHMEM_ctx_iget, UCXX_SHMEM_iget, 0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_iget(dest, source, dst, sst, nelems, pe) \
    UCXX_SHMEM_RMA(dest, shmem_, _iget)(dest, source, dst, sst, nelems, pe)
#define UCXX_SHMEM_ctx_iget(ctx, dest, source, dst, sst, nelems, pe) \
    UCXX_SHMEM_RMA(dest, shmem_ctx_, _iget)(ctx, dest, source, dst, sst, nelems, pe)
#define shmem_ibput(...) \
    UCXX_SHMEM_PICK_8(__VA_ARGS__, UCXX_SHMEM_ctx_ibput, UCXX_SHMEM_ibput, 0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_ibput(dest, source, dst, sst, bsize, nblocks, pe) \
    UCXX_SHMEM_RMA(dest, shmem_, _ibput)(dest, source, dst, sst, bsize, nblocks, pe)
#define UCXX_SHMEM_ctx_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe) \
    UCXX_SHMEM_RMA(dest, shmem_ctx_, _ibput)(ctx, dest, source, dst, sst, bsize, nblocks, pe)
#define shmem_ibget(...) \
    UCXX_SHMEM_PICK_8(__VA_ARGS__, UCXX_SHMEM_ctx_ibget, UCXX_SHMEM_ibget, 0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_ibget(dest, source, dst, sst, bsize, nblocks, pe) \
    UCXX_SHMEM_RMA(dest, shmem_, _ibget)(dest, source, dst, sst, bsize, nblocks, pe)
#define UCXX_SHMEM_ctx_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe) \
    UCXX_SHMEM_RMA(dest, shmem_ctx_, _ibget)(ctx, dest, source, dst, sst, bsize, nblocks, pe)

// Put and get, non-blocking
#define shmem_put_nbi(...) \
    UCXX_SHMEM_PICK_5(__VA_ARGS__, UCXX_SHMEM_ctx_put_nbi, UCXX_SHMEM_put_nbi, 0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_put_nbi(dest, source, nelems, pe) \
    UCXX_SHMEM_RMA(dest, shmem_, _put_nbi)(dest, source, nelems, pe)
#define UCXX_SHMEM_ctx_put_nbi(ctx, dest, source, nelems, pe) \
    UCXX_SHMEM_RMA(dest, shmem_ctx_, _put_nbi)(ctx, dest, source, nelems, pe)
#define shmem_get_nbi(...) \
    UCXX_SHMEM_PICK_5(__VA_ARGS__, UCXX_SHMEM_ctx_get_nbi, UCXX_SHMEM_get_nbi, 0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_get_nbi(dest, source, nelems, pe) \
    UCXX_SHMEM_RMA(dest, shmem_, _get_nbi)(dest, source, nelems, pe)
#define UCXX_SHMEM_ctx_get_nbi(ctx, dest, source, nelems, pe) \
    UCXX_SHMEM_RMA(dest, shmem_ctx_, _get_nbi)(ctx, dest, source, nelems, pe)

// Atomics
#define shmem_atomic_fetch(...) \
    UCXX_SHMEM_PICK_3(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_fetch, UCXX_SHMEM_atomic_fetch, 0, \
        0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_fetch(source, pe) \
    UCXX_SHMEM_CONST_AMOX(source, shmem_, _atomic_fetch)(source, pe)
#define UCXX_SHMEM_ctx_atomic_fetch(ctx, source, pe) \
    UCXX_SHMEM_CONST_AMOX(source, shmem_ctx_, _atomic_fetch)(ctx, source, pe)
#define shmem_atomic_set(...) \
    UCXX_SHMEM_PICK_4(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_set, UCXX_SHMEM_atomic_set, 0, \
        0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_set(dest, value, pe) \
    UCXX_SHMEM_AMOX(dest, shmem_, _atomic_set)(dest, value, pe)
#define UCXX_SHMEM_ctx_atomic_set(ctx, dest, value, pe) \
    UCXX_SHMEM_AMOX(dest, shmem_ctx_, _atomic_set)(ctx, dest, value, pe)
#define shmem_atomic_swap(...) \
    UCXX_SHMEM_PICK_4(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_swap, UCXX_SHMEM_atomic_swap, 0, \
        0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_swap(dest, value, pe) \
    UCXX_SHMEM_AMOX(dest, shmem_, _atomic_swap)(dest, value, pe)
#define UCXX_SHMEM_ctx_atomic_swap(ctx, dest, value, pe) \
    UCXX_SHMEM_AMOX(dest, shmem_ctx_, _atomic_swap)(ctx, dest, value, pe)
#define shmem_atomic_compare_swap(...) \
    UCXX_SHMEM_PICK_5(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_compare_swap, \
        UCXX_SHMEM_atomic_compare_swap, 0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_compare_swap(dest, cond, value, pe) \
    UCXX_SHMEM_AMO(dest, shmem_, _atomic_compare_swap)(dest, cond, value, pe)
#define UCXX_SHMEM_ctx_atomic_compare_swap(ctx, dest, cond, value, pe) \
    UCXX_SHMEM_AMO(dest, shmem_ctx_, _atomic_compare_swap)(ctx, dest, cond, value, pe)
#define shmem_atomic_fetch_inc(...) \
    UCXX_SHMEM_PICK_3(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_fetch_inc, UCXX_SHMEM_atomic_fetch_inc, \
        0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_fetch_inc(dest, pe) \
    UCXX_SHMEM_AMO(dest, shmem_, _atomic_fetch_inc)(dest, pe)
#define UCXX_SHMEM_ctx_atomic_fetch_inc(ctx, dest, pe) \
    UCXX_SHMEM_AMO(dest, shmem_ctx_, _atomic_fetch_inc)(ctx, dest, pe)
#define shmem_atomic_inc(...) \
    UCXX_SHMEM_PICK_3(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_inc, UCXX_SHMEM_atomic_inc, 0, \
        0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_inc(dest, pe) UCXX_SHMEM_AMO(dest, shmem_, _atomic_inc)(dest, pe)
#define UCXX_SHMEM_ctx_atomic_inc(ctx, dest, pe) \
    UCXX_SHMEM_AMO(dest, shmem_ctx_, _atomic_inc)(ctx, dest, pe)
#define shmem_atomic_fetch_add(...) \
    UCXX_SHMEM_PICK_4(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_fetch_add, UCXX_SHMEM_atomic_fetch_add, \
        0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_fetch_add(dest, value, pe) \
    UCXX_SHMEM_AMO(dest, shmem_, _atomic_fetch_add)(dest, value, pe)
#define UCXX_SHMEM_ctx_atomic_fetch_add(ctx, dest, value, pe) \
    UCXX_SHMEM_AMO(dest, shmem_ctx_, _atomic_fetch_add)(ctx, dest, value, pe)
#define shmem_atomic_add(...) \
    UCXX_SHMEM_PICK_4(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_add, UCXX_SHMEM_atomic_add, 0, \
        0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_add(dest, value, pe) \
    UCXX_SHMEM_AMO(dest, shmem_, _atomic_add)(dest, value, pe)
#define UCXX_SHMEM_ctx_atomic_add(ctx, dest, value, pe) \
    UCXX_SHMEM_AMO(dest, shmem_ctx_, _atomic_add)(ctx, dest, value, pe)
#define shmem_atomic_fetch_and(...) \
    UCXX_SHMEM_PICK_4(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_fetch_and, UCXX_SHMEM_atomic_fetch_and, \
        0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_fetch_and(dest, value, pe) \
    UCXX_SHMEM_AMOB_AND_LONGLONG(dest, shmem_, _atomic_fetch_and)(dest, value, pe)
#define UCXX_SHMEM_ctx_atomic_fetch_and(ctx, dest, value, pe) \
    UCXX_SHMEM_AMOB_AND_LONGLONG(dest, shmem_ctx_, _atomic_fetch_and)(ctx, dest, value, pe)
#define shmem_atomic_fetch_or(...) \
    UCXX_SHMEM_PICK_4(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_fetch_or, UCXX_SHMEM_atomic_fetch_or, 0, \
        0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_fetch_or(dest, value, pe) \
    UCXX_SHMEM_AMOB_AND_LONGLONG(dest, shmem_, _atomic_fetch_or)(dest, value, pe)
#define UCXX_SHMEM_ctx_atomic_fetch_or(ctx, dest, value, pe) \
    UCXX_SHMEM_AMOB_AND_LONGLONG(dest, shmem_ctx_, _atomic_fetch_or)(ctx, dest, value, pe)
#define shmem_atomic_fetch_xor(...) \
    UCXX_SHMEM_PICK_4(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_fetch_xor, UCXX_SHMEM_atomic_fetch_xor, \
        0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_fetch_xor(dest, value, pe) \
    UCXX_SHMEM_AMOB_AND_LONGLONG(dest, shmem_, _atomic_fetch_xor)(dest, value, pe)
#define UCXX_SHMEM_ctx_atomic_fetch_xor(ctx, dest, value, pe) \
    UCXX_SHMEM_AMOB_AND_LONGLONG(dest, shmem_ctx_, _atomic_fetch_xor)(ctx, dest, value, pe)
#define shmem_atomic_and(...) \
    UCXX_SHMEM_PICK_4(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_and, UCXX_SHMEM_atomic_and, 0, \
        0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_and(dest, value, pe) \
    UCXX_SHMEM_AMOB_AND_LONGLONG(dest, shmem_, _atomic_and)(dest, value, pe)
#define UCXX_SHMEM_ctx_atomic_and(ctx, dest, value, pe) \
    UCXX_SHMEM_AMOB_AND_LONGLONG(dest, shmem_ctx_, _atomic_and)(ctx, dest, value, pe)
#define shmem_atomic_or(...) \
    UCXX_SHMEM_PICK_4(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_or, UCXX_SHMEM_atomic_or, 0, \
        0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_or(dest, value, pe) \
    UCXX_SHMEM_AMOB_AND_LONGLONG(dest, shmem_, _atomic_or)(dest, value, pe)
#define UCXX_SHMEM_ctx_atomic_or(ctx, dest, value, pe) \
    UCXX_SHMEM_AMOB_AND_LONGLONG(dest, shmem_ctx_, _atomic_or)(ctx, dest, value, pe)
#define shmem_atomic_xor(...) \
    UCXX_SHMEM_PICK_4(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_xor, UCXX_SHMEM_atomic_xor, 0, \
        0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_xor(dest, value, pe) \
    UCXX_SHMEM_AMOB_AND_LONGLONG(dest, shmem_, _atomic_xor)(dest, value, pe)
#define UCXX_SHMEM_ctx_atomic_xor(ctx, dest, value, pe) \
    UCXX_SHMEM_AMOB_AND_LONGLONG(dest, shmem_ctx_, _atomic_xor)(ctx, dest, value, pe)

// Atomics, non-blocking
#define shmem_atomic_fetch_nbi(...) \
    UCXX_SHMEM_PICK_4(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_fetch_nbi, UCXX_SHMEM_atomic_fetch_nbi, \
        0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_fetch_nbi(fetch, source, pe) \
    UCXX_SHMEM_CONST_AMOX(source, shmem_, _atomic_fetch_nbi)(fetch, source, pe)
#define UCXX_SHMEM_ctx_atomic_fetch_nbi(ctx, fetch, source, pe) \
    UCXX_SHMEM_CONST_AMOX(source, shmem_ctx_, _atomic_fetch_nbi)(ctx, fetch, source, pe)
#define shmem_atomic_swap_nbi(...) \
    UCXX_SHMEM_PICK_5(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_swap_nbi, UCXX_SHMEM_atomic_swap_nbi, 0, \
        0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_swap_nbi(fetch, dest, value, pe) \
    UCXX_SHMEM_AMOX(dest, shmem_, _atomic_swap_nbi)(fetch, dest, value, pe)
#define UCXX_SHMEM_ctx_atomic_swap_nbi(ctx, fetch, dest, value, pe) \
    UCXX_SHMEM_AMOX(dest, shmem_ctx_, _atomic_swap_nbi)(ctx, fetch, dest, value, pe)
#define shmem_atomic_compare_swap_nbi(...) \
    UCXX_SHMEM_PICK_6(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_compare_swap_nbi, \
        UCXX_SHMEM_atomic_compare_swap_nbi, 0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_compare_swap_nbi(fetch, dest, cond, value, pe) \
    UCXX_SHMEM_AMO(dest, shmem_, _atomic_compare_swap_nbi)(fetch, dest, cond, value, pe)
#define UCXX_SHMEM_ctx_atomic_compare_swap_nbi(ctx, fetch, dest, cond, value, pe) \
    UCXX_SHMEM_AMO(dest, shmem_ctx_, _atomic_compare_swap_nbi)(ctx, fetch, dest, cond, value, pe)
#define shmem_atomic_fetch_inc_nbi(...) \
    UCXX_SHMEM_PICK_4(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_fetch_inc_nbi, \
        UCXX_SHMEM_atomic_fetch_inc_nbi, 0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_fetch_inc_nbi(fetch, dest, pe) \
    UCXX_SHMEM_AMO(dest, shmem_, _atomic_fetch_inc_nbi)(fetch, dest, pe)
#define UCXX_SHMEM_ctx_atomic_fetch_inc_nbi(ctx, fetch, dest, pe) \
    UCXX_SHMEM_AMO(dest, shmem_ctx_, _atomic_fetch_inc_nbi)(ctx, fetch, dest, pe)
#define shmem_atomic_fetch_add_nbi(...) \
    UCXX_SHMEM_PICK_5(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_fetch_add_nbi, \
        UCXX_SHMEM_atomic_fetch_add_nbi, 0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_fetch_add_nbi(fetch, dest, value, pe) \
    UCXX_SHMEM_AMO(dest, shmem_, _atomic_fetch_add_nbi)(fetch, dest, value, pe)
#define UCXX_SHMEM_ctx_atomic_fetch_add_nbi(ctx, fetch, dest, value, pe) \
    UCXX_SHMEM_AMO(dest, shmem_ctx_, _atomic_fetch_add_nbi)(ctx, fetch, dest, value, pe)
#define shmem_atomic_fetch_and_nbi(...) \
    UCXX_SHMEM_PICK_5(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_fetch_and_nbi, \
        UCXX_SHMEM_atomic_fetch_and_nbi, 0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_fetch_and_nbi(fetch, dest, value, pe) \
    UCXX_SHMEM_AMOB(dest, shmem_, _atomic_fetch_and_nbi)(fetch, dest, value, pe)
#define UCXX_SHMEM_ctx_atomic_fetch_and_nbi(ctx, fetch, dest, value, pe) \
    UCXX_SHMEM_AMOB(dest, shmem_ctx_, _atomic_fetch_and_nbi)(ctx, fetch, dest, value, pe)
#define shmem_atomic_fetch_or_nbi(...) \
    UCXX_SHMEM_PICK_5(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_fetch_or_nbi, \
        UCXX_SHMEM_atomic_fetch_or_nbi, 0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_fetch_or_nbi(fetch, dest, value, pe) \
    UCXX_SHMEM_AMOB(dest, shmem_, _atomic_fetch_or_nbi)(fetch, dest, value, pe)
#define UCXX_SHMEM_ctx_atomic_fetch_or_nbi(ctx, fetch, dest, value, pe) \
    UCXX_SHMEM_AMOB(dest, shmem_ctx_, _atomic_fetch_or_nbi)(ctx, fetch, dest, value, pe)
#define shmem_atomic_fetch_xor_nbi(...) \
    UCXX_SHMEM_PICK_5(__VA_ARGS__, UCXX_SHMEM_ctx_atomic_fetch_xor_nbi, \
        UCXX_SHMEM_atomic_fetch_xor_nbi, 0, 0)(__VA_ARGS__)
#define UCXX_SHMEM_atomic_fetch_xor_nbi(fetch, dest, value, pe) \
    UCXX_SHMEM_AMOB(dest, shmem_, _atomic_fetch_xor_nbi)(fetch, dest, value, pe)
#define UCXX_SHMEM_ctx_atomic_fetch_xor_nbi(ctx, fetch, dest, value, pe) \
    UCXX_SHMEM_AMOB(dest, shmem_ctx_, _atomic_fetch_xor_nbi)(ctx, fetch, dest, value, pe)

// Signals
#define shmem_put_signal(...) \
    UCXX_SHMEM_PICK_8(__VA_ARGS__, UCXX_SHMEM_ctx_put_signal, UCXX_SHMEM_put_signal, 0, \
        0)(__VA_ARGS__)
#define UCXX_SHMEM_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe) \
    UCXX_SHMEM_RMA(dest, shmem_, _put_signal)(dest, source, nelems, sig_addr, signal, sig_op, pe)
#define UCXX_SHMEM_ctx_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe) \
    UCXX_SHMEM_RMA(dest, shmem_ctx_, _put_signal)(ctx, dest, source, nelems, sig_addr, signal, \
        sig_op, pe)
#define shmem_put_signal_nbi(...) \
    UCXX_SHMEM_PICK_8(__VA_ARGS__, UCXX_SHMEM_ctx_put_signal_nbi, UCXX_SHMEM_put_signal_nbi, 0, \
        0)(__VA_ARGS__)
#define UCXX_SHMEM_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe) \
    UCXX_SHMEM_RMA(dest, shmem_, _put_signal_nbi)(dest, source, nelems, sig_addr, signal, sig_op, \
        pe)
#define UCXX_SHMEM_ctx_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe) \
    UCXX_SHMEM_RMA(dest, shmem_ctx_, _put_signal_nbi)(ctx, dest, source, nelems, sig_addr, signal, \
        sig_op, pe)

// Collectives that move data
#define shmem_broadcast(team, dest, source, nelems, PE_root) \
    UCXX_SHMEM_RMA(dest, shmem_, _broadcast)(team, dest, source, nelems, PE_root)
#define shmem_collect(team, dest, source, nelems) \
    UCXX_SHMEM_RMA(dest, shmem_, _collect)(team, dest, source, nelems)
#define shmem_fcollect(team, dest, source, nelems) \
    UCXX_SHMEM_RMA(dest, shmem_, _fcollect)(team, dest, source, nelems)
#define shmem_alltoall(team, dest, source, nelems) \
    UCXX_SHMEM_RMA(dest, shmem_, _alltoall)(team, dest, source, nelems)
#define shmem_alltoalls(team, dest, source, dst, sst, nelems) \
    UCXX_SHMEM_RMA(dest, shmem_, _alltoalls)(team, dest, source, dst, sst, nelems)

// Reductions and scans
#define shmem_and_reduce(team, dest, source, nreduce) \
    UCXX_SHMEM_RED_BIT(dest, shmem_, _and_reduce)(team, dest, source, nreduce)
#define shmem_or_reduce(team, dest, source, nreduce) \
    UCXX_SHMEM_RED_BIT(dest, shmem_, _or_reduce)(team, dest, source, nreduce)
#define shmem_xor_reduce(team, dest, source, nreduce) \
    UCXX_SHMEM_RED_BIT(dest, shmem_, _xor_reduce)(team, dest, source, nreduce)
#define shmem_max_reduce(team, dest, source, nreduce) \
    UCXX_SHMEM_RMA(dest, shmem_, _max_reduce)(team, dest, source, nreduce)
#define shmem_min_reduce(team, dest, source, nreduce) \
    UCXX_SHMEM_RMA(dest, shmem_, _min_reduce)(team, dest, source, nreduce)
#define shmem_sum_reduce(team, dest, source, nreduce) \
    UCXX_SHMEM_RED_NUM(dest, shmem_, _sum_reduce)(team, dest, source, nreduce)
#define shmem_prod_reduce(team, dest, source, nreduce) \
    UCXX_SHMEM_RED_NUM(dest, shmem_, _prod_reduce)(team, dest, source, nreduce)
#define shmem_sum_inscan(team, dest, source, nelems) \
    UCXX_SHMEM_RED_NUM(dest, shmem_, _sum_inscan)(team, dest, source, nelems)
#define shmem_sum_exscan(team, dest, source, nelems) \
    UCXX_SHMEM_RED_NUM(dest, shmem_, _sum_exscan)(team, dest, source, nelems)

// Waits and tests
#define shmem_wait_until(ivar, cmp, cmp_value) \
    UCXX_SHMEM_P2P(ivar, shmem_, _wait_until)(ivar, cmp, cmp_value)
#define shmem_test(ivar, cmp, cmp_value) UCXX_SHMEM_P2P(ivar, shmem_, _test)(ivar, cmp, cmp_value)
#define shmem_wait_until_all(ivars, nelems, status, cmp, cmp_value) \
    UCXX_SHMEM_P2P(ivars, shmem_, _wait_until_all)(ivars, nelems, status, cmp, cmp_value)
#define shmem_wait_until_any(ivars, nelems, status, cmp, cmp_value) \
    UCXX_SHMEM_P2P(ivars, shmem_, _wait_until_any)(ivars, nelems, status, cmp, cmp_value)
#define shmem_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value) \
    UCXX_SHMEM_P2P(ivars, shmem_, _wait_until_some)(ivars, nelems, indices, status, cmp, \
        cmp_value)
#define shmem_test_all(ivars, nelems, status, cmp, cmp_value) \
    UCXX_SHMEM_P2P(ivars, shmem_, _test_all)(ivars, nelems, status, cmp, cmp_value)
#define shmem_test_any(ivars, nelems, status, cmp, cmp_value) \
    UCXX_SHMEM_P2P(ivars, shmem_, _test_any)(ivars, nelems, status, cmp, cmp_value)
#define shmem_test_some(ivars, nelems, indices, status, cmp, cmp_value) \
    UCXX_SHMEM_P2P(ivars, shmem_, _test_some)(ivars, nelems, indices, status, cmp, cmp_value)
#define shmem_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values) \
    UCXX_SHMEM_P2P(ivars, shmem_, _wait_until_all_vector)(ivars, nelems, status, cmp, cmp_values)
#define shmem_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values) \
    UCXX_SHMEM_P2P(ivars, shmem_, _wait_until_any_vector)(ivars, nelems, status, cmp, cmp_values)
#define shmem_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values) \
    UCXX_SHMEM_P2P(ivars, shmem_, _wait_until_some_vector)(ivars, nelems, indices, status, cmp, \
        cmp_values)
#define shmem_test_all_vector(ivars, nelems, status, cmp, cmp_values) \
    UCXX_SHMEM_P2P(ivars, shmem_, _test_all_vector)(ivars, nelems, status, cmp, cmp_values)
#define shmem_test_any_vector(ivars, nelems, status, cmp, cmp_values) \
    UCXX_SHMEM_P2P(ivars, shmem_, _test_any_vector)(ivars, nelems, status, cmp, cmp_values)
#define shmem_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values) \
    UCXX_SHMEM_P2P(ivars, shmem_, _test_some_vector)(ivars, nelems, indices, status, cmp, \
        cmp_values)

// Deprecated: atomics
#define shmem_fetch(source, pe) UCXX_SHMEM_CONST_ALL_OLD_AMOX(source, shmem_, _fetch)(source, pe)
#define shmem_set(dest, value, pe) UCXX_SHMEM_ALL_OLD_AMOX(dest, shmem_, _set)(dest, value, pe)
#define shmem_swap(dest, value, pe) UCXX_SHMEM_ALL_OLD_AMOX(dest, shmem_, _swap)(dest, value, pe)
#define shmem_cswap(dest, cond, value, pe) \
    UCXX_SHMEM_ALL_OLD_AMO(dest, shmem_, _cswap)(dest, cond, value, pe)
#define shmem_finc(dest, pe) UCXX_SHMEM_ALL_OLD_AMO(dest, shmem_, _finc)(dest, pe)
#define shmem_inc(dest, pe) UCXX_SHMEM_ALL_OLD_AMO(dest, shmem_, _inc)(dest, pe)
#define shmem_fadd(dest, value, pe) UCXX_SHMEM_ALL_OLD_AMO(dest, shmem_, _fadd)(dest, value, pe)
#define shmem_add(dest, value, pe) UCXX_SHMEM_ALL_OLD_AMO(dest, shmem_, _add)(dest, value, pe)
