// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <ucs/type/status.h>

namespace ucxx::core {

/// What the loop tells of a condition: the status, then `done`, by which whoever waits sees both.
/// A line of its own, for its reader may be a device (ucxx/cuda/device.h, `Answer`).
struct alignas(64) AnswerLine {
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::int32_t> status{UCS_INPROGRESS};
  std::atomic<std::uint32_t> is_over{0};  // `done` grows no more
};
static_assert(sizeof(AnswerLine) == 64);

/// The two words of a condition, which are of one sort for ever.
///
/// *Growing* words only grow, also from one condition to the next that has them: compare with what
/// they were at first. *Toggling* ones are 0 and 1, since a graph has its values for good: it
/// writes 1 to the trigger and the loop 0, the loop writes 1 to `done` and the graph 0 to its lower
/// half.
class ConditionWords {
 public:
  /// A process has so many of each: more memory could not be made known to a device without a
  /// pause of it.
  static constexpr std::size_t kGrowing = 4096, kToggling = 1024;
  enum class Sort : std::uint8_t { Growing, Toggling };

  /// Takes two that nobody uses, with the same value. Throws `NoResourceError` when there are none,
  /// `NoMemoryError`, and `Error` in a forked child, which has none of its parent's.
  explicit ConditionWords(Sort sort = Sort::Growing);
  ~ConditionWords();
  ConditionWords(const ConditionWords&) = delete;
  ConditionWords& operator=(const ConditionWords&) = delete;

  /// How often it was triggered. Written by one agent: threads of the processor, or a device. One
  /// that toggles: by a device, and then by the loop.
  std::atomic<std::uint64_t>& trigger() const noexcept { return *trigger_; }
  /// Written by the loop; `done` of one that toggles then by the device.
  AnswerLine& answer() const noexcept { return *answer_; }
  /// What both were at first.
  std::uint64_t base() const noexcept { return base_; }
  /// The trigger will be `value`, but perhaps when this object has gone: nobody has the two before.
  void expect(std::uint64_t value) noexcept { expected_ = value; }

  /// Where the words of all conditions lie, from the first one on for as long as the process lives.
  static std::pair<void*, std::size_t> pages();

 private:
  const Sort sort_;
  const std::size_t slot_;
  std::atomic<std::uint64_t>* const trigger_;
  AnswerLine* const answer_;
  std::uint64_t base_ = 0;
  std::uint64_t expected_ = 0;
};

}  // namespace ucxx::core
