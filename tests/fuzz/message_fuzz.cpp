// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The header of a message, and what follows it when it is an active message.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/wire/wire.h"
#include "fuzz/require.h"

namespace {

using namespace ucxx::core;
using ucxx::fuzz::require;

/// What was read is written again, byte for byte.
void tryPrologue(const WireHeader& header, std::span<const std::byte> bytes) {
  const auto prologue = readAmPrologue(bytes);
  if (!prologue) return;
  require(prologue->user_header.size() <= bytes.size());
  const auto written = writeAmHeader(header, *prologue);
  const auto again = readAmPrologue(std::span(written).subspan(sizeof(WireHeader)));
  require(again && again->user_header == prologue->user_header);
  require(again->callback.has_value() == prologue->callback.has_value());
  require(again->memory_type == prologue->memory_type && again->policy == prologue->policy);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto header = readHeader(bytes);
  if (!header) return 0;
  require(std::memcmp(&*header, data, sizeof *header) == 0);
  tryPrologue(*header, bytes.subspan(sizeof(WireHeader)));
  return 0;
}
