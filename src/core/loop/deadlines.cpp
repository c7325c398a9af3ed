// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/loop/deadlines.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace ucxx::core {

void Deadline::set(base::TimePoint when) noexcept {
  clear();
  if (when == base::TimePoint::max()) return;
  when_ = std::max(when, all_.not_before_);
  all_.insert(*this);
}

void Deadline::clear() noexcept {
  if (!isSet()) return;
  all_.remove(*this);
  when_ = base::TimePoint::max();
}

/// The earlier one of two heaps becomes the parent of the other.
Deadline& Deadlines::join(Deadline& one, Deadline& other) noexcept {
  const bool is_later =
      other.when_ != one.when_ ? other.when_ < one.when_ : other.order_ < one.order_;
  Deadline& parent = is_later ? other : one;
  Deadline& child = is_later ? one : other;
  hang(child, parent.child_);
  return parent;
}

/// As the first of those that follow at `place`.
void Deadlines::hang(Deadline& deadline, Deadline*& place) noexcept {
  deadline.next_ = place;
  if (place != nullptr) place->place_ = &deadline.next_;
  place = &deadline;
  deadline.place_ = &place;
}

void Deadlines::insert(Deadline& deadline) noexcept {
  deadline.child_ = deadline.next_ = nullptr;
  deadline.order_ = ++last_order_;
  Deadline* const before = std::exchange(first_, nullptr);
  hang(before == nullptr ? deadline : join(*before, deadline), first_);
}

/// What followed `deadline` in the heap follows its parent: in pairs first, which keeps the heap
/// flat.
void Deadlines::remove(Deadline& deadline) noexcept {
  *deadline.place_ = deadline.next_;
  if (deadline.next_ != nullptr) deadline.next_->place_ = deadline.place_;
  deadline.place_ = nullptr;
  Deadline* pairs = nullptr;
  for (Deadline* one = deadline.child_; one != nullptr;) {
    Deadline* const other = one->next_;
    Deadline* const rest = other == nullptr ? nullptr : other->next_;
    Deadline& pair = other == nullptr ? *one : join(*one, *other);
    pair.next_ = std::exchange(pairs, &pair);
    one = rest;
  }
  Deadline* all = std::exchange(first_, nullptr);
  while (pairs != nullptr) {
    Deadline& pair = *std::exchange(pairs, pairs->next_);
    pair.next_ = nullptr;
    all = all == nullptr ? &pair : &join(*all, pair);
  }
  if (all != nullptr) hang(*all, first_);
}

void Deadlines::onTime(base::TimePoint now) {
  struct Acting {
    base::TimePoint& not_before;
    ~Acting() { not_before = base::TimePoint::min(); }
  } acting{not_before_};
  not_before_ = now + base::Duration(1);
  while (next() <= now) {
    Deadline& due = *first_;
    due.clear();
    due.act_();
  }
}

}  // namespace ucxx::core
