// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/condition_words.h"

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

/// Triggers lie close together, since the loop reads many at a time; answers do not.
struct Words {
  std::atomic<std::uint64_t> triggers[ConditionWords::kCount];
  AnswerLine answers[ConditionWords::kCount];
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

/// Of the process, and never given back: a device may write to a word later than anybody expects.
class Slots {
 public:
  std::size_t take() {
    const std::lock_guard lock(mutex_);
    map();
    if (free_.empty() && used_ == ConditionWords::kCount) freeWritten();
    if (!free_.empty()) return takeOld();
    if (used_ == ConditionWords::kCount)
      throw NoResourceError(
          fmt::format("there are {} conditions, and a process has no more at a time; drop the last "
                      "handles of some",
                      ConditionWords::kCount));
    return used_++;
  }
  /// Its trigger is `expected`, or will be.
  void giveBack(std::size_t slot, std::uint64_t expected) noexcept {
    const std::lock_guard lock(mutex_);
    (isWritten({slot, expected}) ? free_.push_back(slot) : late_.push_back({slot, expected}));
  }
  Words& words() {
    const std::lock_guard lock(mutex_);
    map();
    return *words_;
  }
  Words& mapped() const noexcept { return *words_; }

 private:
  struct Late {
    std::size_t slot;
    std::uint64_t expected;
  };

  void map() {
    if (words_ != nullptr) return;
    free_.reserve(ConditionWords::kCount);  // so that `giveBack` cannot fail
    late_.reserve(ConditionWords::kCount);
    words_ = &mapWords();
  }
  std::size_t takeOld() noexcept {
    const std::size_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  bool isWritten(const Late& late) const noexcept {
    const std::uint64_t value = words_->triggers[late.slot].load(std::memory_order_acquire);
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
  Words* words_ = nullptr;
  std::size_t used_ = 0;  // those before it have been taken once
  std::vector<std::size_t> free_;
  std::vector<Late> late_;  // given back before they were written
};

Slots& slots() noexcept {
  static base::Immortal<Slots> only;
  return *only;
}

std::size_t takeSlot() {
  base::installForkHandlers();
  base::requireNotForked();
  return slots().take();
}

}  // namespace

ConditionWords::ConditionWords() : slot_(takeSlot()) {
  base_ = std::max(trigger().load(std::memory_order_relaxed),
                   answer().done.load(std::memory_order_relaxed));
  trigger().store(base_, std::memory_order_relaxed);
  answer().status.store(UCS_INPROGRESS, std::memory_order_relaxed);
  answer().done.store(base_, std::memory_order_relaxed);
  expected_ = base_;
}

ConditionWords::~ConditionWords() {
  if (!base::isForkedChild()) slots().giveBack(slot_, expected_);
}

std::atomic<std::uint64_t>& ConditionWords::trigger() const noexcept {
  return slots().mapped().triggers[slot_];
}

std::pair<void*, std::size_t> ConditionWords::pages() {
  base::installForkHandlers();
  base::requireNotForked();
  return {&slots().words(), sizeof(Words)};
}

AnswerLine& ConditionWords::answer() const noexcept { return slots().mapped().answers[slot_]; }

}  // namespace ucxx::core
