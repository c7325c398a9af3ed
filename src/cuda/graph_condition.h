// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/condition/triggered_condition.h"
#include "cuda/driver_calls.h"
#include "cuda/graph_nodes.h"
#include "cuda/waiting_streams.h"

namespace ucxx::cuda {

/// Where a node comes in a graph.
struct GraphPlace {
  Context context = nullptr;
  Graph graph = nullptr;
  std::vector<Node> after;
  base::cuda::Stream captured = nullptr;  // the stream that makes the graph; its next node it is
  unsigned long long capture = 0;         // what makes it
};

/// A node of a graph that starts transfers and awaits their end.
///
/// The node writes 1 to the trigger, waits for `done` to be 1 or more, and sets its lower half back
/// to 0; the loop sets the trigger back before it answers. So the two words alternate strictly, and
/// nothing is lost though the node has the same values in each launch. A trigger before the answer
/// comes from a second launch that is under way at the same time: which of the two gets which
/// answer is not known, and from then on the status of all is BUSY. When the worker has ended, the
/// upper half of `done` is 1 for good: the node waits for nobody. When the graph has gone, the
/// trigger tells the loop.
///
/// The graph, and what was instantiated from it, keep the condition by a user object of CUDA, whose
/// end closes it.
class GraphCondition final : public core::TriggeredCondition {
 public:
  GraphCondition(GraphPlace place, const ConditionOptions& options);

  void post(core::Loop& loop, core::Operation& op) override;
  /// `post`, where all that a post checks is known to be right, up to `submitArmed`.
  void addChecked(core::Loop& loop, core::Operation& op);
  void trigger() override;
  void close() noexcept override {}
  void drop() noexcept override {}
  std::uint64_t epoch() const noexcept override;
  /// Null before the first post, and when the graph and what was instantiated from it have gone.
  Node node() const noexcept { return node_.load(std::memory_order_acquire); }
  /// Where `node` is: as long as the graph and what was instantiated from it. For C.
  const Node* nodePlace() const noexcept {
    static_assert(std::atomic<Node>::is_always_lock_free && sizeof(node_) == sizeof(Node));
    return reinterpret_cast<const Node*>(&node_);
  }
  bool hasLimitsOf(const ConditionOptions& others) const noexcept {
    return options.start_timeout == others.start_timeout &&
           options.transfer_timeout == others.transfer_timeout;
  }
  /// The graph and all that was instantiated from it have gone. Nobody writes the trigger any more,
  /// and so this may: in a thread of the driver no worker may be kept, since it could end there.
  void graphEnds() noexcept {
    node_.store(nullptr, std::memory_order_release);  // before anybody is told
    if (closeUntold()) words().trigger().store(kGraphHasGone, std::memory_order_release);
  }

  void ended(const core::Armed& armed, ucs_status_t status) noexcept override;

 private:
  static constexpr std::uint64_t kGraphHasGone = 2;  // what no launch writes

  Node addNode(const char* what);
  void comeNextInCapture(Node made, const char* what) const;
  void letGraphKeepIt(const char* what);
  std::uint64_t triggered() const noexcept override { return triggers_; }
  std::uint64_t takeTriggers() noexcept override;
  void answer(ucs_status_t status) noexcept override;
  void onLook() noexcept override;
  void onCut() noexcept override;
  void onOver(ucs_status_t status) noexcept override;
  void settle() noexcept;

  const GraphPlace place_;
  const MayWait may_wait_;
  Node made_ = nullptr;              // under the lock
  std::atomic<Node> node_{nullptr};  // the same, as long as the graph is there
  std::atomic<std::uint64_t> triggers_{0};
  std::atomic<std::uint64_t> ended_{0};

  // The loop's
  ucs_status_t lost_ = UCS_OK;  // what a transfer has ended with for good
  bool is_busy_ = false;
  std::uint64_t owed_ = 0;  // answers that the graph has not had
};

}  // namespace ucxx::cuda
