// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <string>

#include <sys/types.h>

namespace ucxx::peers {

/// What the threads of a process do just now: what the kernel says, and their stacks if there is a
/// gdb. Takes some seconds; never throws for want of an answer.
std::string stacksOf(pid_t pid);

/// How a process runs just now, by what the kernel says; of one that is gone: nothing.
struct Running {
  bool wants_core = false;          ///< a thread of it has one, or waits for one
  std::chrono::milliseconds ran{};  ///< since it began
};
Running runningOf(pid_t pid);

}  // namespace ucxx::peers
