// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/option_values.h"

#include "shmem/oshrun/lower_case.h"
#include "shmem/oshrun/shown.h"

namespace ucxx::shmem::oshrun {
namespace {

/// As many parts as there are signs, and one more.
std::vector<std::string> split(std::string_view text, std::string_view signs) {
  std::vector<std::string> parts;
  for (std::size_t end = 0; end != text.npos;) {
    end = text.find_first_of(signs);
    parts.emplace_back(text.substr(0, end));
    if (end != text.npos) text.remove_prefix(end + 1);
  }
  return parts;
}

}  // namespace

std::vector<std::string> listIn(const GivenOption& given) {
  std::vector<std::string> parts = split(valueOf(given), ",");
  std::erase_if(parts, [](const std::string& part) { return part.empty(); });
  if (parts.empty())
    refuseUse(fmt::format("{}: the list is empty; write commas between its parts, or leave {} out",
                          given.text(), given.name));
  return parts;
}

std::vector<std::string> wordsOf(std::string_view text) { return split(lowerCase(text), ":,"); }

void refuseModifier(const GivenOption& given, std::string_view word, std::string_view right) {
  refuseUse(fmt::format("{}: unknown modifier {}; use {}", given.text(), shown(word), right));
}

}  // namespace ucxx::shmem::oshrun
