// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "core/onesided/atomic_update.h"

#include <atomic>
#include <cstring>

namespace ucxx::core {
namespace {

template <class Word>
Word applyTo(std::atomic_ref<Word> word, const AtomicUpdate& update) noexcept {
  const auto operand = static_cast<Word>(update.operand);
  if (update.compares != 0) {
    auto word_before = static_cast<Word>(update.expected);
    word.compare_exchange_strong(word_before, operand);
    return word_before;
  }
  switch (update.operation) {
    case AtomicOperation::Add:
      return word.fetch_add(operand);
    case AtomicOperation::And:
      return word.fetch_and(operand);
    case AtomicOperation::Or:
      return word.fetch_or(operand);
    case AtomicOperation::Xor:
      return word.fetch_xor(operand);
    case AtomicOperation::Swap:
      return word.exchange(operand);
  }
  return 0;
}

}  // namespace

std::uint64_t AtomicUpdate::apply(std::byte* word) const noexcept {
  if (word_bytes == sizeof(std::uint32_t))
    return applyTo(std::atomic_ref(*reinterpret_cast<std::uint32_t*>(word)), *this);
  return applyTo(std::atomic_ref(*reinterpret_cast<std::uint64_t*>(word)), *this);
}

void AtomicUpdate::store(std::uint64_t before, void* where) const noexcept {
  const auto half = static_cast<std::uint32_t>(before);
  if (word_bytes == sizeof half)
    std::memcpy(where, &half, sizeof half);
  else
    std::memcpy(where, &before, sizeof before);
}

}  // namespace ucxx::core
