// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id128.h"
#include "door/door.h"

namespace ucxx::core {

inline constexpr std::size_t kMaxDoors = 64;

/// What a `ucxx::Address` says: who, where it is called on its own machine (zeros: nowhere), and
/// the sockets of its door, at most kMaxDoors.
struct WorkerAddress {
  base::Id128 worker{};
  base::Id128 machine{};
  base::Id128 local_name{};
  std::vector<door::SocketAddress> doors{};
};

/// Magic, version, length and CRC-32C before anything else is looked at.
std::string writeWorkerAddress(const WorkerAddress& address);
/// Null when the bytes are no such address.
std::optional<WorkerAddress> readWorkerAddress(std::string_view bytes);

}  // namespace ucxx::core
