// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The bytes of a serialized remote key, as they may come from anywhere.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "base/crc32c.h"
#include "core/onesided/memory_key.h"
#include "fuzz/require.h"
#include "fuzz/sealed_text.h"
#include "local/memory_table.h"

namespace {

using namespace ucxx;
using fuzz::require;

constexpr std::size_t kHeadBytes = 16;

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
  const std::string text = fuzz::sealedText(data, size, seal);
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
