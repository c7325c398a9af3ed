// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// C++: breadth-first search of a distributed graph; compare-and-swap marks who is found first.
#include <cstddef>
#include <cstdio>
#include <vector>

#include <shmem.h>

namespace {

constexpr int kNodesEach = 300, kNeighbours = 4;

int* distance = nullptr;  // -1: not found yet
int* frontier = nullptr;  // nodes of this PE that were found in this round
int frontier_size = 0;
int all_sizes = 0;

int count() { return shmem_n_pes() * kNodesEach; }

int neighbour(int node, int i) {
  const unsigned mixed =
      static_cast<unsigned>(node) * 2654435761U + static_cast<unsigned>(i) * 40503U;
  return i == 0 ? (node + 1) % count()
                : static_cast<int>((mixed >> 7) % static_cast<unsigned>(count()));
}

void find(int node, int steps) {
  const int pe = node / kNodesEach, index = node % kNodesEach;
  if (shmem_atomic_compare_swap(&distance[index], -1, steps, pe) != -1) return;
  const int place = shmem_atomic_fetch_inc(&frontier_size, pe);
  shmem_p(&frontier[place], node, pe);
}

void search() {
  for (int steps = 1;; ++steps) {
    const std::vector<int> now(frontier, frontier + frontier_size);
    shmem_barrier_all();
    frontier_size = 0;
    shmem_barrier_all();
    for (const int node : now) {
      for (int i = 0; i < kNeighbours; ++i) find(neighbour(node, i), steps);
    }
    shmem_barrier_all();
    if (shmem_sum_reduce(SHMEM_TEAM_WORLD, &all_sizes, &frontier_size, 1) != 0)
      shmem_global_exit(2);
    if (all_sizes == 0) return;
  }
}

std::vector<int> serial() {
  std::vector<int> distances(static_cast<std::size_t>(count()), -1), queue{0};
  distances[0] = 0;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    for (int i = 0; i < kNeighbours; ++i) {
      const auto next = static_cast<std::size_t>(neighbour(queue[at], i));
      if (distances[next] != -1) continue;
      distances[next] = distances[static_cast<std::size_t>(queue[at])] + 1;
      queue.push_back(static_cast<int>(next));
    }
  }
  return distances;
}

}  // namespace

int main() {
  shmem_init();
  distance = static_cast<int*>(shmem_malloc(kNodesEach * sizeof(int)));
  frontier = static_cast<int*>(shmem_malloc(kNodesEach * sizeof(int)));
  for (int i = 0; i < kNodesEach; ++i) distance[i] = -1;
  shmem_barrier_all();
  if (shmem_my_pe() == 0) find(0, 0);
  shmem_barrier_all();
  search();
  const std::vector<int> expected = serial();
  for (int i = 0; i < kNodesEach; ++i) {
    if (distance[i] == expected[static_cast<std::size_t>(shmem_my_pe() * kNodesEach + i)]) continue;
    std::fprintf(stderr, "PE %d: node %d is %d steps away\n", shmem_my_pe(), i, distance[i]);
    shmem_global_exit(1);
  }
  shmem_finalize();
}
