// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ucxx::tools {

struct HostPort {
  std::string host;
  std::optional<std::uint16_t> port;
};

/// "host", "host:1234", "::1", "[::1]:1234": an IPv6 address needs brackets to have a port. Nothing
/// when it is none of these.
std::optional<HostPort> readHostPort(std::string_view text);

}  // namespace ucxx::tools
