// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The frame table of a multi-buffer message: a broken one is refused before anything is allocated
// that the message itself does not hold.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/wire/wire.h"
#include "fuzz/require.h"

namespace {

using namespace ucxx::core;
using ucxx::fuzz::require;

constexpr MultiLimits kLimits{.frames = 128, .bytes = 1 << 20};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto payload = std::as_bytes(std::span(data, size));
  const auto frames = readFrameTable(payload, kLimits);
  if (!frames) return 0;
  require(frames->size() <= kLimits.frames && frameTableBytes(frames->size()) <= size);
  std::uint64_t total = 0, packed = frameTableBytes(frames->size());
  for (const FrameInfo& frame : *frames) {
    total += frame.size;
    if (frame.packed) packed += frame.size;
  }
  require(total <= kLimits.bytes && packed == size);
  std::vector<std::byte> table(frameTableBytes(frames->size()));
  writeFrameTable(*frames, table.data());
  require(std::equal(table.begin(), table.end(), payload.begin()));
  return 0;
}
