// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// How busy the thread is that enqueues the ping-pong of one side. All is percent of the time that
// the iterations take. What is inside the library is also the time that a post is held up, during
// which the processor is another thread's.

#include <array>
#include <string>
#include <vector>

#include "benches.h"
#include "comparison.h"
#include "gpu/step.h"
#include "table.h"

namespace gpu::bench {
namespace {

constexpr std::size_t kSizes[] = {8, 4096};
constexpr std::chrono::seconds kLimit{30};

struct Shares {
  std::vector<double> processor, calls, launching, posting, iteration_us;
};

void addShares(Shares& shares, const Busy& busy, double iteration_us, Word iterations) {
  const double percent = 100 / (iteration_us * static_cast<double>(iterations));
  shares.processor.push_back(busy.processor * percent);
  shares.calls.push_back(busy.whole() * percent);
  shares.launching.push_back(busy.launching * percent);
  shares.posting.push_back(busy.posting * percent);
  shares.iteration_us.push_back(iteration_us);
}

nlohmann::json told(const Shares& shares) {
  return {{"processor", spreadOf(shares.processor)},
          {"calls", spreadOf(shares.calls)},
          {"calls_of_kernels", spreadOf(shares.launching)},
          {"calls_of_posts", spreadOf(shares.posting)},
          {"iteration_us", spreadOf(shares.iteration_us)}};
}

void tellSize(const Crew& crew, std::size_t bytes) {
  const std::string name = "enqueue of " + std::to_string(bytes) + " B";
  const Word iterations = isQuick() ? 20 : 1000;
  const Table table(crew, bytes);
  std::array<Shares, 2> shares;  // one by one, in batches
  for (int round = 0; round <= repetitions(); ++round) {
    for (const bool batches : {false, true}) {
      std::array<Busy, 2> busy;
      const double time = table.play(name, iterations, [&](const Side& side, Word n) {
        playInStream(side, n, batches, &busy[side.is_first ? 0 : 1]);
      });
      if (round > 0) addShares(shares[batches ? 1 : 0], busy[0], time, iterations);
    }
  }
  fact(name, {{"stream", told(shares[0])}, {"batch", told(shares[1])}}, "percent");
}

}  // namespace

void benchEnqueue() {
  warmUp();
  const Crew crew(2, ucxx::ProgressMode::Polling);
  for (const std::size_t bytes : kSizes)
    step(
        "enqueue of " + std::to_string(bytes) + " B", [&] { tellSize(crew, bytes); }, kLimit);
}

}  // namespace gpu::bench
