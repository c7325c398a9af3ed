// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Ising's model in strips, black and white in turn; the same spins as on one PE.
// build: oshc++ -std=c++98 -O2 ising.cpp -o ising
// run: oshrun -n 4 ./ising 6 30
// prints: 24 x 24 spins, 30 sweeps: the same as on one PE, ok
#include <iostream>
#include <vector>

#include <mpp/shmem.h>
#include <stdlib.h>

static const int kColumns = 24;

/// A random number of a site and a sweep, whoever asks.
static unsigned draw(unsigned site, unsigned sweep) {
  unsigned x = site * 2654435761u + sweep * 40503u + 1;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x % 1000;
}

/// Rows with one more above and below; the columns are a ring.
struct Strip {
  signed char* spin;
  int rows, first;

  signed char& at(int row, int column) {
    return spin[(row + 1) * kColumns + (column + kColumns) % kColumns];
  }
  void start() {
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < kColumns; ++c)
        at(r, c) = draw((first + r) * kColumns + c, 999) < 500 ? 1 : -1;
  }
  void flip(int color, int sweep) {
    static const unsigned chance[] = {1000, 1000, 1000, 170, 30};
    for (int r = 0; r < rows; ++r)
      for (int c = (color + first + r) % 2; c < kColumns; c += 2) {
        const int around = at(r - 1, c) + at(r + 1, c) + at(r, c - 1) + at(r, c + 1);
        const int energy = around * at(r, c);
        if (draw((first + r) * kColumns + c, 2 * sweep + color) < chance[2 + energy / 2])
          at(r, c) = -at(r, c);
      }
  }
};

static void exchange(Strip& strip) {
  const int me = _my_pe(), npes = _num_pes();
  shmem_barrier_all();
  shmem_putmem(&strip.at(strip.rows, 0), &strip.at(0, 0), kColumns, (me + npes - 1) % npes);
  shmem_putmem(&strip.at(-1, 0), &strip.at(strip.rows - 1, 0), kColumns, (me + 1) % npes);
  shmem_barrier_all();
}

static void closeRing(Strip& all) {
  for (int c = 0; c < kColumns; ++c) {
    all.at(-1, c) = all.at(all.rows - 1, c);
    all.at(all.rows, c) = all.at(0, c);
  }
}

static long wrong = 0;

int main(int argc, char** argv) {
  start_pes(0);
  const int rows = argc > 1 ? atoi(argv[1]) : 4, sweeps = argc > 2 ? atoi(argv[2]) : 10;
  const int all = rows * _num_pes();
  Strip mine = {static_cast<signed char*>(shmalloc((rows + 2) * kColumns)), rows, rows * _my_pe()};
  std::vector<signed char> memory((all + 2) * kColumns);
  Strip alone = {&memory[0], all, 0};
  mine.start();
  alone.start();
  for (int half = 0; half < 2 * sweeps; ++half) {
    exchange(mine);
    mine.flip(half % 2, half / 2);
    closeRing(alone);
    alone.flip(half % 2, half / 2);
  }
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < kColumns; ++c)
      if (mine.at(r, c) != alone.at(mine.first + r, c)) shmem_long_inc(&wrong, 0);
  shmem_barrier_all();
  const long count = shmem_long_g(&wrong, 0);
  if (_my_pe() == 0)
    std::cout << all << " x " << kColumns << " spins, " << sweeps
              << " sweeps: " << (count == 0 ? "the same as on one PE, ok" : "OTHERS") << std::endl;
  shmem_barrier_all();
  shfree(mine.spin);
  return count != 0;
}
