// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/clock.h"
#include "base/list.h"

namespace ucxx::core {

class Watch;

/// A part of a worker that has things for a round to look at without being told: words that others
/// write without a ring, or what was left for the next round. It says how many there are.
class Watched {
 public:
  /// Looks at all of them. True: something has moved. Throws in a child of `fork`, which a callback
  /// has made.
  virtual bool look() = 0;
  /// The loop is to sleep: whether it may as far as this part knows.
  virtual bool maySleep() noexcept = 0;
  /// Something may change without a ring while the loop sleeps.
  virtual bool changesInSilence() const noexcept = 0;

 protected:
  explicit Watched(Watch& watch) noexcept;
  virtual ~Watched();
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  void beginWatching(std::size_t things = 1) noexcept;
  void endWatching(std::size_t things = 1) noexcept;
  bool isWatching() const noexcept { return things_ != 0; }

 private:
  friend class Watch;
  Watch& watch_;
  std::size_t things_ = 0;
  base::ListNode node_;  // linked while there are things
};

/// What a round of a loop looks at without being told, and how the loop sleeps meanwhile: what a
/// device changes comes in bursts, so after the last change it does not sleep for a moment, then
/// looks often, and later less often.
class Watch {
 public:
  Watch() = default;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  bool empty() const noexcept { return parts_.empty(); }
  /// Looks at all of it. True: something has moved.
  bool look(base::TimePoint now);
  /// The loop may sleep until `nextLook`.
  bool maySleep(base::TimePoint now) noexcept;
  /// `TimePoint::max()`: whatever changes rings.
  base::TimePoint nextLook(base::TimePoint now) const noexcept;
  /// Something has happened at `now` that a device may answer.
  void expectsChange(base::TimePoint now) noexcept { last_moved_ = std::max(last_moved_, now); }

 private:
  friend class Watched;
  bool changesInSilence() const noexcept;
  Watched& takeTurn() noexcept;

  base::List<Watched, &Watched::node_> parts_;  // that have things; the next one is first
  base::TimePoint last_moved_{};
};

}  // namespace ucxx::core
