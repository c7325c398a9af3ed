// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "without_gil.h"

#include "base/waiting.h"

namespace ucxx::python {
namespace {

void* begin() noexcept { return PyGILState_Check() != 0 ? PyEval_SaveThread() : nullptr; }

void end(void* state) noexcept {
  if (state != nullptr)
    callingPython([state] { PyEval_RestoreThread(static_cast<PyThreadState*>(state)); });
}

constexpr base::WaitHooks kHooks{begin, end};

}  // namespace

bool hasOtherThreads() noexcept {
  PyThreadState* const first = PyInterpreterState_ThreadHead(PyInterpreterState_Get());
  return PyThreadState_Next(first) != nullptr;
}

void waitWithoutGil() noexcept { base::wait_hooks.store(&kHooks, std::memory_order_release); }

}  // namespace ucxx::python
