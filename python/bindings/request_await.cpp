// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// A request as what is awaited, and as a coroutine.

#include <utility>

#include "errors.h"
#include "request.h"
#include "request_methods.h"

namespace ucxx::python {
namespace {

RequestObject* of(PyObject* self) noexcept { return RequestObject::of(self); }

/// Whoever awaits it has gone, or never begun: nobody wants the message any more.
/// Its buffer is given back at its end. False: a Python error is set, its message is lost.
bool abandon(RequestObject& self) {
  if (!self.disown()) return false;
  self.state->settle();
  if (self.isDone()) return true;
  if (guarded([&] { return !self.isDone() && self.startWatch() ? Py_True : Py_False; }) == nullptr)
    PyErr_Clear();  // a forked child: nothing of it ends here
  return true;
}

}  // namespace

PySendResult sendToRequest(PyObject* object, PyObject*, PyObject** result) {
  RequestObject& self = *of(object);
  if (self.isDone() || self.state->spin(*self.request)) {
    if (!self.done) self.finish();
    if (!self.suspends && !self.state->mayGoOn()) {
      self.suspends = true;
      *result = Py_NewRef(Py_None);
      return PYGEN_NEXT;
    }
    *result = self.outcome();
    return *result == nullptr ? PYGEN_ERROR : PYGEN_RETURN;
  }
  if (!self.bindToRunningLoop()) return PYGEN_ERROR;
  const PyObject* const watched = guarded([&] { return self.startWatch() ? Py_True : Py_False; });
  if (watched == nullptr) return PYGEN_ERROR;
  if (watched == Py_False) {
    *result = self.outcome();
    return *result == nullptr ? PYGEN_ERROR : PYGEN_RETURN;
  }
  self.blocking = self.suspends = true;
  *result = Py_NewRef(object);
  return PYGEN_NEXT;
}

PyObject* awaitRequest(PyObject* self) { return Py_NewRef(self); }

PyObject* nextOfRequest(PyObject* self) {
  PyObject* result = nullptr;
  switch (sendToRequest(self, nullptr, &result)) {
    case PYGEN_NEXT:
      return result;
    case PYGEN_RETURN:
      if (result != Py_None) {
        PyObject* const stop = PyObject_CallOneArg(PyExc_StopIteration, result);
        if (stop != nullptr) PyErr_SetObject(PyExc_StopIteration, stop);
        Py_XDECREF(stop);
      } else {
        PyErr_SetNone(PyExc_StopIteration);
      }
      Py_DECREF(result);
      return nullptr;
    case PYGEN_ERROR:
      return nullptr;
  }
  return nullptr;
}

namespace methods {

PyObject* send(PyObject* self, PyObject*) { return nextOfRequest(self); }

PyObject* throwInto(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  if (count < 1 || count > 3) {
    PyErr_SetString(PyExc_TypeError, "throw(exception), or throw(type, value, traceback)");
    return nullptr;
  }
  if (!abandon(*of(self))) return nullptr;
  PyObject* const what = count > 1 && arguments[1] != Py_None ? arguments[1] : arguments[0];
  if (PyExceptionInstance_Check(what)) return raise(what);
  if (!PyExceptionClass_Check(arguments[0])) {
    PyErr_SetString(PyExc_TypeError, "what is thrown must be an exception");
    return nullptr;
  }
  PyErr_SetObject(arguments[0], count > 1 ? arguments[1] : Py_None);
  return nullptr;
}

PyObject* close(PyObject* self, PyObject*) {
  return abandon(*of(self)) ? Py_NewRef(Py_None) : nullptr;
}

/// Also of one whose result was taken, by who has seen that it cannot use it.
PyObject* giveBack(PyObject* object, PyObject*) {
  RequestObject& self = *of(object);
  self.taken = false;
  return close(object, nullptr);
}

/// What an await does before it suspends its task.
PyObject* look(PyObject* object, PyObject*) {
  RequestObject& self = *of(object);
  const bool has_ended = self.isDone() || self.state->spin(*self.request);
  if (has_ended && !self.done) self.finish();
  return PyBool_FromLong(has_ended);
}

/// None says "no future" to asyncio, which so makes a task of it where it takes a coroutine: `wait`
/// takes what is either, not what is both. A task that has been given it in an await takes it as a
/// future.
PyObject* getBlocking(PyObject* object, void*) {
  return Py_NewRef(of(object)->blocking ? Py_True : Py_None);
}

int setBlocking(PyObject* object, PyObject* value, void*) {
  const int truth = value == nullptr ? -1 : PyObject_IsTrue(value);
  RequestObject& self = *of(object);
  if (truth >= 0) self.is_awaited = std::exchange(self.blocking, truth != 0) && truth == 0;
  return truth < 0 ? -1 : 0;
}

}  // namespace methods

}  // namespace ucxx::python
