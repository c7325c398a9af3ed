// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>

#include <ucxx/atomic_operation.h>

namespace ucxx::core {

/// One atomic operation, as it also lies in a message.
struct AtomicUpdate {
  std::uint64_t operand = 0;
  std::uint64_t expected = 0;  ///< if it compares
  AtomicOperation operation = AtomicOperation::Add;
  std::uint8_t word_bytes = sizeof(std::uint64_t);  ///< 4 or 8
  std::uint8_t fetches = 0;                         ///< 1: the value before is wanted
  std::uint8_t compares = 0;                        ///< 1: a swap, if the word is as expected
  std::uint8_t reserved[4] = {};

  /// To be asked of an update that a peer has sent.
  bool isValid() const noexcept {
    const bool is_known = operation <= AtomicOperation::Swap && fetches <= 1 && compares <= 1 &&
                          (compares == 0 || operation == AtomicOperation::Swap);
    return is_known && (word_bytes == 4 || word_bytes == 8);
  }
  bool mayBeAt(const std::byte* word) const noexcept {
    return reinterpret_cast<std::uintptr_t>(word) % word_bytes == 0;
  }
  /// `word` may be used. Returns the value before. Agrees with every other atomic access of any
  /// process that maps the word.
  std::uint64_t apply(std::byte* word) const noexcept;
  /// Stores the value before, of `word_bytes`, where it is wanted.
  void store(std::uint64_t before, void* where) const noexcept;
};
static_assert(sizeof(AtomicUpdate) == 24);

}  // namespace ucxx::core
