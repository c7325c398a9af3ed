// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The generics of OpenSHMEM 1.6 for C++.
// Written by tools/shmem_api: change its table and run `python3 tools/shmem_api --write`.
// clang-format off
#pragma once

#include <ucxx_shmem/functions.h>

// Beside C functions of the same names
inline void shmem_signal_add(shmem_ctx_t ctx, uint64_t* sig_addr, uint64_t signal, int pe) {
    shmem_ctx_signal_add(ctx, sig_addr, signal, pe);
}
inline void shmem_signal_set(shmem_ctx_t ctx, uint64_t* sig_addr, uint64_t signal, int pe) {
    shmem_ctx_signal_set(ctx, sig_addr, signal, pe);
}
inline int shmem_sync(shmem_team_t team) { return shmem_team_sync(team); }

// The types that can be told apart, and the names of the functions that take them
#define UCXX_SHMEM_FOR_COMPLEX(each) each(double, complexd) each(float, complexf)
#define UCXX_SHMEM_FOR_RMA(each) \
    each(float, float) \
    each(double, double) \
    each(long double, longdouble) \
    each(char, char) \
    each(signed char, schar) \
    each(short, short) \
    each(int, int) \
    each(long, long) \
    each(long long, longlong) \
    each(unsigned char, uchar) \
    each(unsigned short, ushort) \
    each(unsigned int, uint) \
    each(unsigned long, ulong) \
    each(unsigned long long, ulonglong)
#define UCXX_SHMEM_FOR_AMOX(each) \
    each(float, float) \
    each(double, double) \
    each(int, int) \
    each(long, long) \
    each(long long, longlong) \
    each(unsigned int, uint) \
    each(unsigned long, ulong) \
    each(unsigned long long, ulonglong)
#define UCXX_SHMEM_FOR_AMO(each) \
    each(int, int) \
    each(long, long) \
    each(long long, longlong) \
    each(unsigned int, uint) \
    each(unsigned long, ulong) \
    each(unsigned long long, ulonglong)
#define UCXX_SHMEM_FOR_AMOB_AND_LONGLONG(each) \
    each(int, int32) \
    each(long, int64) \
    each(long long, longlong) \
    each(unsigned int, uint) \
    each(unsigned long, ulong) \
    each(unsigned long long, ulonglong)
#define UCXX_SHMEM_FOR_AMOB(each) \
    each(int, int32) \
    each(long, int64) \
    each(unsigned int, uint) \
    each(unsigned long, ulong) \
    each(unsigned long long, ulonglong)
#define UCXX_SHMEM_FOR_RED_BIT(each) \
    each(signed char, int8) \
    each(short, int16) \
    each(int, int32) \
    each(long, int64) \
    each(unsigned char, uchar) \
    each(unsigned short, ushort) \
    each(unsigned int, uint) \
    each(unsigned long, ulong) \
    each(unsigned long long, ulonglong)
#define UCXX_SHMEM_FOR_P2P_BUT_LONG(each) \
    each(short, short) \
    each(int, int) \
    each(long long, longlong) \
    each(unsigned short, ushort) \
    each(unsigned int, uint) \
    each(unsigned long, ulong) \
    each(unsigned long long, ulonglong)
#define UCXX_SHMEM_FOR_P2P(each) \
    each(short, short) \
    each(int, int) \
    each(long, long) \
    each(long long, longlong) \
    each(unsigned short, ushort) \
    each(unsigned int, uint) \
    each(unsigned long, ulong) \
    each(unsigned long long, ulonglong)
#define UCXX_SHMEM_FOR_ALL_OLD_AMOX(each) \
    each(float, float) \
    each(double, double) \
    each(long double, longdouble) \
    each(short, short) \
    each(int, int) \
    each(long, long) \
    each(long long, longlong) \
    each(unsigned short, ushort) \
    each(unsigned int, uint) \
    each(unsigned long, ulong) \
    each(unsigned long long, ulonglong)
#define UCXX_SHMEM_FOR_ALL_OLD_AMOX_BUT_LONG(each) \
    each(float, float) \
    each(double, double) \
    each(long double, longdouble) \
    each(short, short) \
    each(int, int) \
    each(long long, longlong) \
    each(unsigned short, ushort) \
    each(unsigned int, uint) \
    each(unsigned long, ulong) \
    each(unsigned long long, ulonglong)
