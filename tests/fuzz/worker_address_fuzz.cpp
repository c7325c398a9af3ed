// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The bytes of a worker address, as they may come from anywhere.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "base/crc32c.h"
#include "core/meet/worker_address.h"
#include "fuzz/require.h"
#include "fuzz/sealed_text.h"

namespace {

using namespace ucxx;
using fuzz::require;

constexpr std::size_t kHeadBytes = 16;

void seal(std::string& text) {
  if (text.size() < kHeadBytes) return;
  const std::string genuine = core::writeWorkerAddress({});
  const auto body = std::as_bytes(std::span(text)).subspan(kHeadBytes);
  const std::uint32_t crc = base::crc32c(body);
  const auto size = static_cast<std::uint32_t>(body.size());
  std::memcpy(text.data(), genuine.data(), 8);
  std::memcpy(text.data() + 8, &crc, sizeof crc);
  std::memcpy(text.data() + 12, &size, sizeof size);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::sealedText(data, size, seal);
  const auto address = core::readWorkerAddress(text);
  if (!address) return 0;
  const auto again = core::readWorkerAddress(core::writeWorkerAddress(*address));
  require(again && again->worker == address->worker && again->doors == address->doors);
  for (const auto& door : address->doors) require(!door.toString().empty());
  return 0;
}
