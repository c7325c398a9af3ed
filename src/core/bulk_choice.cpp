// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/bulk_choice.h"

#include <algorithm>
#include <chrono>

namespace ucxx::core {

namespace choices = local::choices;

namespace {

FetchWay other(FetchWay way) noexcept {
  return way == FetchWay::Copied ? FetchWay::InPieces : FetchWay::Copied;
}

}  // namespace

FetchWay BulkChoice::way() const noexcept { return is_trial_ ? other(usual_) : usual_; }

FetchWay BulkChoice::choose(std::size_t size, bool is_sender_there) noexcept {
  if (under_way_ != others_) judge(size);  // what is under way may be stuck
  if (is_trial_) {
    if (trial_bytes_ > 2 * choices::kBytesOfATrial) endTrial(false);
  } else if (until_trial_ != 0) {
    --until_trial_;
  } else if (mayTry(size, is_sender_there)) {
    is_trial_ = true;
    trial_bytes_ = 0;
    change();
  }
  if (is_trial_) trial_bytes_ += size;
  return way();
}

/// Through a slow ring, much under way would take long.
bool BulkChoice::mayTry(std::size_t size, bool is_sender_there) noexcept {
  if (cost(usual_) == 0) return false;
  if (usual_ == FetchWay::InPieces) return true;
  return is_sender_there && (under_way_ == 0 || bytes_under_way_ + size <= choices::kBytesOfATrial);
}

std::uint32_t BulkChoice::begins(std::size_t size) noexcept {
  if (under_way_++ == 0) since_ = base::Clock::now();
  bytes_under_way_ += size;
  return epoch_;
}

void BulkChoice::ends(std::size_t size, std::uint32_t epoch, bool whole) noexcept {
  const bool is_other = epoch != epoch_;
  if (!is_other && whole) judge(size);
  // The way may have changed by that: then it is one of the others.
  if (epoch != epoch_) --others_;
  --under_way_;
  bytes_under_way_ -= size;
  if ((is_other && others_ == 0) || !whole) measureAnew();
}

/// Whether enough has come, or so little in so much time that the way has lost.
void BulkChoice::judge(std::size_t size) noexcept {
  if (others_ != 0) return;
  const base::TimePoint now = base::Clock::now();
  busy_ += now - since_;
  since_ = now;
  const double seconds = std::chrono::duration<double>(busy_).count();
  const std::size_t needed = std::min(choices::kPayloadsOfASpeed * size, choices::kBytesOfASpeed);
  const double limit = 2 * cost(other(way())) * static_cast<double>(needed);
  if (bytes_ >= needed || (limit != 0 && seconds > limit))
    learn(seconds / static_cast<double>(std::max<std::size_t>(bytes_, 1)));
}

void BulkChoice::measureAnew() noexcept {
  bytes_ = 0;
  busy_ = {};
  since_ = base::Clock::now();
}

/// The next payloads begin in another way than those before.
void BulkChoice::change() noexcept {
  ++epoch_;
  others_ = under_way_;
  measureAnew();
}

void BulkChoice::endTrial(bool found) noexcept {
  is_trial_ = false;
  if (found) return swap();
  until_trial_ = pause_;
  pause_ = std::min(pause_ * choices::kTrialPauseGrows, choices::kMostPayloadsToTrial);
  change();
}

/// The way that is left is tried again soon: perhaps it was one slow payload.
void BulkChoice::swap() noexcept {
  usual_ = other(usual_);
  until_trial_ = choices::kPayloadsToFirstTrial;
  pause_ = choices::kPayloadsToTrial;
  change();
}

/// Time per byte, so that one long wait weighs as much as it took. Of the other way counts only the
/// last trial.
void BulkChoice::learn(double cost_now) noexcept {
  double& known = cost(way());
  known = is_trial_ || known == 0 ? cost_now : (known + cost_now) / 2;
  const double others = cost(other(way()));
  const bool is_slower = others != 0 && others < known;
  if (is_trial_) return endTrial(!is_slower);
  if (!is_slower) return measureAnew();
  if (usual_ == FetchWay::InPieces) return swap();
  until_trial_ = 0;
  measureAnew();
}

}  // namespace ucxx::core
