// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include "halo_plays.h"
#include "launchable.h"

namespace gpu::bench {

/// What a graph has of an iteration of a rank.
enum class Nodes {
  /// The kernel, then a node of all eight plans.
  KernelFirst,
  /// A node that starts all and ends when they have begun, the kernel, a node that waits for all.
  StartFirst,
  /// The same; the kernel's blocks fill one edge after the other.
  StartFirstByEdges,
};

/// A rank's iterations by graphs, one launch each: a graph of either parity, captured once.
class RankGraphs {
 public:
  /// `way`: as for `RankPlans`.
  RankGraphs(const Rank& rank, unsigned way, Nodes nodes);
  void play(Word first, Word last, ThreadTime& time) const;

 private:
  Graph graphOf(std::size_t parity, Nodes nodes) const;

  const Rank& rank_;
  const RankPlans plans_;
  const Launchable even_, odd_;
};

}  // namespace gpu::bench
