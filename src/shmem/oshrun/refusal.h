// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <stdexcept>
#include <string>

namespace ucxx::shmem::oshrun {

/// oshrun cannot do what it was asked to do.
struct Refusal : std::runtime_error {
  Refusal(int exit_status, const std::string& text)
      : std::runtime_error(text), status(exit_status) {}
  int status;  ///< the exit status of oshrun
};

inline constexpr int kJobFailed = 1;
inline constexpr int kWrongUse = 2;
inline constexpr int kTimedOut = 124;
inline constexpr int kNotExecutable = 126;
inline constexpr int kNotFound = 127;
inline constexpr int kSignalled = 128;  ///< plus the number of the signal

/// The command line is wrong: `text` says what, and what would be right.
[[noreturn]] inline void refuseUse(const std::string& text) { throw Refusal(kWrongUse, text); }

}  // namespace ucxx::shmem::oshrun
