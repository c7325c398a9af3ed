// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <vector>

#include "shmem/oshrun/options.h"

namespace ucxx::shmem::oshrun {

/// Numbers of processors, in order.
using Processors = std::vector<int>;

/// Those that this process may use; none: the system does not say.
Processors usableProcessors();
/// The usable ones, sorted by what a PE is bound to: PE i gets the i-th entry, in turns. None where
/// PEs are not bound.
std::vector<Processors> placesOf(Binding binding);
/// The calling process runs on those alone.
bool bindTo(const Processors& processors) noexcept;
/// "processor 3", "processors 0-3,8".
std::string textOf(const Processors& processors);

}  // namespace ucxx::shmem::oshrun
