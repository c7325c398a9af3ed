// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "shmem/oshrun/command_line.h"
#include "shmem/oshrun/refusal.h"

// How the values of options are read. What throws `Refusal` names the option.

namespace ucxx::shmem::oshrun {

/// Of an option that has one.
inline const std::string& valueOf(const GivenOption& given) { return given.values.front(); }

/// All of the text is a number, or there is none.
template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// "A,B": what stands between commas. Throws `Refusal` where nothing does.
std::vector<std::string> listIn(const GivenOption& given);

/// "node:PE=2,SPAN", in small letters: what stands between colons and commas, a first word and its
/// modifiers. There always is a first word, which may be empty.
std::vector<std::string> wordsOf(std::string_view text);

/// `right` says which modifiers there are.
[[noreturn]] void refuseModifier(const GivenOption& given, std::string_view word,
                                 std::string_view right);

/// Notes the number and the option that gives it. It may be given again, and be the same.
template <class Number>
void setOnce(Number& number, std::string& text, Number value, const GivenOption& given,
             const char* what) {
  if (!text.empty() && number != value)
    refuseUse(
        fmt::format("{} and {}: two {} that differ; give one of them", text, given.text(), what));
  number = value;
  text = given.text();
}

}  // namespace ucxx::shmem::oshrun
