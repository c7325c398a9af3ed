// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "peers/faults/row.h"

namespace ucxx::faults {

struct Options {
  Scale scale;
  std::vector<const Row*> rows;
  std::string json, commit;
  std::string role;  ///< of a process that was started by another of this program
  int control_fd = -1;
};

/// Nothing: the help was printed. Throws `std::invalid_argument` that says what is right.
std::optional<Options> parseOptions(int argc, char** argv);

}  // namespace ucxx::faults
