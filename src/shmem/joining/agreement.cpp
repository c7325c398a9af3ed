// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/joining/agreement.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>

#include <sched.h>

#include "base/foreign_fence.h"
#include "shmem/memory/node.h"

namespace ucxx::shmem {
namespace {

/// With a processor of its own a PE waits for a peer that runs; else the peer may need this one.
constexpr int kPollsAlone = 1000, kPollsInCrowd = 20;

/// Which ones this PE may use; with `oshrun --bind core` each has another one.
void tellProcessors() noexcept {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return;
  auto& words = node.common->processors;
  for (std::size_t processor = 0; processor < std::min<std::size_t>(words.size() * 64, CPU_SETSIZE);
       ++processor) {
    if (CPU_ISSET(processor, &set))
      words[processor / 64].fetch_or(std::uint64_t{1} << processor % 64);
  }
}

int processorsOfAll() noexcept {
  const auto& words = node.common->processors;
  return std::transform_reduce(words.begin(), words.end(), 0, std::plus<>(),
                               [](const auto& word) { return std::popcount(word.load()); });
}

}  // namespace

void tellOthers(const Settings& settings) noexcept {
  if (settings.is_debug) node.common->debug.store(1);
  if (!base::admitForeignFences()) node.common->must_fence.store(1);
  tellProcessors();
}

void learnFromOthers() noexcept {
  node.is_debug = node.common->debug.load() != 0;
  node.must_fence = node.common->must_fence.load() != 0;
  node.is_crowded = node.pes > processorsOfAll();
  node.polls = node.is_crowded ? kPollsInCrowd : kPollsAlone;
}

}  // namespace ucxx::shmem
