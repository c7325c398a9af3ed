// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Each PE writes a file of its own at the end; PE 0 asks the shell and a child how they look, and
// ends the job for all by shmem_global_exit(0).
// build: oshc++ -std=c++14 -O1 dump.cpp -o dump
// run: oshrun -n 3 --bind-to core ./dump result
// run: test $(cat result.? | wc -l) = 15
// prints: 15 lines in 3 files, the child agrees: ok
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include <mpp/shmem.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

const int kLines = 5;
long cells[kLines];
long host = 0;

std::string nameOf(const std::string& base, int pe) { return base + "." + std::to_string(pe); }

void write(const std::string& name) {
  std::ofstream file(name);
  for (const long cell : cells) file << cell << "\n";
}

/// Of the lines of all files, by another program.
long count(const std::string& base) {
  long lines = 0;
  if (FILE* answer = popen(("cat " + base + ".? | wc -l").c_str(), "r")) {
    if (std::fscanf(answer, "%ld", &lines) != 1) lines = -1;
    pclose(answer);
  }
  return lines;
}

/// A child has the global variables, and reads the files.
bool childAgrees(const std::string& base, int npes) {
  const pid_t child = fork();
  if (child == 0) {
    bool isRight = host == 4711;
    for (int pe = 0; pe < npes; ++pe) {
      std::ifstream file(nameOf(base, pe));
      long value = 0;
      for (int i = 0; i < kLines; ++i) isRight = file >> value && value == 100 * pe + i && isRight;
    }
    _exit(isRight ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  start_pes(0);
  const int me = _my_pe(), npes = _num_pes();
  const std::string base = argc > 1 ? argv[1] : "dump";
  for (int i = 0; i < kLines; ++i)
    shmem_long_p(&cells[i], 100 * ((me + 1) % npes) + i, (me + 1) % npes);
  if (me == npes - 1) shmem_long_p(&host, 4711, 0);
  shmem_barrier_all();
  write(nameOf(base, me));
  shmem_barrier_all();
  if (me == 0) {
    const bool isRight =
        count(base) == kLines * npes && childAgrees(base, npes) && std::system("exit 0") == 0;
    std::cout << kLines * npes << " lines in " << npes << " files, the child "
              << (isRight ? "agrees: ok" : "DOES NOT AGREE") << std::endl;
    shmem_global_exit(isRight ? 0 : 1);
  }
  // The others wait for more work until the job ends.
  shmem_long_wait_until(&host, SHMEM_CMP_EQ, 1);
  return 1;
}
