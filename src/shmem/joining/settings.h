// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ucxx::shmem {

/// The environment variables of the standard (section 8 of OpenSHMEM 1.6), under their SHMEM_ and
/// their older SMA_ names; the SHMEM_ one counts.
struct Settings {
  std::size_t symmetric_bytes = 0;  ///< of the heap
  std::string error;                ///< what is wrong with the size of the heap; empty: nothing
  bool prints_version = false, prints_help = false, is_debug = false;
};

Settings readSettings();

/// "20m", "3.1M", ".5g": bytes, rounded up. Nothing: it is none, or too much.
std::optional<std::size_t> parseSize(std::string_view text) noexcept;

/// What SHMEM_INFO prints.
std::string describeSettings(const Settings& settings);

}  // namespace ucxx::shmem
