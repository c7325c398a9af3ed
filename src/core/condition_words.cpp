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
    if (words_ == nullptr) {
      free_.reserve(ConditionWords::kCount);  // so that `giveBack` cannot fail
      words_ = &mapWords();
    }
    if (!free_.empty()) return takeOld();
    if (used_ == ConditionWords::kCount)
      throw NoResourceError(
          fmt::format("there are {} conditions, and a process has no more at a time; drop the last "
                      "handles of some",
                      ConditionWords::kCount));
    return used_++;
  }
  void giveBack(std::size_t slot) noexcept {
    const std::lock_guard lock(mutex_);
    free_.push_back(slot);
  }
  Words& words() const noexcept { return *words_; }

 private:
  std::size_t takeOld() noexcept {
    const std::size_t slot = free_.back();
    free_.pop_back();
    return slot;
  }

  std::mutex mutex_;
  Words* words_ = nullptr;
  std::size_t used_ = 0;  // those before it have been taken once
  std::vector<std::size_t> free_;
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
}

ConditionWords::~ConditionWords() {
  if (!base::isForkedChild()) slots().giveBack(slot_);
}

std::atomic<std::uint64_t>& ConditionWords::trigger() const noexcept {
  return slots().words().triggers[slot_];
}

AnswerLine& ConditionWords::answer() const noexcept { return slots().words().answers[slot_]; }

}  // namespace ucxx::core
