// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>

#include "cuda/stream.h"

namespace ucxx::cuda {

class StreamMark;

/// A word is written when the stream gets there.
MemoryOperation writeOf(Address word, std::uint64_t value) noexcept;
/// The same for the lower half of a word.
MemoryOperation writeOfHalf(Address word, std::uint32_t value) noexcept;
/// The stream goes on when the word is `value` or more.
MemoryOperation waitFor(Address word, std::uint64_t value) noexcept;

/// Puts `operation` into the stream, whose context is current, or, if a batch of this thread
/// collects for that, into the batch. Throws what the driver says, and nothing has happened.
/// `mark`: whose write it is, which is told if the batch fails; null: nobody's.
void enqueue(const Stream& stream, const MemoryOperation& operation,
             std::shared_ptr<StreamMark> mark, const char* what);

/// All that this thread has collected is in its streams afterwards. Throws what the driver says.
void submitBatches();

}  // namespace ucxx::cuda
