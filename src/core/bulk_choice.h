// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include "base/clock.h"
#include "core/context_state.h"
#include "core/copies.h"

namespace ucxx::core {

/// How the next announced payload of a peer on this machine is fetched. Part of a link.
///
/// Which way is faster here is estimated once in a process; a ring that turns out to be slow all
/// the same is left for a while: when the two processes' cores are far apart, or on a machine with
/// more busy threads than cores, where each filling of the ring waits for a time slice.
class BulkChoice {
 public:
  /// Copied in such a way; else in pieces, through the ring.
  bool copies(LocalBulk wanted, Copies::Way way) noexcept;
  /// A fetch of so many bytes through the ring begins, or has ended.
  void pieceFetchBegins() noexcept;
  void pieceFetchEnds(std::size_t bytes) noexcept;

 private:
  int copies_left_ = 0;      // before the ring is tried again
  std::size_t fetches_ = 0;  // under way
  std::size_t bytes_ = 0;    // fetched since `since_`
  base::TimePoint since_{};
};

}  // namespace ucxx::core
