// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "stop.h"

#include "base/phase.h"

void stopAt(ucxx::base::Phase phase) { ucxx::base::stop_at = phase; }
