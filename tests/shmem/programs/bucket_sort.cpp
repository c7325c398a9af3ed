// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// C++: keys go to the PE of their range, into a bucket where an atomic counter gives each a place.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include <shmem.h>

namespace {

constexpr std::size_t kKeysEach = 4000, kBatch = 64;
constexpr std::uint32_t kEnd = 1U << 20;

std::size_t used = 0;  // of this PE's bucket
std::uint32_t* bucket = nullptr;

std::size_t pes() { return static_cast<std::size_t>(shmem_n_pes()); }
int ownerOf(std::uint32_t key) { return static_cast<int>(std::uint64_t{key} * pes() / kEnd); }

void send(std::vector<std::uint32_t>& batch, int to) {
  const std::size_t place = shmem_atomic_fetch_add(&used, batch.size(), to);
  shmem_put(bucket + place, batch.data(), batch.size(), to);
  batch.clear();
}

void distribute(const std::vector<std::uint32_t>& keys) {
  std::vector<std::vector<std::uint32_t>> batches(pes());
  for (const std::uint32_t key : keys) {
    auto& batch = batches[static_cast<std::size_t>(ownerOf(key))];
    batch.push_back(key);
    if (batch.size() == kBatch) send(batch, ownerOf(key));
  }
  for (int pe = 0; pe < shmem_n_pes(); ++pe) send(batches[static_cast<std::size_t>(pe)], pe);
}

std::vector<std::uint32_t> keysOf(int pe) {
  std::mt19937 numbers(static_cast<unsigned>(pe) + 99);
  std::vector<std::uint32_t> keys(kKeysEach);
  for (auto& key : keys) key = static_cast<std::uint32_t>(numbers() % kEnd);
  return keys;
}

/// What the bucket of this PE has to be.
std::vector<std::uint32_t> expected() {
  std::vector<std::uint32_t> result;
  for (int pe = 0; pe < shmem_n_pes(); ++pe) {
    for (const std::uint32_t key : keysOf(pe)) {
      if (ownerOf(key) == shmem_my_pe()) result.push_back(key);
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

int main() {
  shmem_init();
  bucket = static_cast<std::uint32_t*>(shmem_malloc(pes() * kKeysEach * sizeof(std::uint32_t)));
  distribute(keysOf(shmem_my_pe()));
  shmem_barrier_all();
  std::sort(bucket, bucket + used);
  const auto right = expected();
  if (!std::equal(right.begin(), right.end(), bucket, bucket + used)) {
    std::fprintf(stderr, "PE %d: %zu keys, %zu expected\n", shmem_my_pe(), used, right.size());
    shmem_global_exit(1);
  }
  shmem_free(bucket);
  shmem_finalize();
}
