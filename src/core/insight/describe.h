// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <string>

#include "base/clock.h"
#include "core/channel/link_types.h"
#include "core/link/link.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"

namespace ucxx::core {

/// For people.
inline double seconds(base::Duration time) { return std::chrono::duration<double>(time).count(); }

/// A pending operation, for people.
std::string describeOperation(const Operation& op);

/// @name Words of descriptions and reports
/// @{
const char* toString(ChannelKind channel) noexcept;
const char* toString(EndpointPhase phase) noexcept;
const char* toString(Stage stage) noexcept;
const char* stateOf(const Link& link) noexcept;
/// In which process a local peer is, or its address; empty: not met yet.
std::string placeOf(const Link& link);
/// @}

}  // namespace ucxx::core
