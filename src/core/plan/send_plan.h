// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/plan/atomic_bits.h"
#include "core/plan/marks.h"
#include "core/plan/plan.h"
#include "core/plan/plan_wire.h"
#include "core/request/operation_kind.h"

namespace ucxx::local {
class Channel;
}

namespace ucxx::core {

class EndpointState;
class Plans;

/// The sender's end. A partition that is made ready is copied at once, by the thread that does it,
/// where the receiver's memory is mapped and waits for this iteration; else it is parked, and the
/// loop sends it when the receiver is ready.
class SendPlan final : public Plan {
 public:
  SendPlan(EndpointState& endpoint, const Terms& terms);

  /// From any thread. Throws `InvalidParamError`.
  void ready(std::size_t first, std::size_t last);
  /// Throws `InvalidParamError` unless these may be made ready by such calls.
  void requireReadyByCalls(std::size_t first, std::size_t last) const;
  OperationKind kind() const noexcept override { return OperationKind::PreparedSend; }

  /// @name The loop
  /// @{
  void join(Plans& plans) override;
  /// The receiver's terms. False: they are impossible.
  [[nodiscard]] bool onAnswer(const PlanAnswer& answer);
  /// The receiver is ready for this iteration. False: it cannot be.
  [[nodiscard]] bool onReady(std::uint64_t iteration) noexcept;
  std::shared_ptr<void> sharedWords() const noexcept override {
    return is_shared_ ? ready_ : nullptr;
  }
  bool isBufferShared() const noexcept override { return false; }
  bool look() noexcept override;
  bool needsLook() const noexcept override;
  bool isMovedByThreads() const noexcept override { return device() == nullptr; }
  /// @}

 private:
  /// How far a partition of an iteration is.
  enum class State : std::uint8_t { None, Ready, Inside, Sent, Done };
  static constexpr std::uint64_t mark(std::uint64_t iteration, State state) noexcept {
    return iteration << 3 | static_cast<std::uint8_t>(state);
  }
  /// Where the receiver's memory is mapped here.
  struct Target {
    std::byte* data;
    Marks landing;
    local::Channel* channel;
    std::shared_ptr<const void> mapping;
  };

  bool isDone(std::uint64_t iteration) const noexcept override;
  void started(std::uint64_t iteration) override;
  void takeReady(std::size_t first, std::size_t last) override { ready(first, last); }
  bool isTooLateForKernels() const noexcept override { return iteration() != 0; }
  void onPost() noexcept override { look(); }
  bool reachesPeer() const noexcept override {
    return target_.load(std::memory_order_relaxed) != nullptr;
  }
  bool isInside() const noexcept override;
  std::string describeProgress() const override;
  void addProgress(PreparedReport& report) const noexcept override;
  void explainWay(Explanation& said) const override;

  bool isPushed(std::size_t count) const noexcept;
  bool isReceiverReady(std::uint64_t iteration) const noexcept {
    return ready_->load(std::memory_order_acquire) == iteration;
  }
  static constexpr State stateIn(std::uint64_t mark) noexcept {
    return static_cast<State>(mark & 7);
  }
  /// Partitions of this iteration.
  struct Progress {
    std::size_t ready = 0, sent = 0;
  };
  Progress progress() const noexcept;
  std::optional<std::uint64_t> claim(std::size_t first, std::size_t last);
  [[noreturn]] void refuse(std::size_t partition) const;
  void push(const Target& target, std::size_t first, std::size_t last,
            std::uint64_t iteration) noexcept;
  void pushFromThread(const Target& target, std::size_t first, std::size_t last,
                      std::uint64_t iteration);
  void pushOrPark(std::size_t first, std::size_t last, std::uint64_t iteration);
  void park(std::size_t first, std::size_t last, std::uint64_t iteration);
  void parkWhatKernelsHaveMadeReady() noexcept;
  void failIfReadyTwice(std::uint64_t now) noexcept;
  bool fire() noexcept;
  void fire(std::size_t first, std::size_t last, std::uint64_t iteration);
  void send(std::size_t first, std::size_t last, std::uint64_t iteration);
  void sent(std::size_t first, std::size_t last, std::uint64_t iteration,
            ucs_status_t status) noexcept;
  void makeReadyWord(Plans& plans);

  const std::unique_ptr<Marks::Word[]> words_;
  const Marks states_;
  AtomicBits claimed_;                  // made ready; between iterations all are
  std::atomic<std::uint64_t> open_{0};  // the iteration whose partitions may be claimed
  AtomicBits parked_;
  std::shared_ptr<Marks::Word> ready_;  // the iteration that the receiver is ready for
  bool is_shared_ = false;              // it may write it
  bool is_answered_ = false;
  bool has_parked_ = false;
  std::uint64_t kernels_iteration_ = 0;  // in this one
  std::size_t kernels_next_ = 0;         // kernels have made all before this partition ready
  std::unique_ptr<const Target> own_target_;
  std::atomic<const Target*> target_{nullptr};
};

}  // namespace ucxx::core
