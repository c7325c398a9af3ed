// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>

#include <sys/types.h>

namespace ucxx::peers {

/// What the threads of a process do just now: what the kernel says, and their stacks if there is a
/// gdb. Takes some seconds; never throws for want of an answer.
std::string stacksOf(pid_t pid);

}  // namespace ucxx::peers
