// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <string>

namespace ucxx::base {

/// Bytes that may be taken without harm to other programs: the least of what the machine has left
/// (MemAvailable) and of what each memory cgroup of this process has left (its maximum, less what
/// is used, plus file pages that the kernel can drop), each less a reserve. The reserve is a
/// sixteenth of the machine's memory, or of the cgroup's maximum, and at least 256 MiB. Shared
/// pages that are taken beyond that make the kernel end programs, and not the one that has taken
/// them. Reads files of /proc and /sys: some 50 us.
std::uint64_t availableMemory() noexcept;

/// As if /proc and /sys lay in the folder `root`. Throws where one of their files cannot be read.
std::uint64_t availableMemory(const std::string& root);

}  // namespace ucxx::base
