// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

// The one place that holds the version: CMake, the package files and the Python package read it
// from here. Before 1.0 a raised minor may break the API and the ABI.
#define UCXX_VERSION_MAJOR 0
#define UCXX_VERSION_MINOR 1
#define UCXX_VERSION_PATCH 0
