// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/command_line.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "shmem/oshrun/refusal.h"
#include "shmem/oshrun/shown.h"

namespace ucxx::shmem::oshrun {
namespace {

using Rules = std::span<const OptionRule>;
using Words = std::span<const std::string>;

bool isAmong(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    if (names.substr(0, end) == name) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

const OptionRule* find(Rules rules, std::string_view name) {
  const auto found = std::find_if(rules.begin(), rules.end(), [name](const OptionRule& rule) {
    return isAmong(rule.names, name);
  });
  return found == rules.end() || name.empty() ? nullptr : &*found;
}

bool isOption(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

std::size_t dashesOf(std::string_view word) { return word.starts_with("--") ? 2 : 1; }

bool isDigit(std::string_view word) {
  return word.size() == 1 && word.front() >= '0' && word.front() <= '9';
}

/// How many of the words after its name are values of an option.
std::size_t countValues(Takes takes, Words words) {
  switch (takes) {
    case Takes::Value:
      return 1;
    case Takes::TwoValues:
      return 2;
    case Takes::PerhapsDigit:
      return !words.empty() && isDigit(words.front()) ? 1 : 0;
    default:
      return 0;
  }
}

/// Whether a value may be in the word of the option itself: after '=', or after a letter.
bool mayHoldValue(Takes takes) { return takes != Takes::Nothing && takes != Takes::TwoValues; }

/// What one word says: an option, and perhaps a value after '=' or a letter.
struct Parts {
  const OptionRule* rule;
  std::string name;  ///< with its dashes
  std::optional<std::string> value;
};

/// "-n4".
Parts splitAfterLetter(Rules rules, const std::string& word) {
  const bool has_number = word.size() > 2 && word[2] >= '0' && word[2] <= '9';
  const OptionRule* rule = has_number ? find(rules, word.substr(1, 1)) : nullptr;
  if (rule == nullptr || !mayHoldValue(rule->takes))
    refuseUse(fmt::format("unknown option {}; see oshrun --help", shown(word)));
  return {rule, word.substr(0, 2), word.substr(2)};
}

Parts split(Rules rules, const std::string& word) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  const OptionRule* rule = find(rules, std::string_view(name).substr(dashesOf(word)));
  if (rule == nullptr) return splitAfterLetter(rules, word);
  if (equals == word.npos) return {rule, name, std::nullopt};
  return {rule, name, word.substr(equals + 1)};
}

[[noreturn]] void refuseValue(const Parts& parts) {
  const std::string text = fmt::format("{} {}", parts.name, shown(*parts.value));
  if (parts.rule->takes == Takes::Nothing)
    refuseUse(fmt::format("{}: the option takes no value; use {}", text, parts.name));
  refuseUse(fmt::format("{}: the option takes 2 values; use {} A B", text, parts.name));
}

[[noreturn]] void refuseLack(const Parts& parts) {
  if (parts.rule->takes == Takes::Value)
    refuseUse(fmt::format("{}: its value is missing", parts.name));
  refuseUse(fmt::format("{}: it takes 2 values, and one is missing", parts.name));
}

/// Takes the option at the front of the words, with its values.
GivenOption take(Rules rules, Words& words) {
  Parts parts = split(rules, words.front());
  words = words.subspan(1);
  GivenOption given{parts.rule, parts.name, {}};
  if (parts.value) {
    if (!mayHoldValue(parts.rule->takes)) refuseValue(parts);
    given.values.push_back(*std::move(parts.value));
  } else {
    const std::size_t count = countValues(parts.rule->takes, words);
    if (words.size() < count) refuseLack(parts);
    given.values.assign(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count));
    words = words.subspan(count);
  }
  return given;
}

}  // namespace

std::string GivenOption::text() const {
  std::string text = name;
  for (const std::string& value : values) text += ' ' + shown(value);
  return text;
}

CommandLine readCommandLine(Words words, Rules rules) {
  CommandLine line;
  while (!words.empty() && isOption(words.front()) && words.front() != "--")
    line.options.push_back(take(rules, words));
  if (!words.empty() && words.front() == "--") words = words.subspan(1);
  line.command.assign(words.begin(), words.end());
  return line;
}

}  // namespace ucxx::shmem::oshrun
