// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "halo_graphs.h"

namespace gpu::bench {

RankGraphs::RankGraphs(const Rank& rank, unsigned way, Nodes nodes)
    : rank_(rank), plans_(rank, way), even_(graphOf(0, nodes)), odd_(graphOf(1, nodes)) {}

Graph RankGraphs::graphOf(std::size_t parity, Nodes nodes) const {
  const BenchEdges& sends = plans_.handles(parity);
  return captured(rank_.stream(), [&](const ucxx::Condition& here) {
    if (nodes == Nodes::KernelFirst) {
      rank_.kernelInTurn(parity, sends, Blocks::OneAPartition);
      plans_.start(parity, here);
      return;
    }
    plans_.startAll(parity, here, ucxx::StartUntil::Begun);
    const bool is_by_edges = nodes == Nodes::StartFirstByEdges;
    rank_.kernelInTurn(parity, sends, is_by_edges ? Blocks::OfAnEdge : Blocks::OneAPartition);
    plans_.awaitAll(parity);
  });
}

void RankGraphs::play(Word first, Word last, ThreadTime& time) const {
  for (Word k = first; k <= last; ++k)
    time.add(k - first, [&] { (k % 2 == 0 ? even_ : odd_).launch(rank_.stream()); });
  rank_.synchronize();
  plans_.checkEnded();
}

}  // namespace gpu::bench
