// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/completion.h"
#include "local/way.h"
#include "ucp/worker.h"

namespace ucxx::core {

class EndpointState;
class IncomingPayloads;
struct FetchAhead;
struct Operation;

/// One announcement on its way into a buffer: a part of `op`, a piece of a stream, or a message
/// that waits for its receive.
struct Fetch final : base::Completion {
  IncomingPayloads* payloads = nullptr;
  Operation* op = nullptr;
  EndpointState* stream = nullptr;
  FetchAhead* ahead = nullptr;
  std::size_t timed_bytes = 0;  // not 0: all of them come in this way, which is measured
  local::Way way = local::Way::Cached;
  // A fetch into `memory` of the library, for a payload that goes to a device from there.
  std::uint64_t collected = 0;  // number of the payload; 0: the fetch is another one
  std::shared_ptr<std::byte> memory;

  /// Null: no memory.
  static Fetch* make(IncomingPayloads& payloads) noexcept;
  void free() noexcept;
  /// Null: a receive has asked for it, or a standing one.
  const FetchAhead* aheadOf() const noexcept;
  bool isForReceive() const noexcept;
  /// `buffer`, where it comes, is in memory of a device.
  bool isIntoDevice(const void* buffer) const noexcept;
};

}  // namespace ucxx::core
