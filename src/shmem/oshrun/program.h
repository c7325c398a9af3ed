// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>

#include "shmem/oshrun/options.h"

namespace ucxx::shmem::oshrun {

/// The path of the program, found as a shell does. Where `--wdir` is given it is absolute, and what
/// is relative is looked for in that folder first. Throws `Refusal` (127: there is none, 126: it
/// cannot be executed).
std::string findProgram(const Options& options);

}  // namespace ucxx::shmem::oshrun
