// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// How long a job takes that does nothing: the program of each first lesson.
#include <shmem.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  printf("hello from PE %d of %d\n", shmem_my_pe(), shmem_n_pes());
  shmem_finalize();
  return 0;
}
