// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucs/type/status.h>

#include "python.h"
#include "without_gil.h"

namespace ucxx::python {

/// The classes of `ucxx.exceptions` and the translation of C++ exceptions into them. Once, at
/// import.
void bindErrors(nb::module_& module);

/// Sets the Python error for the C++ exception that is being handled; null, to be returned.
PyObject* raiseCurrent() noexcept;
/// Gives the Python error that is set, of `function`, to `sys.unraisablehook`: nobody here can
/// raise it. A Ctrl-C that came just then comes again.
void discardError(PyObject* function) noexcept;
/// Takes the Python error that is set: the exception, new.
PyObject* takeError() noexcept;
/// Sets an exception as the Python error; null, to be returned.
PyObject* raise(PyObject* exception) noexcept;
/// Has the main thread raise an exception, wherever it is: as the handler of a signal does. Takes
/// the reference.
void raiseInMainThread(PyObject* exception) noexcept;

/// The exception of a status, new; null with a Python error.
PyObject* makeError(ucs_status_t status, const char* text) noexcept;

/// Runs `body`, whose result is an object or null with a Python error set; C++ exceptions become
/// one.
template <class Body>
PyObject* guarded(const Body& body) noexcept {
  try {
    return callingPython(body);
  } catch (...) {
    return raiseCurrent();
  }
}

}  // namespace ucxx::python
