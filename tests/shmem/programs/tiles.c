// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// OpenSHMEM 1.6: tiles of a picture travel as blocks, by ibput and ibget.
#include <shmem.h>
#include <stdio.h>

enum { kWidth = 60, kHeight = 40, kTileWidth = 7, kTileHeight = 5 };

static float picture[kHeight][kWidth], copy[kHeight][kWidth];

static float colour(int pe, int i, int j) { return (float)(pe * 1000 + i * 20 + j); }

/* Within the tile of a PE; -1 elsewhere. */
static float expected(int pe, int i, int j, int row, int column) {
  const int is_inside = i >= row && i < row + kTileHeight && j >= column && j < column + kTileWidth;
  return is_inside ? colour(pe, i - row, j - column) : -1;
}

static int is_right(float (*pixels)[kWidth], int pe, int row, int column) {
  for (int i = 0; i < kHeight; ++i) {
    for (int j = 0; j < kWidth; ++j) {
      if (pixels[i][j] != expected(pe, i, j, row, column)) return 0;
    }
  }
  return 1;
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes,
            previous = (me + npes - 1) % npes;
  float tile[kTileHeight * kTileWidth];
  for (int i = 0; i < kTileHeight * kTileWidth; ++i)
    tile[i] = colour(me, i / kTileWidth, i % kTileWidth);
  for (int i = 0; i < kHeight; ++i) {
    for (int j = 0; j < kWidth; ++j) picture[i][j] = copy[i][j] = -1;
  }
  shmem_barrier_all();
  shmem_float_ibput(&picture[11][23], tile, kWidth, kTileWidth, kTileWidth, kTileHeight, next);
  shmem_barrier_all();
  if (!is_right(picture, previous, 11, 23)) shmem_global_exit(1);
  shmem_float_ibget(&copy[2][3], &picture[11][23], kWidth, kWidth, kTileWidth, kTileHeight, next);
  if (!is_right(copy, me, 2, 3)) shmem_global_exit(2);
  shmem_finalize();
  return 0;
}
