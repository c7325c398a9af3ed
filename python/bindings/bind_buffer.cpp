// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arguments.h"
#include "bind.h"
#include "view.h"

namespace ucxx::python {
namespace {

/// `Array(obj)`: the memory of an object, looked at once. Transfers take it as they take the
/// object.
struct Array {
  explicit Array(nb::object object_) : object(std::move(object_)) {
    if (!view.acquire(object.ptr(), Access::Read)) throw nb::python_error();
  }
  nb::object object;
  View view;
};

int getBuffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  if (!isReady(self)) return -1;
  const Array& array = *nb::inst_ptr<Array>(self);
  if (array.view.isOnDevice()) {
    PyErr_SetString(PyExc_BufferError, "this memory is a device's");
    return -1;
  }
  return PyBuffer_FillInfo(view, self, array.view.data(),
                           static_cast<Py_ssize_t>(array.view.size()), array.view.isReadOnly(),
                           flags);
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<Array>(self)->object.ptr());
  return 0;
}

PyType_Slot array_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(getBuffer)},
                             {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                             {0, nullptr}};

/// Never null, also for no bytes.
std::uintptr_t addressOf(const Array& array) {
  static std::byte nothing;
  const void* const data = array.view.data() != nullptr ? array.view.data() : &nothing;
  return reinterpret_cast<std::uintptr_t>(data);
}

}  // namespace

void bindBuffer(nb::module_& module) {
  nb::class_<Array>(module, "Array", nb::type_slots(array_slots),
                    "A view of the memory of an object, which it pins.\n\n"
                    "The object has the buffer protocol, __array_interface__,\n"
                    "__cuda_array_interface__ or DLPack, and is contiguous.")
      .def(nb::init<nb::object>(), "obj"_a)
      .def_prop_ro("ptr", &addressOf, "Address of the first byte; never 0.")
      .def_prop_ro(
          "nbytes", [](const Array& self) { return self.view.size(); }, "Bytes.")
      .def_prop_ro("readonly", [](const Array& self) { return self.view.isReadOnly(); })
      .def_prop_ro("cuda", [](const Array& self) { return self.view.isOnDevice(); })
      .def_prop_ro("obj", [](const Array& self) { return self.object; });
}

}  // namespace ucxx::python
