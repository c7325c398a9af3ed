// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The figures of calls.c that two processes reach with the bare functions of limit_calls.c: what no
// library can do better. Without arguments it only starts the two. Arguments: harness.h.
#define _GNU_SOURCE
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "limit_calls.h"

enum { kPart = 4 << 20, kLine = 64 };

// At the begin of each part: words on lines of their own, then the buffer.
static long *word, *quiet_word, *flag, *shared;
static char *to, *local;
static long turn;

static void meet(void) { limit_barrier(); }

static void set_both(long* object, long value) {
  for (int pe = 0; pe < 2; ++pe) limit_long_p(object, value, pe);
}

static long agreed(long value) {
  meet();
  if (me == 0) set_both(shared, value);
  meet();
  return *shared;
}

static void tell(long value) { set_both((long*)done, value); }

static void put(int calls) {
  const long value = 7;
  if (bytes == sizeof value) {
    for (int i = 0; i < calls; ++i) limit_long_put(word, &value, 1, 1);
  } else {
    for (int i = 0; i < calls; ++i) limit_putmem(to, local, bytes, 1);
    limit_quiet();
  }
}

static void get(int calls) {
  long value;
  if (bytes == sizeof value) {
    for (int i = 0; i < calls; ++i) limit_long_get(&value, quiet_word, 1, 1);
  } else {
    for (int i = 0; i < calls; ++i) limit_getmem(local, to, bytes, 1);
  }
}

static void p(int calls) {
  for (int i = 0; i < calls; ++i) limit_long_p(word, i, 1);
}

static void g(int calls) {
  volatile long value;
  for (int i = 0; i < calls; ++i) value = limit_long_g(quiet_word, 1);
  (void)value;
}

static void fetch_add(int calls) {
  for (int i = 0; i < calls; ++i) limit_long_fetch_add(word, 1, 1);
}

static void fence(int calls) {
  for (int i = 0; i < calls; ++i) limit_fence();
}

static void quiet(int calls) {
  for (int i = 0; i < calls; ++i) limit_quiet();
}

static void p_wait(int calls) {
  for (int i = 0; i < calls / 2; ++i) {
    ++turn;
    if (me == 1) limit_long_wait_until_ge(flag, turn);
    limit_long_p(flag, turn, 1 - me);
    if (me == 0) limit_long_wait_until_ge(flag, turn);
  }
}

static void put_flag(int calls) {
  for (int i = 0; i < calls / 2; ++i) {
    ++turn;
    if (me == 1) limit_long_wait_until_ge(flag, turn);
    limit_putmem(to, local, bytes, 1 - me);
    limit_fence();
    limit_long_p(flag, turn, 1 - me);
    if (me == 0) limit_long_wait_until_ge(flag, turn);
  }
}

static void barrier(int calls) {
  for (int i = 0; i < calls; ++i) limit_barrier();
}

static void begin(size_t largest) {
  if (largest > kPart / 2) exit(2);
  local = local_buffer(largest);
  memset(to, 0, largest);
  meet();
}

static void start(char* parts) {
  char* const own = parts + (size_t)me * kPart;
  pin(me);
  limit_init(me, own, kPart);
  long** const words[] = {&word, &quiet_word, &flag, &shared, (long**)&done};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    *words[i] = (long*)(own + i * kLine * 2);
  to = own + kPage;
}

int main(int argc, char** argv) {
  static const struct figure figures[] = {
      {"put", put, kOthersCompute},
      {"p", p, kOthersCompute},
      {"get", get, kOthersCompute},
      {"g", g, kOthersCompute},
      {"fetch_add", fetch_add, kOthersCompute},
      {"fence", fence, kOthersCompute},
      {"quiet", quiet, kOthersCompute},
      {"p_wait", p_wait, kAll},
      {"put_flag", put_flag, kAll},
      {"barrier", barrier, kAll},
      {NULL, NULL, kAll},
  };
  char* const parts =
      mmap(NULL, 2 * kPart, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (parts == MAP_FAILED) return 1;
  const pid_t child = fork();
  me = child == 0;
  if (me == 1) prctl(PR_SET_PDEATHSIG, SIGKILL);
  start(parts);
  measure_wanted(argc - 1, argv + 1, figures, begin);
  int status = 0;
  if (me == 0) waitpid(child, &status, 0);
  return status != 0;
}
