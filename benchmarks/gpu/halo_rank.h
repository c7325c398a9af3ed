// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A rank of the halo exchange, which is a worker on a grid of 2 x 2 that is periodic, with 64 KiB
// an edge. Edges are those of even iterations or of odd ones: so a rank may send while its
// neighbour still reads what it sent before.

#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "edges.h"
#include "rig.h"

namespace gpu::bench {

using Requests = std::vector<std::shared_ptr<ucxx::Request>>;

/// Of a kernel that fills edges.
enum class Blocks {
  OneAPartition,  // of all edges at once
  OfAnEdge,       // as many as an edge has partitions: one edge after the other
};

class Rank {
 public:
  static constexpr std::size_t kEdges = 4;  // left, right, up, down
  static constexpr std::size_t kEdgeWords = (64 << 10) / sizeof(Word);
  static constexpr std::size_t kEdgeBytes = kEdgeWords * sizeof(Word);
  static constexpr unsigned kPartitions = 4;

  Rank(const Crew& crew, int number, const WrongWords& wrong);

  /// Checks the edges that came in iteration k - 1 and fills those that go; each of its blocks
  /// makes its partition ready.
  void kernel(Word k, const BenchEdges& sends) const;
  /// The same for graphs, whose parameters are those of all launches: iterations of this parity,
  /// which come in turn.
  void kernelInTurn(std::size_t parity, const BenchEdges& sends, Blocks blocks) const;
  void synchronize() const { must("cuStreamSynchronize", driver().synchronizeStream(stream_)); }
  /// Without streams: receives first, which are ready for whoever is faster.
  Requests receiveByTags(Word k) const;
  void sendByTags(Word k, Requests requests) const;

  /// What came in iteration k is that of k; no stream and no transfer is under way.
  bool hasAll(Word k) const;
  Word* in(Word k, std::size_t edge) const { return edges_[k % 2].in + edge * kEdgeWords; }
  Word* out(Word k, std::size_t edge) const { return edges_[k % 2].out + edge * kEdgeWords; }
  ucxx::Endpoint& endpoint(std::size_t edge) const;
  const Crew& crew() const { return crew_; }
  Stream stream() const { return stream_; }

  /// The side of the neighbour.
  static std::size_t opposite(std::size_t edge) { return edge ^ 1; }
  static ucxx::Tag tagOf(std::size_t parity, std::size_t edge) {
    return ucxx::Tag{1 + 2 * edge + parity};
  }

 private:
  /// Of one parity, one after the other.
  struct Edges {
    Word* in = pinnedWords(kEdges * kEdgeWords);
    Word* out = pinnedWords(kEdges * kEdgeWords);
  };

  const Crew& crew_;
  const int number_;
  Word* const wrong_;
  Word* const numbers_ = deviceWords(kEdges * kPartitions);  // of launches, by partitions
  const std::array<Edges, 2> edges_;
  const OwnStream stream_;
};

/// The prepared transfers of a rank, for one way to use them.
class RankPlans {
 public:
  /// `way`: in the tags, so that those of one way meet each other.
  RankPlans(const Rank& rank, unsigned way);
  ~RankPlans();
  RankPlans(const RankPlans&) = delete;
  RankPlans& operator=(const RankPlans&) = delete;

  /// @name All or some of one parity, receives first. `k`: an iteration, or its parity.
  /// @{
  const BenchEdges& handles(Word k) const { return parities_[k % 2].handles; }
  /// Each by a start of its own.
  void start(Word k, const ucxx::Condition& condition) const;
  std::shared_ptr<ucxx::Request> startAll(Word k, const ucxx::Condition& condition,
                                          ucxx::StartUntil until = ucxx::StartUntil::Ended) const;
  void awaitSends(Word k) const;
  void awaitReceives(Word k) const;
  void awaitAll(Word k) const;
  /// @}
  /// Throws what has failed, and if an iteration is in progress: its buffers are not free.
  void checkEnded() const;

 private:
  struct Parity {
    std::array<std::shared_ptr<ucxx::PreparedSend>, Rank::kEdges> sends;
    std::array<std::shared_ptr<ucxx::PreparedRecv>, Rank::kEdges> receives;
    std::vector<std::shared_ptr<ucxx::Prepared>> all;
    BenchEdges handles;
  };
  const Rank& rank_;
  std::array<Parity, 2> parities_;
};

}  // namespace gpu::bench
