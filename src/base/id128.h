// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace ucxx::base {

/// A random 128-bit name: of a worker, of a machine. Zero means none.
struct Id128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  auto operator<=>(const Id128&) const = default;
  explicit operator bool() const noexcept { return (high | low) != 0; }
};

/// From the kernel's random source (getrandom); never zero. Throws `Error` if the kernel has none.
Id128 randomId128();
std::uint64_t randomU64();
/// 32 hexadecimal digits.
std::string toString(const Id128& id);

}  // namespace ucxx::base
