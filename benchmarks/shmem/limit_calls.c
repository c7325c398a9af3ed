// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "limit_calls.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

static struct {
  char *own, *first;
  size_t bytes, checked;
  int me;
  long turn;
} node;

void limit_init(int me, char* own, size_t bytes) {
  node.own = own;
  node.first = own - (size_t)me * bytes;
  node.bytes = bytes;
  node.checked = bytes - 64;
  node.me = me;
}

static inline void* at(const void* address, int pe) {
  const size_t offset = (size_t)((const char*)address - node.own);
  if (offset >= node.checked || (unsigned)pe > 1) abort();
  return node.first + (size_t)pe * node.bytes + offset;
}

static inline long load(const long* word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static inline void store(long* word, long value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

void limit_long_put(long* dest, const long* source, size_t count, int pe) {
  if (count == 1)
    store(at(dest, pe), *source);
  else
    memcpy(at(dest, pe), source, count * sizeof *source);
}

void limit_long_get(long* dest, const long* source, size_t count, int pe) {
  if (count == 1)
    *dest = load(at(source, pe));
  else
    memcpy(dest, at(source, pe), count * sizeof *source);
}

void limit_long_p(long* dest, long value, int pe) { store(at(dest, pe), value); }

long limit_long_g(const long* source, int pe) { return load(at(source, pe)); }

long limit_long_fetch_add(long* dest, long value, int pe) {
  return __atomic_fetch_add((long*)at(dest, pe), value, __ATOMIC_SEQ_CST);
}

void limit_putmem(void* dest, const void* source, size_t bytes, int pe) {
  memcpy(at(dest, pe), source, bytes);
}

void limit_getmem(void* dest, const void* source, size_t bytes, int pe) {
  memcpy(dest, at(source, pe), bytes);
}

void limit_fence(void) { __atomic_thread_fence(__ATOMIC_RELEASE); }

void limit_quiet(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

static inline void relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

void limit_long_wait_until_ge(long* word, long value) {
  for (unsigned polls = 1; load(word) < value; ++polls)
    if (polls % 1024)
      relax();
    else
      sched_yield();
}

void limit_barrier(void) {
  ++node.turn;
  store((long*)(node.first + (size_t)(1 - node.me) * node.bytes + node.checked), node.turn);
  limit_long_wait_until_ge((long*)(node.own + node.checked), node.turn);
}
