// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <stddef.h>

// The least that a library call can be: bare functions of a shared library that check their address
// and do the work between two processes, `me` 0 and 1. The names are those of OpenSHMEM.

/// The two parts, of `bytes` each, lie one after the other; `own` is that of this process. The last
/// 64 bytes of each belong to `limit_barrier`.
void limit_init(int me, char* own, size_t bytes);

void limit_long_put(long* dest, const long* source, size_t count, int pe);
void limit_long_get(long* dest, const long* source, size_t count, int pe);
void limit_long_p(long* dest, long value, int pe);
long limit_long_g(const long* source, int pe);
long limit_long_fetch_add(long* dest, long value, int pe);
void limit_putmem(void* dest, const void* source, size_t bytes, int pe);
void limit_getmem(void* dest, const void* source, size_t bytes, int pe);
void limit_fence(void);
void limit_quiet(void);
void limit_long_wait_until_ge(long* word, long value);
void limit_barrier(void);
