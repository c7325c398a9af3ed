// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "halo_plays.h"

#include <memory>
#include <utility>

#include <ucxx/cuda/stream.h>

namespace gpu::bench {
namespace {

/// What came two iterations ago was read by the kernel of the last one; what went then has to be
/// gone before the next kernel fills its edges.
void playEach(const Rank& rank, const RankPlans& plans, Word first, Word last, bool awaits_sends,
              ThreadTime& time) {
  const auto here = ucxx::Condition::stream(rank.stream());
  plans.start(first, here);
  for (Word k = first; k <= last; ++k) {
    time.add(k - first, [&] {
      rank.kernel(k, plans.handles(k));
      ucxx::cuda::StreamBatch batch(rank.stream());
      plans.awaitReceives(k);
      if (awaits_sends && k > first) plans.awaitSends(k - 1);
      if (k < last) plans.start(k + 1, here);
      batch.submit();
    });
  }
  plans.awaitSends(0);
  plans.awaitSends(1);
}

/// Sends have ended before the next kernel.
void playAll(const Rank& rank, const RankPlans& plans, Word first, Word last, ThreadTime& time) {
  const auto here = ucxx::Condition::stream(rank.stream());
  auto started = plans.startAll(first, here);
  for (Word k = first; k <= last; ++k) {
    time.add(k - first, [&] {
      rank.kernel(k, plans.handles(k));
      ucxx::cuda::StreamBatch batch(rank.stream());
      started->waitOn(rank.stream());
      if (k < last) started = plans.startAll(k + 1, here);
      batch.submit();
    });
  }
}

}  // namespace

void playInStream(const Rank& rank, const RankPlans& plans, Word first, Word last, Posts posts,
                  ThreadTime& time) {
  if (posts == Posts::OfAll)
    playAll(rank, plans, first, last, time);
  else
    playEach(rank, plans, first, last, posts == Posts::OfEach, time);
  rank.synchronize();
  plans.checkEnded();
}

void playSynchronously(const Rank& rank, Word first, Word last) {
  for (Word k = first; k <= last; ++k) {
    auto receives = rank.receiveByTags(k);
    rank.kernel(k, {});
    rank.synchronize();
    rank.sendByTags(k, std::move(receives));
  }
}

}  // namespace gpu::bench
