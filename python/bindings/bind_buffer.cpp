// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arguments.h"
#include "bind.h"
#include "layout.h"

namespace ucxx::python {
namespace {

/// `Array(obj)`: the memory of an object, looked at once. Transfers take it as they take the
/// object.
struct Array {
  explicit Array(nb::object object_) : object(std::move(object_)), layout(object) {}
  nb::object object;
  Layout layout;
};

/// Bytes, whatever the items are.
int getBuffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  if (!isReady(self)) return -1;
  const Layout& layout = nb::inst_ptr<Array>(self)->layout;
  if (layout.is_on_device || !layout.isContiguous()) {
    PyErr_SetString(PyExc_BufferError, layout.is_on_device
                                           ? "this memory is a device's: copy it to the host first"
                                           : "this memory is not contiguous");
    return -1;
  }
  return PyBuffer_FillInfo(view, self, layout.data, static_cast<Py_ssize_t>(layout.bytes()),
                           layout.is_read_only, flags);
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  if (!nb::inst_ready(self)) return 0;
  const Array& array = *nb::inst_ptr<Array>(self);
  Py_VISIT(array.object.ptr());
  Py_VISIT(array.layout.owner.ptr());
  return 0;
}

PyType_Slot array_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(getBuffer)},
                             {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                             {0, nullptr}};

/// Never null, also for no bytes.
std::uintptr_t addressOf(const Array& array) {
  static std::byte nothing;
  const void* const data = array.layout.data != nullptr ? array.layout.data : &nothing;
  return reinterpret_cast<std::uintptr_t>(data);
}

/// Raises AttributeError for memory of the host, which so has no such attribute.
nb::object cudaInterface(const Array& self) {
  if (!self.layout.is_on_device) throw nb::attribute_error("this memory is the host's");
  const nb::object own = nb::getattr(self.object, "__cuda_array_interface__", nb::none());
  if (!own.is_none()) return own;
  nb::dict fields;  // behind DLPack
  fields["shape"] = nb::tuple(nb::cast(self.layout.shape));
  fields["strides"] = nb::tuple(nb::cast(self.layout.strides));
  fields["typestr"] = "|V" + std::to_string(self.layout.itemsize);
  fields["data"] = nb::make_tuple(addressOf(self), self.layout.is_read_only);
  fields["version"] = 3;
  return fields;
}

void bindLayout(nb::class_<Array>& type) {
  type.def_prop_ro(
          "nbytes", [](const Array& self) { return self.layout.bytes(); }, "Bytes of all items.")
      .def_prop_ro(
          "itemsize", [](const Array& self) { return self.layout.itemsize; }, "Bytes of an item.")
      .def_prop_ro(
          "ndim", [](const Array& self) { return self.layout.shape.size(); }, "How many axes.")
      .def_prop_ro(
          "shape", [](const Array& self) { return nb::tuple(nb::cast(self.layout.shape)); },
          nb::sig("def shape(self) -> tuple[int, ...]"), "Items along each axis.")
      .def_prop_ro(
          "strides", [](const Array& self) { return nb::tuple(nb::cast(self.layout.strides)); },
          nb::sig("def strides(self) -> tuple[int, ...]"),
          "Bytes from one item to the next along each axis.")
      .def_prop_ro(
          "c_contiguous", [](const Array& self) { return self.layout.isDense(false); },
          "Whether it is in C order.")
      .def_prop_ro(
          "f_contiguous", [](const Array& self) { return self.layout.isDense(true); },
          "Whether it is in Fortran order.")
      .def_prop_ro(
          "contiguous", [](const Array& self) { return self.layout.isContiguous(); },
          "In C or Fortran order: only then it can be transferred.");
}

}  // namespace

void bindBuffer(nb::module_& module) {
  nb::class_<Array> type(module, "Array", nb::type_slots(array_slots),
                         "A view of the memory of an object, which it pins.\n\n"
                         "The object has the buffer protocol, __array_interface__,\n"
                         "__cuda_array_interface__ or DLPack. What is not contiguous can be\n"
                         "looked at, not transferred.");
  type.def(nb::init<nb::object>(), "obj"_a.none(),
           nb::sig("def __init__(self, obj: ucxx.types.BufferLike) -> None"),
           "Pin the memory of an object. Raises TypeError for one without.")
      .def_prop_ro("ptr", &addressOf, "Address of the first item; never 0.")
      .def_prop_ro(
          "readonly", [](const Array& self) { return self.layout.is_read_only; },
          "Whether nothing can be received into it.")
      .def_prop_ro(
          "cuda", [](const Array& self) { return self.layout.is_on_device; },
          "Whether it is memory of a CUDA device.")
      .def_prop_ro(
          "obj", [](const Array& self) { return self.object; }, "The object.")
      .def_prop_ro("__cuda_array_interface__", &cudaInterface,
                   nb::sig("def __cuda_array_interface__(self) -> dict[str, typing.Any]"));
  bindLayout(type);
}

}  // namespace ucxx::python
