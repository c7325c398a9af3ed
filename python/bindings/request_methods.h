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

/// Takes what the methods need of asyncio.
void bindRequestMethods(const nb::module_& asyncio);

}  // namespace ucxx::python
