// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What a PE starts is no PE; the job ends with all of it.
#include <shmem.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

int main(void) {
  shmem_init();
  char line[64] = "";
  FILE* pipe = popen("echo ${UCXX_SHMEM_LAUNCH:-none}", "r");
  if (pipe == NULL || fgets(line, sizeof line, pipe) == NULL || pclose(pipe) != 0) return 3;
  if (system("exit 5") != 5 << 8) return 4;
  pid_t child;
  char* words[] = {"sleep", "100", NULL};
  if (posix_spawnp(&child, "sleep", NULL, NULL, words, environ) != 0) return 5;
  if (fork() == 0) {
    for (;;) pause();
  }
  shmem_barrier_all();
  printf("%s", line);
  shmem_finalize();
  return 0;
}
