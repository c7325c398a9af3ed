// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/loop/watch.h"

namespace ucxx::core {
namespace {

/// For so long after the last change the loop does not sleep. Then it looks as often as costs
/// little, and after a while less often: each millisecond is 2 % of a processor.
constexpr base::Duration kRestless = std::chrono::milliseconds(1);
constexpr base::Duration kSoon = std::chrono::microseconds(200);
constexpr base::Duration kBusy = std::chrono::milliseconds(20);
constexpr base::Duration kLater = std::chrono::milliseconds(1);
constexpr base::Duration kQuiet = std::chrono::milliseconds(100);
constexpr base::Duration kSeldom = std::chrono::milliseconds(2);

}  // namespace

Watched::Watched(Watch& watch) noexcept : watch_(watch) {}

Watched::~Watched() {
  if (node_.linked()) watch_.parts_.remove(*this);
}

void Watched::beginWatching(std::size_t things) noexcept {
  if (!isWatching()) watch_.parts_.pushBack(*this);
  things_ += things;
}

void Watched::endWatching(std::size_t things) noexcept {
  if (things == 0) return;
  things_ -= things;
  if (!isWatching()) watch_.parts_.remove(*this);
}

/// The first part becomes the last: what it does may end others, or itself.
Watched& Watch::takeTurn() noexcept {
  Watched& part = *parts_.popFront();
  parts_.pushBack(part);
  return part;
}

bool Watch::look(base::TimePoint now) {
  bool moved = false;
  for (std::size_t left = parts_.size(); left != 0 && !empty(); --left)
    if (takeTurn().look()) moved = true;
  if (moved) expectsChange(now);
  return moved;
}

/// The parts are asked last: they make ready for a sleep, or look once more.
bool Watch::maySleep(base::TimePoint now) noexcept {
  if (now < last_moved_ + kRestless && changesInSilence()) return false;
  for (std::size_t left = parts_.size(); left != 0 && !empty(); --left)
    if (!takeTurn().maySleep()) return false;
  return true;
}

bool Watch::changesInSilence() const noexcept {
  for (const Watched* part = parts_.front(); part != nullptr; part = parts_.after(*part))
    if (part->changesInSilence()) return true;
  return false;
}

base::TimePoint Watch::nextLook(base::TimePoint now) const noexcept {
  if (!changesInSilence()) return base::TimePoint::max();
  const base::Duration quiet = now - last_moved_;
  return now + (quiet < kBusy ? kSoon : quiet < kQuiet ? kLater : kSeldom);
}

}  // namespace ucxx::core
