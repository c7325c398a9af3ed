// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "callback.h"

#include "errors.h"
#include "request.h"

namespace ucxx::python {
namespace {

PyObject* raiseIt(PyObject*, PyObject* exception) { return raise(exception); }

/// A function of one argument, which raises it.
PyObject* raiser() {
  static PyMethodDef method = {"raise", raiseIt, METH_O, nullptr};
  static PyObject* const function = PyCFunction_New(&method, nullptr);
  return function;
}

/// Raises it where an end of the program is looked for: out of the loop, or in the main thread.
void raiseElsewhere(WorkerState& state, nb::object exception) {
  if (!state.isBound()) {
    raiseInMainThread(exception.release().ptr());
  } else if (!state.loop().callSoon(raiser(), exception.ptr(), Py_None)) {
    PyErr_Clear();  // the loop is closed
  }
}

void tellLoop(const WorkerState& state, const nb::python_error& error) {
  nb::dict context;
  context["message"] = "a callback of ucxx raised an exception";
  context["exception"] = error.value();
  state.loop().get().attr("call_exception_handler")(context);
}

}  // namespace

bool endsProgram(const nb::python_error& error) {
  return error.matches(PyExc_KeyboardInterrupt) || error.matches(PyExc_SystemExit);
}

void reportRaised(WorkerState& state, nb::handle function, nb::python_error& error) noexcept {
  if (endsProgram(error)) return raiseElsewhere(state, nb::borrow(error.value()));
  if (!state.isBound()) return error.discard_as_unraisable(function);
  try {
    tellLoop(state, error);
  } catch (nb::python_error& worse) {
    worse.discard_as_unraisable(function);
  }
}

std::shared_ptr<Kept> keepWeakly(nb::handle worker) {
  nb::object reference = nb::steal(PyWeakref_NewRef(worker.ptr(), nullptr));
  if (!reference.is_valid()) throw nb::python_error();
  return std::make_shared<Kept>(std::move(reference),
                                nb::inst_ptr<WorkerState>(worker)->completions);
}

nb::object workerOf(const Kept& kept) { return nb::borrow(PyWeakref_GetObject(kept.get().ptr())); }

}  // namespace ucxx::python
