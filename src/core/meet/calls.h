// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <vector>

#include "door/door.h"

namespace ucxx::core {

class Link;

/// Names each address as "ip:port".
std::vector<std::string> routesOf(const std::vector<door::SocketAddress>& addresses);

/// To be called when `link`, which calls or waits for its caller, begins or ends to wait, or waits
/// for another time: sets its deadline.
void setCallDeadline(Link& link) noexcept;

}  // namespace ucxx::core
