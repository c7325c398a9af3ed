// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A halo exchange of four ranks, whose kernels make the partitions of their edges ready: started
// and awaited one by one in streams, or by one node of a graph a rank and iteration. Beside the
// same kernel, after which a thread synchronises with its stream and sends by tags.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ucxx/cuda/stream.h>

#include "benches.h"
#include "comparison.h"
#include "gpu/step.h"
#include "halo_rank.h"
#include "launchable.h"
#include "models.h"

namespace gpu::bench {
namespace {

constexpr std::size_t kRanks = 4;
constexpr std::chrono::seconds kLimit{50};
constexpr double kAtLeast = 1.2;

/// Microseconds of its thread, for all plays.
struct ThreadTime {
  double processor = 0, calls = 0;
  Word iterations = 0;
};

/// For receives alone: a neighbour has sent in iteration k after it had received in k - 1, so what
/// has come of all neighbours in iteration k proves that they have what was sent in k - 1.
enum class Waits { ForAll, ForReceives };

/// What came two iterations ago was read by the kernel of the last one; what went then has to be
/// gone before the next kernel fills its edges.
void beginInStream(const Rank& rank, const RankPlans& plans, Word k, Waits waits) {
  if (waits == Waits::ForAll && plans.hasBegun(k % 2)) plans.awaitSends(k % 2);
  plans.start(k % 2, ucxx::Condition::stream(rank.stream()));
}

void playInStream(const Rank& rank, const RankPlans& plans, Word first, Word last, Waits waits) {
  beginInStream(rank, plans, first, Waits::ForAll);
  for (Word k = first; k <= last; ++k) {
    rank.kernel(k, plans.handles(k % 2));
    ucxx::cuda::StreamBatch batch(rank.stream());
    plans.awaitReceives(k % 2);
    if (k < last) beginInStream(rank, plans, k + 1, waits);
    batch.submit();
  }
  plans.awaitSends(last % 2);
}

void playReady(const Rank& rank, const RankPlans& plans, Word first, Word last, Waits waits,
               ThreadTime& time) {
  const double processor = secondsOf(CLOCK_THREAD_CPUTIME_ID);
  time.calls += timed([&] { playInStream(rank, plans, first, last, waits); });
  time.processor += (secondsOf(CLOCK_THREAD_CPUTIME_ID) - processor) * 1e6;
  time.iterations += last - first + 1;
  rank.synchronize();
  plans.checkErrors();
}

void playSynchronously(const Rank& rank, Word first, Word last) {
  for (Word k = first; k <= last; ++k) {
    auto receives = rank.receiveByTags(k);
    rank.kernel(k, {});
    rank.synchronize();
    rank.sendByTags(k, std::move(receives));
  }
}

/// A rank's iterations of either parity, each a kernel and one node.
class RankGraphs {
 public:
  explicit RankGraphs(const Rank& rank)
      : rank_(rank), plans_(rank, 2), even_(graphOf(0)), odd_(graphOf(1)) {}
  void play(Word first, Word last) const {
    for (Word k = first; k <= last; ++k) (k % 2 == 0 ? even_ : odd_).launch(rank_.stream());
    rank_.synchronize();
    plans_.checkErrors();
  }

 private:
  Graph graphOf(std::size_t parity) const {
    return captured(rank_.stream(), [&](const ucxx::Condition& here) {
      rank_.kernelInTurn(parity, plans_.handles(parity));
      plans_.start(parity, here);
    });
  }
  const Rank& rank_;
  const RankPlans plans_;
  const Launchable even_, odd_;
};

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

/// Of the first rank's thread, an iteration.
nlohmann::json told(const ThreadTime& time) {
  const auto count = static_cast<double>(time.iterations);
  return {{"processor", time.processor / count}, {"calls", time.calls / count}};
}

nlohmann::json modelled() {
  return foretold({{"ready", model::kHaloReady},
                   {"fewer_waits", model::kHaloFewerWaits},
                   {"synchronous", model::kHaloSynchronous},
                   {"graph", model::kHaloGraph},
                   {"thread", model::kHaloThread},
                   {"start_all", model::kHaloStartAll},
                   {"start_all_thread", model::kHaloStartAllThread}});
}

/// All ways, with what they need.
class Halo {
 public:
  Halo() {
    for (std::size_t number = 0; number < kRanks; ++number) {
      plans_.push_back(std::make_unique<RankPlans>(by_plans_[number], 1));
      graphs_.push_back(std::make_unique<RankGraphs>(by_graphs_[number]));
    }
  }
  void addTo(Comparison& ways) {
    addReady(ways, "ready", Waits::ForAll, times_);
    addReady(ways, "fewer_waits", Waits::ForReceives, times_of_fewer_);
    add(ways, "graph", by_graphs_,
        [this](std::size_t number, Word first, Word last) { graphs_[number]->play(first, last); });
    add(ways, "synchronous", by_tags_, [this](std::size_t number, Word first, Word last) {
      playSynchronously(by_tags_[number], first, last);
    });
  }
  void check(const std::string& name) const {
    by_plans_.check(name + " by plans");
    by_graphs_.check(name + " by graphs");
    by_tags_.check(name + " by tags");
  }
  void addThreadsTo(nlohmann::json& row) const {
    row["thread"] = told(times_.front());
    row["thread_of_fewer_waits"] = told(times_of_fewer_.front());
  }

 private:
  using Times = std::vector<ThreadTime>;

  template <class Play>
  static void add(Comparison& ways, const char* way, Grid2x2& grid, const Play& play) {
    const Word iterations = isQuick() ? 10 : 500;
    ways.add(way, [&grid, iterations, play] { return grid.play(iterations, play); });
  }
  void addReady(Comparison& ways, const char* way, Waits waits, Times& times) {
    add(ways, way, by_plans_, [this, waits, &times](std::size_t number, Word first, Word last) {
      playReady(by_plans_[number], *plans_[number], first, last, waits, times[number]);
    });
  }

  const Crew moved_{kRanks, ucxx::ProgressMode::Polling}, own_{kRanks, {}};
  Grid2x2 by_plans_{moved_}, by_graphs_{moved_}, by_tags_{own_};
  std::vector<std::unique_ptr<RankPlans>> plans_;
  std::vector<std::unique_ptr<RankGraphs>> graphs_;
  Times times_ = Times(kRanks), times_of_fewer_ = Times(kRanks);
};

void tellHalo() {
  const std::string name = "halo of 64 KiB an edge";
  Halo halo;
  Comparison ways;
  halo.addTo(ways);
  ways.run(repetitions());
  halo.check(name);
  auto row = ways.spreads();
  for (const char* way : {"fewer_waits", "graph"})
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
