// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <span>
#include <string>
#include <vector>

#include "shmem/oshrun/option_rule.h"

namespace ucxx::shmem::oshrun {

/// Options as launchers have them: each name may have one dash or two, is never abbreviated, and
/// may be followed by several words. The libraries that were looked at (getopt, CLI11) cannot do
/// that: to them `-np` is `-n p` or `-n -p`, and getopt cannot be told not to abbreviate.

/// An option as it was given.
struct GivenOption {
  const OptionRule* rule = nullptr;
  std::string name;  ///< with its dashes
  std::vector<std::string> values;
  /// "--mca btl tcp", for messages.
  std::string text() const;
};

struct CommandLine {
  std::vector<GivenOption> options;
  std::vector<std::string> command;  ///< the program and its arguments
};

/// Options end at the first word without a dash, or at "--". A number may stand at a single letter
/// (`-n4`). Throws `Refusal`, with the option, for one that is unknown or lacks a value.
CommandLine readCommandLine(std::span<const std::string> words, std::span<const OptionRule> rules);

}  // namespace ucxx::shmem::oshrun
