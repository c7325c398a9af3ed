// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>

#include "arguments.h"
#include "functions.h"

// Whether the library runs, as far as this extension has initialised it.

namespace ucxx::python::shmem {

struct State {
  bool is_running = false;
  int depth = 0;  ///< initialisations that are not undone
  int me = 0;
  int pes = 1;
  /// Counts initialisations: memory of an earlier one is gone.
  unsigned epoch = 0;
  /// Symmetric memory that was allocated and not freed.
  std::size_t blocks = 0;
  std::size_t bytes = 0;
};
extern State state;

/// Says why the library does not run: it was not initialised, it was finalised, or this is a forked
/// child.
[[noreturn, gnu::cold]] void raiseNotRunning(const char* call);

inline void requireRunning(const Arguments& given) {
  if (!state.is_running) [[unlikely]]
    raiseNotRunning(given.call());
}

}  // namespace ucxx::python::shmem
