// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/joining/settings.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "shmem/memory/layout.h"

namespace ucxx::shmem {
namespace {

constexpr std::size_t kDefaultSymmetricBytes = std::size_t{1} << 30;

struct Variable {
  std::string name;
  const char* value;  ///< null: it is not set
};

Variable variable(const std::string& name) {
  const std::string current = "SHMEM_" + name, older = "SMA_" + name;
  const char* const value = std::getenv(current.c_str());
  return value != nullptr ? Variable{current, value} : Variable{older, std::getenv(older.c_str())};
}

bool isSet(const std::string& name) { return variable(name).value != nullptr; }

std::optional<double> factorOf(std::string_view suffix) noexcept {
  if (suffix.empty()) return 1;
  constexpr std::string_view kLetters = "kmgtp";
  const auto power = kLetters.find(static_cast<char>(suffix.front() | 0x20));
  if (power == std::string_view::npos) return std::nullopt;
  return std::ldexp(1.0, 10 * (static_cast<int>(power) + 1));
}

}  // namespace

// The standard allows anything after the letter.
std::optional<std::size_t> parseSize(std::string_view text) noexcept {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (error != std::errc() || std::signbit(number)) return std::nullopt;
  const auto factor = factorOf({rest, static_cast<std::size_t>(end - rest)});
  if (!factor || !(number * *factor <= static_cast<double>(kMostJobBytes))) return std::nullopt;
  return static_cast<std::size_t>(std::ceil(number * *factor));
}

Settings readSettings() {
  Settings settings;
  settings.symmetric_bytes = kDefaultSymmetricBytes;
  settings.prints_version = isSet("VERSION");
  settings.prints_help = isSet("INFO");
  settings.is_debug = isSet("DEBUG");
  const Variable size = variable("SYMMETRIC_SIZE");
  if (size.value == nullptr) return settings;
  if (const auto bytes = parseSize(size.value)) {
    settings.symmetric_bytes = *bytes;
  } else {
    settings.error = fmt::format(
        "{}={}: give a number of bytes, with k, m, g, t or p after it for units "
        "of 2^10, 2^20, 2^30, 2^40 or 2^50; {}",
        size.name, size.value, kMostJobBytesText);
  }
  return settings;
}

std::string describeSettings(const Settings& settings) {
  return fmt::format(
      "OpenSHMEM reads these environment variables:\n"
      "  SHMEM_VERSION          set: print the version of the library at the start\n"
      "  SHMEM_INFO             set: print this\n"
      "  SHMEM_DEBUG            set: check the arguments of each call, and explain what fails\n"
      "  SHMEM_SYMMETRIC_SIZE   bytes of the symmetric heap of each PE, as 512m or 1.5g (now {})\n"
      "The older names SMA_VERSION, SMA_INFO, SMA_DEBUG and SMA_SYMMETRIC_SIZE count where\n"
      "those are not set.\n",
      settings.symmetric_bytes);
}

}  // namespace ucxx::shmem
