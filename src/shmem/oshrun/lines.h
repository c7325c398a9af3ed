// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <string_view>

namespace ucxx::shmem::oshrun {

/// Makes of what a PE writes whole lines that begin with its number.
class Lines {
 public:
  explicit Lines(int pe);

  /// What can be written now. Of a line that is too long, a piece, as a line of its own.
  std::string add(std::string_view bytes);
  /// The last line, if it has no end.
  std::string finish();

 private:
  std::string tag_;
  std::string begun_;
};

}  // namespace ucxx::shmem::oshrun
