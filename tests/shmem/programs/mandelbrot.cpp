// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// C++: rows of a picture from a work counter, put into the memory of PE 0.
#include <cstddef>
#include <cstdio>
#include <vector>

#include <shmem.h>

namespace {

constexpr int kWidth = 80, kHeight = 60, kMostSteps = 200;

long next_row = 0;
unsigned char picture[kHeight][kWidth];
int rows_done = 0;

unsigned char stepsAt(int column, int row) {
  const double a = -2.2 + 3.2 * column / kWidth, b = -1.2 + 2.4 * row / kHeight;
  double x = 0, y = 0;
  int steps = 0;
  for (; steps < kMostSteps && x * x + y * y < 4; ++steps) {
    const double next = x * x - y * y + a;
    y = 2 * x * y + b;
    x = next;
  }
  return static_cast<unsigned char>(steps);
}

void work() {
  std::vector<unsigned char> line(kWidth);
  for (long row; (row = shmem_atomic_fetch_inc(&next_row, 0)) < kHeight;) {
    for (int column = 0; column < kWidth; ++column)
      line[static_cast<std::size_t>(column)] = stepsAt(column, static_cast<int>(row));
    shmem_put(picture[row], line.data(), kWidth, 0);
    shmem_fence();
    shmem_atomic_inc(&rows_done, 0);
  }
}

bool isRight() {
  for (int row = 0; row < kHeight; ++row) {
    for (int column = 0; column < kWidth; ++column) {
      if (picture[row][column] != stepsAt(column, row)) return false;
    }
  }
  return true;
}

}  // namespace

int main() {
  shmem_init();
  work();
  if (shmem_my_pe() == 0) {
    shmem_wait_until(&rows_done, SHMEM_CMP_EQ, kHeight);
    if (!isRight()) {
      std::fprintf(stderr, "the picture is wrong\n");
      shmem_global_exit(1);
    }
  }
  shmem_finalize();
}
