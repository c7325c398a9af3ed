// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A job of two that the test starts itself, for strangers_check.py. Its socket is there when the
// allgather begins: it says "open" and the processes then, and goes on at a line of input.
#include <cstdio>

#include "shmem/brought_job.h"

namespace {

using ucxx::test::Job;
using ucxx::test::Process;

int beProcess(Process& process) {
  const int status = process.init();
  if (status != 0) return 1;
  static_cast<void>(shmem_malloc(1000));
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}

}  // namespace

int main() {
  Job job(2, [](Process& process) {
    if (process.rank != 0) process.await(0, 1);
    return beProcess(process);
  });
  // PE 0 waits in the allgather for PE 1, and so listens.
  if (!job.board().hasCome(0, 1)) return 1;
  std::printf("open\n%d %d\n", job.pid(0), job.pid(1));
  std::fflush(stdout);
  if (std::getchar() == EOF) return 1;
  job.board().marks[0] = 1;
  job.end();
  std::fputs(job.said().c_str(), stdout);
  return job.hasExited(0, 0) && job.hasExited(1, 0) ? 0 : 1;
}
