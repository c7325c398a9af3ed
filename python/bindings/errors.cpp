// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "errors.h"

#include <exception>
#include <new>
#include <stdexcept>

#include <ucxx/exception.h>

namespace ucxx::python {
namespace {

// For ever, like the interpreter's own: they are needed while it goes.
PyObject* classes = nullptr;   // dict: status -> class
PyObject* fallback = nullptr;  // UCXError

PyObject* classOf(ucs_status_t status) noexcept {
  PyObject* const key = PyLong_FromLong(status);
  PyObject* const found = key == nullptr ? nullptr : PyDict_GetItemWithError(classes, key);
  Py_XDECREF(key);
  if (found == nullptr) PyErr_Clear();
  return found == nullptr ? fallback : found;
}

void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const Error& error) {
    PyErr_SetString(classOf(error.status()), error.what());
  }
}

}  // namespace

void bindErrors(nb::module_&) {
  const nb::module_ exceptions = nb::module_::import_("ucxx.exceptions");
  classes = nb::object(exceptions.attr("BY_STATUS")).release().ptr();
  fallback = nb::object(exceptions.attr("UCXError")).release().ptr();
  nb::register_exception_translator(translate);
}

PyObject* raiseCurrent() noexcept {
  try {
    throw;
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const Error& error) {
    PyErr_SetString(classOf(error.status()), error.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::invalid_argument& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  } catch (...) {
    PyErr_SetString(PyExc_SystemError, "an exception that is none of C++'s");
  }
  return nullptr;
}

void discardError(PyObject* function) noexcept {
  if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) == 0)
    return callingPython([&] { PyErr_WriteUnraisable(function); });
  raiseInMainThread(takeError());
}

void raiseInMainThread(PyObject* exception) noexcept {
  const auto raise_it = [](void* argument) {
    (void)raise(static_cast<PyObject*>(argument));
    Py_DECREF(static_cast<PyObject*>(argument));
    return -1;
  };
  if (Py_AddPendingCall(raise_it, exception) != 0) Py_DECREF(exception);  // there are too many
}

PyObject* raise(PyObject* exception) noexcept {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception)), exception);
  return nullptr;
}

PyObject* takeError() noexcept {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  Py_XDECREF(type);
  Py_XDECREF(trace);
  return value;
}

PyObject* makeError(ucs_status_t status, const char* text) noexcept {
  return PyObject_CallFunction(classOf(status), "s", text);
}

}  // namespace ucxx::python
