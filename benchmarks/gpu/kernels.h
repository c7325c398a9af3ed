// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The kernels of gpu_bench: for a device, and for the stand-in of tests/cuda, which runs their
// threads one after the other.

#pragma once

#include <ucxx/cuda/device.h>

#include "edges.h"

using BenchWord = unsigned long long;

#if defined(__CUDACC__)
#define UCXX_BENCH_KERNEL extern "C" __global__
#define UCXX_BENCH_DEVICE __device__ inline
#define UCXX_BENCH_THREAD threadIdx.x
#define UCXX_BENCH_THREADS blockDim.x
#define UCXX_BENCH_BLOCK blockIdx.x
#define UCXX_BENCH_BLOCKS gridDim.x
#define UCXX_BENCH_BARRIER() __syncthreads()
#define UCXX_BENCH_ADD(sum, value) atomicAdd(sum, value)
#else
#include "cuda/driver/stand_in.h"
#define UCXX_BENCH_KERNEL inline
#define UCXX_BENCH_DEVICE inline
#define UCXX_BENCH_THREAD stand_in::place().thread
#define UCXX_BENCH_THREADS stand_in::place().threads
#define UCXX_BENCH_BLOCK stand_in::place().block
#define UCXX_BENCH_BLOCKS stand_in::place().blocks
#define UCXX_BENCH_BARRIER() stand_in::syncThreads()
#define UCXX_BENCH_ADD(sum, value) __atomic_fetch_add(sum, value, __ATOMIC_RELAXED)
#endif

/// Adds to *wrong how many of the words that have come are not `expected`, and fills those that go
/// with `value`. Any number of threads.
UCXX_BENCH_KERNEL void bench_step(const BenchWord* in, BenchWord expected, BenchWord* out,
                                  BenchWord value, BenchWord count, BenchWord* wrong) {
  const BenchWord step = BenchWord{UCXX_BENCH_THREADS} * UCXX_BENCH_BLOCKS;
  BenchWord others = 0;
  for (BenchWord word = BenchWord{UCXX_BENCH_BLOCK} * UCXX_BENCH_THREADS + UCXX_BENCH_THREAD;
       word < count; word += step) {
    others += in[word] != expected ? 1 : 0;
    out[word] = value;
  }
  if (others != 0) UCXX_BENCH_ADD(wrong, others);
}

/// What a graph can do in each launch with the same parameters: the step of launch n, which is one
/// more than *number; what has come is that of launch n - behind. One block.
UCXX_BENCH_KERNEL void bench_replay(const BenchWord* in, BenchWord behind, BenchWord* out,
                                    BenchWord count, BenchWord* number, BenchWord* wrong) {
  const BenchWord launch = *number + 1;
  BenchWord others = 0;
  for (BenchWord word = UCXX_BENCH_THREAD; word < count; word += UCXX_BENCH_THREADS) {
    others += in[word] != launch - behind ? 1 : 0;
    out[word] = launch;
  }
  if (others != 0) UCXX_BENCH_ADD(wrong, others);
  UCXX_BENCH_BARRIER();
  if (UCXX_BENCH_THREAD == UCXX_BENCH_THREADS - 1) *number = launch;
}

/// As `bench_step`, of a partition; the partitions of all edges lie one after the other. The block
/// makes it ready.
UCXX_BENCH_DEVICE void haloOf(unsigned part, const BenchWord* in, BenchWord expected,
                              BenchWord* out, BenchWord value, BenchWord count, unsigned partitions,
                              BenchWord* wrong, const BenchEdges& edges) {
  const BenchWord first = BenchWord{part} * count;
  BenchWord others = 0;
  for (BenchWord word = first + UCXX_BENCH_THREAD; word < first + count;
       word += UCXX_BENCH_THREADS) {
    others += in[word] != expected ? 1 : 0;
    out[word] = value;
  }
  if (others != 0) UCXX_BENCH_ADD(wrong, others);
  ucxx::device::Prepared* const send = edges.sends[part / partitions];
  if (send == nullptr) return;
  UCXX_BENCH_BARRIER();
  // The last thread: where they run one after the other, the others have filled theirs.
  if (UCXX_BENCH_THREAD == UCXX_BENCH_THREADS - 1) ucxx::device::ready(send, part % partitions);
}

/// Each partition is that of a block.
UCXX_BENCH_KERNEL void bench_halo(const BenchWord* in, BenchWord expected, BenchWord* out,
                                  BenchWord value, BenchWord count, unsigned partitions,
                                  BenchWord* wrong, BenchEdges edges) {
  haloOf(UCXX_BENCH_BLOCK, in, expected, out, value, count, partitions, wrong, edges);
}

/// What a graph can do in each launch: `bench_halo` of launch n, which is one more than
/// numbers[partition]; graphs of either parity come in turn. Fewer blocks than partitions take them
/// in turn.
UCXX_BENCH_KERNEL void bench_halo_in_turn(const BenchWord* in, BenchWord* out, BenchWord count,
                                          unsigned partitions, BenchWord* numbers, BenchWord* wrong,
                                          BenchEdges edges) {
  const unsigned all = partitions * (sizeof edges.sends / sizeof edges.sends[0]);
  for (unsigned part = UCXX_BENCH_BLOCK; part < all; part += UCXX_BENCH_BLOCKS) {
    const BenchWord launch = numbers[part] + 1;
    haloOf(part, in, launch - 1, out, launch, count, partitions, wrong, edges);
    UCXX_BENCH_BARRIER();
    if (UCXX_BENCH_THREAD == UCXX_BENCH_THREADS - 1) numbers[part] = launch;
  }
}
