// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ucxx::core {

/// What a serialized RemoteKey says. It comes from whoever has the memory, by a way that is the
/// users' affair: it opens nothing but memory of the peer at the other end of an endpoint, which
/// that peer has registered.
struct MemoryKey {
  static constexpr std::uint32_t kNoEntry = UINT32_MAX;

  std::uint64_t id = 0;
  std::uint64_t base = 0;  ///< in the process that has the memory
  std::uint64_t size = 0;
  std::uint32_t entry = kNoEntry;  ///< of the owner's MemoryTable

  /// What messages say instead of all but the entry: a changed key names nothing.
  std::uint64_t name() const noexcept;
};

/// Bytes of a key that is serialized.
inline constexpr std::size_t kMemoryKeyBytes = 48;

std::string writeMemoryKey(const MemoryKey& key);
/// Null when malformed.
std::optional<MemoryKey> readMemoryKey(std::string_view bytes) noexcept;

}  // namespace ucxx::core
