// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/condition/condition_words.h"

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <new>
#include <vector>

#include <fmt/format.h>
#include <sys/mman.h>

#include <ucxx/exception.h>

#include "base/file_descriptor.h"
#include "base/immortal.h"
#include "base/system_error.h"

namespace ucxx::core {
namespace {

constexpr std::size_t kSlots = ConditionWords::kGrowing + ConditionWords::kToggling;

/// Triggers lie close together, since the loop reads many at a time; answers do not. Those that
/// toggle come last.
struct Words {
  std::atomic<std::uint64_t> triggers[kSlots];
  AnswerLine answers[kSlots];
};

/// Pages of zeros, which are all words at first. A forked child does not have them: it could
/// trigger its parent's conditions.
Words& mapWords() {
  void* const pages =
      ::mmap(nullptr, sizeof(Words), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) base::throwErrno(errno, "map the words of conditions");
  ::madvise(pages, sizeof(Words), MADV_DONTFORK);
  return *::new (pages) Words;
}

/// The words of the process. They are never unmapped: a device may write to a word later than
/// anybody expects.
Words& words() {
  static Words& only = mapWords();
  return only;
}

/// Those of one sort.
class Slots {
 public:
  Slots(std::size_t first, std::size_t count, const char* kind, const char* remedy) noexcept
      : next_(first), end_(first + count), count_(count), kind_(kind), remedy_(remedy) {}

  std::size_t take() {
    const std::lock_guard lock(mutex_);
    words();
    if (free_.capacity() < count_) free_.reserve(count_);  // so that `giveBack` cannot fail
    if (late_.capacity() < count_) late_.reserve(count_);
    if (free_.empty() && next_ == end_) freeWritten();
    if (!free_.empty()) return takeOld();
    if (next_ == end_)
      throw NoResourceError(fmt::format("there are {} {}, and a process has no more at a time; {}",
                                        count_, kind_, remedy_));
    return next_++;
  }
  /// The trigger of the word is `expected`, or will be.
  void giveBack(std::size_t slot, std::uint64_t expected) noexcept {
    const std::lock_guard lock(mutex_);
    (isWritten({slot, expected}) ? free_.push_back(slot) : late_.push_back({slot, expected}));
  }

 private:
  struct Late {
    std::size_t slot;
    std::uint64_t expected;
  };

  std::size_t takeOld() noexcept {
    const std::size_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  static bool isWritten(const Late& late) noexcept {
    const std::uint64_t value = words().triggers[late.slot].load(std::memory_order_acquire);
    return static_cast<std::int64_t>(value - late.expected) >= 0;
  }
  void freeWritten() noexcept {
    std::erase_if(late_, [&](const Late& late) {
      if (!isWritten(late)) return false;
      free_.push_back(late.slot);
      return true;
    });
  }

  std::mutex mutex_;
  std::size_t next_;  // those before it have been taken once
  const std::size_t end_, count_;
  const char* const kind_;
  const char* const remedy_;  // for errors
  std::vector<std::size_t> free_;
  std::vector<Late> late_;  // given back before they were written
};

Slots& slotsOf(ConditionWords::Sort sort) noexcept {
  static base::Immortal<Slots> growing(
      0, ConditionWords::kGrowing, "conditions",
      "drop the last handles of some, or let streams go on that start transfers or wait for them");
  static base::Immortal<Slots> toggling(ConditionWords::kGrowing, ConditionWords::kToggling,
                                        "conditions of graphs",
                                        "destroy some graphs, and what was instantiated from them");
  return sort == ConditionWords::Sort::Growing ? *growing : *toggling;
}

std::size_t takeSlot(ConditionWords::Sort sort) {
  base::installForkHandlers();
  base::requireNotForked();
  return slotsOf(sort).take();
}

}  // namespace

ConditionWords::ConditionWords(Sort sort)
    : sort_(sort),
      slot_(takeSlot(sort)),
      trigger_(&words().triggers[slot_]),
      answer_(&words().answers[slot_]) {
  if (sort == Sort::Growing)
    base_ = std::max(trigger().load(std::memory_order_relaxed),
                     answer().done.load(std::memory_order_relaxed));
  trigger().store(base_, std::memory_order_relaxed);
  answer().status.store(UCS_INPROGRESS, std::memory_order_relaxed);
  answer().is_over.store(0, std::memory_order_relaxed);
  answer().done.store(base_, std::memory_order_relaxed);
  expected_ = base_;
}

ConditionWords::~ConditionWords() {
  if (!base::isForkedChild()) slotsOf(sort_).giveBack(slot_, expected_);
}

std::pair<void*, std::size_t> ConditionWords::pages() {
  base::installForkHandlers();
  base::requireNotForked();
  return {&words(), sizeof(Words)};
}

}  // namespace ucxx::core
