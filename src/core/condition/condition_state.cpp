// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/condition/condition_state.h"

#include <algorithm>

#include <fmt/format.h>

#include <ucxx/exception.h>
#include <ucxx/worker.h>

#include "base/clock.h"
#include "base/file_descriptor.h"
#include "core/loop/loop.h"
#include "core/loop/loop_wait.h"
#include "core/loop/sleeper.h"
#include "core/request/operation_kind.h"

namespace ucxx::core {
namespace {

const ConditionOptions& requireLimits(const ConditionOptions& options) {
  const auto require = [](std::chrono::milliseconds limit, const char* name) {
    if (limit.count() < 0)
      throw InvalidParamError(fmt::format(
          "condition: {} is {} ms; 0, for no limit, or more is needed", name, limit.count()));
  };
  require(options.start_timeout, "start_timeout");
  require(options.transfer_timeout, "transfer_timeout");
  return options;
}

/// Also where it has gone meanwhile.
bool isSame(const std::weak_ptr<Worker>& one, const std::shared_ptr<Worker>& other) noexcept {
  return !one.owner_before(other) && !other.owner_before(one);
}

}  // namespace

ConditionState::ConditionState(const ConditionOptions& its_options)
    : options(requireLimits(its_options)) {}

void ConditionState::requireWorker(const Loop& loop, OperationKind kind) const {
  if (is_bound_ && !isSame(worker_, loop.user()))
    throw InvalidParamError(
        fmt::format("{}: its condition belongs to the worker of its first post, and this is "
                    "another one; make a condition for each worker",
                    toString(kind)));
}

void ConditionState::bindTo(const Loop& loop) noexcept {
  worker_ = loop.user();
  is_bound_ = true;
}

bool ConditionState::wait(std::uint64_t wanted, std::chrono::nanoseconds timeout) {
  base::requireNotForked();
  const std::shared_ptr<ConditionState> self = shared_from_this();  // a callback may drop the rest
  const base::TimePoint deadline =
      timeout.count() < 0 ? base::TimePoint::max() : base::deadlineAfter(timeout);
  const auto is_done = [&] { return epoch() >= wanted || isOver(); };
  const auto sleepUntil = [&](base::TimePoint until) {
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, until, is_done);
  };
  while (!is_done() && base::Clock::now() < deadline) {
    std::shared_ptr<Worker> its_worker;
    {
      const std::lock_guard lock(mutex_);
      its_worker = worker();
    }
    if (its_worker == nullptr)  // nothing is posted yet, or the worker has gone
      sleepUntil(std::min(deadline, base::Clock::now() + Sleeper::kLongestNap));
    else
      moveUntil(its_worker->loop(), deadline, is_done, sleepUntil, [&](base::Duration at_most) {
        its_worker->loop().sleeper.sleepUnless(is_done, at_most);
      });
  }
  return epoch() >= wanted;
}

}  // namespace ucxx::core
