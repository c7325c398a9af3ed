// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "tools/perftest/control.h"
#include "tools/perftest/options.h"

namespace ucxx::tools {

/// Does what one client asks for, until it says goodbye. Throws `PeerGone` when it ends before, and
/// what failed otherwise, after telling the client.
void serveClient(Control control, const Options& options);

}  // namespace ucxx::tools
