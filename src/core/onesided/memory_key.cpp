// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "core/onesided/memory_key.h"

#include <cstring>
#include <span>

#include "base/crc32c.h"
#include "local/memory_table.h"

namespace ucxx::core {
namespace {

constexpr std::uint64_t kMagic = 0x3259454b58584355;  // "UCXXKEY2"

/// Without padding.
struct Raw {
  std::uint64_t magic = kMagic;
  std::uint32_t bytes = sizeof(Raw);
  std::uint32_t crc = 0;  // of the whole, this one being 0
  std::uint64_t id = 0, base = 0, size = 0;
  std::uint32_t entry = 0;
  std::uint32_t reserved = 0;
};
static_assert(sizeof(Raw) == kMemoryKeyBytes);

std::uint32_t checksum(Raw raw) noexcept {
  raw.crc = 0;
  return base::crc32c(std::as_bytes(std::span(&raw, 1)));
}

}  // namespace

/// Base and size are what everybody has read in the key: two multiplications spread them well
/// enough.
std::uint64_t MemoryKey::name() const noexcept {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 divided by the golden ratio
  const std::uint64_t place = (base * kOdd) ^ ((base * kOdd) >> 32);
  return id ^ ((place + size) * kOdd);
}

std::string writeMemoryKey(const MemoryKey& key) {
  Raw raw{.id = key.id, .base = key.base, .size = key.size, .entry = key.entry};
  raw.crc = checksum(raw);
  return {reinterpret_cast<const char*>(&raw), sizeof raw};
}

std::optional<MemoryKey> readMemoryKey(std::string_view bytes) noexcept {
  Raw raw;
  if (bytes.size() != sizeof raw) return std::nullopt;
  std::memcpy(&raw, bytes.data(), sizeof raw);
  if (raw.magic != kMagic || raw.bytes != sizeof raw || raw.crc != checksum(raw))
    return std::nullopt;
  const bool is_entry =
      raw.entry < local::MemoryTable::kEntries || raw.entry == MemoryKey::kNoEntry;
  if (raw.id == 0 || !is_entry || raw.base + raw.size < raw.base) return std::nullopt;
  return MemoryKey{raw.id, raw.base, raw.size, raw.entry};
}

}  // namespace ucxx::core
