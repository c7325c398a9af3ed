// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/chunks.h"

#include "base/fence.h"

namespace ucxx::local {
namespace {

constexpr unsigned kRoundShift = 48;
constexpr unsigned kFrontShift = 24;
constexpr std::uint64_t kFailed = std::uint64_t{1} << 24;

constexpr std::uint64_t claimsOf(std::uint16_t round, std::uint32_t front,
                                 std::uint32_t back) noexcept {
  return std::uint64_t{round} << kRoundShift | std::uint64_t{front} << kFrontShift | back;
}
constexpr std::uint16_t roundOf(std::uint64_t word) noexcept {
  return static_cast<std::uint16_t>(word >> kRoundShift);
}
constexpr std::uint32_t frontOf(std::uint64_t claims) noexcept {
  return static_cast<std::uint32_t>(claims >> kFrontShift) & kMostChunks;
}
constexpr std::uint32_t lowOf(std::uint64_t word) noexcept {
  return static_cast<std::uint32_t>(word) & kMostChunks;
}

}  // namespace

void ChunkOwner::lend(ChunkMemory& memory, std::uint16_t round) noexcept {
  memory_ = &memory;
  round_ = round;
  // It may be of the same round when that came last: helpers need not have written since.
  memory.done.store(0, std::memory_order_relaxed);
  memory.claims.store(claimsOf(round, front_, back_), std::memory_order_release);
}

/// What the helper has taken meanwhile. False: it wrote what no helper writes.
bool ChunkOwner::readBack(std::uint64_t claims) noexcept {
  const std::uint32_t back = lowOf(claims);
  if (roundOf(claims) != round_ || frontOf(claims) != front_ || back > back_ || back < front_)
    broken_ = true;
  else
    back_ = back;
  return !broken_;
}

std::optional<std::uint32_t> ChunkOwner::take() noexcept {
  if (memory_ != nullptr) {
    std::uint64_t claims = memory_->claims.load(std::memory_order_relaxed);
    do {
      if (broken_ || !readBack(claims) || front_ == back_) return std::nullopt;
    } while (!memory_->claims.compare_exchange_weak(claims, claimsOf(round_, front_ + 1, back_),
                                                    std::memory_order_relaxed));
  }
  if (front_ == back_) return std::nullopt;
  return front_++;
}

void ChunkOwner::revoke() noexcept {
  if (memory_ == nullptr) {
    back_ = front_;
    return;
  }
  std::uint64_t claims = memory_->claims.load(std::memory_order_relaxed);
  do {
    if (broken_ || !readBack(claims)) return;
  } while (!memory_->claims.compare_exchange_weak(claims, claimsOf(round_, back_, back_),
                                                  std::memory_order_relaxed));
  front_ = back_;
}

bool ChunkOwner::isHelperIdle() noexcept {
  if (memory_ == nullptr || back_ == chunks_) return true;
  const std::uint64_t word = memory_->done.load(std::memory_order_acquire);
  base::betweenMappings();
  if (roundOf(word) != round_) return false;
  const std::uint32_t done = lowOf(word), taken = chunks_ - back_;
  const bool failed = (word & kFailed) != 0;
  if (done > taken || (failed && done + 1 != taken)) broken_ = true;
  if (broken_ || (done != taken && !failed)) return false;
  done_from_ = chunks_ - done;
  return true;
}

bool ChunkOwner::isHelperThrough() noexcept {
  if (memory_ == nullptr || broken_) return true;
  // What it says to have done, it has taken before.
  const std::uint64_t word = memory_->done.load(std::memory_order_acquire);
  if (!readBack(memory_->claims.load(std::memory_order_relaxed))) return true;
  return front_ == back_ || (roundOf(word) == round_ && (word & kFailed) != 0);
}

bool ChunkOwner::hasHelperDoneAll() const noexcept {
  return memory_ != nullptr && !broken_ && back_ == 0 && done_from_ == 0;
}

bool ChunkOwner::reclaim() noexcept {
  // A broken helper was never found idle: what it has done is not known.
  if (broken_ || memory_ == nullptr || back_ == chunks_ || done_from_ == back_) return false;
  memory_ = nullptr;  // alone from now on
  front_ = back_;
  back_ = done_from_;
  return true;
}

std::optional<std::uint32_t> ChunkHelper::take() noexcept {
  if (failed_) return std::nullopt;
  std::uint64_t claims = memory_.claims.load(std::memory_order_relaxed);
  std::uint32_t back = 0;
  do {
    back = lowOf(claims);
    if (roundOf(claims) != round_ || frontOf(claims) >= back || back != chunks_ - taken_)
      return std::nullopt;
  } while (!memory_.claims.compare_exchange_weak(
      claims, claimsOf(round_, frontOf(claims), back - 1), std::memory_order_acquire));
  ++taken_;
  return back - 1;
}

void ChunkHelper::done() noexcept {
  base::betweenMappings();
  memory_.done.store(std::uint64_t{round_} << kRoundShift | taken_, std::memory_order_release);
}

void ChunkHelper::fail() noexcept {
  failed_ = true;
  memory_.done.store(std::uint64_t{round_} << kRoundShift | kFailed | (taken_ - 1),
                     std::memory_order_release);
}

}  // namespace ucxx::local
