// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// figure_without_cma PROGRAM [ARGUMENT...]: runs it where the kernel refuses to copy between
// processes, as in many containers.

#include <cstdio>

#include <unistd.h>

#include "refuse_copies.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: figure_without_cma PROGRAM [ARGUMENT...]\n");
    return 2;
  }
  if (!ucxx::test::refuseCopies()) {
    std::perror("seccomp");
    return 1;
  }
  ::execv(argv[1], argv + 1);
  std::perror(argv[1]);
  return 1;
}
