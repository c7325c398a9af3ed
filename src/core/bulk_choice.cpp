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

FetchWay BulkChoice::choose(std::size_t size, bool may_try) noexcept {
  if (is_trial_) {
    const bool is_senders = way() == FetchWay::InPieces && !may_try;
    if (is_senders || trial_bytes_ > 2 * choices::kBytesOfATrial) endTrial(false);
  } else if (until_trial_ != 0) {
    --until_trial_;
  } else if (isTrialDue(size, may_try)) {
    is_trial_ = true;
    trial_bytes_ = 0;
    change();
  }
  if (is_trial_) trial_bytes_ += size;
  return way();
}

/// While much is under way, a trial would be long before it is measured.
bool BulkChoice::isTrialDue(std::size_t size, bool may_try) noexcept {
  if (cost(usual_) == 0 || (usual_ == FetchWay::Copied && !may_try)) return false;
  return under_way_ == 0 || bytes_under_way_ + size <= choices::kBytesOfATrial;
}

std::uint32_t BulkChoice::begins(std::size_t size) noexcept {
  if (under_way_++ == 0) since_ = base::Clock::now();
  bytes_under_way_ += size;
  return epoch_;
}

void BulkChoice::ends(std::size_t size, std::uint32_t epoch, bool whole) noexcept {
  --under_way_;
  bytes_under_way_ -= size;
  const bool is_other = epoch != epoch_;
  if (is_other) --others_;
  if (others_ != 0) return;
  if (is_other || !whole) return measureAnew();
  const bool is_enough =
      bytes_ >= std::min(choices::kPayloadsOfASpeed * size, choices::kBytesOfASpeed);
  if (under_way_ != 0 && !is_enough) return;
  const base::TimePoint now = base::Clock::now();
  busy_ += now - since_;
  since_ = now;
  if (!is_enough) return;
  learn(std::chrono::duration<double>(busy_).count() / static_cast<double>(bytes_));
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
  if (found) usual_ = other(usual_);
  pause_ = found ? choices::kPayloadsToTrial
                 : std::min(pause_ * choices::kTrialPauseGrows, choices::kMostPayloadsToTrial);
  until_trial_ = pause_;
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
  usual_ = other(usual_);
  pause_ = until_trial_ = choices::kPayloadsToTrial;
  change();
}

}  // namespace ucxx::core
