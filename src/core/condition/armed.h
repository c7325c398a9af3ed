// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <memory>
#include <utility>

#include <ucxx/request.h>

#include "base/clock.h"
#include "base/list.h"
#include "core/request/arming.h"
#include "core/request/operation.h"

namespace ucxx::core {

class Loop;
class TriggeredCondition;

/// An operation that was posted with a condition, from its post to its end. While it is armed
/// (Stage::Armed) nothing else knows of it than this, its endpoint's list, and its condition; from
/// its start on it is an operation like all others. If the condition repeats, it stays armed, and
/// each start makes another operation of it, a repetition. Owned by its operation's end; touched
/// by the loop.
class Armed final : public Arming {
 public:
  /// @name The posting thread, to which `op` is known alone
  /// @{
  /// Throws `std::bad_alloc`. Nobody knows of it yet.
  static std::unique_ptr<Armed> make(Operation& op, std::shared_ptr<TriggeredCondition> condition) {
    return std::unique_ptr<Armed>(new Armed(op, std::move(condition)));
  }
  /// The operation of `armed` owns it from now on.
  static void attach(std::unique_ptr<Armed> armed) noexcept;
  /// @}

  /// The condition was triggered: starts it, or a repetition of it.
  void start() noexcept;
  /// A repetition is under way, and none comes after it: `op` ends with that one, with `status`
  /// unless the repetition fails.
  void endWith(ucs_status_t status) noexcept {
    if (ending_ == UCS_OK) ending_ = status;
  }
  bool disarm() noexcept override;
  bool end(ucs_status_t status) noexcept override;
  /// Ends one that is on no list yet.
  void endUnstarted(ucs_status_t status) noexcept;
  ucs_status_t statusOf(ucs_status_t status) const noexcept override {
    return is_late_ && status == UCS_ERR_CANCELED ? UCS_ERR_TIMED_OUT : status;
  }
  /// The time is up: to start, or to end.
  void timeOut() noexcept;
  /// The operation itself is under way, or has been; never where the condition repeats.
  bool isStarted() const noexcept { return is_started_; }
  Operation* repetition() const noexcept override { return repetition_; }
  TriggeredCondition& condition() const noexcept { return *condition_; }
  /// Until then it has to start, or to end; max: it has time.
  base::TimePoint deadline() const noexcept { return deadline_; }
  void setDeadline(std::chrono::milliseconds limit) noexcept;

  Operation& op;
  base::ListNode node;        // in the condition's list of those that are armed
  base::ListNode timed_node;  // in the loop's list of those that have a deadline

 private:
  Armed(Operation& op_, std::shared_ptr<TriggeredCondition> condition) noexcept;
  ~Armed() = default;
  friend std::default_delete<Armed>;
  void startRepetition() noexcept;
  void take(const Operation& repetition) noexcept;
  void endOfRepetition(ucs_status_t status) noexcept;

  struct End final : Continuation {
    explicit End(Armed& armed_) noexcept : armed(armed_) {}
    void onEnd() override;
    Armed& armed;
  };
  struct RepetitionEnd final : Continuation {
    explicit RepetitionEnd(Armed& armed_) noexcept : armed(armed_) {}
    void onEnd() override {
      armed.take(*armed.repetition_);
      armed.endOfRepetition(armed.repetition_->result);
    }
    Armed& armed;
  };
  End end_{*this};
  RepetitionEnd repetition_end_{*this};
  const std::shared_ptr<TriggeredCondition> condition_;
  Operation* repetition_ = nullptr;
  ucs_status_t ending_ = UCS_OK;  // see `endWith`
  base::TimePoint deadline_ = base::TimePoint::max();
  bool is_started_ = false;
  bool is_late_ = false;  // its time to end was up once
};

/// What `op`, which has one, is armed by: every `Arming` is an `Armed`.
inline Armed& armedOf(const Operation& op) noexcept { return static_cast<Armed&>(*op.armed); }

/// Brings `op`, which is posted with a condition, to it; any thread.
void submitArmed(Loop& loop, Operation& op);

}  // namespace ucxx::core
