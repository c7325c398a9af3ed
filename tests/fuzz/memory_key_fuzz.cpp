// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The bytes of a serialized remote key, as they may come from anywhere. An odd first byte has
// magic, length and checksum made right, or nothing behind them would ever be reached.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>

#include "base/crc32c.h"
#include "core/memory_key.h"
#include "local/memory_table.h"

namespace {

using namespace ucxx;

constexpr std::size_t kHeadBytes = 16;

void require(bool condition) {
  if (!condition) std::abort();
}

void seal(std::string& text) {
  if (text.size() < kHeadBytes) return;
  const std::string genuine = core::writeMemoryKey({});
  std::uint32_t crc = 0;
  std::memcpy(text.data(), genuine.data(), 12);
  std::memcpy(text.data() + 12, &crc, sizeof crc);
  crc = base::crc32c(std::as_bytes(std::span(text)));
  std::memcpy(text.data() + 12, &crc, sizeof crc);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 1) != 0) seal(text);
  const auto key = core::readMemoryKey(text);
  if (!key) return 0;
  require(text.size() == core::writeMemoryKey({}).size());
  require(key->id != 0 && key->base + key->size >= key->base);
  require(key->entry < local::MemoryTable::kEntries || key->entry == core::MemoryKey::kNoEntry);
  const auto again = core::readMemoryKey(core::writeMemoryKey(*key));
  require(again && again->id == key->id && again->base == key->base && again->size == key->size &&
          again->entry == key->entry);
  return 0;
}
