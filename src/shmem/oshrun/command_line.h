// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ucxx::shmem::oshrun {

/// Options as launchers have them: each name may have one dash or two, is never abbreviated, and
/// may be followed by several words. The libraries that were looked at (getopt, CLI11) cannot do
/// that: to them `-np` is `-n p` or `-n -p`, and getopt cannot be told not to abbreviate.

/// An option that is known.
struct OptionForm {
  /// In place of a number of words: a value may follow after '=', and only there.
  static constexpr int kByEquals = -1;

  std::string_view names;  ///< without dashes, separated by blanks
  int words = 0;           ///< that follow; a single one may be written after '=' instead

  /// Written after '=', or after a letter.
  bool takesOneValue() const noexcept { return words == 1 || words == kByEquals; }
};

/// An option as it was given.
struct GivenOption {
  const OptionForm* form = nullptr;
  std::string name;                 ///< with its dashes
  std::vector<std::string> values;  ///< as many as its form has words
  /// "--mca btl tcp", for messages.
  std::string text() const;
};

struct CommandLine {
  std::vector<GivenOption> options;
  std::vector<std::string> command;  ///< the program and its arguments
};

/// Options end at the first word without a dash, or at "--". A number may stand at a single letter
/// (`-n4`). Throws `Refusal`, with the option, for one that is unknown or lacks a value.
CommandLine readCommandLine(std::span<const std::string> words,
                            std::span<const OptionForm* const> forms);

}  // namespace ucxx::shmem::oshrun
