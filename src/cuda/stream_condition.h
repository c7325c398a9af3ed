// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/list.h"
#include "core/condition/triggered_condition.h"
#include "cuda/stream.h"
#include "cuda/stream_queue.h"

namespace ucxx::cuda {

class StreamCondition;

/// One post of a stream condition: a condition of its own for one transfer, which a write in the
/// stream triggers.
class StreamMark final : public core::TriggeredCondition {
 public:
  StreamMark(std::shared_ptr<StreamCondition> condition, const Stream& stream);
  ~StreamMark() override;

  /// As `ConditionState::post`; also throws what the driver says.
  void post(core::Loop& loop, core::Operation& op) override;
  /// The write did not get into the stream, as far as is known.
  void failToEnter() noexcept;
  /// It has a place there no longer than the stream takes to come to it.
  void leave(StreamQueue& queue) noexcept;
  void ended(const core::Armed& armed, ucs_status_t status) noexcept override;

  base::ListNode node_of_condition;
  // The condition's
  bool is_in_queue = false;  // it counts there
  bool is_closed = false;    // it was told to close
  bool has_ended = false;    // its transfer has

 private:
  void onOver(ucs_status_t status) noexcept override;

  const std::shared_ptr<StreamCondition> condition_;
  const Stream stream_;
  std::atomic<bool> has_entered_{false};  // its write is in the stream, or in a batch for it
};

/// The places in a stream at which transfers were posted: a mark for each.
class StreamCondition final : public core::ConditionState {
 public:
  StreamCondition(const Stream& stream, const ConditionOptions& options);

  void post(core::Loop& loop, core::Operation& op) override;
  void trigger() override;
  void close() noexcept override;
  void drop() noexcept override {}
  std::uint64_t epoch() const noexcept override;
  ucs_status_t lastStatus() const noexcept override;
  bool isOver() const noexcept override;
  std::string describe() const override;
  /// The loop: the transfer of a mark has ended; more than once, and the first time counts.
  void onEnd(StreamMark& mark, ucs_status_t status) noexcept;
  /// A mark is over, or goes without having been posted. Any thread.
  void forget(StreamMark& mark) noexcept;
  StreamQueue& queue() const noexcept { return *queue_; }

 private:
  /// Under the lock.
  void requireMayPost(const core::Loop& loop, core::OperationKind kind) const;
  void postInStream(core::Loop& loop, core::Operation& op);
  std::shared_ptr<StreamMark> makeMark(const core::Loop& loop, core::OperationKind kind);
  std::shared_ptr<core::ConditionState> nextToClose() noexcept;

  const Stream stream_;
  const std::shared_ptr<StreamQueue> queue_;
  base::List<StreamMark, &StreamMark::node_of_condition> marks_;
  // Read without the lock.
  std::atomic<std::uint64_t> ended_{0};
  std::atomic<ucs_status_t> last_status_{UCS_INPROGRESS};
  std::atomic<std::size_t> on_their_way_{0};  // transfers
  std::atomic<bool> is_closed_{false};
};

}  // namespace ucxx::cuda
