// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/bulk/ways.h"

#include "base/clock.h"
#include "core/channel/channels.h"
#include "core/channel/port.h"
#include "core/request/context_state.h"
#include "local/channel.h"
#include "local/choices.h"
#include "local/peer_memory.h"
#include "local/way.h"

namespace ucxx::core {
namespace {

/// Measured at a time while there is always something under way.
constexpr std::size_t kMeasuredAtOnce = 4 << 20;

bool isAtOnce(unsigned size_class) noexcept {
  return size_class <= local::sizeClassOf(local::choices::kMostAtOnce);
}

/// What the user leaves open, and the kernel.
WayChoice::Ways allowed(LocalBulk wanted, bool copies) noexcept {
  constexpr WayChoice::Ways kRing =
      WayChoice::bitOf(Way::Cached) | WayChoice::bitOf(Way::Streaming);
  constexpr WayChoice::Ways kCopied = WayChoice::bitOf(Way::Copied);
  if (wanted == LocalBulk::Copy) return kCopied;
  return wanted == LocalBulk::Ring || !copies ? kRing : kRing | kCopied;
}

}  // namespace

void Ways::begin() noexcept {
  const WayChoice::Ways ways =
      allowed(channelsOf(port_.loop).context().state().local_bulk, port_.local->memory().isOpen());
  for (unsigned i = 0; i < local::kSizeClasses; ++i) {
    // What is announced begins with what needs no sender.
    const bool is_copied = (ways & WayChoice::bitOf(Way::Copied)) != 0 &&
                           (!isAtOnce(i) || ways == WayChoice::bitOf(Way::Copied));
    const Way first = is_copied ? Way::Copied : Way::Cached;
    choices_[i].allow(ways, first, !isAtOnce(i));
    say(i);
  }
}

/// What the peer is to do with the next fragment. Of what is announced, this side begins no other
/// way in the middle of a payload.
void Ways::say(unsigned size_class) noexcept {
  const WayChoice& choice = choices_[size_class];
  Way way = choice.way();
  if (way == Way::Copied && !isAtOnce(size_class)) way = choice.usual();
  port_.local->want(size_class, way);
}

Way Ways::choose(std::size_t size, bool is_sender_there) const noexcept {
  const WayChoice& choice = choices_[local::sizeClassOf(size)];
  const bool may_try = is_sender_there || choice.way() == Way::Copied;
  return may_try ? choice.way() : choice.usual();
}

void Ways::begins(std::size_t size, Way way, std::uint64_t cycles_before) noexcept {
  const unsigned size_class = local::sizeClassOf(size);
  if (under_way_++ != 0) {
    if (class_ == size_class) return;
    is_mixed_ = true;
    return passesBy(size);
  }
  class_ = size_class;
  is_mixed_ = false;
  start(way, base::Clock::cycles() - cycles_before);
}

void Ways::start(Way way, std::uint64_t now) noexcept {
  way_ = way;
  bytes_ = 0;
  since_ = now;
}

void Ways::came(std::size_t bytes, Way way) noexcept {
  if (way != way_) return start(way, base::Clock::cycles());
  bytes_ += bytes;
  if (bytes_ >= kMeasuredAtOnce) measure();
}

void Ways::ends(bool whole) noexcept {
  if (!whole) is_mixed_ = true;
  if (--under_way_ == 0 && bytes_ != 0) measure();
}

void Ways::measure() noexcept {
  const std::uint64_t now = base::Clock::cycles();
  WayChoice& choice = choices_[class_];
  const bool changes =
      is_mixed_ ? choice.strayed(bytes_, now) : choice.came(way_, bytes_, now - since_, now);
  if (changes && port_.local != nullptr) say(class_);
  start(way_, now);
}

void Ways::passesBy(std::size_t size) noexcept {
  const unsigned size_class = local::sizeClassOf(size);
  if (choices_[size_class].strayed(size, base::Clock::cycles())) say(size_class);
}

}  // namespace ucxx::core
