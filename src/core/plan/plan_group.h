// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include <ucs/type/status.h>

#include <ucxx/prepared.h>
#include <ucxx/request.h>

#include "core/request/operation.h"

namespace ucxx::core {

class EndpointCore;
class PlanGroup;

/// One of a group.
struct GroupPart final : Continuation {
  explicit GroupPart(PlanGroup& its_group) noexcept : group(its_group) {}
  void onEnd() override;
  PlanGroup& group;
  Operation* op = nullptr;  // null: it has ended
  bool is_done = false;     // the group does not wait for it
};

/// Operations of several plans of one worker that are posted as one, the *whole* (PreparedGroup):
/// they start when that starts, in their order, and it ends when the last of them has ended, or,
/// with `StartUntil::Begun`, has begun its iteration, with the first error. Known to no other
/// thread before the whole is posted, and then the loop's. Kept by the whole and by its parts.
class PlanGroup : public std::enable_shared_from_this<PlanGroup> {
 public:
  explicit PlanGroup(StartUntil its_until) noexcept : until(its_until) {}
  PlanGroup(const PlanGroup&) = delete;
  PlanGroup& operator=(const PlanGroup&) = delete;

  /// @name The posting thread
  /// @{
  /// Takes the operation of a request of a plan, to which its loop is known. Throws
  /// `std::bad_alloc`.
  void add(Operation& op);
  /// A group that does the same once more. Throws `std::bad_alloc`.
  std::shared_ptr<PlanGroup> again() const;
  /// @}

  /// @name The loop
  /// @{
  void start(Operation& whole) noexcept;
  /// The whole ends without having started.
  void endUnstarted(ucs_status_t status) noexcept;
  /// The whole is gone.
  void leave() noexcept;
  /// Takes back what has not begun. True: the group waits for none of them any more, and the caller
  /// ends the whole.
  bool withdraw() noexcept;
  void hasBegun(GroupPart& part) noexcept;
  void hasEnded(GroupPart& part) noexcept;
  /// Calls `visit` with the endpoint of each that the whole waits for.
  void visitEndpoints(void (*visit)(EndpointCore&) noexcept) noexcept;
  /// @}

  std::vector<const void*> buffers() const;
  /// Why the first has failed that did.
  const std::string& reason() const noexcept { return reason_; }
  void takeReason(const PlanGroup& other) { reason_ = other.reason_; }

  const StartUntil until;

 private:
  void attach(GroupPart& part, Operation& op) noexcept;
  void isDone(GroupPart& part, ucs_status_t status) noexcept;
  void noteReason(const Operation& op) noexcept;
  void countDown() noexcept;

  std::list<GroupPart> parts_;
  std::size_t left_ = 1;        // parts that it waits for, and 1 until all have been started
  Operation* whole_ = nullptr;  // once it has started, until it has ended
  bool is_started_ = false;
  ucs_status_t error_ = UCS_OK;
  std::string reason_;
};

struct PlanGroupExtra final : OperationExtra {
  explicit PlanGroupExtra(std::shared_ptr<PlanGroup> its_group) noexcept
      : group(std::move(its_group)) {}
  ~PlanGroupExtra() override { group->leave(); }
  std::unique_ptr<OperationExtra> again() const override;
  std::vector<const void*> buffers() const override { return group->buffers(); }
  std::shared_ptr<void> endUnbegun(ucs_status_t status) noexcept override {
    group->endUnstarted(status);
    return nullptr;
  }
  bool visitEndpoints(void (*visit)(EndpointCore&) noexcept) noexcept override {
    group->visitEndpoints(visit);
    return true;
  }
  void takeReason(const OperationExtra& repetition) override {
    group->takeReason(*static_cast<const PlanGroupExtra&>(repetition).group);
  }
  const std::shared_ptr<PlanGroup> group;
};

/// @name The actions of the whole (operation_actions.h)
/// @{
void startPlanGroup(Operation& whole);
bool withdrawPlanGroup(Operation& whole) noexcept;
/// @}

/// The group of a whole.
inline PlanGroup& groupOf(const Operation& op) noexcept {
  return *static_cast<PlanGroupExtra&>(*op.extra).group;
}

}  // namespace ucxx::core
