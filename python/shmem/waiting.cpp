// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "waiting.h"

namespace ucxx::python::shmem {
namespace {

/// Runs the handlers of signals that have come. They run in the main thread alone.
int hasRaised(void*) {
  const PyGILState_STATE gil = callingPython(PyGILState_Ensure);
  const bool has = PyErr_Occurred() != nullptr || PyErr_CheckSignals() != 0;
  PyGILState_Release(gil);
  return has ? 1 : 0;
}

}  // namespace

SignalsHeard::SignalsHeard() noexcept { shmemx_set_wait_check(hasRaised, nullptr); }
SignalsHeard::~SignalsHeard() { shmemx_set_wait_check(nullptr, nullptr); }

}  // namespace ucxx::python::shmem
