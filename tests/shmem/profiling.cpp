// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A tool that takes the place of functions, and calls the library by pshmem_ (OpenSHMEM 1.6, the
// profiling interface): it sees the calls of the program, by generic names, too, and none of the
// library.
#include <pshmem.h>

#include "shmem/check.h"

namespace {

int barriers = 0, puts_of_int = 0, fetches = 0;

}  // namespace

extern "C" {

[[gnu::visibility("default")]] void shmem_barrier_all() {
  ++barriers;
  pshmem_barrier_all();
}

[[gnu::visibility("default")]] void shmem_int_put(int* dest, const int* source, std::size_t nelems,
                                                  int pe) {
  ++puts_of_int;
  pshmem_int_put(dest, source, nelems, pe);
}

[[gnu::visibility("default")]] long shmem_long_atomic_fetch_add(long* dest, long value, int pe) {
  ++fetches;
  return pshmem_long_atomic_fetch_add(dest, value, pe);
}

}  // extern "C"

namespace {

int target;
long counter;

void testToolSeesCalls() {
  const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
  const int source = me + 1;
  shmem_int_put(&target, &source, 1, next);
  shmem_put(&target, &source, 1, next);
  shmem_int_p(&target, source, next);  // no tool's
  CHECK_EQ(puts_of_int, 2);
  shmem_atomic_fetch_add(&counter, 1L, 0);
  CHECK_EQ(fetches, 1);
  shmem_barrier_all();
  CHECK_EQ(barriers, 1);
  CHECK_EQ(target, (me + shmem_n_pes() - 1) % shmem_n_pes() + 1);
  CHECK_EQ(pshmem_long_g(&counter, 0), shmem_n_pes());
}

void testToolSeesNothingOfTheLibrary() {
  shmem_free(shmem_malloc(8));  // both end in a barrier
  CHECK_EQ(barriers, 1);
}

}  // namespace

int main() {
  shmem_init();
  testToolSeesCalls();
  testToolSeesNothingOfTheLibrary();
  shmem_finalize();
  CHECK_EQ(barriers, 1);
}
