// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A stack of nodes of PE 0 without a lock: the head has a number that changes with each change.
// build: oshc++ -Wall stack.cpp -o stack
// run: oshrun -np 4 --oversubscribe --bind-to core -x ROUNDS=300 ./stack
// prints: 32 nodes are there, each once: ok
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <set>

#include <shmem.h>

static const int kNodes = 32;
/// Node i is followed by node next[i] - 1; 0: the end.
static long next[kNodes];
/// The number of changes in the upper half, the first node + 1 in the lower one.
static long head = 0;
static long finished = 0;

static long with(long node, long old) {
  return static_cast<long>(((static_cast<std::uint64_t>(old) >> 32) + 1) << 32) | node;
}

static void push(long node) {
  long old = shmem_long_g(&head, 0);
  for (;;) {
    shmem_long_p(&next[node - 1], old & 0xffffffff, 0);
    shmem_fence();
    const long seen = shmem_long_cswap(&head, old, with(node, old), 0);
    if (seen == old) return;
    old = seen;
  }
}

/// 0: the stack is empty.
static long pop() {
  long old = shmem_long_fadd(&head, 0, 0);
  for (;;) {
    const long node = old & 0xffffffff;
    if (node == 0) return 0;
    const long behind = shmem_long_g(&next[node - 1], 0);
    const long seen = shmem_cswap(&head, old, with(behind, old), 0);
    if (seen == old) return node;
    old = seen;
  }
}

static bool allAreThere() {
  std::set<long> nodes;
  int count = 0;
  while (const long node = pop()) {
    nodes.insert(node);
    ++count;
  }
  std::cout << count << " nodes are there, each once: " << (nodes.size() == kNodes ? "ok" : "NO")
            << "\n";
  return count == kNodes && nodes.size() == kNodes;
}

int main() {
  const char* text = std::getenv("ROUNDS");
  const int rounds = text ? std::atoi(text) : 10;
  shmem_init();
  if (shmem_my_pe() == 0)
    for (long node = 1; node <= kNodes; ++node) push(node);
  shmem_barrier_all();
  for (int i = 0; i < rounds; ++i) {
    const long first = pop(), second = pop();
    if (second) push(second);
    if (first) push(first);
  }
  shmem_long_inc(&finished, 0);
  bool isRight = true;
  if (shmem_my_pe() == 0) {
    shmem_long_wait_until(&finished, SHMEM_CMP_EQ, shmem_n_pes());
    isRight = allAreThere();
  }
  shmem_finalize();
  return isRight ? 0 : 1;
}
