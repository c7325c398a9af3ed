// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "shmem/joining/launch.h"

namespace ucxx::shmem::oshrun {

/// Whether a PE may take part: it must run what the first PE runs, with the same sizes, and what
/// oshrun is of.
class Admission {
 public:
  /// Why not, for people; empty: it may. `bytes`: how long the hello was.
  std::string refusal(int pe, const Hello& hello, std::size_t bytes);

 private:
  struct First {
    int pe;
    Hello hello;
  };
  std::optional<First> first_;
};

}  // namespace ucxx::shmem::oshrun
