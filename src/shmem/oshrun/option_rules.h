// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <span>

#include "shmem/oshrun/command_line.h"
#include "shmem/oshrun/options.h"

namespace ucxx::shmem::oshrun {

/// All options that oshrun knows, those of other launchers included.
std::span<const OptionForm* const> optionForms();

/// Notes what the option says. Throws `Refusal` where its value is wrong, or where it is an option
/// of another launcher that has to be written in another way here.
void obey(const GivenOption& given, Options& options);

}  // namespace ucxx::shmem::oshrun
