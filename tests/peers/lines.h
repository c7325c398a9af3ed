// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <optional>

#include <nlohmann/json.hpp>

#include "tools/perftest/control.h"

namespace ucxx::peers {

/// The next line that is there; the socket need not be readable for it, since lines come together.
/// Throws `PeerGone`.
inline std::optional<nlohmann::json> nextLine(tools::Control& control) {
  try {
    return control.receive(std::chrono::milliseconds(0));
  } catch (const tools::PeerGone&) {
    throw;
  } catch (const std::runtime_error&) {
    return std::nullopt;  // not in time
  }
}

}  // namespace ucxx::peers
