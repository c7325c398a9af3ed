// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

namespace ucxx::core {

// A listener as the callers of its TCP socket know it: its id, and above that the port from which
// they called. The door answers it, and the caller says it again when it calls over the Unix socket
// and when it opens the endpoint: so both ends have the port of that call, also where its socket is
// not used any further. A caller may say any port: it names, and decides nothing.

inline constexpr unsigned kPortShift = 48;

inline std::uint64_t reachedFrom(std::uint64_t listener, std::uint16_t callers_port) noexcept {
  return listener | std::uint64_t{callers_port} << kPortShift;
}
inline std::uint64_t listenerOf(std::uint64_t reached) noexcept {
  return reached & ((std::uint64_t{1} << kPortShift) - 1);
}
/// 0: not by TCP.
inline std::uint16_t callersPort(std::uint64_t reached) noexcept {
  return static_cast<std::uint16_t>(reached >> kPortShift);
}

}  // namespace ucxx::core
