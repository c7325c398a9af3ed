// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A program of before OpenSHMEM 1.2: the end of the program finalises, when all PEs have come to
// it.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <shmem.h>

namespace {

int arrived = 0, pes = 0;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "start_pes: %s\n", what);
  std::_Exit(1);
}

/// Registered before start_pes, so it runs behind the finalisation.
void checkAtExit() {
  int is_initialized = -1;
  shmem_query_initialized(&is_initialized);
  require(is_initialized == 0, "the library is still initialised");
  require(arrived == pes, "not all PEs had come");
}

void compute() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(30);
  while (std::chrono::steady_clock::now() < end) {
  }
}

}  // namespace

int main() {
  std::atexit(checkAtExit);
  start_pes(0);
  start_pes(0);
  pes = _num_pes();
  if (_my_pe() == pes - 1) compute();
  for (int pe = 0; pe < pes; ++pe) shmem_int_inc(&arrived, pe);
  if (_my_pe() % 2 == 0) std::exit(0);  // NOLINT(concurrency-mt-unsafe)
}
