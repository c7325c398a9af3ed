// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

/// Deprecated: programs of before version 1.2 include <mpp/shmem.h>.
#include <shmem.h>
