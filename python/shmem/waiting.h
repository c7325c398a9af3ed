// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "bindings/gil.h"
#include "errors.h"
#include "functions.h"

// Waits that let Python's other threads run, and that Ctrl-C ends.

namespace ucxx::python::shmem {

/// While it lives, waits of this thread end when a handler of a signal has raised an exception: in
/// the main thread, where Python runs handlers. A handler may wait in turn. Needs the GIL at both
/// ends.
class SignalsHeard {
 public:
  SignalsHeard() noexcept;
  ~SignalsHeard();
  SignalsHeard(const SignalsHeard&) = delete;
  SignalsHeard& operator=(const SignalsHeard&) = delete;
};

/// At so many elements a wait looks with the GIL before it lets it go: for about a microsecond.
inline constexpr std::size_t kLooks = 100;

/// Waits by `wait`, unless `look`, which looks at so many elements, becomes true before. Throws
/// Raised: a signal's handler did.
template <class Look, class Wait>
void waitFor(std::size_t elements, const Look& look, const Wait& wait) {
  for (std::size_t looks = kLooks / (elements + 1); looks > 0; --looks) {
    if (look()) return;
  }
  {
    const SignalsHeard signals;
    const WithoutGil others_run;
    wait();
  }
  if (PyErr_Occurred() != nullptr) throw Raised{};
}

}  // namespace ucxx::python::shmem
