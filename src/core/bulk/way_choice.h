// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "local/way.h"

namespace ucxx::core {

using local::Way;

/// The way in which payloads of about one size come from a peer on this machine, chosen by what
/// each way was measured to cost.
///
/// Which one is the fastest depends on the processors, on where the host has put them, on the
/// kernel and on the pages, and it changes while a program runs: wrong ones cost up to ten times.
/// All payloads take the usual way. Now and then the next ones take another one, for a trial: what
/// comes in the first lap of the bulk ring does not count, since the ring's lines are still where
/// the usual way had them. A trial that is much dearer ends after a few payloads. The pauses
/// between the trials of a way grow while it loses.
class WayChoice {
 public:
  using Ways = std::uint8_t;  ///< a bit each
  static constexpr Ways bitOf(Way way) noexcept {
    return static_cast<Ways>(1u << static_cast<unsigned>(way));
  }

  /// From now on there are only these, `first` the usual one until another has won. Payloads that
  /// are large are announced.
  void allow(Ways ways, Way first, bool is_large) noexcept;
  /// The way of payloads that begin now.
  Way way() const noexcept { return is_trial_ ? tried_ : usual_; }
  Way usual() const noexcept { return usual_; }
  /// So many bytes came in one way, and took so long until now, in cycles (base/clock.h). True: the
  /// way is another one now.
  bool came(Way way, std::size_t bytes, std::uint64_t cycles, std::uint64_t now) noexcept;
  /// So many came in a way that is not known, or not one of these. True: the same.
  bool strayed(std::size_t bytes, std::uint64_t now) noexcept;

 private:
  struct Rival {
    std::uint64_t next = 0;           // not before then
    std::uint64_t pause = 0;          // after the last trial
    std::uint64_t rest = 0;           // the pause, times the bytes of that trial
    std::uint64_t bytes_to_next = 0;  // that come in the usual way before
  };

  Rival& rival(Way way) noexcept { return rivals_[static_cast<std::size_t>(way)]; }
  std::size_t uncountedOf(Way way) const noexcept;
  std::size_t countedOf(Way way) const noexcept;
  bool tryAnother(std::uint64_t now) noexcept;
  bool cameInTrial(std::size_t bytes, std::uint64_t cycles, std::uint64_t now) noexcept;
  bool endTrial(std::uint64_t now) noexcept;
  bool isKnown() const noexcept;
  bool learn(std::size_t bytes, std::uint64_t cycles) noexcept;

  Ways ways_ = bitOf(Way::Cached);
  Way usual_ = Way::Cached;
  bool is_large_ = false;
  double cost_ = 0;            // cycles per byte of the usual way
  std::uint64_t samples_ = 0;  // of it
  std::uint64_t learned_bytes_ = 0;
  unsigned dear_ = 0;           // in a row, much dearer than it
  std::size_t dear_bytes_ = 0;  // of those
  std::array<Rival, local::kWays> rivals_;

  bool is_trial_ = false;
  Way tried_ = Way::Cached;
  std::size_t trial_samples_ = 0;
  std::size_t trial_bytes_ = 0;
  std::uint64_t trial_cycles_ = 0;
  std::size_t counted_bytes_ = 0;  // of those, the ones that count
  std::uint64_t counted_cycles_ = 0;
  std::size_t strays_ = 0;  // bytes that came in other ways meanwhile
};

}  // namespace ucxx::core
