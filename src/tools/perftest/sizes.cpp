// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/sizes.h"

#include <charconv>
#include <stdexcept>

#include <fmt/format.h>

namespace ucxx::tools {
namespace {

constexpr std::size_t kLargest = std::size_t{1} << 40;
constexpr std::string_view kUnits = "KMGT";

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end; (end = text.find(separator)) != text.npos; text.remove_prefix(end + 1))
    parts.push_back(text.substr(0, end));
  parts.push_back(text);
  return parts;
}

std::vector<std::size_t> sweep(std::string_view text, const std::vector<std::string_view>& parts) {
  const std::size_t first = parseSize(parts[0]);
  const std::size_t last = parseSize(parts[1]);
  const std::size_t factor = parts.size() == 3 ? parseSize(parts[2]) : 2;
  if (parts.size() > 3 || first == 0 || last < first || factor < 2)
    throw std::invalid_argument(
        fmt::format("invalid sweep of sizes '{}': use FIRST:LAST[:FACTOR], with 1 <= FIRST <= "
                    "LAST and FACTOR >= 2, for example 1:64M or 1:64M:4",
                    text));
  std::vector<std::size_t> sizes;
  for (std::size_t size = first; size < last; size *= factor) sizes.push_back(size);
  sizes.push_back(last);
  return sizes;
}

}  // namespace

std::size_t parseSize(std::string_view text) {
  std::size_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  std::size_t unit = 1;
  bool valid = error == std::errc{} && value <= kLargest;
  if (valid && rest != end) {
    const std::size_t power = kUnits.find(*rest);
    valid = rest + 1 == end && power != kUnits.npos;
    if (valid) unit = std::size_t{1} << 10 * (power + 1);
  }
  if (!valid || value > kLargest / unit)
    throw std::invalid_argument(fmt::format(
        "invalid size '{}': use bytes up to 1T, or with K, M, G or T at the end, for example 64K",
        text));
  return value * unit;
}

std::vector<std::size_t> parseSizes(std::string_view text) {
  if (const auto ends = split(text, ':'); ends.size() > 1) return sweep(text, ends);
  std::vector<std::size_t> sizes;
  for (const std::string_view part : split(text, ',')) sizes.push_back(parseSize(part));
  return sizes;
}

std::string formatSize(std::size_t size_bytes) {
  for (std::size_t power = kUnits.size(); power > 0; --power) {
    const std::size_t unit = std::size_t{1} << 10 * power;
    if (size_bytes >= unit && size_bytes % unit == 0)
      return fmt::format("{}{}", size_bytes / unit, kUnits[power - 1]);
  }
  return std::to_string(size_bytes);
}

}  // namespace ucxx::tools
