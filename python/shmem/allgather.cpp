// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "allgather.h"

#include <cstring>

#include "bindings/gil.h"

namespace ucxx::python::shmem {
namespace {

void copyAll(const Exchange& exchange, PyObject* gathered, void* all, std::size_t bytes) {
  Ref sequence(PySequence_Fast(gathered, "init: allgather must return a sequence"));
  need(sequence.get());
  if (PySequence_Fast_GET_SIZE(sequence.get()) != exchange.size)
    raise(PyExc_ValueError, "init: allgather has returned %zd items: must be %d, one for each rank",
          PySequence_Fast_GET_SIZE(sequence.get()), exchange.size);
  auto* to = static_cast<char*>(all);
  for (int i = 0; i < exchange.size; ++i, to += bytes) {
    PyObject* const one = PySequence_Fast_GET_ITEM(sequence.get(), i);
    if (!PyBytes_Check(one) || PyBytes_GET_SIZE(one) != static_cast<Py_ssize_t>(bytes))
      raise(PyExc_ValueError,
            "init: allgather has returned %R for rank %d: must be the bytes that it was given "
            "there",
            one, i);
    std::memcpy(to, PyBytes_AS_STRING(one), bytes);
  }
}

}  // namespace

int gather(const void* mine, void* all, std::size_t bytes, void* context) {
  const auto& exchange = *static_cast<const Exchange*>(context);
  const PyGILState_STATE gil = callingPython(PyGILState_Ensure);
  int status = 0;
  try {
    const Ref own(need(
        PyBytes_FromStringAndSize(static_cast<const char*>(mine), static_cast<Py_ssize_t>(bytes))));
    const Ref gathered(need(PyObject_CallOneArg(exchange.function, own.get())));
    copyAll(exchange, gathered.get(), all, bytes);
  } catch (const Raised&) {
    status = 1;
  }
  PyGILState_Release(gil);
  return status;
}

}  // namespace ucxx::python::shmem
