// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <string>

namespace ucxx::peers {

/// What this process holds.
struct Resources {
  std::size_t descriptors = 0, threads = 0, resident_kib = 0;
  static Resources now();
};

/// One line for each descriptor of this process: what it is, and of TCP sockets both ends and the
/// state, as in /proc/net/tcp (1: established, 7: closed, 10: listening).
std::string describeDescriptors();

/// Files of UCX and ours in /dev/shm; of the whole machine.
std::size_t sharedMemoryFiles();

}  // namespace ucxx::peers
