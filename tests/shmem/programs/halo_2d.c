// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// OpenSHMEM 1.6: a grid of PEs; borders travel by put_signal, on contexts of rows and columns.
#include <math.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kSide = 12, kSteps = 60, kWidth = kSide + 2 };
enum { kWest, kEast, kNorth, kSouth, kDirections };

typedef double tile_t[kWidth][kWidth];

static tile_t tiles[2];
/* What arrives from each direction, of each step parity. */
static double borders[2][kDirections][kSide];
static uint64_t arrived[kDirections];

static shmem_team_t row, column;
static shmem_ctx_t row_context, column_context;
static int x, y, nx, ny;

static double first_value(int i, int j) { return (i * 31 + j * 17) % 23; }

static double step_of(const double* at, int width) {
  return 0.5 * at[0] + 0.125 * (at[-1] + at[1] + at[-width] + at[width]);
}

static void send(shmem_ctx_t context, int to, int from_side, const double* border, int step) {
  shmem_ctx_double_put_signal(context, borders[step % 2][from_side], border, kSide,
                              &arrived[from_side], (uint64_t)step + 1, SHMEM_SIGNAL_SET, to);
}

static void send_all(tile_t tile, int step) {
  double west[kSide], east[kSide];
  for (int i = 0; i < kSide; ++i) {
    west[i] = tile[i + 1][1];
    east[i] = tile[i + 1][kSide];
  }
  if (x > 0) send(row_context, x - 1, kEast, west, step);
  if (x < nx - 1) send(row_context, x + 1, kWest, east, step);
  if (y > 0) send(column_context, y - 1, kSouth, &tile[1][1], step);
  if (y < ny - 1) send(column_context, y + 1, kNorth, &tile[kSide][1], step);
}

static const double* await(int side, int step) {
  shmem_signal_wait_until(&arrived[side], SHMEM_CMP_GE, (uint64_t)step + 1);
  return borders[step % 2][side];
}

static void receive_all(tile_t tile, int step) {
  const double *west = x > 0 ? await(kWest, step) : NULL,
               *east = x < nx - 1 ? await(kEast, step) : NULL;
  const double *north = y > 0 ? await(kNorth, step) : NULL,
               *south = y < ny - 1 ? await(kSouth, step) : NULL;
  for (int i = 0; i < kSide; ++i) {
    if (west) tile[i + 1][0] = west[i];
    if (east) tile[i + 1][kSide + 1] = east[i];
    if (north) tile[0][i + 1] = north[i];
    if (south) tile[kSide + 1][i + 1] = south[i];
  }
}

static void compute(double* next, const double* now, int rows, int columns, int width) {
  for (int i = 1; i <= rows; ++i) {
    for (int j = 1; j <= columns; ++j) next[i * width + j] = step_of(&now[i * width + j], width);
  }
}

static int is_right(tile_t tile) {
  const int rows = ny * kSide, columns = nx * kSide, width = columns + 2;
  double *now = calloc((size_t)(rows + 2) * (size_t)width, sizeof *now),
         *next = calloc((size_t)(rows + 2) * (size_t)width, sizeof *next);
  for (int i = 1; i <= rows; ++i) {
    for (int j = 1; j <= columns; ++j) now[i * width + j] = first_value(i, j);
  }
  for (int step = 0; step < kSteps; ++step) {
    compute(next, now, rows, columns, width);
    double* const other = now;
    now = next;
    next = other;
  }
  int right = 1;
  for (int i = 1; i <= kSide; ++i) {
    for (int j = 1; j <= kSide; ++j)
      right &= fabs(tile[i][j] - now[(y * kSide + i) * width + x * kSide + j]) < 1e-9;
  }
  free(now);
  free(next);
  return right;
}

/* The widest grid that all PEs fit into. */
static void make_grid(void) {
  const int npes = shmem_n_pes();
  for (nx = (int)sqrt(npes); npes % nx != 0;) --nx;
  ny = npes / nx;
  if (shmem_team_split_2d(SHMEM_TEAM_WORLD, nx, NULL, 0, &row, NULL, 0, &column) != 0)
    shmem_global_exit(2);
  x = shmem_team_my_pe(row);
  y = shmem_team_my_pe(column);
  if (shmem_team_create_ctx(row, SHMEM_CTX_PRIVATE, &row_context) != 0) shmem_global_exit(3);
  if (shmem_team_create_ctx(column, SHMEM_CTX_PRIVATE, &column_context) != 0) shmem_global_exit(3);
}

int main(void) {
  shmem_init();
  make_grid();
  for (int i = 1; i <= kSide; ++i) {
    for (int j = 1; j <= kSide; ++j) tiles[0][i][j] = first_value(y * kSide + i, x * kSide + j);
  }
  for (int step = 0; step < kSteps; ++step) {
    send_all(tiles[step % 2], step);
    receive_all(tiles[step % 2], step);
    compute(&tiles[(step + 1) % 2][0][0], &tiles[step % 2][0][0], kSide, kSide, kWidth);
  }
  if (!is_right(tiles[kSteps % 2])) {
    fprintf(stderr, "PE (%d, %d) of (%d, %d) is wrong\n", x, y, nx, ny);
    shmem_global_exit(1);
  }
  shmem_ctx_destroy(row_context);
  shmem_ctx_destroy(column_context);
  shmem_team_destroy(row);
  shmem_team_destroy(column);
  shmem_finalize();
  return 0;
}
