// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <optional>
#include <string>

#include "shmem/joining/launcher.h"
#include "shmem/joining/own_exchange.h"

// How a process becomes a PE: with the socket of `oshrun`, with an exchange that the program brings
// (own_exchange.h), or alone. It stays one until it ends: it keeps its number, its socket and the
// memory. A program that links this library and was started by `oshrun` becomes one before main().

namespace ucxx::shmem {

/// By `oshrun`, or alone, unless it is one or could not become one. Not for two threads at once.
void becomePe() noexcept;
/// By the exchange, unless it could not become one before; only for a process that is no PE.
void becomePeWith(const OwnExchange& exchange) noexcept;

/// Why this process could not; empty: it could, or has not tried.
const std::string& whyNoPe() noexcept;

/// The socket of `oshrun`, if it has started this process.
const std::optional<Launcher>& launcher() noexcept;

}  // namespace ucxx::shmem
