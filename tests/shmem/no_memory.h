// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cerrno>
#include <cstddef>

#include <dlfcn.h>
#include <sys/types.h>

// A system that has no more memory: `fallocate`, by which the library takes it, is replaced here.
// So a program that includes this has one source.

namespace ucxx::test {

/// So many bytes are left for this process; a call that wants more gets nothing.
inline std::atomic<off_t> bytes_left{off_t{1} << 50};

/// As long as one lives there are no more than so many.
class Shortage {
 public:
  explicit Shortage(off_t bytes) : before_(bytes_left.exchange(bytes)) {}
  ~Shortage() { bytes_left = before_; }
  Shortage(const Shortage&) = delete;
  Shortage& operator=(const Shortage&) = delete;

 private:
  const off_t before_;
};

}  // namespace ucxx::test

extern "C" [[gnu::visibility("default")]] int fallocate(int descriptor, int mode, off_t offset,
                                                        off_t bytes) {
  using Fallocate = int(int, int, off_t, off_t);
  static auto* const real = reinterpret_cast<Fallocate*>(::dlsym(RTLD_NEXT, "fallocate"));
  if (bytes > ucxx::test::bytes_left.load()) {
    errno = ENOSPC;
    return -1;
  }
  ucxx::test::bytes_left.fetch_sub(bytes);
  return real(descriptor, mode, offset, bytes);
}
