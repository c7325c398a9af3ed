// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "base/phases.h"

/// The calling thread stops its process, as by SIGSTOP, when it comes to that step of the library
/// the next time. Whoever waits for that sees it in /proc.
extern "C" [[gnu::visibility("default")]] void stopAt(ucxx::base::Phase phase);
