// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "core/channel/link_types.h"
#include "core/link/link.h"
#include "core/match/endpoint_state.h"
#include "core/request/operation.h"

namespace ucxx::core {

/// For people.
inline double seconds(base::Duration time) { return std::chrono::duration<double>(time).count(); }

/// What it moves, for people: "tag send, 8 bytes, tag 0x2"; a flush and a close move nothing.
/// `tag` is the offset, where there is one instead.
std::string describeTransfer(OperationKind kind, std::size_t length, std::uint64_t tag);
/// The tag or offset of `op`, as `describeTransfer` takes it.
std::uint64_t tagOrOffset(const Operation& op) noexcept;
/// A pending one, for people.
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
