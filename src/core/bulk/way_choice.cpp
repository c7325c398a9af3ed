// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/bulk/way_choice.h"

#include <algorithm>

#include "local/choices.h"

namespace ucxx::core {
namespace {

/// The lines of the ring are where the way has them, and it is known, after so much of each.
constexpr std::size_t kLap = local::choices::kBulkBytes;
/// Through the kernel nothing is left from the way before, but the pages of a first small payload
/// may be new. Those of large ones may be new in both processes, until the pool has given each of
/// its blocks once.
constexpr std::size_t kCopiedUncounted = 1;
constexpr std::size_t kCopiedCounted = 2 << 20;
constexpr std::size_t kLargeCopiedUncounted = 32 << 20;
/// Two measurements of one large payload differ by a third.
constexpr std::size_t kLargeCounted = 16 << 20;
/// Payloads after which a trial may end because it is much dearer.
constexpr std::size_t kFew = 4;
/// So many payloads in a row that are that much dearer than known mean that the world has changed:
/// a single one may have waited for a processor.
constexpr double kMuch = 3;
constexpr unsigned kManyDear = 8;
/// Fewer are enough if they are of so many bytes in all.
constexpr unsigned kFewDear = 2;
constexpr std::size_t kDearBytes = 2 * kLap;
/// A way that is not better by so much is not worth the change.
constexpr double kBetter = 0.9;
constexpr double kWeightOfNew = 0.1;
/// Cycles: about 1 ms, and 70.
constexpr std::uint64_t kFirstPause = 3'000'000;
constexpr std::uint64_t kLongestPause = 200'000'000;
/// So many times the bytes of a trial come in the usual way before the next one: at first, and at
/// last.
constexpr std::uint64_t kFirstRest = 8;
constexpr std::uint64_t kLongestRest = 64;
/// What is tried first takes the shortest trial: a copy of payloads that go at once, the ring of
/// large ones.
constexpr std::array kTrials{Way::Copied, Way::Cached, Way::Streaming};
constexpr std::array kLargeTrials{Way::Cached, Way::Streaming, Way::Copied};
/// Bytes that come in other ways, as the rest of a payload, end a trial that nobody takes part in.
constexpr std::size_t kMostStrays = 128 << 20;

}  // namespace

void WayChoice::allow(Ways ways, Way first, bool is_large) noexcept {
  *this = {};
  ways_ = ways;
  usual_ = first;
  is_large_ = is_large;
}

std::size_t WayChoice::uncountedOf(Way way) const noexcept {
  if (way != Way::Copied) return kLap;
  return is_large_ ? kLargeCopiedUncounted : kCopiedUncounted;
}

std::size_t WayChoice::countedOf(Way way) const noexcept {
  if (is_large_) return kLargeCounted;
  return way == Way::Copied ? kCopiedCounted : kLap;
}

bool WayChoice::came(Way way, std::size_t bytes, std::uint64_t cycles, std::uint64_t now) noexcept {
  if (is_trial_ && way == tried_) return cameInTrial(bytes, cycles, now);
  if (strayed(bytes, now)) return true;
  if (way != usual_) {  // the rest of a payload that began in a trial
    rival(way).bytes_to_next += bytes * rival(way).rest;
    return false;
  }
  if (!learn(bytes, cycles)) return false;
  return !is_trial_ && isKnown() && tryAnother(now);
}

/// A trial that nobody takes part in ends.
bool WayChoice::strayed(std::size_t bytes, std::uint64_t now) noexcept {
  return is_trial_ && (strays_ += bytes) > kMostStrays && endTrial(now);
}

bool WayChoice::isKnown() const noexcept {
  return samples_ >= kFew && learned_bytes_ >= uncountedOf(usual_) + countedOf(usual_);
}

/// False: it is not typical.
bool WayChoice::learn(std::size_t bytes, std::uint64_t cycles) noexcept {
  const bool counts = learned_bytes_ >= uncountedOf(usual_);
  learned_bytes_ += bytes;
  if (!counts) return false;
  const double cost = static_cast<double>(cycles) / static_cast<double>(bytes);
  if (isKnown() && cost > kMuch * cost_) {
    dear_bytes_ += bytes;
    if (++dear_ < kFewDear || (dear_ < kManyDear && dear_bytes_ < kDearBytes)) return false;
    cost_ = cost;
    for (Rival& rival : rivals_) rival = {};
  }
  dear_ = 0;
  dear_bytes_ = 0;
  cost_ = samples_ == 0 ? cost : cost_ + (cost - cost_) * kWeightOfNew;
  ++samples_;
  for (Rival& rival : rivals_)
    rival.bytes_to_next -= std::min<std::uint64_t>(rival.bytes_to_next, bytes);
  return true;
}

bool WayChoice::tryAnother(std::uint64_t now) noexcept {
  for (const Way way : is_large_ ? kLargeTrials : kTrials) {
    const Rival& rival = this->rival(way);
    if (way == usual_ || (ways_ & bitOf(way)) == 0 || now < rival.next || rival.bytes_to_next != 0)
      continue;
    is_trial_ = true;
    tried_ = way;
    trial_samples_ = trial_bytes_ = counted_bytes_ = strays_ = 0;
    trial_cycles_ = counted_cycles_ = 0;
    return true;
  }
  return false;
}

bool WayChoice::cameInTrial(std::size_t bytes, std::uint64_t cycles, std::uint64_t now) noexcept {
  const bool counts = trial_bytes_ >= uncountedOf(tried_);
  ++trial_samples_;
  trial_bytes_ += bytes;
  trial_cycles_ += cycles;
  if (counts) {
    counted_bytes_ += bytes;
    counted_cycles_ += cycles;
  }
  const bool is_much_dearer =
      trial_samples_ >= kFew &&
      static_cast<double>(trial_cycles_) > kMuch * cost_ * static_cast<double>(trial_bytes_);
  const bool is_known = counted_bytes_ >= countedOf(tried_);
  return (is_much_dearer || is_known) && endTrial(now);
}

bool WayChoice::endTrial(std::uint64_t now) noexcept {
  is_trial_ = false;
  const auto counted = static_cast<double>(std::max<std::size_t>(counted_bytes_, 1));
  const double cost = static_cast<double>(counted_cycles_) / counted;
  const bool has_won = counted_bytes_ >= countedOf(tried_) && cost < kBetter * cost_;
  Rival& lost = rival(has_won ? usual_ : tried_);
  lost.pause = has_won ? kFirstPause : std::clamp(lost.pause * 2, kFirstPause, kLongestPause);
  lost.next = now + lost.pause;
  lost.rest = has_won ? kFirstRest : std::clamp(lost.rest * 2, kFirstRest, kLongestRest);
  lost.bytes_to_next = (trial_bytes_ != 0 ? trial_bytes_ : countedOf(tried_)) * lost.rest;
  if (has_won) {
    usual_ = tried_;
    cost_ = cost;
    dear_ = 0;
    dear_bytes_ = 0;
  }
  return true;
}

}  // namespace ucxx::core
