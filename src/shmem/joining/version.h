// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucxx/version.h>

#define UCXX_SHMEM_TEXT_OF(number) #number
#define UCXX_SHMEM_TEXT(number) UCXX_SHMEM_TEXT_OF(number)

namespace ucxx::shmem {

/// "0.1.0": `oshrun` and the library of its PEs have the same.
inline constexpr const char* kVersion = UCXX_SHMEM_TEXT(UCXX_VERSION_MAJOR) "." UCXX_SHMEM_TEXT(
    UCXX_VERSION_MINOR) "." UCXX_SHMEM_TEXT(UCXX_VERSION_PATCH);

}  // namespace ucxx::shmem

#undef UCXX_SHMEM_TEXT
#undef UCXX_SHMEM_TEXT_OF
