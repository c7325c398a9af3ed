// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <Python.h>
#include <cxxabi.h>
#include <unistd.h>

namespace ucxx::python {

/// Calls what may run Python code, or wait for the GIL. CPython before 3.14 ends a thread that
/// wants the GIL when the interpreter has gone, by unwinding it. The frames of C++ on the stack do
/// not survive that: the thread sleeps here instead, until the process has gone.
/// What unwinds is no object of C++: the reference is null, at which UBSan must not look.
template <class Body>
__attribute__((no_sanitize("null"))) auto callingPython(Body&& body) -> decltype(body()) {
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

/// Does some work, without Python's objects, while other threads of Python run, if `whether`.
template <class Work>
auto withoutGil(const Work& work, bool whether = true) -> decltype(work()) {
  const WithoutGil others_run(whether);
  return work();
}

}  // namespace ucxx::python
