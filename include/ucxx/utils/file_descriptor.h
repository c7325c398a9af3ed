// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdio>
#include <string>

#include <ucxx/export.h>

namespace ucxx::utils {

/// A nameless temporary file, for functions that print to a `FILE*`. Throws
/// `std::ios_base::failure`.
UCXX_PUBLIC FILE* createTextFileDescriptor();
/// All that was written to it; closes it.
UCXX_PUBLIC std::string decodeTextFileDescriptor(FILE* file);

}  // namespace ucxx::utils
