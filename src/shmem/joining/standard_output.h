// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx::shmem {

/// The standard output of a program in C or C++ is line-buffered from now on where it is a file or
/// a pipe, as it is in a terminal: each line is written as a whole, so the lines of several PEs
/// that share the file stay whole, and in the order in which they were printed. Output that the
/// program has used or set up (setvbuf) is left alone.
void writeWholeLines() noexcept;

}  // namespace ucxx::shmem
