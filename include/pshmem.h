// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

/// The profiling interface of OpenSHMEM 1.6. A tool defines shmem_x itself, which replaces the
/// library's, and calls pshmem_x to do the work.
#include <ucxx_shmem/pfunctions.h>
#include <ucxx_shmem/types.h>
