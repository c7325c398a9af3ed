// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

/// Marks what the shared library promises; everything else is hidden.
#define UCXX_PUBLIC __attribute__((visibility("default")))
