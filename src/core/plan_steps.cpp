// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Iterations of plans that begin when a condition is triggered, and that kernels take part in.

#include <utility>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "core/describe.h"
#include "core/loop.h"
#include "core/plan.h"
#include "core/transfers.h"

namespace ucxx::core {

void startPlanStep(Operation& op) {
  const std::shared_ptr<Plan> plan = planOf(op).plan;
  plan->take(op);
}

void Plan::take(Operation& step) noexcept {
  steps_.pushBack(step);
  look();
  watch();
}

/// True: one was taken. What comes after a start that has to wait, waits too.
bool Plan::takeStep() noexcept {
  Operation* const step = steps_.front();
  if (step == nullptr) return false;
  const bool starts = step->kind == OperationKind::PreparedStart;
  if (starts && status() == UCS_INPROGRESS) return false;
  steps_.remove(*step);
  starts ? beginStep(*step) : makeReady(*step);
  return true;
}

void Plan::beginStep(Operation& step) noexcept {
  planOf(step).iteration = iteration() + 1;
  waiters_.pushBack(step);
  begin();
}

/// A mistake ends the plan: else the iteration would wait for ever, and the stream for it.
void Plan::makeReady(Operation& step) noexcept {
  const PlanExtra& extra = planOf(step);
  ucs_status_t status = UCS_OK;
  try {
    takeReady(extra.first, extra.last);
  } catch (const InvalidParamError& error) {
    status = UCS_ERR_INVALID_PARAM;
    close(status, fmt::format(": {}", error.what()));
  }
  endOfPlan(step, hasFailed() ? failure_ : status);
}

void Plan::letTakePart(std::unique_ptr<const PlanDevice> device) {
  if (isTooLateForKernels())
    throw InvalidParamError(
        fmt::format("{}: deviceHandle: iteration {} has begun; ask for it before the first one",
                    describeTransfer(kind(), terms.shape.bytes, terms.tag), iteration()));
  own_device_ = std::move(device);
  device_.store(own_device_.get(), std::memory_order_release);
  post();
}

/// Its partition is never ready, or never arrives: who waits for that would do so for ever.
void Plan::failByMistakes() noexcept {
  if (!awaitsKernels()) return;
  const std::uint64_t mistake = device()->mistake->load(std::memory_order_acquire);
  if (mistake == 0) return;
  close(UCS_ERR_INVALID_PARAM, fmt::format(": a kernel has named partition {}, of {}", mistake - 1,
                                           terms.shape.partitions));
}

/// An iteration that has ended has told of all arrivals. The status comes before the number, and
/// the end of all after it.
void Plan::tellKernels() noexcept {
  const PlanDevice* const kernels = device();
  if (kernels == nullptr) return;
  const std::uint64_t now = iteration();
  const ucs_status_t last = status();
  tellArrivals();
  AnswerLine& answer = *kernels->answer;
  if (now != 0 && last != UCS_INPROGRESS && answer.done.load(std::memory_order_relaxed) != now) {
    answer.status.store(last, std::memory_order_relaxed);
    answer.done.store(now, std::memory_order_release);
  }
  if (hasFailed()) answer.is_over.store(1, std::memory_order_release);
}

}  // namespace ucxx::core
