// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/id128.h"

#include <cerrno>
#include <cstddef>

#include <sys/random.h>

#include "base/system_error.h"

namespace ucxx::base {
namespace {

void fillRandom(void* into, std::size_t bytes) {
  auto* at = static_cast<std::byte*>(into);
  while (bytes > 0) {
    const ssize_t got = ::getrandom(at, bytes, 0);
    if (got < 0) {
      if (errno == EINTR) continue;
      throwErrno(errno, "getrandom");
    }
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
}

void appendHex(std::string& text, std::uint64_t value) {
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[value >> shift & 15];
}

}  // namespace

Id128 randomId128() {
  Id128 id;
  while (!id) fillRandom(&id, sizeof id);
  return id;
}

std::uint64_t randomU64() {
  std::uint64_t value = 0;
  fillRandom(&value, sizeof value);
  return value;
}

std::string toString(const Id128& id) {
  std::string text;
  text.reserve(32);
  appendHex(text, id.high);
  appendHex(text, id.low);
  return text;
}

}  // namespace ucxx::base
