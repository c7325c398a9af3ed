// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Heat in a plate: a grid of PEs by teams, halos by put with signal, compared with one PE's result.
// build: oshcc -std=c11 -O2 -Wall heat2d.c -o heat2d -lm
// run: oshrun -np 4 -genv HEAT_STEPS 60 ./heat2d 12
// prints: 24 x 24 points on 2 x 2 PEs, 60 steps, largest difference 0: ok
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 64, kUp, kDown, kLeft, kRight, kSides = 4 };

static double halo[2][kSides][kMost];
static uint64_t arrived[kSides];
static double now[kMost + 2][kMost + 2], then[kMost + 2][kMost + 2];
static double worst, worst_of_all;

/* The upper edge of the plate is hot. */
static double edge(int row) { return row < 0 ? 100.0 : 0.0; }

static void fill(double (*t)[kMost + 2], int rows, int cols, int first_row) {
  for (int r = 0; r < rows + 2; ++r)
    for (int c = 0; c < cols + 2; ++c) t[r][c] = edge(first_row + r - 1);
}

static void step(double (*to)[kMost + 2], double (*from)[kMost + 2], int rows, int cols) {
  for (int r = 1; r <= rows; ++r)
    for (int c = 1; c <= cols; ++c)
      to[r][c] = 0.25 * (from[r - 1][c] + from[r + 1][c] + from[r][c - 1] + from[r][c + 1]);
}

/* What my neighbour on `side` needs, goes into its halo of the other side. */
static void send(int side, int other, int pe, int n, uint64_t number) {
  double line[kMost];
  if (pe < 0) return;
  for (int i = 0; i < n; ++i)
    line[i] = side == kUp     ? now[1][i + 1]
              : side == kDown ? now[n][i + 1]
              : side == kLeft ? now[i + 1][1]
                              : now[i + 1][n];
  shmem_put_signal(halo[number % 2][other - kUp], line, (size_t)n, &arrived[other - kUp], number,
                   SHMEM_SIGNAL_SET, pe);
}

static void receive(int side, int pe, int n, uint64_t number) {
  if (pe < 0) return;
  shmem_signal_wait_until(&arrived[side - kUp], SHMEM_CMP_GE, number);
  const double* line = halo[number % 2][side - kUp];
  for (int i = 0; i < n; ++i) {
    if (side == kUp) now[0][i + 1] = line[i];
    if (side == kDown) now[n + 1][i + 1] = line[i];
    if (side == kLeft) now[i + 1][0] = line[i];
    if (side == kRight) now[i + 1][n + 1] = line[i];
  }
}

static int neighbour(shmem_team_t line, int by) {
  return shmem_team_translate_pe(line, shmem_team_my_pe(line) + by, SHMEM_TEAM_WORLD);
}

int main(int argc, char** argv) {
  static double one[2][kMost + 2][kMost + 2];
  const int n = argc > 1 ? atoi(argv[1]) : 8;
  const int steps = getenv("HEAT_STEPS") ? atoi(getenv("HEAT_STEPS")) : 10;
  shmem_team_t row, column;

  shmem_init();
  const int width = (int)sqrt(shmem_n_pes());
  if (shmem_team_split_2d(SHMEM_TEAM_WORLD, width, NULL, 0, &row, NULL, 0, &column) != 0) return 1;
  const int x = shmem_team_my_pe(row), y = shmem_team_my_pe(column);
  const int height = shmem_team_n_pes(column);
  const int left = neighbour(row, -1), right = neighbour(row, 1);
  const int up = neighbour(column, -1), down = neighbour(column, 1);

  fill(now, n, n, y * n);
  if (down < 0)
    for (int c = 0; c < n + 2; ++c) now[n + 1][c] = 0.0;
  for (int s = 1; s <= steps; ++s) {
    send(kUp, kDown, up, n, (uint64_t)s), send(kDown, kUp, down, n, (uint64_t)s);
    send(kLeft, kRight, left, n, (uint64_t)s), send(kRight, kLeft, right, n, (uint64_t)s);
    receive(kUp, up, n, (uint64_t)s), receive(kDown, down, n, (uint64_t)s);
    receive(kLeft, left, n, (uint64_t)s), receive(kRight, right, n, (uint64_t)s);
    step(then, now, n, n);
    for (int r = 1; r <= n; ++r) memcpy(&now[r][1], &then[r][1], (size_t)n * sizeof(double));
  }

  fill(one[0], height * n, width * n, 0), fill(one[1], height * n, width * n, 0);
  for (int s = 0; s < steps; ++s) step(one[(s + 1) % 2], one[s % 2], height * n, width * n);
  for (int r = 1; r <= n; ++r)
    for (int c = 1; c <= n; ++c)
      worst = fmax(worst, fabs(now[r][c] - one[steps % 2][y * n + r][x * n + c]));
  shmem_max_reduce(SHMEM_TEAM_WORLD, &worst_of_all, &worst, 1);
  const int is_right = worst_of_all == 0 && one[steps % 2][1][1] > 0;
  if (shmem_my_pe() == 0)
    printf("%d x %d points on %d x %d PEs, %d steps, largest difference %g: %s\n", height * n,
           width * n, height, width, steps, worst_of_all, is_right ? "ok" : "WRONG");
  shmem_finalize();
  return is_right ? 0 : 1;
}
