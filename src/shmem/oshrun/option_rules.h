// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <span>

#include "shmem/oshrun/option_rule.h"

namespace ucxx::shmem::oshrun {

/// All options that oshrun knows, those of other launchers included.
std::span<const OptionRule> optionRules();

}  // namespace ucxx::shmem::oshrun
