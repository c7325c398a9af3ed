// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Half a round trip of bytes between PE 0 and PE 1, which nobody reads or changes: measure.h has
// the arguments. `pair.h` is that of a model, in the folder of this name: shmem, mpi, alone.
#define _GNU_SOURCE
#include "measure.h"
#include "pair.h"

static double time_of(const struct figure* figure, long count) {
  meet();
  const double start = nanoseconds();
  if (me < 2) figure->run(count);
  return nanoseconds() - start;
}

int main(int argc, char** argv) {
  begin();
  if (repeats_of(argc, argv, kLeastPes) == 0) end(2);
  make(largest_of(argc, argv));
  meet();
  measure_all(figures, sizeof figures / sizeof *figures, argc, argv);
  end(0);
  return 0;
}
