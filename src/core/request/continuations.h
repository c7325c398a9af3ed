// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>

#include <ucxx/request.h>

namespace ucxx::core {

/// What waits for the end of one operation. Any thread adds; one at a time, the loop's, takes out.
class Continuations {
 public:
  /// False: closed, `one` is not in it.
  bool add(Continuation& one) noexcept {
    Continuation* head = head_.load(std::memory_order_relaxed);
    do {
      if (head == closed()) return false;
      one.next_ = head;
    } while (!head_.compare_exchange_weak(head, &one, std::memory_order_release,
                                          std::memory_order_relaxed));
    return true;
  }
  /// If it is in it.
  void remove(Continuation& one) noexcept {
    Continuation* before = &one;
    if (head_.compare_exchange_strong(before, one.next_, std::memory_order_acquire)) return;
    if (before == closed()) return;
    // Others were added in front of it: only this call changes what is behind the head.
    while (before != nullptr && before->next_ != &one) before = before->next_;
    if (before != nullptr) before->next_ = one.next_;
  }
  /// Null: there is none, and nothing can be added any more.
  Continuation* take() noexcept {
    Continuation* head = head_.load(std::memory_order_acquire);
    while (!head_.compare_exchange_weak(head, head != nullptr ? head->next_ : closed(),
                                        std::memory_order_acq_rel)) {
    }
    return head;
  }

 private:
  /// An address that no continuation has.
  Continuation* closed() noexcept { return reinterpret_cast<Continuation*>(this); }

  std::atomic<Continuation*> head_{nullptr};
};

}  // namespace ucxx::core
