// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "tools/perftest/options.h"
#include "tools/perftest/session.h"
#include "tools/perftest/timing.h"

namespace ucxx::tools {

/// One measurement, as both sides know it.
struct Plan {
  Test test;
  std::size_t size = 8;
  std::size_t frames = 1;
  std::uint64_t iterations = 1;
  std::uint64_t warmup = 0;
  std::size_t window = 1;
  bool library_memory = false;  ///< its buffers are HostBuffers

  std::size_t bytes() const noexcept { return size * frames; }
};
nlohmann::json toJson(const Plan& plan);
/// Throws `std::runtime_error` when it is none, or asks for too much.
Plan planFrom(const nlohmann::json& line);

/// The side that measures, and the side that answers. Both throw `std::runtime_error` when what
/// came is not what was sent, and what `Session::wait` throws.
Timing measure(Session& session, const Plan& plan);
/// Returns the kind of memory that the last message came in.
MemoryKind answer(Session& session, const Plan& plan);

}  // namespace ucxx::tools
