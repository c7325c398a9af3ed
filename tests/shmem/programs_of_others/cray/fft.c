/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * A transform of n * n points in four steps: transforms of rows, factors, a transposition by
 * strided puts, transforms of rows again. Compared with the sum of the definition.
 *
 * build: oshcc -std=gnu99 -O2 fft.c -o fft -lm
 * run: oshrun -n 4 ./fft
 * prints: 256 points on 4 PEs: ok
 */
#include <complex.h>
#include <math.h>
#include <mpp/shmem.h>
#include <stdio.h>

enum { kSide = 16, kPoints = kSide * kSide };

typedef double complex value;

static value rows[kSide][kSide], turned[kSide][kSide];
static double errors[1], worst[1], pwrk[_SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long psync[_SHMEM_REDUCE_SYNC_SIZE];

static value root(int i, int n) { return cexp(-2 * acos(-1.0) * I * i / n); }
static value input(int i) { return sin(0.3 * i) + I * ((i * 7) % 5); }

/* Of a power of two points that lie `stride` apart. */
static void transform(value* out, const value* in, int n, int stride) {
  int k;
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  transform(out, in, n / 2, 2 * stride);
  transform(out + n / 2, in + stride, n / 2, 2 * stride);
  for (k = 0; k < n / 2; k++) {
    const value even = out[k], odd = out[k + n / 2] * root(k, n);
    out[k] = even + odd;
    out[k + n / 2] = even - odd;
  }
}

/* Row r becomes column r, real and imaginary parts by themselves, over the PEs that have rows. */
static void turn(const value* row, int r, int per_pe) {
  int pe;
  for (pe = 0; pe < _num_pes(); pe++) {
    double* const dest = (double*)&turned[0][r];
    const double* const source = (const double*)&row[pe * per_pe];
    shmem_double_iput(dest, source, 2 * kSide, 2, per_pe, pe);
    shmem_double_iput(dest + 1, source + 1, 2 * kSide, 2, per_pe, pe);
  }
}

int main(void) {
  value line[kSide];
  int i, k, r, j, me, per_pe;
  start_pes(0);
  me = _my_pe();
  per_pe = kSide / _num_pes();
  if (per_pe * _num_pes() != kSide) shmem_global_exit(2);
  for (i = 0; i < _SHMEM_REDUCE_SYNC_SIZE; i++) psync[i] = _SHMEM_SYNC_VALUE;
  for (r = 0; r < per_pe; r++)
    for (j = 0; j < kSide; j++) rows[r][j] = input(j * kSide + me * per_pe + r);
  shmem_barrier_all();

  for (r = 0; r < per_pe; r++) {
    const int row = me * per_pe + r;
    transform(line, rows[r], kSide, 1);
    for (k = 0; k < kSide; k++) line[k] *= root(row * k, kPoints);
    turn(line, row, per_pe);
  }
  shmem_barrier_all();
  for (r = 0; r < per_pe; r++) {
    transform(line, turned[r], kSide, 1);
    for (k = 0; k < kSide; k++) {
      value sum = 0;
      for (i = 0; i < kPoints; i++)
        sum += input(i) * root(i * (k * kSide + me * per_pe + r) % kPoints, kPoints);
      errors[0] = fmax(errors[0], cabs(sum - line[k]));
    }
  }
  shmem_double_max_to_all(worst, errors, 1, 0, 0, _num_pes(), pwrk, psync);
  if (me == 0)
    printf("%d points on %d PEs: %s\n", kPoints, _num_pes(), worst[0] < 1e-9 ? "ok" : "WRONG");
  return worst[0] < 1e-9 ? 0 : 1;
}
