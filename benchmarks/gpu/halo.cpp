// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A halo exchange of four ranks, whose kernels make the partitions of their edges ready. The eight
// plans of a rank are started and awaited one by one in a stream, all at once in a stream, in a
// node of a graph behind the kernel, or in two nodes around it. Beside the same kernel, after which
// a thread synchronises with its stream and sends by tags.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "benches.h"
#include "comparison.h"
#include "gpu/step.h"
#include "halo_graphs.h"
#include "halo_plays.h"
#include "halo_rank.h"
#include "models.h"

namespace gpu::bench {
namespace {

constexpr std::size_t kRanks = 4;
constexpr std::chrono::seconds kLimit{50};
constexpr double kAtLeast = 1.2;

/// Four ranks that play on from one measurement to the next.
class Grid2x2 {
 public:
  explicit Grid2x2(const Crew& crew) {
    for (int number = 0; number < static_cast<int>(kRanks); ++number)
      ranks_.push_back(std::make_unique<Rank>(crew, number, wrong_));
  }
  const Rank& operator[](std::size_t number) const { return *ranks_.at(number); }
  /// Microseconds an iteration; `play(number, first, last)` is a rank's part.
  template <class Play>
  double play(Word iterations, const Play& play) {
    const Word first = last_ + 1, last = last_ + iterations;
    std::vector<std::function<void()>> bodies;
    for (std::size_t number = 0; number < kRanks; ++number)
      bodies.emplace_back([&play, number, first, last] { play(number, first, last); });
    const double time = together(bodies);
    last_ = last;
    return time / static_cast<double>(iterations);
  }
  void check(const std::string& name) const {
    wrong_.check(name);
    for (const auto& rank : ranks_)
      expect(name, rank->hasAll(last_), "an edge is not that of the last iteration");
  }

 private:
  const WrongWords wrong_;
  std::vector<std::unique_ptr<Rank>> ranks_;
  Word last_ = 0;
};

nlohmann::json modelled() {
  return foretold({{"ready", model::kHaloReady},
                   {"fewer_waits", model::kHaloFewerWaits},
                   {"start_all", model::kHaloStartAll},
                   {"start_all_beside", model::kHaloStartAll - model::kHaloBeside},
                   {"graph", model::kHaloGraph},
                   {"begun", model::kHaloBegun},
                   {"begun_beside", model::kHaloBegun - model::kHaloBeside},
                   {"begun_by_edges", model::kHaloBegun},
                   {"synchronous", model::kHaloSynchronous},
                   {"thread_of_ready", model::kHaloThread},
                   {"thread_of_start_all", model::kHaloStartAllThread},
                   {"thread_of_graph", model::kHaloGraphThread},
                   {"thread_of_begun", model::kHaloBegunThread}});
}

/// All ways, with what they need.
class Halo {
 public:
  Halo() {
    for (std::size_t number = 0; number < kRanks; ++number)
      plans_.push_back(std::make_unique<RankPlans>(by_plans_[number], 1));
  }
  void addTo(Comparison& ways) {
    addPosts(ways, "ready", Posts::OfEach);
    addPosts(ways, "fewer_waits", Posts::OfEachFewerWaits);
    addPosts(ways, "start_all", Posts::OfAll);
    addGraphs(ways, "graph", 2, Nodes::KernelFirst);
    addGraphs(ways, "begun", 3, Nodes::StartFirst);
    addGraphs(ways, "begun_by_edges", 4, Nodes::StartFirstByEdges);
    add(ways, "synchronous", by_tags_, [this](std::size_t number, Word first, Word last) {
      playSynchronously(by_tags_[number], first, last);
    });
  }
  void check(const std::string& name) const {
    by_plans_.check(name + " by plans");
    by_graphs_.check(name + " by graphs");
    by_tags_.check(name + " by tags");
  }
  /// Of the first rank.
  void addThreadsTo(nlohmann::json& row) const {
    for (const auto& [way, times] : times_) {
      row["thread_of_" + way] = spreadOf(times.front().calls());
      row["processor_of_" + way] = spreadOf(times.front().processor());
    }
  }

 private:
  template <class Play>
  static void add(Comparison& ways, const char* way, Grid2x2& grid, const Play& play) {
    const Word iterations = isQuick() ? 10 : 500;
    ways.add(way, [&grid, iterations, play] { return grid.play(iterations, play); });
  }
  void addPosts(Comparison& ways, const char* way, Posts posts) {
    auto& times = timesOf(way);
    add(ways, way, by_plans_, [this, posts, &times](std::size_t number, Word first, Word last) {
      playInStream(by_plans_[number], *plans_[number], first, last, posts, times[number]);
    });
  }
  void addGraphs(Comparison& ways, const char* way, unsigned number_of_way, Nodes nodes) {
    auto& graphs = graphs_[way];
    for (std::size_t number = 0; number < kRanks; ++number)
      graphs.push_back(std::make_unique<RankGraphs>(by_graphs_[number], number_of_way, nodes));
    auto& times = timesOf(way);
    add(ways, way, by_graphs_, [&graphs, &times](std::size_t number, Word first, Word last) {
      graphs[number]->play(first, last, times[number]);
    });
  }
  std::vector<ThreadTime>& timesOf(const char* way) {
    return times_.emplace(way, kRanks).first->second;
  }

  const Crew moved_{kRanks, ucxx::ProgressMode::Polling}, own_{kRanks, {}};
  Grid2x2 by_plans_{moved_}, by_graphs_{moved_}, by_tags_{own_};
  std::vector<std::unique_ptr<RankPlans>> plans_;
  std::map<std::string, std::vector<std::unique_ptr<RankGraphs>>> graphs_;
  std::map<std::string, std::vector<ThreadTime>> times_;
};

void tellHalo() {
  const std::string name = "halo of 64 KiB an edge";
  Halo halo;
  Comparison ways;
  halo.addTo(ways);
  ways.run(repetitions());
  halo.check(name);
  auto row = ways.spreads();
  for (const char* way : {"fewer_waits", "start_all", "graph", "begun", "begun_by_edges"})
    row[std::string(way) + "_times_as_fast_as_synchronous"] = ways.ratio("synchronous", way);
  row["times_as_fast_as_synchronous"] = ways.ratio("synchronous", "ready");
  row["at_least_times"] = kAtLeast;
  halo.addThreadsTo(row);
  row["model"] = modelled();
  fact(name, row, "us");
}

}  // namespace

void benchHalo() {
  warmUp();
  step("halo", tellHalo, kLimit);
}

}  // namespace gpu::bench
