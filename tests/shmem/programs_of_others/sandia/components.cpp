// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Connected components of a random graph: labels sink to the smallest by compare-and-swap.
// build: oshc++ -std=c++17 -O1 components.cpp -o components
// run: oshrun -np 4 -ppn 4 --bind-to none ./components 150 110
// prints: 600 vertices, 440 edges: labels and a union-find agree: ok
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <shmem.h>

namespace {

using Edge = std::pair<int, int>;

std::vector<Edge> edgesOf(int pe, int count, int vertices) {
  std::mt19937 random(static_cast<unsigned>(pe));
  std::vector<Edge> edges;
  for (int i = 0; i < count; ++i) {
    const int from = static_cast<int>(random() % static_cast<unsigned>(vertices));
    edges.emplace_back(from, static_cast<int>(random() % static_cast<unsigned>(vertices)));
  }
  return edges;
}

/// An array whose elements are dealt to the PEs in blocks.
class Labels {
 public:
  explicit Labels(int perPe)
      : perPe_(perPe),
        labels_(static_cast<int*>(shmem_malloc(static_cast<std::size_t>(perPe) * sizeof(int)))) {
    std::iota(labels_, labels_ + perPe, shmem_my_pe() * perPe);
    shmem_barrier_all();
  }
  ~Labels() { shmem_free(labels_); }
  Labels(const Labels&) = delete;
  Labels& operator=(const Labels&) = delete;

  int get(int vertex) const { return shmem_atomic_fetch(at(vertex), vertex / perPe_); }
  /// True if the label was larger.
  bool lower(int vertex, int label) {
    int old = get(vertex);
    while (label < old) {
      const int seen = shmem_atomic_compare_swap(at(vertex), old, label, vertex / perPe_);
      if (seen == old) return true;
      old = seen;
    }
    return false;
  }

 private:
  int* at(int vertex) const { return labels_ + vertex % perPe_; }
  int perPe_;
  int* labels_;
};

int changed = 0, anyChanged = 0, wrong = 0, anyWrong = 0;

bool relax(Labels& labels, const std::vector<Edge>& edges) {
  changed = 0;
  for (const auto& [from, to] : edges) {
    const int label = std::min(labels.get(from), labels.get(to));
    changed |= static_cast<int>(labels.lower(from, label));
    changed |= static_cast<int>(labels.lower(to, label));
  }
  shmem_max_reduce(SHMEM_TEAM_WORLD, &anyChanged, &changed, 1);
  return anyChanged != 0;
}

std::vector<int> unionFind(int perPe, int count) {
  std::vector<int> parent(static_cast<std::size_t>(perPe * shmem_n_pes()));
  std::iota(parent.begin(), parent.end(), 0);
  auto root = [&](int v) {
    while (parent[static_cast<std::size_t>(v)] != v) v = parent[static_cast<std::size_t>(v)];
    return v;
  };
  for (int pe = 0; pe < shmem_n_pes(); ++pe)
    for (const auto& [from, to] : edgesOf(pe, count, perPe * shmem_n_pes())) {
      const auto [low, high] = std::minmax({root(from), root(to)});
      parent[static_cast<std::size_t>(high)] = low;
    }
  for (std::size_t v = 0; v < parent.size(); ++v) parent[v] = root(static_cast<int>(v));
  return parent;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::cerr << "usage: components VERTICES EDGES (of each PE)\n", 2;
  const int perPe = std::atoi(argv[1]), count = std::atoi(argv[2]);
  shmem_init();
  {
    Labels labels(perPe);
    const int vertices = perPe * shmem_n_pes();
    const auto edges = edgesOf(shmem_my_pe(), count, vertices);
    while (relax(labels, edges)) {
    }
    const auto expected = unionFind(perPe, count);
    for (int v = 0; v < vertices; ++v)
      wrong += labels.get(v) != expected[static_cast<std::size_t>(v)];
    shmem_sum_reduce(SHMEM_TEAM_WORLD, &anyWrong, &wrong, 1);
    if (shmem_my_pe() == 0)
      std::cout << vertices << " vertices, " << count * shmem_n_pes()
                << " edges: labels and a union-find agree: " << (anyWrong ? "NO" : "ok")
                << std::endl;
  }
  shmem_finalize();
  return anyWrong != 0;
}
