// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shmem/oshrun/options.h"

namespace ucxx::shmem::oshrun {

/// Whether the variable tells a PE who it is, or what has become of that.
bool isOfOshrun(std::string_view name) noexcept;

/// The environment of the PEs, NAME=VALUE each: that of oshrun, without what other launchers have
/// left there, and with the variables of `-x`. What tells a PE who it is comes on top.
std::vector<std::string> environmentOf(const Options& options);

/// Where oshrun itself runs in a job of another oshrun, whose socket is not for its own PEs.
void keepOuterSocket() noexcept;

}  // namespace ucxx::shmem::oshrun
