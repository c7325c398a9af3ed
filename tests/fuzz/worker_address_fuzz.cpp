// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The bytes of a worker address, as they may come from anywhere. An odd first byte has the head
// made right, or nothing behind the checksum would ever be reached.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>

#include "base/crc32c.h"
#include "core/worker_address.h"

namespace {

using namespace ucxx;

constexpr std::size_t kHeadBytes = 16;

void require(bool condition) {
  if (!condition) std::abort();
}

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
  if (size == 0) return 0;
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 1) != 0) seal(text);
  const auto address = core::readWorkerAddress(text);
  if (!address) return 0;
  const auto again = core::readWorkerAddress(core::writeWorkerAddress(*address));
  require(again && again->worker == address->worker && again->doors == address->doors);
  for (const auto& door : address->doors) require(!door.toString().empty());
  return 0;
}
