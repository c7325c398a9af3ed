// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// How busy the thread is that enqueues the ping-pong of one side. All is percent of the time that
// the iterations take. What is inside the library is also the time that a post is held up, during
// which the processor is another thread's: so once more with fewer iterations than the posts that
// may be on their way, none of which is held up.

#include <string>
#include <utility>
#include <vector>

#include "benches.h"
#include "comparison.h"
#include "gpu/step.h"
#include "models.h"
#include "table_graphs.h"

namespace gpu::bench {
namespace {

constexpr std::size_t kSizes[] = {8, 4096};
constexpr Word kMany = 1000, kFew = 200;  // kFew: less than the 256 posts of a stream
constexpr std::chrono::seconds kLimit{30};

struct Shares {
  std::vector<double> processor, calls, launching, sending, receiving, awaiting, submitting,
      posting, iteration_us;
};

void addShares(Shares& shares, const Busy& busy, double iteration_us, Word iterations) {
  const double percent = 100 / (iteration_us * static_cast<double>(iterations));
  shares.processor.push_back(busy.processor * percent);
  shares.calls.push_back(busy.whole() * percent);
  shares.launching.push_back(busy.launching * percent);
  shares.sending.push_back(busy.sending * percent);
  shares.receiving.push_back(busy.receiving * percent);
  shares.awaiting.push_back(busy.awaiting * percent);
  shares.submitting.push_back(busy.submitting * percent);
  shares.posting.push_back(busy.posting() * percent);
  shares.iteration_us.push_back(iteration_us);
}

nlohmann::json told(const Shares& shares) {
  return {{"processor", spreadOf(shares.processor)},
          {"calls", spreadOf(shares.calls)},
          {"calls_of_kernels", spreadOf(shares.launching)},
          {"calls_of_posts", spreadOf(shares.posting)},
          {"of_sends", spreadOf(shares.sending)},
          {"of_receives", spreadOf(shares.receiving)},
          {"of_waits", spreadOf(shares.awaiting)},
          {"of_batches", spreadOf(shares.submitting)},
          {"iteration_us", spreadOf(shares.iteration_us)}};
}

/// Percent of its iterations; the graph's are so much longer.
nlohmann::json modelled(double stream_us) {
  const double graph_us = stream_us + model::kGraphIterationMore;
  return foretold({{"stream", 100 * model::kIterationThread / stream_us},
                   {"graph", 100 * model::kReplayThread / graph_us},
                   {"graph_iteration_us", graph_us},
                   {"batch_iteration_us", stream_us + model::kBatchMore}});
}

/// The three ways, of one table each for streams and for graphs.
class Ways {
 public:
  Ways(const Crew& crew, std::size_t bytes, std::string name, Word iterations)
      : name_(std::move(name)),
        iterations_(iterations),
        table_(crew, bytes),
        table_of_graphs_(crew, bytes) {}
  /// The first one warms up, and does not count.
  void round(bool counts) {
    playInStreams(counts ? &stream_ : nullptr, false);
    playInStreams(counts ? &batch_ : nullptr, true);
    Busy busy;
    const double time = graphs_.play(name_, iterations_, &busy);
    if (counts) addShares(graph_, busy, time, iterations_);
  }
  nlohmann::json row() const {
    const nlohmann::json stream = told(stream_);
    return {{"stream", stream},
            {"batch", told(batch_)},
            {"graph", told(graph_)},
            {"model", modelled(stream["iteration_us"]["median"])}};
  }

 private:
  void playInStreams(Shares* shares, bool batches) const {
    Busy first, other;
    const double time = table_.play(name_, iterations_, [&](const Side& side, Word n) {
      playInStream(side, n, batches, side.is_first ? &first : &other);
    });
    if (shares != nullptr) addShares(*shares, first, time, iterations_);
  }

  const std::string name_;
  const Word iterations_;
  const Table table_, table_of_graphs_;
  const TableGraphs graphs_{table_of_graphs_};
  Shares stream_, batch_, graph_;
};

void tell(const Crew& crew, std::size_t bytes, const std::string& name, Word most) {
  Ways ways(crew, bytes, name, isQuick() ? 20 : most);
  for (int round = 0; round <= repetitions(); ++round) ways.round(round > 0);
  fact(name, ways.row(), "percent");
}

}  // namespace

void benchEnqueue() {
  warmUp();
  const Crew crew(2, ucxx::ProgressMode::Polling);
  for (const std::size_t bytes : kSizes) {
    const std::string name = "enqueue of " + std::to_string(bytes) + " B";
    step(
        name, [&] { tell(crew, bytes, name, kMany); }, kLimit);
    const std::string few = name + ", " + std::to_string(kFew) + " ahead";
    step(
        few, [&] { tell(crew, bytes, few, kFew); }, kLimit);
  }
  step("questions", tellQuestions);
}

}  // namespace gpu::bench
