// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>

#include <cxxabi.h>
#include <unistd.h>

#include "python.h"

namespace ucxx::python {

/// Set when the interpreter begins to end: nothing is asked of an event loop any more.
inline std::atomic<bool> interpreter_ends{false};

/// Calls what may run Python code, or wait for the GIL. CPython before 3.14 ends a thread that
/// wants the GIL when the interpreter has gone, by unwinding it, which our frames and nanobind's do
/// not survive: the thread sleeps here instead, until the process has gone.
template <class Body>
auto callingPython(Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (abi::__forced_unwind&) {
    for (;;) ::pause();
  }
}

/// Lets other threads of Python run, if `whether`.
class WithoutGil {
 public:
  explicit WithoutGil(bool whether = true) : state_(whether ? PyEval_SaveThread() : nullptr) {}
  ~WithoutGil() {
    if (state_ != nullptr) callingPython([this] { PyEval_RestoreThread(state_); });
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* const state_;
};

/// Once, when the extension is loaded: the core tells when a call waits for another thread, which
/// may be one of Python.
void waitWithoutGil() noexcept;

}  // namespace ucxx::python
