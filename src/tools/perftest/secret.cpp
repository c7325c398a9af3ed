// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/secret.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <span>
#include <stdexcept>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/reason.h"

namespace ucxx::tools {
namespace {

constexpr std::size_t kMoreThanEnough = 4096;  // the library says what is too long

/// How many bytes, or -errno.
ssize_t readAll(int descriptor, std::span<char> into) noexcept {
  std::size_t length = 0;
  while (length < into.size()) {
    const ssize_t got = ::read(descriptor, into.data() + length, into.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -errno;
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
  }
  return static_cast<ssize_t>(length);
}

/// A descriptor of memory with these bytes, or -errno. Not closed on exec: the process that answers
/// this one is started by exec, and reads the secret there.
int remember(std::span<const char> bytes) noexcept {
  const int memory = ::memfd_create("secret", 0);
  if (memory < 0) return -errno;
  const ssize_t written = ::write(memory, bytes.data(), bytes.size());
  if (written == std::ssize(bytes)) return memory;
  const int error = written < 0 ? errno : ENOSPC;
  ::close(memory);
  return -error;
}

}  // namespace

int keepSecret(int descriptor) {
  std::array<char, kMoreThanEnough> bytes;
  const ssize_t length = readAll(descriptor, bytes);
  const int memory = length < 0
                         ? static_cast<int>(length)
                         : remember(std::span(bytes).first(static_cast<std::size_t>(length)));
  ::explicit_bzero(bytes.data(), bytes.size());
  if (memory >= 0) return memory;
  throw std::invalid_argument(fmt::format("--secret-fd {}: {}", descriptor, reason(-memory)));
}

}  // namespace ucxx::tools
