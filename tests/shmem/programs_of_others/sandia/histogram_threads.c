// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Threads of all PEs count into bins of all PEs, each thread with a context of its own.
// build: oshcc -std=gnu11 -O2 -pthread histogram_threads.c -o histogram_threads
// run: oshrun -np 3 -genv THREADS 3 -genv SAMPLES 3000 ./histogram_threads
// prints: 9 threads, 27000 samples in 48 bins: ok
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

enum { kBins = 16 };

static int bins[kBins];
static short done[64];
static int samples = 100;

static int setting(const char* name, int otherwise) {
  const char* text = getenv(name);
  return text ? atoi(text) : otherwise;
}

/* The bin of each sample of a thread: small numbers are more frequent. */
static int draw(unsigned* state, int all) {
  *state = *state * 1103515245u + 12345u;
  const int first = (int)(*state >> 8) % all;
  *state = *state * 1103515245u + 12345u;
  const int second = (int)(*state >> 8) % all;
  return first < second ? first : second;
}

static void* count(void* argument) {
  unsigned state = *(unsigned*)argument;
  const int all = kBins * shmem_n_pes();
  shmem_ctx_t ctx;
  if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) != 0) return "no context";
  for (int i = 0; i < samples; ++i) {
    const int bin = draw(&state, all);
    shmem_atomic_add(ctx, &bins[bin % kBins], 1, bin / kBins);
  }
  shmem_ctx_quiet(ctx);
  shmem_ctx_destroy(ctx);
  return NULL;
}

static int bins_are_right(int threads) {
  const int pes = shmem_n_pes(), all = kBins * pes;
  int* expected = calloc((size_t)all, sizeof *expected);
  int wrong = 0;
  for (unsigned seed = 1; seed <= (unsigned)(threads * pes); ++seed) {
    unsigned state = seed;
    for (int i = 0; i < samples; ++i) ++expected[draw(&state, all)];
  }
  for (int bin = 0; bin < all; ++bin)
    wrong += shmem_g(&bins[bin % kBins], bin / kBins) != expected[bin];
  free(expected);
  return wrong == 0;
}

int main(void) {
  pthread_t thread[16];
  unsigned seeds[16];
  int level, is_right = 1;
  if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level) != 0 || level < SHMEM_THREAD_MULTIPLE)
    return 2;
  const int me = shmem_my_pe(), pes = shmem_n_pes(), threads = setting("THREADS", 2);
  samples = setting("SAMPLES", samples);
  for (int i = 0; i < threads; ++i) {
    seeds[i] = (unsigned)(me * threads + i + 1);
    pthread_create(&thread[i], NULL, count, &seeds[i]);
  }
  for (int i = 0; i < threads; ++i) {
    void* problem;
    pthread_join(thread[i], &problem);
    if (problem) shmem_global_exit(3);
  }
  shmem_p(&done[me], (short)1, 0);
  if (me == 0) {
    shmem_wait_until_all(done, (size_t)pes, NULL, SHMEM_CMP_EQ, 1);
    is_right = bins_are_right(threads);
    printf("%d threads, %d samples in %d bins: %s\n", threads * pes, threads * pes * samples,
           kBins * pes, is_right ? "ok" : "WRONG");
  }
  shmem_finalize();
  return is_right ? 0 : 1;
}
