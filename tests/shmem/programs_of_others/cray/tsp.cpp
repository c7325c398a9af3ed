// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The shortest round tour by branch and bound: PEs draw first steps, and all know the best so far.
// build: oshc++ -std=c++11 -O2 tsp.cpp -o tsp
// run: oshrun -n 3 ./tsp 9
// prints: 9 towns: bounded and plain search agree, ok
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <numeric>
#include <vector>

#include <mpp/shmem.h>

static unsigned long nextTask = 0;
static int best = std::numeric_limits<int>::max();
static int improved = 0;
/// The length of the longest bound that was cut, in the precision of old accounts.
static long double longest = 0;

struct Map {
  explicit Map(int n) : towns(n), length(static_cast<std::size_t>(n * n)) {
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) {
        const int dx = a * 37 % 101 - b * 37 % 101, dy = a * 59 % 89 - b * 59 % 89;
        length[static_cast<std::size_t>(a * n + b)] =
            static_cast<int>(100 * std::sqrt(dx * dx + dy * dy));
      }
  }
  int between(int a, int b) const { return length[static_cast<std::size_t>(a * towns + b)]; }
  int towns;
  std::vector<int> length;
};

static void offer(int length) {
  int old = shmem_int_g(&best, 0);
  while (length < old) {
    const int seen = shmem_cswap(&best, old, length, 0);
    if (seen == old) {
      shmem_int_inc(&improved, 0);
      return;
    }
    old = seen;
  }
}

static void search(const Map& map, std::vector<int>& tour, unsigned visited, int length) {
  if (length >= shmem_int_g(&best, 0)) {
    longest = std::max<long double>(longest, length);
    return;
  }
  if (static_cast<int>(tour.size()) == map.towns)
    return offer(length + map.between(tour.back(), 0));
  for (int town = 1; town < map.towns; ++town) {
    if (visited >> town & 1) continue;
    const int more = map.between(tour.back(), town);
    tour.push_back(town);
    search(map, tour, visited | 1u << town, length + more);
    tour.pop_back();
  }
}

static int plain(const Map& map) {
  std::vector<int> order(static_cast<std::size_t>(map.towns - 1));
  std::iota(order.begin(), order.end(), 1);
  int shortest = std::numeric_limits<int>::max();
  do {
    int at = 0, length = 0;
    for (int town : order) length += map.between(at, town), at = town;
    shortest = std::min(shortest, length + map.between(at, 0));
  } while (std::next_permutation(order.begin(), order.end()));
  return shortest;
}

int main(int argc, char** argv) {
  start_pes(0);
  const int n = argc > 1 ? std::atoi(argv[1]) : 6, me = _my_pe();
  const Map map(n);
  shmem_barrier_all();
  for (;;) {
    const unsigned long task = shmem_finc(&nextTask, 0);
    if (task >= static_cast<unsigned long>(n - 1)) break;
    const int town = static_cast<int>(task) + 1;
    std::vector<int> tour = {0, town};
    search(map, tour, 1u | 1u << town, map.between(0, town));
  }
  shmem_barrier_all();
  const long double mine = longest;
  const long double old = shmem_swap(&longest, mine + 0.5L, me);
  bool isRight = old == mine && shmem_longdouble_fetch(&longest, me) == mine + 0.5L &&
                 shmem_int_g(&improved, 0) > 0;
  if (me == 0) {
    isRight = isRight && plain(map) == best;
    std::cout << n << " towns: bounded and plain search " << (isRight ? "agree, ok" : "DIFFER")
              << std::endl;
  }
  shmem_barrier_all();
  return isRight ? 0 : 1;
}
