// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ucxx::base {

/// CRC-32C (Castagnoli, as in iSCSI: crc32c("123456789") is 0xe3069283). Catches broken or foreign
/// bytes; it is no protection against somebody who means harm.
std::uint32_t crc32c(std::span<const std::byte> bytes) noexcept;

}  // namespace ucxx::base
