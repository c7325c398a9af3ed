// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A rank's iterations, from the first to the last, by streams and without them. When a play
// returns, the rank's stream has done all, and no plan is in an iteration.

#pragma once

#include <vector>

#include "halo_rank.h"

namespace gpu::bench {

/// Microseconds of a rank's thread, an iteration that it enqueues. Only the first ones of a play
/// count: a thread that is ahead of its stream by 256 posts is held up, and says nothing of itself.
class ThreadTime {
 public:
  /// Eight posts each, and eight before the first one.
  static constexpr Word kCounting = 30;

  /// Calls what enqueues the iteration of this place in the play, from 0 on.
  template <class Enqueue>
  void add(Word place, const Enqueue& enqueue) {
    if (place >= kCounting) return enqueue();
    const double before = secondsOf(CLOCK_THREAD_CPUTIME_ID);
    calls_.push_back(timed(enqueue));
    processor_.push_back((secondsOf(CLOCK_THREAD_CPUTIME_ID) - before) * 1e6);
  }
  const std::vector<double>& calls() const { return calls_; }
  /// Less than the calls: the thread slept, or another one had its processor.
  const std::vector<double>& processor() const { return processor_; }

 private:
  std::vector<double> calls_, processor_;
};

/// What a stream does with the eight plans of an iteration.
enum class Posts {
  /// A start and a wait of each.
  OfEach,
  /// The same, without waits for sends. A neighbour has sent in iteration k after it had received
  /// in k - 1, so what has come of all neighbours in iteration k proves that they have what was
  /// sent in k - 1.
  OfEachFewerWaits,
  /// One start of all, and one wait for all.
  OfAll,
};

void playInStream(const Rank& rank, const RankPlans& plans, Word first, Word last, Posts posts,
                  ThreadTime& time);

/// A thread that synchronises with its stream, then sends by tags.
void playSynchronously(const Rank& rank, Word first, Word last);

}  // namespace gpu::bench
