// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

namespace ucxx::core {

class EndpointState;
struct Message;
struct Operation;

// Messages to the own worker of which the processor does not reach both places: copies of the loop
// bring them, out of the sender's memory.

/// `op` gets bytes of `sender` in such a way, at `op.buffer`.
bool needsCopies(const Operation& sender, std::size_t size, const Operation& op) noexcept;
/// The sender of a piece of a stream is in memory of a device.
bool needsCopies(const Message& piece) noexcept;

/// `size` bytes of `sender`, which lie at `from`, unless it has several blocks, come to `to`. They
/// are a part of each of the two, which ends when they are there.
void copyFromSender(Operation& sender, const void* from, std::size_t size, Operation& op,
                    void* to) noexcept;
/// As `copyFromSender`, for the oldest piece of a stream.
void copyPieceFromSender(EndpointState& endpoint, Operation& sender, std::size_t size,
                         void* to) noexcept;

/// What comes so for `op`, a tag receive whose message nobody wants any more, comes to memory of
/// the host, if no copy has begun.
void turnBackToSelf(Operation& op) noexcept;

}  // namespace ucxx::core
