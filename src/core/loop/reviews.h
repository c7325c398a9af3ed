// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "base/list.h"
#include "core/loop/act.h"

namespace ucxx::core {

class Reviews;

/// A member of an object that is to act after a round of the loop, because something has happened
/// that cannot be acted upon where it is noticed: in a callback of UCX, or while others hold the
/// object. Touched by the owner of the loop alone.
class Review {
 public:
  /// `act` is called as `act(object)`, captures nothing, and may end the object.
  template <class Object, class Function>
  Review(Reviews& all, Object& object, Function act) noexcept : all_(all), act_(object, act) {}
  inline ~Review();
  Review(const Review&) = delete;
  Review& operator=(const Review&) = delete;

  /// Asked several times before the end of the round, it acts once.
  inline void ask() noexcept;

 private:
  friend class Reviews;
  Reviews& all_;
  const Act act_;
  base::ListNode node_;
};

/// What has something to act upon after a round of its loop, in the order in which it was asked.
class Reviews {
 public:
  Reviews() = default;
  Reviews(const Reviews&) = delete;
  Reviews& operator=(const Reviews&) = delete;

  bool empty() const noexcept { return asked_.empty(); }
  /// Those that were asked before; who is asked meanwhile acts after the next round. Throws what an
  /// act throws: the others act next time.
  void run() {
    for (std::size_t left = asked_.size(); left != 0 && !empty(); --left) asked_.popFront()->act_();
  }

 private:
  friend class Review;
  base::List<Review, &Review::node_> asked_;
};

Review::~Review() {
  if (node_.linked()) all_.asked_.remove(*this);
}

void Review::ask() noexcept {
  if (!node_.linked()) all_.asked_.pushBack(*this);
}

}  // namespace ucxx::core
