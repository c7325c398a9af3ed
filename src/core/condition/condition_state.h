// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include <ucxx/condition.h>

#include "core/request/operation.h"
#include "core/request/operation_kind.h"

namespace ucxx::core {

class Loop;

/// What all handles of a condition share. Any thread calls it.
class ConditionState : public std::enable_shared_from_this<ConditionState> {
 public:
  explicit ConditionState(const ConditionOptions& options);
  virtual ~ConditionState() = default;
  ConditionState(const ConditionState&) = delete;
  ConditionState& operator=(const ConditionState&) = delete;

  const ConditionOptions options;

  /// `op`, which only this thread knows, starts when it is triggered. Throws, and nothing has
  /// happened: INVALID_PARAM, UNSUPPORTED, NO_RESOURCE, `std::bad_alloc`.
  virtual void post(Loop& loop, Operation& op) = 0;
  virtual void trigger() = 0;
  /// Does nothing in a forked child.
  virtual void close() noexcept = 0;
  /// The last handle of the condition has gone.
  virtual void drop() noexcept = 0;
  /// In a forked child: 0, `UCS_INPROGRESS`, and false.
  virtual std::uint64_t epoch() const noexcept = 0;
  virtual ucs_status_t lastStatus() const noexcept = 0;
  virtual bool isOver() const noexcept = 0;
  /// "host condition, triggered 2 times, ended 1 times": for people.
  virtual std::string describe() const = 0;
  bool wait(std::uint64_t epoch, std::chrono::nanoseconds timeout);

 protected:
  /// Under the lock: `loop` is of the worker of its first post.
  void requireWorker(const Loop& loop, OperationKind kind) const;
  /// Under the lock.
  void bindTo(const Loop& loop) noexcept;
  bool isBound() const noexcept { return is_bound_; }
  /// Null: nothing is posted yet, or it has gone.
  std::shared_ptr<Worker> worker() const noexcept { return worker_.lock(); }

  // Guards what follows. Who posts, triggers and closes comes one by one.
  mutable std::mutex mutex_;
  std::condition_variable changed_;

 private:
  std::weak_ptr<Worker> worker_;  // of its first post
  bool is_bound_ = false;
};

}  // namespace ucxx::core