#define UCXX_SHMEM_FOR_ALL_OLD_AMO(each) \
    each(short, short) \
    each(int, int) \
    each(long, long) \
    each(long long, longlong) \
    each(unsigned short, ushort) \
    each(unsigned int, uint) \
    each(unsigned long, ulong) \
    each(unsigned long long, ulonglong)
#define UCXX_SHMEM_FOR_VOLATILE_WAITS(each) \
    each(short, short) \
    each(int, int) \
    each(long, long) \
    each(long long, longlong)

// Put and get
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_put(T* dest, const T* source, size_t nelems, int pe) { \
        shmem_##name##_put(dest, source, nelems, pe); \
    } \
    inline void shmem_put(shmem_ctx_t ctx, T* dest, const T* source, size_t nelems, int pe) { \
        shmem_ctx_##name##_put(ctx, dest, source, nelems, pe); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_get(T* dest, const T* source, size_t nelems, int pe) { \
        shmem_##name##_get(dest, source, nelems, pe); \
    } \
    inline void shmem_get(shmem_ctx_t ctx, T* dest, const T* source, size_t nelems, int pe) { \
        shmem_ctx_##name##_get(ctx, dest, source, nelems, pe); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_p(T* dest, T value, int pe) { \
        shmem_##name##_p(dest, value, pe); \
    } \
    inline void shmem_p(shmem_ctx_t ctx, T* dest, T value, int pe) { \
        shmem_ctx_##name##_p(ctx, dest, value, pe); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline T shmem_g(const T* source, int pe) { \
        return shmem_##name##_g(source, pe); \
    } \
    inline T shmem_g(shmem_ctx_t ctx, const T* source, int pe) { \
        return shmem_ctx_##name##_g(ctx, source, pe); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD

// Strided put and get
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_iput(T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
        int pe) { \
        shmem_##name##_iput(dest, source, dst, sst, nelems, pe); \
    } \
    inline void shmem_iput(shmem_ctx_t ctx, T* dest, const T* source, ptrdiff_t dst, \
        ptrdiff_t sst, size_t nelems, int pe) { \
        shmem_ctx_##name##_iput(ctx, dest, source, dst, sst, nelems, pe); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_iget(T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
        int pe) { \
        shmem_##name##_iget(dest, source, dst, sst, nelems, pe); \
    } \
    inline void shmem_iget(shmem_ctx_t ctx, T* dest, const T* source, ptrdiff_t dst, \
        ptrdiff_t sst, size_t nelems, int pe) { \
        shmem_ctx_##name##_iget(ctx, dest, source, dst, sst, nelems, pe); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_ibput(T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, \
        size_t nblocks, int pe) { \
        shmem_##name##_ibput(dest, source, dst, sst, bsize, nblocks, pe); \
    } \
    inline void shmem_ibput(shmem_ctx_t ctx, T* dest, const T* source, ptrdiff_t dst, \
        ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { \
        shmem_ctx_##name##_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_ibget(T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, \
        size_t nblocks, int pe) { \
        shmem_##name##_ibget(dest, source, dst, sst, bsize, nblocks, pe); \
    } \
    inline void shmem_ibget(shmem_ctx_t ctx, T* dest, const T* source, ptrdiff_t dst, \
        ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { \
        shmem_ctx_##name##_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD

// Put and get, non-blocking
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_put_nbi(T* dest, const T* source, size_t nelems, int pe) { \
        shmem_##name##_put_nbi(dest, source, nelems, pe); \
    } \
    inline void shmem_put_nbi(shmem_ctx_t ctx, T* dest, const T* source, size_t nelems, int pe) { \
        shmem_ctx_##name##_put_nbi(ctx, dest, source, nelems, pe); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_get_nbi(T* dest, const T* source, size_t nelems, int pe) { \
        shmem_##name##_get_nbi(dest, source, nelems, pe); \
    } \
    inline void shmem_get_nbi(shmem_ctx_t ctx, T* dest, const T* source, size_t nelems, int pe) { \
        shmem_ctx_##name##_get_nbi(ctx, dest, source, nelems, pe); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD

// Atomics
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline T shmem_atomic_fetch(const T* source, int pe) { \
        return shmem_##name##_atomic_fetch(source, pe); \
    } \
    inline T shmem_atomic_fetch(shmem_ctx_t ctx, const T* source, int pe) { \
        return shmem_ctx_##name##_atomic_fetch(ctx, source, pe); \
    }
UCXX_SHMEM_FOR_AMOX(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_atomic_set(T* dest, T value, int pe) { \
        shmem_##name##_atomic_set(dest, value, pe); \
    } \
    inline void shmem_atomic_set(shmem_ctx_t ctx, T* dest, T value, int pe) { \
        shmem_ctx_##name##_atomic_set(ctx, dest, value, pe); \
    }
UCXX_SHMEM_FOR_AMOX(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline T shmem_atomic_swap(T* dest, T value, int pe) { \
        return shmem_##name##_atomic_swap(dest, value, pe); \
    } \
    inline T shmem_atomic_swap(shmem_ctx_t ctx, T* dest, T value, int pe) { \
        return shmem_ctx_##name##_atomic_swap(ctx, dest, value, pe); \
    }
UCXX_SHMEM_FOR_AMOX(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline T shmem_atomic_compare_swap(T* dest, T cond, T value, int pe) { \
        return shmem_##name##_atomic_compare_swap(dest, cond, value, pe); \
    } \
    inline T shmem_atomic_compare_swap(shmem_ctx_t ctx, T* dest, T cond, T value, int pe) { \
        return shmem_ctx_##name##_atomic_compare_swap(ctx, dest, cond, value, pe); \
    }
UCXX_SHMEM_FOR_AMO(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline T shmem_atomic_fetch_inc(T* dest, int pe) { \
        return shmem_##name##_atomic_fetch_inc(dest, pe); \
    } \
    inline T shmem_atomic_fetch_inc(shmem_ctx_t ctx, T* dest, int pe) { \
        return shmem_ctx_##name##_atomic_fetch_inc(ctx, dest, pe); \
    }
UCXX_SHMEM_FOR_AMO(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_atomic_inc(T* dest, int pe) { \
        shmem_##name##_atomic_inc(dest, pe); \
    } \
    inline void shmem_atomic_inc(shmem_ctx_t ctx, T* dest, int pe) { \
        shmem_ctx_##name##_atomic_inc(ctx, dest, pe); \
    }
UCXX_SHMEM_FOR_AMO(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline T shmem_atomic_fetch_add(T* dest, T value, int pe) { \
        return shmem_##name##_atomic_fetch_add(dest, value, pe); \
    } \
    inline T shmem_atomic_fetch_add(shmem_ctx_t ctx, T* dest, T value, int pe) { \
        return shmem_ctx_##name##_atomic_fetch_add(ctx, dest, value, pe); \
    }
UCXX_SHMEM_FOR_AMO(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_atomic_add(T* dest, T value, int pe) { \
        shmem_##name##_atomic_add(dest, value, pe); \
    } \
    inline void shmem_atomic_add(shmem_ctx_t ctx, T* dest, T value, int pe) { \
        shmem_ctx_##name##_atomic_add(ctx, dest, value, pe); \
    }
UCXX_SHMEM_FOR_AMO(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline T shmem_atomic_fetch_and(T* dest, T value, int pe) { \
        return shmem_##name##_atomic_fetch_and(dest, value, pe); \
    } \
    inline T shmem_atomic_fetch_and(shmem_ctx_t ctx, T* dest, T value, int pe) { \
        return shmem_ctx_##name##_atomic_fetch_and(ctx, dest, value, pe); \
    }
UCXX_SHMEM_FOR_AMOB_AND_LONGLONG(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline T shmem_atomic_fetch_or(T* dest, T value, int pe) { \
        return shmem_##name##_atomic_fetch_or(dest, value, pe); \
    } \
    inline T shmem_atomic_fetch_or(shmem_ctx_t ctx, T* dest, T value, int pe) { \
        return shmem_ctx_##name##_atomic_fetch_or(ctx, dest, value, pe); \
    }
UCXX_SHMEM_FOR_AMOB_AND_LONGLONG(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline T shmem_atomic_fetch_xor(T* dest, T value, int pe) { \
        return shmem_##name##_atomic_fetch_xor(dest, value, pe); \
    } \
    inline T shmem_atomic_fetch_xor(shmem_ctx_t ctx, T* dest, T value, int pe) { \
        return shmem_ctx_##name##_atomic_fetch_xor(ctx, dest, value, pe); \
    }
UCXX_SHMEM_FOR_AMOB_AND_LONGLONG(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_atomic_and(T* dest, T value, int pe) { \
        shmem_##name##_atomic_and(dest, value, pe); \
    } \
    inline void shmem_atomic_and(shmem_ctx_t ctx, T* dest, T value, int pe) { \
        shmem_ctx_##name##_atomic_and(ctx, dest, value, pe); \
    }
UCXX_SHMEM_FOR_AMOB_AND_LONGLONG(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_atomic_or(T* dest, T value, int pe) { \
        shmem_##name##_atomic_or(dest, value, pe); \
    } \
    inline void shmem_atomic_or(shmem_ctx_t ctx, T* dest, T value, int pe) { \
        shmem_ctx_##name##_atomic_or(ctx, dest, value, pe); \
    }
UCXX_SHMEM_FOR_AMOB_AND_LONGLONG(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_atomic_xor(T* dest, T value, int pe) { \
        shmem_##name##_atomic_xor(dest, value, pe); \
    } \
    inline void shmem_atomic_xor(shmem_ctx_t ctx, T* dest, T value, int pe) { \
        shmem_ctx_##name##_atomic_xor(ctx, dest, value, pe); \
    }
UCXX_SHMEM_FOR_AMOB_AND_LONGLONG(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD

// Atomics, non-blocking
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_atomic_fetch_nbi(T* fetch, const T* source, int pe) { \
        shmem_##name##_atomic_fetch_nbi(fetch, source, pe); \
    } \
    inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, T* fetch, const T* source, int pe) { \
        shmem_ctx_##name##_atomic_fetch_nbi(ctx, fetch, source, pe); \
    }
UCXX_SHMEM_FOR_AMOX(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_atomic_swap_nbi(T* fetch, T* dest, T value, int pe) { \
        shmem_##name##_atomic_swap_nbi(fetch, dest, value, pe); \
    } \
    inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, T* fetch, T* dest, T value, int pe) { \
        shmem_ctx_##name##_atomic_swap_nbi(ctx, fetch, dest, value, pe); \
    }
UCXX_SHMEM_FOR_AMOX(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_atomic_compare_swap_nbi(T* fetch, T* dest, T cond, T value, int pe) { \
        shmem_##name##_atomic_compare_swap_nbi(fetch, dest, cond, value, pe); \
    } \
    inline void shmem_atomic_compare_swap_nbi(shmem_ctx_t ctx, T* fetch, T* dest, T cond, T value, \
        int pe) { \
        shmem_ctx_##name##_atomic_compare_swap_nbi(ctx, fetch, dest, cond, value, pe); \
    }
UCXX_SHMEM_FOR_AMO(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_atomic_fetch_inc_nbi(T* fetch, T* dest, int pe) { \
        shmem_##name##_atomic_fetch_inc_nbi(fetch, dest, pe); \
    } \
    inline void shmem_atomic_fetch_inc_nbi(shmem_ctx_t ctx, T* fetch, T* dest, int pe) { \
        shmem_ctx_##name##_atomic_fetch_inc_nbi(ctx, fetch, dest, pe); \
    }
UCXX_SHMEM_FOR_AMO(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_atomic_fetch_add_nbi(T* fetch, T* dest, T value, int pe) { \
        shmem_##name##_atomic_fetch_add_nbi(fetch, dest, value, pe); \
    } \
    inline void shmem_atomic_fetch_add_nbi(shmem_ctx_t ctx, T* fetch, T* dest, T value, int pe) { \
        shmem_ctx_##name##_atomic_fetch_add_nbi(ctx, fetch, dest, value, pe); \
    }
UCXX_SHMEM_FOR_AMO(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_atomic_fetch_and_nbi(T* fetch, T* dest, T value, int pe) { \
        shmem_##name##_atomic_fetch_and_nbi(fetch, dest, value, pe); \
    } \
    inline void shmem_atomic_fetch_and_nbi(shmem_ctx_t ctx, T* fetch, T* dest, T value, int pe) { \
        shmem_ctx_##name##_atomic_fetch_and_nbi(ctx, fetch, dest, value, pe); \
    }
UCXX_SHMEM_FOR_AMOB(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_atomic_fetch_or_nbi(T* fetch, T* dest, T value, int pe) { \
        shmem_##name##_atomic_fetch_or_nbi(fetch, dest, value, pe); \
    } \
    inline void shmem_atomic_fetch_or_nbi(shmem_ctx_t ctx, T* fetch, T* dest, T value, int pe) { \
        shmem_ctx_##name##_atomic_fetch_or_nbi(ctx, fetch, dest, value, pe); \
    }
UCXX_SHMEM_FOR_AMOB(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_atomic_fetch_xor_nbi(T* fetch, T* dest, T value, int pe) { \
        shmem_##name##_atomic_fetch_xor_nbi(fetch, dest, value, pe); \
    } \
    inline void shmem_atomic_fetch_xor_nbi(shmem_ctx_t ctx, T* fetch, T* dest, T value, int pe) { \
        shmem_ctx_##name##_atomic_fetch_xor_nbi(ctx, fetch, dest, value, pe); \
    }
UCXX_SHMEM_FOR_AMOB(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD

// Signals
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_put_signal(T* dest, const T* source, size_t nelems, uint64_t* sig_addr, \
        uint64_t signal, int sig_op, int pe) { \
        shmem_##name##_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); \
    } \
    inline void shmem_put_signal(shmem_ctx_t ctx, T* dest, const T* source, size_t nelems, \
        uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { \
        shmem_ctx_##name##_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_put_signal_nbi(T* dest, const T* source, size_t nelems, uint64_t* sig_addr, \
        uint64_t signal, int sig_op, int pe) { \
        shmem_##name##_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); \
    } \
    inline void shmem_put_signal_nbi(shmem_ctx_t ctx, T* dest, const T* source, size_t nelems, \
        uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { \
        shmem_ctx_##name##_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, \
        pe); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD

// Collectives that move data
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline int shmem_broadcast(shmem_team_t team, T* dest, const T* source, size_t nelems, \
        int PE_root) { \
        return shmem_##name##_broadcast(team, dest, source, nelems, PE_root); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline int shmem_collect(shmem_team_t team, T* dest, const T* source, size_t nelems) { \
        return shmem_##name##_collect(team, dest, source, nelems); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline int shmem_fcollect(shmem_team_t team, T* dest, const T* source, size_t nelems) { \
        return shmem_##name##_fcollect(team, dest, source, nelems); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline int shmem_alltoall(shmem_team_t team, T* dest, const T* source, size_t nelems) { \
        return shmem_##name##_alltoall(team, dest, source, nelems); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline int shmem_alltoalls(shmem_team_t team, T* dest, const T* source, ptrdiff_t dst, \
        ptrdiff_t sst, size_t nelems) { \
        return shmem_##name##_alltoalls(team, dest, source, dst, sst, nelems); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD

// Reductions and scans
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline int shmem_and_reduce(shmem_team_t team, T* dest, const T* source, size_t nreduce) { \
        return shmem_##name##_and_reduce(team, dest, source, nreduce); \
    }
UCXX_SHMEM_FOR_RED_BIT(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline int shmem_or_reduce(shmem_team_t team, T* dest, const T* source, size_t nreduce) { \
        return shmem_##name##_or_reduce(team, dest, source, nreduce); \
    }
UCXX_SHMEM_FOR_RED_BIT(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline int shmem_xor_reduce(shmem_team_t team, T* dest, const T* source, size_t nreduce) { \
        return shmem_##name##_xor_reduce(team, dest, source, nreduce); \
    }
UCXX_SHMEM_FOR_RED_BIT(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline int shmem_max_reduce(shmem_team_t team, T* dest, const T* source, size_t nreduce) { \
        return shmem_##name##_max_reduce(team, dest, source, nreduce); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline int shmem_min_reduce(shmem_team_t team, T* dest, const T* source, size_t nreduce) { \
        return shmem_##name##_min_reduce(team, dest, source, nreduce); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline int shmem_sum_reduce(shmem_team_t team, T* dest, const T* source, size_t nreduce) { \
        return shmem_##name##_sum_reduce(team, dest, source, nreduce); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline int shmem_prod_reduce(shmem_team_t team, T* dest, const T* source, size_t nreduce) { \
        return shmem_##name##_prod_reduce(team, dest, source, nreduce); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline int shmem_sum_inscan(shmem_team_t team, T* dest, const T* source, size_t nelems) { \
        return shmem_##name##_sum_inscan(team, dest, source, nelems); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline int shmem_sum_exscan(shmem_team_t team, T* dest, const T* source, size_t nelems) { \
        return shmem_##name##_sum_exscan(team, dest, source, nelems); \
    }
UCXX_SHMEM_FOR_RMA(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD

// Waits and tests
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_wait_until(T* ivar, int cmp, T cmp_value) { \
        shmem_##name##_wait_until(ivar, cmp, cmp_value); \
    }
UCXX_SHMEM_FOR_P2P_BUT_LONG(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline int shmem_test(T* ivar, int cmp, T cmp_value) { \
        return shmem_##name##_test(ivar, cmp, cmp_value); \
    }
UCXX_SHMEM_FOR_P2P(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_wait_until_all(T* ivars, size_t nelems, const int* status, int cmp, \
        T cmp_value) { \
        shmem_##name##_wait_until_all(ivars, nelems, status, cmp, cmp_value); \
    }
UCXX_SHMEM_FOR_P2P(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline size_t shmem_wait_until_any(T* ivars, size_t nelems, const int* status, int cmp, \
        T cmp_value) { \
        return shmem_##name##_wait_until_any(ivars, nelems, status, cmp, cmp_value); \
    }
UCXX_SHMEM_FOR_P2P(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline size_t shmem_wait_until_some(T* ivars, size_t nelems, size_t* indices, \
        const int* status, int cmp, T cmp_value) { \
        return shmem_##name##_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); \
    }
UCXX_SHMEM_FOR_P2P(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline int shmem_test_all(T* ivars, size_t nelems, const int* status, int cmp, T cmp_value) { \
        return shmem_##name##_test_all(ivars, nelems, status, cmp, cmp_value); \
    }
UCXX_SHMEM_FOR_P2P(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline size_t shmem_test_any(T* ivars, size_t nelems, const int* status, int cmp, \
        T cmp_value) { \
        return shmem_##name##_test_any(ivars, nelems, status, cmp, cmp_value); \
    }
UCXX_SHMEM_FOR_P2P(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline size_t shmem_test_some(T* ivars, size_t nelems, size_t* indices, const int* status, \
        int cmp, T cmp_value) { \
        return shmem_##name##_test_some(ivars, nelems, indices, status, cmp, cmp_value); \
    }
UCXX_SHMEM_FOR_P2P(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_wait_until_all_vector(T* ivars, size_t nelems, const int* status, int cmp, \
        const T* cmp_values) { \
        shmem_##name##_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); \
    }
UCXX_SHMEM_FOR_P2P(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline size_t shmem_wait_until_any_vector(T* ivars, size_t nelems, const int* status, int cmp, \
        const T* cmp_values) { \
        return shmem_##name##_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); \
    }
UCXX_SHMEM_FOR_P2P(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline size_t shmem_wait_until_some_vector(T* ivars, size_t nelems, size_t* indices, \
        const int* status, int cmp, const T* cmp_values) { \
        return shmem_##name##_wait_until_some_vector(ivars, nelems, indices, status, cmp, \
        cmp_values); \
    }
UCXX_SHMEM_FOR_P2P(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline int shmem_test_all_vector(T* ivars, size_t nelems, const int* status, int cmp, \
        const T* cmp_values) { \
        return shmem_##name##_test_all_vector(ivars, nelems, status, cmp, cmp_values); \
    }
UCXX_SHMEM_FOR_P2P(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline size_t shmem_test_any_vector(T* ivars, size_t nelems, const int* status, int cmp, \
        const T* cmp_values) { \
        return shmem_##name##_test_any_vector(ivars, nelems, status, cmp, cmp_values); \
    }
UCXX_SHMEM_FOR_P2P(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline size_t shmem_test_some_vector(T* ivars, size_t nelems, size_t* indices, \
        const int* status, int cmp, const T* cmp_values) { \
        return shmem_##name##_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); \
    }
UCXX_SHMEM_FOR_P2P(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD

// Deprecated: atomics
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline T shmem_fetch(const T* source, int pe) { \
        return shmem_##name##_fetch(source, pe); \
    }
UCXX_SHMEM_FOR_ALL_OLD_AMOX(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_set(T* dest, T value, int pe) { \
        shmem_##name##_set(dest, value, pe); \
    }
UCXX_SHMEM_FOR_ALL_OLD_AMOX(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline T shmem_swap(T* dest, T value, int pe) { \
        return shmem_##name##_swap(dest, value, pe); \
    }
UCXX_SHMEM_FOR_ALL_OLD_AMOX_BUT_LONG(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline T shmem_cswap(T* dest, T cond, T value, int pe) { \
        return shmem_##name##_cswap(dest, cond, value, pe); \
    }
UCXX_SHMEM_FOR_ALL_OLD_AMO(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline T shmem_finc(T* dest, int pe) { \
        return shmem_##name##_finc(dest, pe); \
    }
UCXX_SHMEM_FOR_ALL_OLD_AMO(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_inc(T* dest, int pe) { \
        shmem_##name##_inc(dest, pe); \
    }
UCXX_SHMEM_FOR_ALL_OLD_AMO(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline T shmem_fadd(T* dest, T value, int pe) { \
        return shmem_##name##_fadd(dest, value, pe); \
    }
UCXX_SHMEM_FOR_ALL_OLD_AMO(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_add(T* dest, T value, int pe) { \
        shmem_##name##_add(dest, value, pe); \
    }
UCXX_SHMEM_FOR_ALL_OLD_AMO(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD

// Arrays of std::complex, or of a class like it: the functions of _Complex, and the generics
#define UCXX_SHMEM_OVERLOAD(Number, name) \
    template <template <typename> class Complex, typename = decltype(Complex<Number>().imag())> \
    inline int shmem_##name##_sum_reduce(shmem_team_t team, Complex<Number>* dest, \
        const Complex<Number>* source, size_t nreduce) { \
        return shmem_##name##_sum_reduce(team, reinterpret_cast<ucxx_shmem_##name*>(dest), \
        reinterpret_cast<const ucxx_shmem_##name*>(source), nreduce); \
    } \
    template <template <typename> class Complex, typename = decltype(Complex<Number>().imag())> \
    inline int shmem_sum_reduce(shmem_team_t team, Complex<Number>* dest, \
        const Complex<Number>* source, size_t nreduce) { \
        return shmem_##name##_sum_reduce(team, reinterpret_cast<ucxx_shmem_##name*>(dest), \
        reinterpret_cast<const ucxx_shmem_##name*>(source), nreduce); \
    }
UCXX_SHMEM_FOR_COMPLEX(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(Number, name) \
    template <template <typename> class Complex, typename = decltype(Complex<Number>().imag())> \
    inline int shmem_##name##_prod_reduce(shmem_team_t team, Complex<Number>* dest, \
        const Complex<Number>* source, size_t nreduce) { \
        return shmem_##name##_prod_reduce(team, reinterpret_cast<ucxx_shmem_##name*>(dest), \
        reinterpret_cast<const ucxx_shmem_##name*>(source), nreduce); \
    } \
    template <template <typename> class Complex, typename = decltype(Complex<Number>().imag())> \
    inline int shmem_prod_reduce(shmem_team_t team, Complex<Number>* dest, \
        const Complex<Number>* source, size_t nreduce) { \
        return shmem_##name##_prod_reduce(team, reinterpret_cast<ucxx_shmem_##name*>(dest), \
        reinterpret_cast<const ucxx_shmem_##name*>(source), nreduce); \
    }
UCXX_SHMEM_FOR_COMPLEX(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(Number, name) \
    template <template <typename> class Complex, typename = decltype(Complex<Number>().imag())> \
    inline int shmem_##name##_sum_inscan(shmem_team_t team, Complex<Number>* dest, \
        const Complex<Number>* source, size_t nelems) { \
        return shmem_##name##_sum_inscan(team, reinterpret_cast<ucxx_shmem_##name*>(dest), \
        reinterpret_cast<const ucxx_shmem_##name*>(source), nelems); \
    } \
    template <template <typename> class Complex, typename = decltype(Complex<Number>().imag())> \
    inline int shmem_sum_inscan(shmem_team_t team, Complex<Number>* dest, \
        const Complex<Number>* source, size_t nelems) { \
        return shmem_##name##_sum_inscan(team, reinterpret_cast<ucxx_shmem_##name*>(dest), \
        reinterpret_cast<const ucxx_shmem_##name*>(source), nelems); \
    }
UCXX_SHMEM_FOR_COMPLEX(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(Number, name) \
    template <template <typename> class Complex, typename = decltype(Complex<Number>().imag())> \
    inline int shmem_##name##_sum_exscan(shmem_team_t team, Complex<Number>* dest, \
        const Complex<Number>* source, size_t nelems) { \
        return shmem_##name##_sum_exscan(team, reinterpret_cast<ucxx_shmem_##name*>(dest), \
        reinterpret_cast<const ucxx_shmem_##name*>(source), nelems); \
    } \
    template <template <typename> class Complex, typename = decltype(Complex<Number>().imag())> \
    inline int shmem_sum_exscan(shmem_team_t team, Complex<Number>* dest, \
        const Complex<Number>* source, size_t nelems) { \
        return shmem_##name##_sum_exscan(team, reinterpret_cast<ucxx_shmem_##name*>(dest), \
        reinterpret_cast<const ucxx_shmem_##name*>(source), nelems); \
    }
UCXX_SHMEM_FOR_COMPLEX(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(Number, name) \
    template <template <typename> class Complex, typename = decltype(Complex<Number>().imag())> \
    inline void shmem_##name##_sum_to_all(Complex<Number>* dest, const Complex<Number>* source, \
        int nreduce, int PE_start, int logPE_stride, int PE_size, Complex<Number>* pWrk, \
        long* pSync) { \
        shmem_##name##_sum_to_all(reinterpret_cast<ucxx_shmem_##name*>(dest), \
        reinterpret_cast<const ucxx_shmem_##name*>(source), nreduce, PE_start, logPE_stride, \
        PE_size, reinterpret_cast<ucxx_shmem_##name*>(pWrk), pSync); \
    }
UCXX_SHMEM_FOR_COMPLEX(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(Number, name) \
    template <template <typename> class Complex, typename = decltype(Complex<Number>().imag())> \
    inline void shmem_##name##_prod_to_all(Complex<Number>* dest, const Complex<Number>* source, \
        int nreduce, int PE_start, int logPE_stride, int PE_size, Complex<Number>* pWrk, \
        long* pSync) { \
        shmem_##name##_prod_to_all(reinterpret_cast<ucxx_shmem_##name*>(dest), \
        reinterpret_cast<const ucxx_shmem_##name*>(source), nreduce, PE_start, logPE_stride, \
        PE_size, reinterpret_cast<ucxx_shmem_##name*>(pWrk), pSync); \
    }
UCXX_SHMEM_FOR_COMPLEX(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD

// Waits for volatile variables, as until version 1.3
inline void shmem_wait(volatile long* ivar, long cmp_value) {
    shmem_long_wait(const_cast<long*>(ivar), cmp_value);
}
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_wait_until(volatile T* ivar, int cmp, T cmp_value) { \
        shmem_##name##_wait_until(const_cast<T*>(ivar), cmp, cmp_value); \
    }
UCXX_SHMEM_FOR_P2P(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD
#define UCXX_SHMEM_OVERLOAD(T, name) \
    inline void shmem_##name##_wait_until(volatile T* ivar, int cmp, T cmp_value) { \
        shmem_##name##_wait_until(const_cast<T*>(ivar), cmp, cmp_value); \
    } \
    inline void shmem_##name##_wait(volatile T* ivar, T cmp_value) { \
        shmem_##name##_wait(const_cast<T*>(ivar), cmp_value); \
    }
UCXX_SHMEM_FOR_VOLATILE_WAITS(UCXX_SHMEM_OVERLOAD)
#undef UCXX_SHMEM_OVERLOAD

#undef UCXX_SHMEM_FOR_COMPLEX
#undef UCXX_SHMEM_FOR_RMA
#undef UCXX_SHMEM_FOR_AMOX
#undef UCXX_SHMEM_FOR_AMO
#undef UCXX_SHMEM_FOR_AMOB_AND_LONGLONG
#undef UCXX_SHMEM_FOR_AMOB
#undef UCXX_SHMEM_FOR_RED_BIT
#undef UCXX_SHMEM_FOR_P2P_BUT_LONG
#undef UCXX_SHMEM_FOR_P2P
#undef UCXX_SHMEM_FOR_ALL_OLD_AMOX
#undef UCXX_SHMEM_FOR_ALL_OLD_AMOX_BUT_LONG
#undef UCXX_SHMEM_FOR_ALL_OLD_AMO
#undef UCXX_SHMEM_FOR_VOLATILE_WAITS
