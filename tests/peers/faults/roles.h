// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "tools/perftest/control.h"

namespace ucxx::faults {

/// The processes of this program; each returns its exit status, and ends at the line "bye".

/// Listens at 127.0.0.1, or `host`, and sends back each active message of whoever connects.
int runServer(tools::Control& control);
/// Connects to a server, as it is told.
int runFriend(tools::Control& control);
/// Receives what senders send, or does not.
int runSink(tools::Control& control);
int runSender(tools::Control& control);
/// Posts receives and cancels them.
int runCanceller(tools::Control& control);
/// Uses the library with ever less missing.
int runPoor(tools::Control& control);
/// Two network namespaces, and what is between them.
int runWireBox(tools::Control& control);

}  // namespace ucxx::faults
