// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// A request as a future of asyncio's.

#include <algorithm>
#include <array>
#include <utility>

#include "arguments.h"
#include "errors.h"
#include "request.h"
#include "request_methods.h"

namespace ucxx::python {
namespace {

PyObject* invalid_state_error = nullptr;  // asyncio.InvalidStateError
PyObject* canceled_error = nullptr;       // asyncio.CancelledError

constexpr Signature<1> kCancel{"cancel()", {"msg"}, 0};

RequestObject* of(PyObject* self) noexcept { return RequestObject::of(self); }

/// The callbacks of `all` but those equal to `callback`, new; null with a Python error. Comparing
/// runs Python, which may do anything to the request.
PyObject* without(PyObject* all, PyObject* callback) {
  PyObject* const rest = PyList_New(0);
  bool fine = rest != nullptr;
  for (Py_ssize_t i = 0; fine && i < PyList_GET_SIZE(all); ++i) {
    PyObject* const pair = Py_NewRef(PyList_GET_ITEM(all, i));
    const int same = PyObject_RichCompareBool(PyTuple_GET_ITEM(pair, 0), callback, Py_EQ);
    fine = same > 0 || (same == 0 && PyList_Append(rest, pair) == 0);
    Py_DECREF(pair);
  }
  if (!fine) Py_XDECREF(rest);
  return fine ? rest : nullptr;
}

/// Of what wakes a task: how many there were; negative with a Python error.
Py_ssize_t removeWakeup(RequestObject& self, PyObject* callback) {
  if (self.wakeup == nullptr) return 0;
  const nb::object wakeup = nb::borrow(self.wakeup);
  const int same = PyObject_RichCompareBool(wakeup.ptr(), callback, Py_EQ);
  if (same <= 0 || self.wakeup != wakeup.ptr()) return std::min(same, 0);
  Py_CLEAR(self.wakeup);
  Py_CLEAR(self.wakeup_context);
  return 1;
}

}  // namespace

namespace methods {

// asyncio.gather asks for it.
PyObject* makeCancelledError(PyObject* self, PyObject*) {
  PyObject* const message = of(self)->cancel_message;
  return message == nullptr ? PyObject_CallNoArgs(canceled_error)
                            : PyObject_CallOneArg(canceled_error, message);
}
PyObject* getCancelMessage(PyObject* self, void*) {
  PyObject* const message = of(self)->cancel_message;
  return Py_NewRef(message == nullptr ? Py_None : message);
}

PyObject* done(PyObject* self, PyObject*) { return PyBool_FromLong(of(self)->isDone()); }

PyObject* result(PyObject* object, PyObject*) {
  RequestObject& self = *of(object);
  if (self.isDone()) return self.outcome();
  PyErr_SetString(invalid_state_error, "the transfer has not ended");
  return nullptr;
}

PyObject* exception(PyObject* object, PyObject*) {
  RequestObject& self = *of(object);
  if (!self.isDone() || self.cancelled) return result(object, nullptr);
  if (!self.failed) {
    self.wasTaken();
    return Py_NewRef(Py_None);
  }
  (void)self.raiseFailure();
  return takeError();
}

PyObject* cancelled(PyObject* object, PyObject*) {
  RequestObject& self = *of(object);
  return PyBool_FromLong(self.isDone() && self.cancelled);
}

PyObject* cancel(PyObject* object, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  RequestObject& self = *of(object);
  std::array<PyObject*, 1> values{};
  if (!kCancel.read(arguments, count, names, values)) return nullptr;
  return guarded([&] {
    if (self.isDone()) {
      self.state->stepLater();
      return Py_NewRef(Py_False);
    }
    self.cancelled = true;
    if (values[0] != Py_None) Py_XSETREF(self.cancel_message, Py_XNewRef(values[0]));
    if (!self.disown()) return static_cast<PyObject*>(nullptr);
    self.state->settle();
    return Py_NewRef(Py_True);
  });
}

PyObject* addDoneCallback(PyObject* object, PyObject* const* arguments, Py_ssize_t count,
                          PyObject* names) {
  RequestObject& self = *of(object);
  if (count != 1) {
    PyErr_SetString(PyExc_TypeError, "add_done_callback(callback, *, context=None)");
    return nullptr;
  }
  PyObject* const context =
      names != nullptr && PyTuple_GET_SIZE(names) == 1 ? arguments[1] : Py_None;
  const bool is_task = std::exchange(self.is_awaited, false);
  return guarded([&]() -> PyObject* {
    if (!self.state->hasOpenLoop() && !self.bindToRunningLoop()) return nullptr;
    if (self.isDone() || !self.startWatch())
      return self.state->loop().callSoon(arguments[0], is_task ? woken : object, context)
                 ? Py_NewRef(Py_None)
                 : nullptr;
    if (is_task && self.wakeup == nullptr && PyContext_CheckExact(context)) {
      self.wakeup = Py_NewRef(arguments[0]);
      self.wakeup_context = Py_NewRef(context);
      return Py_NewRef(Py_None);
    }
    if (self.callbacks == nullptr) self.callbacks = PyList_New(0);
    PyObject* const pair = self.callbacks == nullptr
                               ? nullptr
                               : PyTuple_Pack(3, arguments[0], context, is_task ? woken : Py_None);
    if (pair == nullptr) return nullptr;
    const int failed = PyList_Append(self.callbacks, pair);
    Py_DECREF(pair);
    return failed != 0 ? nullptr : Py_NewRef(Py_None);
  });
}

PyObject* removeDoneCallback(PyObject* object, PyObject* callback) {
  RequestObject& self = *of(object);
  Py_ssize_t removed = removeWakeup(self, callback);
  if (removed < 0) return nullptr;
  if (self.callbacks == nullptr) return PyLong_FromSsize_t(removed);
  PyObject* const all = Py_NewRef(self.callbacks);
  PyObject* const rest = without(all, callback);
  if (rest != nullptr && self.callbacks == all) {
    removed += PyList_GET_SIZE(all) - PyList_GET_SIZE(rest);
    Py_SETREF(self.callbacks, Py_NewRef(rest));
  }
  Py_DECREF(all);
  if (rest == nullptr) return nullptr;
  Py_DECREF(rest);
  return PyLong_FromSsize_t(removed);
}

PyObject* getLoop(PyObject* object, PyObject*) {
  RequestObject& self = *of(object);
  return guarded([&]() -> PyObject* {
    if (!self.state->hasOpenLoop() && !self.bindToRunningLoop()) return nullptr;
    return Py_NewRef(self.state->loop().get().ptr());
  });
}

}  // namespace methods

void bindRequestMethods(const nb::module_& asyncio) {
  canceled_error = nb::object(asyncio.attr("CancelledError")).release().ptr();
  invalid_state_error = nb::object(asyncio.attr("InvalidStateError")).release().ptr();
}

}  // namespace ucxx::python
