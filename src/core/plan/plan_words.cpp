// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "core/plan/plan_words.h"

#include <algorithm>
#include <bitset>
#include <mutex>
#include <new>
#include <utility>

#include "core/request/host_memory.h"

namespace ucxx::core {
namespace {

constexpr std::size_t kPageWords = 512;  // what the pool gives at least
constexpr std::size_t kLineWords = 8;

Marks::Word* zeros(void* place, std::size_t count) noexcept {
  auto* const words = static_cast<Marks::Word*>(place);
  for (std::size_t i = 0; i < count; ++i) new (&words[i]) Marks::Word(0);
  return words;
}

std::shared_ptr<Marks::Word> ownBlock(std::size_t count) {
  const std::shared_ptr<void> block = allocateMapped(count * sizeof(Marks::Word));
  if (block == nullptr) return nullptr;
  return {block, zeros(block.get(), count)};
}

}  // namespace

class PlanWords::Page {
 public:
  explicit Page(std::shared_ptr<void> block) noexcept
      : words_(static_cast<Marks::Word*>(block.get())), block_(std::move(block)) {}

  /// More than one begin with a line. Null: there is no room.
  Marks::Word* take(std::size_t count) noexcept {
    const std::lock_guard lock(mutex_);
    const std::size_t step = count == 1 ? 1 : kLineWords;
    for (std::size_t first = 0; first + count <= kPageWords; first += step) {
      std::size_t end = first;
      while (end < first + count && !used_[end]) ++end;
      if (end != first + count) continue;
      for (std::size_t i = first; i < end; ++i) used_[i] = true;
      return words_ + first;
    }
    return nullptr;
  }
  void giveBack(const Marks::Word* words, std::size_t count) noexcept {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < count; ++i)
      used_[static_cast<std::size_t>(words - words_) + i] = false;
  }

 private:
  Marks::Word* const words_;
  const std::shared_ptr<void> block_;
  std::mutex mutex_;
  std::bitset<kPageWords> used_;
};

std::shared_ptr<Marks::Word> PlanWords::take(std::size_t count) {
  if (count > kPageWords / 2) return ownBlock(count);
  std::erase_if(pages_, [](const auto& page) { return page.expired(); });
  const auto takeFrom = [&](const std::shared_ptr<Page>& page) -> std::shared_ptr<Marks::Word> {
    Marks::Word* const words = page == nullptr ? nullptr : page->take(count);
    if (words == nullptr) return nullptr;
    return {zeros(words, count), [page, count](Marks::Word* own) { page->giveBack(own, count); }};
  };
  for (const auto& page : pages_)
    if (auto words = takeFrom(page.lock())) return words;
  std::shared_ptr<void> block = allocateMapped(kPageWords * sizeof(Marks::Word));
  if (block == nullptr) return nullptr;
  const auto page = std::make_shared<Page>(std::move(block));
  pages_.push_back(page);
  return takeFrom(page);
}

}  // namespace ucxx::core
