// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "core/plan/plan_extra.h"

#include "core/match/endpoint_state.h"
#include "core/plan/plan.h"

namespace ucxx::core {

std::vector<const void*> PlanExtra::buffers() const { return {plan->terms.buffer}; }

std::unique_ptr<OperationExtra> PlanExtra::again() const {
  auto extra = std::make_unique<PlanExtra>(plan, 0, closes);
  extra->awaits_turn = awaits_turn;
  extra->is_repetition = true;
  extra->first = first;
  extra->last = last;
  extra->posted = posted;
  extra->comes_after = comes_after;
  return extra;
}

void PlanExtra::becomeStart() {
  posted = std::make_shared<PostedStart>();
  is_counted = true;
  plan->startIsPosted();
}

void PlanExtra::endCount() noexcept {
  if (std::exchange(is_counted, false)) plan->postedStartEnds();
}

/// After a repetition that has begun the next one waits, if there is one.
std::shared_ptr<Plan> PlanExtra::letGo() noexcept {
  if (plan == nullptr) return nullptr;
  endCount();
  if (posted != nullptr) {
    posted->is_over |= !is_repetition;
    const bool has_begun = is_repetition && iteration != 0 && iteration == posted->iteration;
    if (posted->fate == StartFate::Waits || (has_begun && posted->is_over))
      posted->fate = StartFate::Lost;
    else if (has_begun && posted->fate == StartFate::Begun)
      posted->fate = StartFate::Waits;
  }
  return std::move(plan);
}

std::shared_ptr<Plan> PlanExtra::endWith(ucs_status_t status) noexcept {
  std::shared_ptr<Plan> its_plan = letGo();
  try {
    if (status != UCS_OK && its_plan != nullptr) reason = its_plan->reason();
  } catch (const std::bad_alloc&) {
  }
  return its_plan;
}

bool PlanExtra::visitEndpoints(void (*visit)(EndpointCore&) noexcept) noexcept {
  if (EndpointState* const endpoint = plan->endpoint()) visit(*endpoint);
  return true;
}

void endOfPlan(Operation& op, ucs_status_t status) noexcept {
  const std::shared_ptr<Plan> plan = planOf(op).endWith(status);
  complete(op, status);
}

}  // namespace ucxx::core
