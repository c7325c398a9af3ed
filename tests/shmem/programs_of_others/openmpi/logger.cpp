// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Many PEs write many lines into one log, long and short ones; each line must stay whole.
// build: oshc++ -O1 logger.cpp -o logger
// run: oshrun -np 24 --oversubscribe ./logger 40 > log
// run: echo "$(grep -c '^PE [0-9]*, line [0-9]*: x*[.]$' log) whole lines, $(wc -l < log) in all"
// run: echo "$(sort -u log | wc -l) different ones"
// prints: 960 whole lines, 960 in all
// prints: 960 different ones
#include <cstdlib>
#include <iostream>
#include <string>

#include <shmem.h>

static long written = 0;

int main(int argc, char** argv) {
  shmem_init();
  const int lines = argc > 1 ? std::atoi(argv[1]) : 10;
  for (int i = 0; i < lines; ++i) {
    const std::string filling(static_cast<std::size_t>(i % 8 == 7 ? 900 : 20), 'x');
    std::cout << "PE " << shmem_my_pe() << ", line " << i << ": " << filling << "." << std::endl;
    shmem_long_inc(&written, 0);
  }
  shmem_barrier_all();
  const bool isRight = shmem_long_g(&written, 0) == static_cast<long>(lines) * shmem_n_pes();
  shmem_finalize();
  return isRight ? 0 : 1;
}
