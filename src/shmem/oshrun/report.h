// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <vector>

#include "shmem/oshrun/options.h"
#include "shmem/oshrun/pe.h"
#include "shmem/oshrun/processors.h"

namespace ucxx::shmem::oshrun {

/// What `--verbose` says, a text for each line: what is started, and which options do nothing.
std::vector<std::string> descriptionOf(const Options& options, const std::string& program,
                                       const std::vector<Processors>& places);

/// What `--report-bindings` says of a PE. `places` are those of `placesOf`.
std::string bindingOf(const Pe& pe, const std::vector<Processors>& places);

/// A warning where PEs that wanted a processor for themselves share one; empty: they do not.
std::string sharingOf(const Options& options, const std::vector<Processors>& places);

}  // namespace ucxx::shmem::oshrun
