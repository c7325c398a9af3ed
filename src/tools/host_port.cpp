// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/host_port.h"

#include <charconv>

namespace ucxx::tools {
namespace {

std::optional<std::uint16_t> readPort(std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size() || port < 1 || port > 65535)
    return std::nullopt;
  return static_cast<std::uint16_t>(port);
}

}  // namespace

std::optional<HostPort> readHostPort(std::string_view text) {
  HostPort found{std::string(text), std::nullopt};
  const std::size_t colon = text.rfind(':');
  const bool in_brackets = text.starts_with('[');
  if (colon != text.npos && (in_brackets ? text.back() != ']' : text.find(':') == colon)) {
    found.port = readPort(text.substr(colon + 1));
    if (!found.port) return std::nullopt;
    found.host = text.substr(0, colon);
  }
  if (in_brackets) {
    if (!found.host.ends_with(']')) return std::nullopt;
    found.host = found.host.substr(1, found.host.size() - 2);
  }
  if (found.host.empty()) return std::nullopt;
  return found;
}

}  // namespace ucxx::tools
