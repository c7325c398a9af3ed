// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Conjugate gradients for the one-dimensional Poisson equation, scalar products by sum_to_all.
// build: oshc++ -std=c++11 -O2 cg.cpp -o cg
// run: oshrun -c 4 --host localhost ./cg 16
// prints: 64 unknowns: solved in at most 64 steps, ok
#include <cmath>
#include <cstdlib>
#include <iostream>

#include <shmem.h>

static const int kMost = 256;
static double local, global[2];
static double work[2][SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long sync[2][SHMEM_REDUCE_SYNC_SIZE];
static int turn = 0;

/// A vector in blocks, with room for the neighbours' values before and behind.
class Vector {
 public:
  explicit Vector(int n)
      : n_(n),
        data_(static_cast<double*>(shmem_calloc(static_cast<size_t>(n) + 2, sizeof(double)))) {}
  ~Vector() { shmem_free(data_); }
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;
  double& operator[](int i) { return data_[i + 1]; }
  double operator[](int i) const { return data_[i + 1]; }
  int size() const { return n_; }

  void exchange() {
    const int me = shmem_my_pe();
    shmem_barrier_all();
    if (me > 0) shmem_double_p(&data_[n_ + 1], data_[1], me - 1);
    if (me + 1 < shmem_n_pes()) shmem_double_p(&data_[0], data_[n_], me + 1);
    shmem_barrier_all();
  }

 private:
  int n_;
  double* data_;
};

/// The arrays of the reduction take turns, so that no barrier is needed between two.
static double dot(const Vector& a, const Vector& b) {
  local = 0;
  for (int i = 0; i < a.size(); ++i) local += a[i] * b[i];
  turn = 1 - turn;
  shmem_double_sum_to_all(&global[turn], &local, 1, 0, 0, shmem_n_pes(), work[turn], sync[turn]);
  return global[turn];
}

static void multiply(Vector& out, Vector& in) {
  in.exchange();
  for (int i = 0; i < in.size(); ++i) out[i] = 2 * in[i] - in[i - 1] - in[i + 1];
}

static int solve(Vector& x, const Vector& b) {
  Vector r(b.size()), p(b.size()), ap(b.size());
  for (int i = 0; i < b.size(); ++i) r[i] = p[i] = b[i];
  double rr = dot(r, r);
  int steps = 0;
  for (; rr > 1e-20 && steps < 1000; ++steps) {
    multiply(ap, p);
    const double alpha = rr / dot(p, ap);
    for (int i = 0; i < b.size(); ++i) x[i] += alpha * p[i], r[i] -= alpha * ap[i];
    const double old = rr;
    rr = dot(r, r);
    for (int i = 0; i < b.size(); ++i) p[i] = r[i] + rr / old * p[i];
  }
  return steps;
}

int main(int argc, char** argv) {
  shmem_init();
  const int n = argc > 1 ? std::atoi(argv[1]) : 8, all = n * shmem_n_pes();
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; ++i) sync[0][i] = sync[1][i] = SHMEM_SYNC_VALUE;
  if (n > kMost) shmem_global_exit(2);
  bool isRight = true;
  {
    Vector x(n), b(n);
    for (int i = 0; i < n; ++i) b[i] = 1;
    const int steps = solve(x, b);
    // The solution is a parabola.
    isRight = steps <= all;
    for (int i = 0; i < n; ++i) {
      const double k = shmem_my_pe() * n + i + 1;
      isRight = isRight && std::fabs(x[i] - k * (all + 1 - k) / 2) < 1e-6;
    }
    if (shmem_my_pe() == 0)
      std::cout << all << " unknowns: solved in at most " << all << " steps, "
                << (isRight ? "ok" : "WRONG") << std::endl;
  }
  shmem_finalize();
  return isRight ? 0 : 1;
}
