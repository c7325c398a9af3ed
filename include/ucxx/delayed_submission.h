// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

// For programs that include it by its established name: `DelayedSubmissionCallbackType` is there.
#include <ucxx/typedefs.h>
