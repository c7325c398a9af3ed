// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ucxx::tools {

/// "8", "64K", "1M", "2G": bytes, K = 1024. Throws `std::invalid_argument` naming `text`.
std::size_t parseSize(std::string_view text);

/// "8,64K,1M", or a sweep "FIRST:LAST" by factors of 2, or "FIRST:LAST:FACTOR"; a sweep ends with
/// LAST. Throws `std::invalid_argument` naming the text and what is right.
std::vector<std::size_t> parseSizes(std::string_view text);

/// "64K" for 65536; "1000" stays.
std::string formatSize(std::size_t size_bytes);

}  // namespace ucxx::tools
