// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/command_line.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "shmem/oshrun/refusal.h"

namespace ucxx::shmem::oshrun {
namespace {

using Forms = std::span<const OptionForm* const>;
using Words = std::span<const std::string>;

bool isAmong(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    if (names.substr(0, end) == name) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

const OptionForm* find(Forms forms, std::string_view name) {
  const auto found = std::find_if(forms.begin(), forms.end(), [name](const OptionForm* form) {
    return isAmong(form->names, name);
  });
  return found == forms.end() || name.empty() ? nullptr : *found;
}

bool isOption(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

std::size_t dashesOf(std::string_view word) { return word.starts_with("--") ? 2 : 1; }

/// What one word says: an option, and perhaps a value after '=' or a letter.
struct Parts {
  const OptionForm* form;
  std::string name;  ///< with its dashes
  std::optional<std::string> value;
};

/// "-n4".
Parts splitAfterLetter(Forms forms, const std::string& word) {
  const bool has_number = word.size() > 2 && word[2] >= '0' && word[2] <= '9';
  const OptionForm* form = has_number ? find(forms, word.substr(1, 1)) : nullptr;
  if (form == nullptr || !form->takesOneValue())
    throw Refusal(kWrongUse, fmt::format("unknown option '{}'; see oshrun --help", word));
  return {form, word.substr(0, 2), word.substr(2)};
}

Parts split(Forms forms, const std::string& word) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  const OptionForm* form = find(forms, std::string_view(name).substr(dashesOf(word)));
  if (form == nullptr) return splitAfterLetter(forms, word);
  if (equals == word.npos) return {form, name, std::nullopt};
  return {form, name, word.substr(equals + 1)};
}

[[noreturn]] void refuseValue(const Parts& parts) {
  if (parts.form->words == 0)
    throw Refusal(kWrongUse, fmt::format("{}={}: the option takes no value; use {}", parts.name,
                                         *parts.value, parts.name));
  throw Refusal(kWrongUse, fmt::format("{}={}: the option takes {} values; use {} A B", parts.name,
                                       *parts.value, parts.form->words, parts.name));
}

[[noreturn]] void refuseLack(const Parts& parts) {
  if (parts.form->words == 1)
    throw Refusal(kWrongUse, fmt::format("{}: its value is missing", parts.name));
  throw Refusal(kWrongUse, fmt::format("{}: it takes {} values, and one is missing", parts.name,
                                       parts.form->words));
}

/// Takes the option at the front of the words, with its values.
GivenOption take(Forms forms, Words& words) {
  Parts parts = split(forms, words.front());
  words = words.subspan(1);
  GivenOption given{parts.form, parts.name, {}};
  if (parts.value) {
    if (!parts.form->takesOneValue()) refuseValue(parts);
    given.values.push_back(*std::move(parts.value));
  } else if (parts.form->words > 0) {
    const auto count = static_cast<std::size_t>(parts.form->words);
    if (words.size() < count) refuseLack(parts);
    given.values.assign(words.begin(), words.begin() + parts.form->words);
    words = words.subspan(count);
  }
  return given;
}

}  // namespace

std::string GivenOption::text() const {
  return values.empty() ? name : fmt::format("{} {}", name, fmt::join(values, " "));
}

CommandLine readCommandLine(Words words, Forms forms) {
  CommandLine line;
  while (!words.empty() && isOption(words.front()) && words.front() != "--")
    line.options.push_back(take(forms, words));
  if (!words.empty() && words.front() == "--") words = words.subspan(1);
  line.command.assign(words.begin(), words.end());
  return line;
}

}  // namespace ucxx::shmem::oshrun
