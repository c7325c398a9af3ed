// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <memory>

#include <ucxx/request.h>

#include "base/clock.h"
#include "base/list.h"
#include "core/operation.h"

namespace ucxx::core {

class ConditionState;

/// An operation that was posted with a condition, from its post to its end. While it is armed
/// (Stage::Armed) nothing else knows of it than this, its endpoint's list, and its condition; from
/// its start on it is an operation like all others. If the condition repeats, it stays armed, and
/// each start makes another operation of it, a repetition. Owned by its operation's end; touched
/// by the loop.
class Armed {
 public:
  /// The posting thread, to which `op` is known alone. Throws `std::bad_alloc`.
  static void make(Operation& op, std::shared_ptr<ConditionState> condition);
  Armed(const Armed&) = delete;
  Armed& operator=(const Armed&) = delete;

  /// Its turn has come: starts it, or a repetition of it.
  void start() noexcept;
  /// Its time is up: to start, or to end.
  void timeOut() noexcept;
  /// It moves, or a repetition does.
  bool isStarted() const noexcept { return is_started_; }
  /// Null: there is none under way.
  Operation* repetition() const noexcept { return repetition_; }
  ConditionState& condition() const noexcept { return *condition_; }
  /// Until then it has to start, or to end; max: it has time.
  base::TimePoint deadline() const noexcept { return deadline_; }
  void setDeadline(std::chrono::milliseconds limit) noexcept;

  Operation& op;
  base::ListNode node;        // in the condition's list of those that are armed
  base::ListNode timed_node;  // in the loop's list of those that have a deadline

 private:
  Armed(Operation& op_, std::shared_ptr<ConditionState> condition) noexcept;
  ~Armed() = default;
  friend std::default_delete<Armed>;
  void startRepetition() noexcept;
  void endOfRepetition(ucs_status_t status) noexcept;

  struct End final : Continuation {
    explicit End(Armed& armed_) noexcept : armed(armed_) {}
    void onEnd() override;
    Armed& armed;
  };
  struct RepetitionEnd final : Continuation {
    explicit RepetitionEnd(Armed& armed_) noexcept : armed(armed_) {}
    void onEnd() override { armed.endOfRepetition(armed.repetition_->result); }
    Armed& armed;
  };
  End end_{*this};
  RepetitionEnd repetition_end_{*this};
  const std::shared_ptr<ConditionState> condition_;
  Operation* repetition_ = nullptr;
  base::TimePoint deadline_ = base::TimePoint::max();
  bool is_started_ = false;
  bool is_late_ = false;  // its time to end was up once
};

/// Takes `op`, which is armed, off all lists. False: a repetition of it is under way, with its
/// buffer; it is to end with that one.
bool disarm(Operation& op) noexcept;
/// Ends one that is on no list yet.
void endUnstarted(Operation& op, ucs_status_t status) noexcept;

}  // namespace ucxx::core
