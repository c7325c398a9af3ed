// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <span>

#include "arguments.h"

// The functions of the module, by the file that defines them.

namespace ucxx::python::shmem {

std::span<const Function> setupOfModule();
std::span<const Function> inquiryOfModule();
std::span<const Function> allocationOfModule();
std::span<const Function> teamsOfModule();
std::span<const Function> contextsOfModule();
std::span<const Function> rmaOfModule();
std::span<const Function> atomicsOfModule();
std::span<const Function> signalsOfModule();
std::span<const Function> waitsOfModule();
std::span<const Function> orderingOfModule();
std::span<const Function> collectivesOfModule();
std::span<const Function> reductionsOfModule();
std::span<const Function> locksOfModule();

}  // namespace ucxx::python::shmem
