// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

// For programs that include it by its established name: `Request` is what is in flight.
#include <ucxx/request.h>
