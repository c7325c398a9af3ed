// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <span>

#include "arguments.h"

// The functions of the module, by the file that defines them.

namespace ucxx::python::shmem {

std::span<const Function> setupFunctions();
std::span<const Function> memoryFunctions();
std::span<const Function> handleFunctions();
std::span<const Function> rmaFunctions();
std::span<const Function> atomicFunctionsOfModule();
std::span<const Function> signalFunctions();
std::span<const Function> waitFunctionsOfModule();
std::span<const Function> collectiveFunctions();
std::span<const Function> reductionFunctions();
std::span<const Function> lockFunctions();

}  // namespace ucxx::python::shmem
