// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Iterations of plans that begin when a condition is triggered, and that kernels take part in.

#include <utility>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "base/list.h"
#include "core/condition/condition_words.h"
#include "core/plan/plan.h"
#include "core/plan/plan_device.h"
#include "core/plan/plan_extra.h"
#include "core/plan/plan_group.h"
#include "core/plan/plan_wire.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"

namespace ucxx::core {
namespace {

/// Why a plan fails; empty without memory for it.
template <class... Values>
std::string reasonOf(fmt::format_string<const Values&...> format,
                     const Values&... values) noexcept {
  try {
    return fmt::format(format, values...);
  } catch (const std::bad_alloc&) {
    return {};
  }
}

}  // namespace

void startPlanStep(Operation& op) {
  const std::shared_ptr<Plan> plan = planOf(op).plan;
  plan->take(op);
}

void Plan::take(Operation& step) noexcept {
  steps_.pushBack(step);
  look();
}

/// Partitions that come after it are of no iteration. Those before it are of the one before, which
/// may be in progress.
void Plan::loseBegin(Operation& start) noexcept {
  const std::shared_ptr<PostedStart>& posted = planOf(start).posted;
  if (posted == nullptr) return;
  for (Operation* step = steps_.front(); step != nullptr && step != &start;
       step = steps_.after(*step))
    if (planOf(*step).comes_after == posted) planOf(*step).comes_after = nullptr;
  posted->fate = StartFate::Lost;
}

/// What comes after it need not wait for it.
void Plan::withdrawStep(Operation& op) noexcept {
  steps_.remove(op);
  post();
}

/// True: one was taken. What comes after a start that has to wait, waits too.
bool Plan::takeStep() noexcept {
  Operation* const step = steps_.front();
  if (step == nullptr) return false;
  const bool starts = step->kind == OperationKind::PreparedStart;
  if (starts && status() == UCS_INPROGRESS) return false;
  steps_.remove(*step);
  if (starts)
    beginStep(*step);
  else if (step->kind == OperationKind::PreparedEnd)
    awaitEnd(*step);
  else
    makeReady(*step);
  return true;
}

void Plan::beginStep(Operation& step) noexcept {
  tellKernels();
  PlanExtra& extra = planOf(step);
  extra.iteration = iteration() + 1;
  if (extra.posted != nullptr) extra.posted->begins(extra.iteration);
  const GroupPlace place = extra.place;  // the step may end in `begin`
  waiters_.pushBack(step);
  begin();
  if (place.group != nullptr && !hasFailed()) place.group->hasBegun(*place.part);
}

void Plan::awaitEnd(Operation& step) noexcept {
  PlanExtra& extra = planOf(step);
  extra.awaits_turn = false;
  extra.iteration = iteration();
  wait(step);
}

/// A mistake ends the plan: else the iteration would wait for ever, and the stream for it.
void Plan::makeReady(Operation& step) noexcept {
  const PlanExtra& extra = planOf(step);
  if (extra.isOfNoIteration()) return endOfPlan(step, UCS_ERR_CANCELED);
  try {
    takeReady(extra.first, extra.last);
  } catch (const InvalidParamError& error) {
    close(UCS_ERR_INVALID_PARAM, reasonOf(": {}", error.what()));
  } catch (const std::bad_alloc&) {
    close(UCS_ERR_NO_MEMORY, "");
  }
  endOfPlan(step, hasFailed() ? failure_ : UCS_OK);
}

bool Plan::letTakePart(std::unique_ptr<const PlanDevice> device) noexcept {
  if (isTooLateForKernels()) return false;
  own_device_ = std::move(device);
  device_.store(own_device_.get(), std::memory_order_release);
  look();
  return true;
}

/// The partition that a mistake was to name is never ready, or never arrives: who waits for that
/// would do so for ever.
void Plan::failByMistakes() noexcept {
  if (device() == nullptr || hasFailed()) return;
  const std::uint64_t mistake = device()->mistake->load(std::memory_order_acquire);
  if (mistake == 0) return;
  close(UCS_ERR_INVALID_PARAM,
        reasonOf(": a kernel has named partition {}, of {}", mistake - 1, terms.shape.partitions));
}

/// The iterations after it would send what is not there yet.
void Plan::failByReadyTwice(std::size_t partition) noexcept {
  close(UCS_ERR_INVALID_PARAM,
        reasonOf(": kernels have made partition {} ready once more before the end of iteration {}",
                 partition, iteration()));
}

/// An iteration that has ended has told of all arrivals. The status comes before the number, and
/// the end of all after it. Another thread may have begun the next one since: what is in progress
/// comes after one that has ended.
void Plan::tellKernels() noexcept {
  const PlanDevice* const kernels = device();
  if (kernels == nullptr) return;
  const std::uint64_t now = iteration();
  const bool is_moving = statusOf(now) == UCS_INPROGRESS;
  const std::uint64_t ended = is_moving ? now - 1 : now;
  tellArrivals(now, ended);
  AnswerLine& answer = *kernels->answer;
  if (answer.done.load(std::memory_order_relaxed) != ended) {
    answer.status.store(statusOf(ended), std::memory_order_relaxed);
    answer.done.store(ended, std::memory_order_release);
  }
  if (hasFailed()) answer.is_over.store(1, std::memory_order_release);
}

}  // namespace ucxx::core
