// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A halo exchange: four ranks, as workers of this process, on a grid of 2 x 2 that is periodic,
// with 64 KiB an edge. In iteration k a kernel checks the edges that came in iteration k - 1 and
// fills those that go; each of its blocks makes its partition ready. Beside the same kernel, after
// which a thread synchronises with its stream and sends by tags.
//
// Edges are those of even iterations or of odd ones: so a rank may send while its neighbour still
// reads what it sent before.

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ucxx/cuda/stream.h>

#include "benches.h"
#include "comparison.h"
#include "edges.h"
#include "gpu/step.h"
#include "rig.h"

namespace gpu::bench {
namespace {

constexpr std::size_t kRanks = 4, kEdges = 4;  // left, right, up, down
constexpr std::size_t kEdgeWords = (64 << 10) / sizeof(Word);
constexpr unsigned kPartitions = 4, kThreads = 256;
constexpr std::chrono::seconds kLimit{40};
constexpr double kAtLeast = 1.2;

using Requests = std::vector<std::shared_ptr<ucxx::Request>>;

int neighbour(int rank, std::size_t edge) { return rank ^ (edge < 2 ? 1 : 2); }
/// Its side of an edge.
std::size_t opposite(std::size_t edge) { return edge ^ 1; }
ucxx::Tag tagOf(std::size_t parity, std::size_t edge) { return ucxx::Tag{1 + 2 * edge + parity}; }

/// Edges of one parity; those of a rank lie one after the other.
struct Edges {
  Word* in = pinnedWords(kEdges * kEdgeWords);
  Word* out = pinnedWords(kEdges * kEdgeWords);
};

class Rank {
 public:
  Rank(const Crew& crew, int number, const WrongWords& wrong)
      : crew_(crew), number_(number), wrong_(wrong.place()) {}

  void kernel(Word k, const BenchEdges& sends) const {
    const Edges& came = edges_[(k + 1) % 2];
    const Edges& go = edges_[k % 2];
    run("bench_halo", stream_, Grid{kEdges * kPartitions, kThreads}, came.in, k - 1, go.out, k,
        Word{kEdgeWords / kPartitions}, kPartitions, wrong_, sends);
  }
  void synchronize() const { must("cuStreamSynchronize", driver().synchronizeStream(stream_)); }
  /// Without streams: receives first, which are ready for whoever is faster.
  Requests receiveByTags(Word k) const {
    Requests requests;
    for (std::size_t edge = 0; edge < kEdges; ++edge)
      requests.push_back(endpoint(edge).tagRecv(in(k, edge), kEdgeWords * sizeof(Word),
                                                tagOf(k % 2, opposite(edge))));
    return requests;
  }
  void sendByTags(Word k, Requests requests) const {
    for (std::size_t edge = 0; edge < kEdges; ++edge)
      requests.push_back(
          endpoint(edge).tagSend(out(k, edge), kEdgeWords * sizeof(Word), tagOf(k % 2, edge)));
    for (const auto& request : requests) {
      for (; !request->isCompleted(); letOthersRun()) crew_.worker(number_)->progress();
      request->checkError();
    }
  }

  /// What came in iteration k is that of k; no stream and no transfer is under way.
  bool hasAll(Word k) const {
    const Word* const words = edges_[k % 2].in;
    return std::all_of(words, words + kEdges * kEdgeWords, [k](Word word) { return word == k; });
  }
  Word* in(Word k, std::size_t edge) const { return edges_[k % 2].in + edge * kEdgeWords; }
  Word* out(Word k, std::size_t edge) const { return edges_[k % 2].out + edge * kEdgeWords; }
  ucxx::Endpoint& endpoint(std::size_t edge) const {
    return *crew_.endpoint(number_, neighbour(number_, edge));
  }
  Stream stream() const { return stream_; }

