// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"

namespace ucxx::shmem::oshrun {

/// What each PE is bound to.
enum class Binding { None, Core, Socket, Numa };

/// What the command line of oshrun says.
struct Options {
  enum class Wish { Run, Help, Version };
  Wish wish = Wish::Run;
  int pes = 0;
  std::string pes_text;       ///< the option, as it was given
  int node_pes = 0;           ///< of -N and its like, 0: none is given
  std::string node_pes_text;  ///< the option
  bool tag_output = false;
  bool verbose = false;
  bool quiet = false;  ///< no warnings
  bool report_bindings = false;
  Binding binding = Binding::None;
  std::string binding_text;                  ///< the option, as it was given
  std::string no_oversubscribe_text;         ///< the option; empty: PEs may outnumber processors
  base::Duration timeout{};                  ///< 0: none
  std::string timeout_text;                  ///< the option
  std::vector<std::string> variables;        ///< of -x: NAME=VALUE
  std::vector<std::string> unset_variables;  ///< "-x NAME", where oshrun's environment lacks NAME
  std::string folder;                        ///< of --wdir; empty: the folder of oshrun
  std::vector<std::string> idle;             ///< accepted options without a meaning here, and why
  std::vector<std::string> command;          ///< the program and its arguments
};

/// Throws `Refusal`, which names the option, its value and what would be right.
Options readOptions(int count, char** words);

}  // namespace ucxx::shmem::oshrun
