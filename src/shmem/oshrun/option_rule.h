// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string_view>

namespace ucxx::shmem::oshrun {

struct GivenOption;
struct Options;

/// What follows the name of an option.
enum class Takes {
  Nothing,
  Value,         ///< the next word, or what stands after '='
  TwoValues,     ///< the next two words
  PerhapsValue,  ///< perhaps a value, in the same word
  PerhapsDigit,  ///< the same, or a next word of one digit, which is no program
};

/// Notes in `options` what the option says. Throws `Refusal`, which names the option, its value and
/// what would be right.
using Action = void (*)(const GivenOption& given, Options& options);

/// An option that oshrun knows.
struct OptionRule {
  std::string_view names;  ///< without dashes, separated by blanks
  Takes takes;
  Action act;
  const char* text = "";          ///< for the action
  bool Options::*flag = nullptr;  ///< for the action `setFlag`
};

}  // namespace ucxx::shmem::oshrun
