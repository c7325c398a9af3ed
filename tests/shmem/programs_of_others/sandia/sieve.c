// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Counts primes in blocks, and adds them up in teams of all, every other, and the upper half.
// build: oshcc -std=c11 -Wall -O1 sieve.c -o sieve
// run: oshrun -np 4 -q ./sieve 100000
// prints: team   PEs   primes
// prints: world    4     9592
// prints: even     2     5022
// prints: upper    2     4459
// prints: 1 TB is refused: ok
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

static long primes, sum;

static int is_prime(long n) {
  if (n < 2) return 0;
  for (long i = 2; i * i <= n; ++i)
    if (n % i == 0) return 0;
  return 1;
}

/* The primes of all PEs, in another way. */
static long count_alone(long most) {
  char* crossed = calloc((size_t)most + 1, 1);
  long all = 0;
  for (long i = 2; i <= most; ++i) {
    all += !crossed[i];
    for (long j = i * i; j <= most; j += i) crossed[j] = 1;
  }
  free(crossed);
  return all;
}

/* The same sum from each member's own word. */
static long ask_each(shmem_team_t team) {
  long all = 0;
  for (int pe = 0; pe < shmem_team_n_pes(team); ++pe)
    all += shmem_g(&primes, shmem_team_translate_pe(team, pe, SHMEM_TEAM_WORLD));
  return all;
}

/* The sum of a team, and a line of the table by its first PE. Members only have a team. */
static int add_up(shmem_team_t team, const char* name) {
  if (team == SHMEM_TEAM_INVALID) return 0;
  shmem_sum_reduce(team, &sum, &primes, 1);
  if (shmem_team_my_pe(team) == 0) printf("%-6s %3d %8ld\n", name, shmem_team_n_pes(team), sum);
  return sum != ask_each(team);
}

int main(int argc, char** argv) {
  const long most = argc > 1 ? atol(argv[1]) : 1000;
  shmem_team_t even, upper;
  shmem_team_config_t config = {.num_contexts = 1};
  int wrong = 0;

  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  for (long n = most * me / pes + 1; n <= most * (me + 1) / pes; ++n) primes += is_prime(n);
  shmem_barrier_all();

  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2, &config, SHMEM_TEAM_NUM_CONTEXTS,
                           &even);
  shmem_team_split_strided(SHMEM_TEAM_WORLD, pes / 2, 1, pes - pes / 2, NULL, 0, &upper);
  if (me == 0) printf("team   PEs   primes\n");
  wrong += add_up(SHMEM_TEAM_WORLD, "world") || sum != count_alone(most);
  wrong += add_up(even, "even");
  wrong += add_up(upper, "upper");

  void* too_much = shmem_malloc((size_t)1 << 40);
  void* enough = shmem_malloc_with_hints(1000, SHMEM_MALLOC_ATOMICS_REMOTE);
  wrong += too_much != NULL || enough == NULL;
  if (me == 0) printf("1 TB is refused: %s\n", wrong ? "NO" : "ok");
  shmem_free(enough);
  shmem_team_destroy(upper);
  shmem_team_destroy(even);
  shmem_finalize();
  return wrong;
}
