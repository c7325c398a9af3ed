// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// To be preloaded: processes of one name get memory for so many calls of `fallocate`, and then
// none. UCXX_TEST_SHORT=NAME:CALLS. UCXX_TEST_AVAILABLE=BYTES: the machine has so many left.
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <sys/types.h>

#include "shmem/available.h"

namespace {

/// How many calls may succeed; -1: any number.
int callsLeft() {
  const char* const text = std::getenv("UCXX_TEST_SHORT");
  const char* const colon = text == nullptr ? nullptr : std::strchr(text, ':');
  if (colon == nullptr) return -1;
  const std::size_t length = std::strlen(program_invocation_short_name);
  const bool is_this = static_cast<std::size_t>(colon - text) == length &&
                       std::strncmp(text, program_invocation_short_name, length) == 0;
  return is_this ? std::atoi(colon + 1) : -1;
}

}  // namespace

long ucxx::test::availableBytes() {
  const char* const text = std::getenv("UCXX_TEST_AVAILABLE");
  return text == nullptr ? -1 : std::atol(text);
}

extern "C" [[gnu::visibility("default")]] int fallocate(int descriptor, int mode, off_t offset,
                                                        off_t bytes) {
  using Fallocate = int(int, int, off_t, off_t);
  static auto* const real = reinterpret_cast<Fallocate*>(::dlsym(RTLD_NEXT, "fallocate"));
  static std::atomic<int> left{callsLeft()};
  if (left >= 0 && left.fetch_sub(1) <= 0) {
    left = 0;
    errno = ENOSPC;
    return -1;
  }
  return real(descriptor, mode, offset, bytes);
}
