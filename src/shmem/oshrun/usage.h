// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx::shmem::oshrun {

/// What `--help` prints.
extern const char* const kUsage;

}  // namespace ucxx::shmem::oshrun
