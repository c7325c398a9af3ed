// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "waiting.h"

#include <unistd.h>

namespace ucxx::python::shmem {
namespace {

/// How many waits of this thread are one within the other: each handler of a signal may begin one.
thread_local int waits = 0;

bool isMainThread() noexcept {
  static thread_local const bool is_main = ::gettid() == ::getpid();
  return is_main;
}

/// Runs the handlers of signals that have come.
int hasRaised(void*) {
  const PyGILState_STATE gil = callingPython(PyGILState_Ensure);
  const bool has = PyErr_Occurred() != nullptr || PyErr_CheckSignals() != 0;
  PyGILState_Release(gil);
  return has ? 1 : 0;
}

}  // namespace

std::atomic<int> lookers{0};
void waitForLookers() noexcept {
  while (lookers.load() != 0) ::sched_yield();
}

// Other threads have nothing to ask, and could ask when the interpreter has gone: a daemon thread
// waits on while the library is finalised at the end of the program.
SignalsHeard::SignalsHeard() noexcept {
  if (isMainThread() && waits++ == 0) functions.extensions.set_wait_check(hasRaised, nullptr);
}
SignalsHeard::~SignalsHeard() {
  if (isMainThread() && --waits == 0) functions.extensions.set_wait_check(nullptr, nullptr);
}

}  // namespace ucxx::python::shmem
