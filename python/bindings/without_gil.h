// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <thread>

#include <unistd.h>

#include "python.h"

namespace ucxx::python {

/// The interpreter ends: set by the thread that ends it.
struct Ending {
  static inline std::atomic<bool> has_begun{false};
  static inline std::thread::id by{};
};

/// Lets other threads of Python run, if `whether`. A thread that wants the GIL back when the
/// interpreter ends would be ended by unwinding its C++, which cannot be: it sleeps instead, until
/// the process has gone.
class WithoutGil {
 public:
  explicit WithoutGil(bool whether = true) : state_(whether ? PyEval_SaveThread() : nullptr) {}
  ~WithoutGil() {
    if (state_ == nullptr) return;
    while (Ending::has_begun && std::this_thread::get_id() != Ending::by) ::pause();
    PyEval_RestoreThread(state_);
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* const state_;
};

}  // namespace ucxx::python
