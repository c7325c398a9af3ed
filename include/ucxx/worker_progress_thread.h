// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

// For programs that include it by its established name: `Worker` has its progress thread, and the
// types of its callbacks.
#include <ucxx/worker.h>
