// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <optional>

#include "door/door.h"

namespace ucxx::core {

class EndpointState;

/// The ends of the socket of an endpoint; nothing while it has none. Who called by name has the
/// ports of that call, also where another socket is used. Inside a machine, and to the own worker,
/// the address is the loopback's; without such a call its port is 0.
struct SocketEnds {
  door::SocketAddress local, peer;
};
std::optional<SocketEnds> socketEnds(const EndpointState& endpoint);

}  // namespace ucxx::core
