// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "layout.h"

#include <algorithm>
#include <cstdarg>
#include <utility>

#include "view.h"

namespace ucxx::python {

void refuse(PyObject* error, nb::handle object, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  PyObject* const why = PyUnicode_FromFormatV(format, arguments);
  va_end(arguments);
  if (why != nullptr) PyErr_Format(error, "%s %U", Py_TYPE(object.ptr())->tp_name, why);
  Py_XDECREF(why);
  throw nb::python_error();
}

nb::object attributeOf(nb::handle object, const char* name) {
  PyObject* const value = PyObject_GetAttrString(object.ptr(), name);
  if (value == nullptr) {
    if (PyErr_ExceptionMatches(PyExc_AttributeError) == 0) throw nb::python_error();
    PyErr_Clear();
  }
  return nb::steal(value);
}

Layout::Layout(nb::handle object) {
  if (PyObject_CheckBuffer(object.ptr()) == 0 || !readBuffer(object)) readOther(object, {});
}

Layout Layout::beside(nb::handle object, const Consumer& consumer) {
  Layout layout;
  layout.readOther(object, consumer);
  return layout;
}

bool Layout::hasOther(PyObject* object) {
  const nb::error_scope kept;
  return PyObject_HasAttrString(object, "__array_interface__") != 0 ||
         PyObject_HasAttrString(object, "__cuda_array_interface__") != 0 ||
         PyObject_HasAttrString(object, "__dlpack__") != 0;
}

void Layout::readOther(nb::handle object, const Consumer& consumer) {
  if (readArrayInterface(object, *this, consumer) || readDlpack(object, *this, consumer)) return;
  refuse(PyExc_TypeError, object,
         "has no memory to transfer: it needs the buffer protocol, __array_interface__, "
         "__cuda_array_interface__ or __dlpack__");
}

/// False: it has another protocol for its items.
bool Layout::readBuffer(nb::handle object) {
  owner = nb::steal(PyMemoryView_FromObject(object.ptr()));
  if (!owner.is_valid()) {
    if (!hasOther(object.ptr())) throw nb::python_error();
    PyErr_Clear();
    return false;
  }
  const Py_buffer& buffer = *PyMemoryView_GET_BUFFER(owner.ptr());
  if (buffer.suboffsets != nullptr) refuse(PyExc_TypeError, object, "has its rows behind pointers");
  if (hasObjects(buffer.format) || isOfCtypesWithObjects(object.ptr())) refuseObjects(object);
  data = buffer.buf;
  itemsize = static_cast<std::size_t>(buffer.itemsize);
  is_read_only = buffer.readonly != 0;
  shape.assign(buffer.shape, buffer.shape + buffer.ndim);
  strides.assign(buffer.strides, buffer.strides + buffer.ndim);
  return true;
}

void Layout::setShape(nb::handle object, std::vector<std::int64_t> items) {
  // As if no axis were empty: strides are products of the others.
  auto bytes = static_cast<std::int64_t>(itemsize);
  for (const std::int64_t extent : items) {
    if (extent < 0)
      refuse(PyExc_ValueError, object, "says that it has %lld items along an axis",
             static_cast<long long>(extent));
    if (__builtin_mul_overflow(bytes, std::max<std::int64_t>(extent, 1), &bytes))
      refuse(PyExc_ValueError, object, "says that it has more bytes than there can be");
  }
  shape = std::move(items);
}

void Layout::setStridesOfOrderC() {
  strides.resize(shape.size());
  auto stride = static_cast<std::int64_t>(itemsize);
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<std::int64_t>(shape[i], 1);
  }
}

std::size_t Layout::bytes() const noexcept {
  std::size_t bytes = itemsize;
  for (const std::int64_t extent : shape) bytes *= static_cast<std::size_t>(extent);
  return bytes;
}

bool Layout::isDense(bool reversed) const noexcept {
  if (bytes() == 0) return true;
  auto expected = static_cast<std::int64_t>(itemsize);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t axis = reversed ? i : shape.size() - 1 - i;
    if (shape[axis] > 1 && strides[axis] != expected) return false;
    expected *= shape[axis];
  }
  return true;
}

}  // namespace ucxx::python
