// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// OpenMP in each PE: every thread has a private context and puts its part. Compiled with -fopenmp.
#include <omp.h>
#include <shmem.h>
#include <stdio.h>

enum { kThreads = 3, kPart = 500, kRounds = 20 };

static int parts[kThreads][kPart];
static long long sum = 0;

static void fill_next(int thread, int round) {
  const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
  int own[kPart];
  shmem_ctx_t context;
  if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &context) != 0) shmem_global_exit(3);
  for (int i = 0; i < kPart; ++i) own[i] = me * 100000 + thread * 10000 + round + i;
  shmem_ctx_int_put(context, parts[thread], own, kPart, next);
  shmem_ctx_quiet(context);
  shmem_ctx_longlong_atomic_add(context, &sum, thread + 1, 0);
  shmem_ctx_destroy(context);
}

static int is_filled(int round) {
  const int previous = (shmem_my_pe() + shmem_n_pes() - 1) % shmem_n_pes();
  for (int thread = 0; thread < kThreads; ++thread) {
    for (int i = 0; i < kPart; ++i) {
      if (parts[thread][i] != previous * 100000 + thread * 10000 + round + i) return 0;
    }
  }
  return 1;
}

int main(void) {
  int provided;
  if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0 || provided < SHMEM_THREAD_MULTIPLE)
    return 2;
  omp_set_num_threads(kThreads);
  omp_set_dynamic(0);
  for (int round = 0; round < kRounds; ++round) {
#pragma omp parallel
    fill_next(omp_get_thread_num(), round);
    shmem_barrier_all();
    if (!is_filled(round)) shmem_global_exit(1);
    shmem_barrier_all();
  }
  if (shmem_longlong_g(&sum, 0) != kRounds * 6LL * shmem_n_pes()) shmem_global_exit(4);
  shmem_finalize();
  return 0;
}
