// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "python.h"

namespace ucxx::python {

/// What Python calls of a request's type.
extern PyMethodDef request_methods[];
extern PyGetSetDef request_fields[];
PyObject* awaitRequest(PyObject* self);
PyObject* nextOfRequest(PyObject* self);
PySendResult sendToRequest(PyObject* self, PyObject* value, PyObject** result);
PyObject* representRequest(PyObject* self);

namespace methods {

/// @name A request as a coroutine, and as what a task awaits (request_await.cpp)
/// @{
PyObject* send(PyObject* self, PyObject* value);
PyObject* throwInto(PyObject* self, PyObject* const* arguments, Py_ssize_t count);
PyObject* close(PyObject* self, PyObject*);
PyObject* giveBack(PyObject* self, PyObject*);
PyObject* look(PyObject* self, PyObject*);
PyObject* getBlocking(PyObject* self, void*);
int setBlocking(PyObject* self, PyObject* value, void*);
/// @}
/// @name A request as a future (request_future.cpp)
/// @{
PyObject* done(PyObject* self, PyObject*);
PyObject* result(PyObject* self, PyObject*);
PyObject* exception(PyObject* self, PyObject*);
PyObject* cancelled(PyObject* self, PyObject*);
PyObject* cancel(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names);
PyObject* addDoneCallback(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                          PyObject* names);
PyObject* removeDoneCallback(PyObject* self, PyObject* callback);
PyObject* getLoop(PyObject* self, PyObject*);
PyObject* makeCancelledError(PyObject* self, PyObject*);
PyObject* getCancelMessage(PyObject* self, void*);
/// @}

}  // namespace methods

/// Takes what the methods need of asyncio.
void bindRequestMethods(const nb::module_& asyncio);

}  // namespace ucxx::python
