// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/request/operation.h"

namespace ucxx::core {

class EndpointCore;
class Plan;
class PlanGroup;
struct GroupPart;

enum class StartFate : std::uint8_t { Waits, Begun, Lost };

/// What has become of a start that was posted. The partitions that were posted after it know it: it
/// keeps neither the request nor the plan. The loop's, once the start is posted.
struct PostedStart {
  void begins(std::uint64_t its_iteration) noexcept {
    fate = StartFate::Begun;
    iteration = its_iteration;
  }
  StartFate fate = StartFate::Waits;
  std::uint64_t iteration = 0;  // that it has begun last
  bool is_over = false;         // no repetition of it comes any more
};

/// Where an operation is among those that were posted as one (plan_group.h).
struct GroupPlace {
  std::shared_ptr<PlanGroup> group;  // null: it was posted alone
  GroupPart* part = nullptr;         // the group's
};

/// A request of a plan.
struct PlanExtra final : OperationExtra {
  PlanExtra(std::shared_ptr<Plan> plan_, std::uint64_t iteration_, bool closes_)
      : plan(std::move(plan_)), iteration(iteration_), closes(closes_) {}
  ~PlanExtra() override { (void)letGo(); }
  std::unique_ptr<OperationExtra> again() const override;
  std::vector<const void*> buffers() const override;
  bool beginsCancelled() const noexcept override { return closes; }
  std::shared_ptr<void> endUnbegun(ucs_status_t status) noexcept override {
    return endWith(status);
  }
  bool visitEndpoints(void (*visit)(EndpointCore&) noexcept) noexcept override;
  void takeReason(const OperationExtra& repetition) override {
    reason = static_cast<const PlanExtra&>(repetition).reason;
  }
  /// The operation is a start that is posted: it counts, and what is posted after it can know its
  /// fate.
  void becomeStart();
  /// The start does not count any more.
  void endCount() noexcept;
  /// The start after which these partitions were posted has ended without beginning.
  bool isOfNoIteration() const noexcept {
    return comes_after != nullptr && comes_after->fate == StartFate::Lost;
  }
  /// The operation has ended, or is about to: its request may stay for long, its plan need not.
  std::shared_ptr<Plan> letGo() noexcept;
  /// Lets go of the plan, and keeps why that has failed, unless the operation ends with success.
  std::shared_ptr<Plan> endWith(ucs_status_t status) noexcept;

  std::shared_ptr<Plan> plan;
  std::uint64_t iteration;              // whose end it waits for; 0: it has not begun
  bool closes;                          // it waits for the end of the plan
  bool awaits_turn = false;             // it takes its iteration when the steps before are taken
  bool is_counted = false;              // in the plan, as a start that was posted
  bool is_repetition = false;           // of what was posted
  std::size_t first = 0, last = 0;      // partitions
  std::shared_ptr<PostedStart> posted;  // its own: it is a start that was posted
  std::shared_ptr<const PostedStart> comes_after;  // null: they come after `Plan::start`
  GroupPlace place;
  std::string reason;  // why it has failed, with the plan gone
};

/// Ends a request of a plan, which lets go of the plan: a request may stay for long.
void endOfPlan(Operation& op, ucs_status_t status) noexcept;

inline PlanExtra& planOf(const Operation& op) noexcept {
  return static_cast<PlanExtra&>(*op.extra);
}

}  // namespace ucxx::core
