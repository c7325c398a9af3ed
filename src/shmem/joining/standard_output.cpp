// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/joining/standard_output.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <stdio_ext.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ucxx::shmem {
namespace {

/// A longer line is written in pieces.
constexpr std::size_t kLongestLine = std::size_t{64} * 1024;

/// Terminals are line-buffered anyway, and nobody reads the lines of another device.
bool isShared() noexcept {
  struct stat state {};
  if (::fstat(STDOUT_FILENO, &state) != 0) return false;
  return S_ISREG(state.st_mode) || S_ISFIFO(state.st_mode) || S_ISSOCK(state.st_mode);
}

/// The C library makes its buffer when the program first writes.
bool isUntouched() noexcept { return ::__fbufsize(stdout) == 0; }

}  // namespace

// The buffer is the stream's to the end of the process, and so is never freed.
void writeWholeLines() noexcept {
  if (!isShared() || !isUntouched()) return;
  std::setvbuf(stdout, static_cast<char*>(std::malloc(kLongestLine)), _IOLBF, kLongestLine);
}

}  // namespace ucxx::shmem
