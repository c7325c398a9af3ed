// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <shmem.h>
#include <stdio.h>
#include <stdio_ext.h>

/// Says how much of a line waits in the buffer. An argument: the program sets the buffer itself.
int main(int count, char **words) {
  (void)words;
  if (count > 1) setvbuf(stdout, 0, _IOFBF, BUFSIZ);
  shmem_init();
  printf("line\n");
  fprintf(stderr, "%zu bytes wait\n", __fpending(stdout));
  shmem_finalize();
}
