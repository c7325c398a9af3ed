// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What prepared.cpp measures, by MPI's persistent and partitioned communication: the same loop, the
// same processors. Prints lines of "WAY BYTES NANOSECONDS": half of a round trip, the typical one.

#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kMost = 1 << 20, kMostTimes = 20000, kPartitions = 16 };

static const int kSizes[] = {8, 64, 256, 1024, 4096, 16 << 10, 64 << 10, 1 << 20};

static int rank;
static char *source, *target;
static double times[kMostTimes];
static volatile uint64_t sum;

static void pinTo(int number) {
  cpu_set_t allowed, one;
  sched_getaffinity(0, sizeof allowed, &allowed);
  if (CPU_COUNT(&allowed) <= number) return;
  int cpu = 0;
  for (; !CPU_ISSET(cpu, &allowed) || number-- != 0; ++cpu) {
  }
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  sched_setaffinity(0, sizeof one, &one);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static int roundTripsOf(int size) { return size <= 4096 ? 20000 : size <= 64 << 10 ? 4000 : 400; }

static void read_all(int size) {
  uint64_t total = 0, word;
  for (int at = 0; at < size; at += sizeof word) {
    memcpy(&word, target + at, sizeof word);
    total += word;
  }
  sum += total;
}

static int byTime(const void* one, const void* other) {
  const double left = *(const double*)one, right = *(const double*)other;
  return left < right ? -1 : left > right;
}

// partitions: 0 of a persistent request.
static void send(MPI_Request* request, int partitions, int value, int size) {
  memset(source, value, size);
  MPI_Start(request);
  if (partitions != 0) MPI_Pready_range(0, partitions - 1, *request);
  MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void measure(const char* way, int size, int partitions) {
  MPI_Request out, in;
  const int other = 1 - rank;
  if (partitions == 0) {
    MPI_Send_init(source, size, MPI_BYTE, other, 1, MPI_COMM_WORLD, &out);
    MPI_Recv_init(target, size, MPI_BYTE, other, 1, MPI_COMM_WORLD, &in);
  } else {
    const int each = size / partitions;
    MPI_Psend_init(source, partitions, each, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &out);
    MPI_Precv_init(target, partitions, each, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &in);
  }
  const int count = roundTripsOf(size), all = count + count / 10;
  MPI_Start(&in);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < all; ++i) {
    const double begin = now();
    if (rank == 0) send(&out, partitions, i, size);
    MPI_Wait(&in, MPI_STATUS_IGNORE);
    read_all(size);
    if (i + 1 != all) MPI_Start(&in);
    if (rank == 1) send(&out, partitions, i, size);
    if (i >= count / 10) times[i - count / 10] = (now() - begin) / 2;
  }
  qsort(times, count, sizeof *times, byTime);
  if (rank == 0) printf("%s %d %.0f\n", way, size, times[count / 2]);
  MPI_Request_free(&out);
  MPI_Request_free(&in);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pinTo(rank);
  MPI_Alloc_mem(2 * kMost, MPI_INFO_NULL, &source);
  memset(source, 0, 2 * kMost);
  target = source + kMost;
  for (unsigned i = 0; i < sizeof kSizes / sizeof *kSizes; ++i) {
    measure("prepared", kSizes[i], 0);
    measure("partitioned", kSizes[i], 1);
    if (kSizes[i] >= 1024) measure("partitions", kSizes[i], kPartitions);
  }
  MPI_Free_mem(source);
  MPI_Finalize();
  return 0;
}
