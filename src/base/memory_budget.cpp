// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/memory_budget.h"

#include <algorithm>

namespace ucxx::base {

bool MemoryBudget::reserve(std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  const std::size_t room = granted_ - reserved_;
  if (bytes > room && !grow(bytes - room)) return false;
  reserved_ += bytes;
  return true;
}

void MemoryBudget::commit(std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  committed_ += bytes;
  tellPromises();
}

void MemoryBudget::cancel(std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  reserved_ -= bytes;
  shrink();
}

void MemoryBudget::release(std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  reserved_ -= bytes;
  committed_ -= bytes;
  shrink();
}

bool MemoryBudget::mayGoOn() noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (committed_ < kExempt) return true;
  }
  return available_() != 0;
}

/// Promises first, and looks then: of two processes that grow at once each sees the other one.
bool MemoryBudget::grow(std::size_t bytes) noexcept {
  if (bytes > SIZE_MAX / 2) return false;
  const std::size_t steps = (bytes + kStep - 1) / kStep * kStep;
  granted_ += steps;
  tellPromises();
  if (promises_->load() <= available_()) return true;
  granted_ -= steps;
  tellPromises();
  return false;
}

/// To the least number of steps that hold what is taken.
void MemoryBudget::shrink() noexcept {
  const std::size_t beyond = reserved_ - std::min(reserved_, kExempt);
  granted_ = kExempt + (beyond + kStep - 1) / kStep * kStep;
  tellPromises();
}

void MemoryBudget::tellPromises() noexcept {
  const std::size_t promised = granted_ - std::max(committed_, kExempt);
  if (promised > told_) promises_->fetch_add(promised - told_);
  if (promised < told_) promises_->fetch_sub(told_ - promised);
  told_ = promised;
}

// In small parts, so that what has its pages is not counted twice for long: as promised and as
// used.
bool populateWithin(MemoryBudget& budget, SharedMemory& memory, std::size_t offset,
                    std::size_t bytes) noexcept {
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;
  if (!budget.reserve(bytes)) return false;
  for (std::size_t done = 0, step = 0; done < bytes; done += step) {
    step = std::min(kAtOnce, bytes - done);
    const bool goes_on = done == 0 || done % MemoryBudget::kStep != 0 || budget.mayGoOn();
    if (goes_on && memory.populate(offset + done, step)) {
      budget.commit(step);
      continue;
    }
    memory.discard(offset, done);
    budget.cancel(bytes - done);
    budget.release(done);
    return false;
  }
  return true;
}

}  // namespace ucxx::base
