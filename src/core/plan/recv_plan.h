// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/plan/marks.h"
#include "core/plan/plan.h"
#include "core/plan/plan_wire.h"
#include "core/request/operation_kind.h"

namespace ucxx::local {
class Channel;
}

namespace ucxx::core {

class Plans;
struct Incoming;

/// The receiver's end. It tells its sender for which iteration it is ready; a word for each
/// partition of the sender says for which iteration it has come, written by the sender where it
/// can, else by the loop.
class RecvPlan final : public Plan {
 public:
  using Plan::Plan;

  /// From any thread. Throws `InvalidParamError`.
  bool arrived(std::size_t partition) const;
  OperationKind kind() const noexcept override { return OperationKind::PreparedRecv; }

  /// @name The loop
  /// @{
  void join(Plans& plans) override;
  bool isMatched() const noexcept { return met_.load(std::memory_order_relaxed) != nullptr; }
  /// The sender of the plan has been found.
  void meet(Plans& plans, PlanOffer offer) noexcept;
  /// Bytes of the sender. False: it cannot send these.
  [[nodiscard]] bool take(const Incoming& message);
  std::shared_ptr<void> sharedWords() const noexcept override {
    return is_shared_ ? landing_ : nullptr;
  }
  bool isBufferShared() const noexcept override { return is_shared_; }
  bool needsLook() const noexcept override {
    return awaitsKernels() || (is_shared_ && hasWaiters() && !hasFailed());
  }
  bool isMovedByThreads() const noexcept override { return false; }
  /// @}

 private:
  /// What it has of its sender.
  struct Met {
    Marks landing;
    Marks::Word* senders_ready;  // null: it is told by messages
    local::Channel* channel;
    std::shared_ptr<const void> mapping;
  };

  bool isDone(std::uint64_t iteration) const noexcept override;
  void started(std::uint64_t iteration) override;
  void takeReady(std::size_t, std::size_t) override {}  // it makes none ready
  bool isTooLateForKernels() const noexcept override { return false; }
  void onPost() noexcept override;
  bool reachesPeer() const noexcept override {
    const Met* const met = met_.load(std::memory_order_relaxed);
    return met != nullptr && met->senders_ready != nullptr;
  }
  void tellArrivals(std::uint64_t now, std::uint64_t ended) noexcept override;
  bool isInside() const noexcept override { return is_inside_.load(std::memory_order_acquire); }
  std::string describeProgress() const override;
  void addProgress(PreparedReport& report) const noexcept override;
  void explainWay(Explanation& said) const override;

  std::size_t arrivedOf(const Met& met) const noexcept;
  bool hasArrived(const Met& met, std::size_t partition, std::uint64_t iteration) const noexcept;
  void tellReady() noexcept;
  void makeLanding(Plans& plans);
  PlanAnswer answer() const noexcept;
  void landed(std::size_t first, std::size_t count, std::uint64_t iteration,
              ucs_status_t status) noexcept;

  std::shared_ptr<Marks::Word> landing_;
  bool is_shared_ = false;  // the sender may write it, and the buffer
  PlanShape senders_;
  std::uint64_t told_ = 0;             // the last iteration that the sender has been told of
  std::vector<std::uint64_t> coming_;  // by partition, the last iteration in which a message came
  std::unique_ptr<const Met> own_met_;
  std::atomic<const Met*> met_{nullptr};
  std::atomic<bool> is_inside_{false};
};

}  // namespace ucxx::core