 private:
  const Crew& crew_;
  const int number_;
  Word* const wrong_;
  const std::array<Edges, 2> edges_;
  const OwnStream stream_;
};

/// The prepared transfers of a rank.
class RankPlans {
 public:
  RankPlans(const Crew& crew, const Rank& rank) : crew_(crew), rank_(rank) {
    for (std::size_t parity = 0; parity < 2; ++parity) {
      for (std::size_t edge = 0; edge < kEdges; ++edge) {
        constexpr std::size_t kBytes = kEdgeWords * sizeof(Word);
        auto& send = parities_[parity].sends[edge];
        send = rank.endpoint(edge).prepareSend(rank.out(parity, edge), kBytes, tagOf(parity, edge),
                                               {.partitions = kPartitions});
        parities_[parity].receives[edge] = rank.endpoint(edge).prepareRecv(
            rank.in(parity, edge), kBytes, tagOf(parity, opposite(edge)),
            {.partitions = kPartitions});
        parities_[parity].handles.sends[edge] = send->deviceHandle();
      }
    }
  }
  ~RankPlans() {
    try {
      for (const Parity& parity : parities_) {
        for (const auto& send : parity.sends) crew_.finish(send->close());
        for (const auto& receive : parity.receives) crew_.finish(receive->close());
      }
    } catch (const std::exception& failure) {
      error("close of plans", failure.what());
    }
  }
  RankPlans(const RankPlans&) = delete;
  RankPlans& operator=(const RankPlans&) = delete;

  /// Iterations from `first` to `last`.
  void play(Word first, Word last) const {
    begin(first);
    for (Word k = first; k <= last; ++k) {
      const Parity& parity = parities_[k % 2];
      rank_.kernel(k, parity.handles);
      ucxx::cuda::StreamBatch batch(rank_.stream());
      for (const auto& receive : parity.receives) receive->waitOn(rank_.stream());
      if (k < last) begin(k + 1);
      batch.submit();
    }
    for (const auto& send : parities_[last % 2].sends) send->waitOn(rank_.stream());
    rank_.synchronize();
    for (const Parity& parity : parities_) {
      for (const auto& send : parity.sends) send->checkError();
      for (const auto& receive : parity.receives) receive->checkError();
    }
  }

 private:
  struct Parity {
    std::array<std::shared_ptr<ucxx::PreparedSend>, kEdges> sends;
    std::array<std::shared_ptr<ucxx::PreparedRecv>, kEdges> receives;
    BenchEdges handles;
  };
  /// What came two iterations ago was read by the kernel of the last one; what went then has to be
  /// gone before the next kernel fills its edges.
  void begin(Word k) const {
    const Parity& parity = parities_[k % 2];
    const Stream stream = rank_.stream();
    for (const auto& send : parity.sends)
      if (send->iterations() > 0) send->waitOn(stream);
    for (const auto& receive : parity.receives) receive->startOn(stream);
    for (const auto& send : parity.sends) send->startOn(stream);
  }

  const Crew& crew_;
  const Rank& rank_;
  std::array<Parity, 2> parities_;
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

void playSynchronously(const Rank& rank, Word first, Word last) {
  for (Word k = first; k <= last; ++k) {
    auto receives = rank.receiveByTags(k);
    rank.kernel(k, {});
    rank.synchronize();
    rank.sendByTags(k, std::move(receives));
  }
}

void tellHalo() {
  const std::string name = "halo of 64 KiB an edge";
  const Word iterations = isQuick() ? 10 : 500;
  const Crew moved(kRanks, ucxx::ProgressMode::Polling), own(kRanks, {});
  Grid2x2 by_plans(moved), by_tags(own);
  std::vector<std::unique_ptr<RankPlans>> plans;
  for (std::size_t number = 0; number < kRanks; ++number)
    plans.push_back(std::make_unique<RankPlans>(moved, by_plans[number]));
  Comparison ways;
  ways.add("ready", [&] {
    return by_plans.play(iterations, [&](std::size_t number, Word first, Word last) {
      plans[number]->play(first, last);
    });
  });
  ways.add("synchronous", [&] {
    return by_tags.play(iterations, [&](std::size_t number, Word first, Word last) {
      playSynchronously(by_tags[number], first, last);
    });
  });
  ways.run(repetitions());
  by_plans.check(name + " by plans");
  by_tags.check(name + " by tags");
  auto row = ways.spreads();
  row["times_as_fast_as_synchronous"] = ways.ratio("synchronous", "ready");
  row["at_least_times"] = kAtLeast;
  fact(name, row, "us");
}

}  // namespace

void benchHalo() {
  warmUp();
  step("halo", tellHalo, kLimit);
}

}  // namespace gpu::bench
