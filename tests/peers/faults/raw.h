// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/random.h"
#include "tools/perftest/control.h"

namespace ucxx::faults {

/// Where a stranger calls from: an address of loopback, 127.1.x.y, or the friends' own, 127.0.0.1.
enum class From : std::uint8_t { Elsewhere, FriendsAddress };

/// A TCP socket that calls `port`, and does not wait. Without a number: there is no more room.
tools::Descriptor callRaw(std::uint16_t port, From from, sim::Random& random);
/// What fits at once; false: it has been hung up.
bool sendRaw(const tools::Descriptor& socket, std::span<const std::byte> bytes);
/// What comes is thrown away; true: it has been hung up.
bool isHungUp(const tools::Descriptor& socket);

/// The bytes of a hello that makes sense.
std::vector<std::byte> helloBytes(sim::Random& random);

}  // namespace ucxx::faults
