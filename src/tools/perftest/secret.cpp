// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/secret.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace ucxx::tools {
namespace {

constexpr std::size_t kMoreThanEnough = 4096;  // the library says what is too long

[[noreturn]] void fail(int descriptor) {
  throw std::invalid_argument(
      fmt::format("--secret-fd {}: {}", descriptor, std::generic_category().message(errno)));
}

}  // namespace

int keepSecret(int descriptor) {
  const int memory = ::memfd_create("secret", 0);
  if (memory < 0) fail(descriptor);
  std::array<char, kMoreThanEnough> bytes;
  std::size_t length = 0;
  while (length < bytes.size()) {
    const ssize_t got = ::read(descriptor, bytes.data() + length, bytes.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(descriptor);
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
  }
  const ssize_t written = ::write(memory, bytes.data(), length);
  ::explicit_bzero(bytes.data(), bytes.size());
  if (written != static_cast<ssize_t>(length)) fail(descriptor);
  return memory;
}

}  // namespace ucxx::tools
