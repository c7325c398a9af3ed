// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "local/claims.h"

namespace ucxx::local {
namespace {

constexpr std::uint64_t kTaken = 1;
constexpr std::uint64_t kRecalled = 2;
constexpr std::uint64_t kGap = 4;
constexpr std::uint64_t kAll = kTaken | kRecalled | kGap;
static_assert(kAll < std::uint64_t{1} << ClaimMemory::kBits);

struct Place {
  explicit Place(Claim claim) noexcept
      : word((claim - 1) / ClaimMemory::kPerWord),
        shift((claim - 1) % ClaimMemory::kPerWord * ClaimMemory::kBits) {}
  std::uint32_t word;
  std::uint32_t shift;
};

/// Sets `own`. True: `other` was not there before.
bool isFirst(ClaimMemory& memory, Claim claim, std::uint64_t own, std::uint64_t other) noexcept {
  const Place place(claim);
  const std::uint64_t before =
      memory.words[place.word].fetch_or(own << place.shift, std::memory_order_acq_rel);
  return (before >> place.shift & other) == 0;
}

bool has(const ClaimMemory& memory, Claim claim, std::uint64_t bit) noexcept {
  const Place place(claim);
  const std::uint64_t word = memory.words[place.word].load(std::memory_order_acquire);
  return (word >> place.shift & bit) != 0;
}

}  // namespace

bool take(ClaimMemory& memory, Claim claim) noexcept {
  return isFirst(memory, claim, kTaken, kRecalled);
}

bool isRecalled(const ClaimMemory& memory, Claim claim) noexcept {
  return has(memory, claim, kRecalled);
}

bool leavesGap(const ClaimMemory& memory, Claim claim) noexcept { return has(memory, claim, kGap); }

Claim Claims::open(ClaimMemory& memory) {
  Claim claim = 0;
  if (!free_.empty()) {
    claim = free_.back();
    free_.pop_back();
  } else if (used_ < ClaimMemory::kClaims) {
    if (free_.capacity() <= used_) free_.reserve(2 * std::size_t{used_} + 16);  // for all of them
    claim = ++used_;
  }
  if (claim == 0) return 0;
  const Place place(claim);
  memory.words[place.word].fetch_and(~(kAll << place.shift), std::memory_order_acq_rel);
  return claim;
}

bool Claims::recall(ClaimMemory& memory, Claim claim, Recalled how) noexcept {
  const std::uint64_t own = how == Recalled::Gap ? kRecalled | kGap : kRecalled;
  return isFirst(memory, claim, own, kTaken);
}

}  // namespace ucxx::local
