// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/onesided/memory_key.h"
#include "local/memory_table.h"

namespace ucxx::core {

class EndpointState;
class Port;

/// The library's half of a `ucxx::RemoteKey`: memory of the peer of one endpoint, and whether it is
/// mapped here.
class RemoteMemory {
 public:
  /// On the side that has the memory, where it is not reached.
  explicit RemoteMemory(const MemoryKey& key) noexcept : key_(key) {}
  /// `endpoint` must outlive this.
  RemoteMemory(const MemoryKey& key, EndpointState& endpoint, std::uint64_t handle) noexcept
      : key_(key), endpoint_(&endpoint), handle_(handle) {}

  const MemoryKey& key() const noexcept { return key_; }
  /// Null, and 0, on the side that has the memory.
  const EndpointState* endpoint() const noexcept { return endpoint_; }
  std::uint64_t handle() const noexcept { return handle_; }
  bool has(std::uint64_t offset, std::size_t size) const noexcept {
    return offset <= key_.size && size <= key_.size - offset;
  }

  /// Where the byte at `offset` is mapped here. Null: it is not, or `look` was not called yet, or
  /// the memory is its owner's no more. Any thread.
  std::byte* at(std::uint64_t offset) const noexcept {
    std::byte* const begin = begin_.load(std::memory_order_acquire);
    return begin != nullptr && isThere() ? begin + offset : nullptr;
  }
  std::byte* begin() const noexcept { return begin_.load(std::memory_order_acquire); }

  /// @name The loop of the endpoint
  /// @{
  /// Finds out how it can be reached by `port`, which is up.
  void look(const Port& port);
  void lookIfUp();
  /// This side sees whether the peer still has it.
  bool isWatched() const noexcept { return entry_ != nullptr; }
  bool isThere() const noexcept { return entry_->id.load(std::memory_order_acquire) == key_.id; }
  /// @}

 private:
  const MemoryKey key_;
  EndpointState* const endpoint_ = nullptr;
  const std::uint64_t handle_ = 0;
  bool looked_ = false;
  std::shared_ptr<const void> mapping_;  // keeps what follows
  const local::MemoryTable::Entry* entry_ = nullptr;
  std::atomic<std::byte*> begin_{nullptr};  // set behind `entry_`
};

}  // namespace ucxx::core
