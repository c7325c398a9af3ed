// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "layout.h"

#include "dlpack.h"
#include "view.h"

namespace ucxx::python {
namespace {

[[noreturn]] void refuse(const nb::object& object, const char* why) {
  PyErr_Format(PyExc_TypeError, "%s %s", Py_TYPE(object.ptr())->tp_name, why);
  throw nb::python_error();
}

std::vector<std::int64_t> integersOf(nb::handle items) {
  std::vector<std::int64_t> result;
  for (const nb::handle item : items) result.push_back(nb::cast<std::int64_t>(item));
  return result;
}

}  // namespace

void Layout::read(const nb::object& object) {
  if (PyObject_CheckBuffer(object.ptr()) != 0 && readBuffer(object)) return;
  for (const char* name : {"__cuda_array_interface__", "__array_interface__"}) {
    const nb::object fields = nb::getattr(object, name, nb::none());
    if (fields.is_none()) continue;
    is_on_device = name[2] == 'c';
    try {
      return readInterface(object, nb::cast<nb::dict>(fields));
    } catch (const nb::cast_error&) {
      refuse(object, "has an array interface that is none");
    }
  }
  if (nb::hasattr(object, "__dlpack__")) return readDlpack(object);
  View view;  // says what is wrong
  if (!view.acquire(object.ptr(), Access::Read)) throw nb::python_error();
}

/// False: it has another protocol for its items.
bool Layout::readBuffer(const nb::object& object) {
  owner = nb::steal(PyMemoryView_FromObject(object.ptr()));
  if (!owner.is_valid() && !hasArrayInterface(object.ptr())) throw nb::python_error();
  if (!owner.is_valid()) {
    PyErr_Clear();
    return false;
  }
  const Py_buffer& buffer = *PyMemoryView_GET_BUFFER(owner.ptr());
  if (buffer.suboffsets != nullptr) refuse(object, "has its rows behind pointers");
  if (hasObjects(buffer.format)) refuse(object, "has objects, which are of this process");
  data = buffer.buf;
  itemsize = static_cast<std::size_t>(buffer.itemsize);
  is_read_only = buffer.readonly != 0;
  shape.assign(buffer.shape, buffer.shape + buffer.ndim);
  strides.assign(buffer.strides, buffer.strides + buffer.ndim);
  return true;
}

void Layout::readInterface(const nb::object& object, const nb::dict& fields) {
  owner = object;
  itemsize = itemBytes(fields["typestr"]);
  if (itemsize == 0) refuse(object, "has items of no size");
  shape = integersOf(fields["shape"]);
  std::int64_t bytes = static_cast<std::int64_t>(itemsize);
  for (const std::int64_t extent : shape)
    if (extent < 0 || __builtin_mul_overflow(bytes, extent, &bytes))
      refuse(object, "has a shape that there cannot be");
  const auto where = nb::cast<nb::tuple>(fields["data"]);
  if (where.size() != 2) throw nb::cast_error();
  data = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(where[0]));
  is_read_only = nb::cast<bool>(where[1]);
  const bool has_strides = fields.contains("strides") && !fields["strides"].is_none();
  if (!has_strides) return setStridesOfOrderC();
  strides = integersOf(fields["strides"]);
  if (strides.size() != shape.size()) refuse(object, "has other strides than its shape wants");
}

void Layout::readDlpack(const nb::object& object) {
  DlpackView view;
  owner = nb::steal(viewOfDlpack(object.ptr(), view));
  if (!owner.is_valid()) throw nb::python_error();
  data = view.data;
  itemsize = view.itemsize;
  is_read_only = view.read_only;
  is_on_device = view.on_device;
  shape.assign(view.shape, view.shape + view.ndim);
  if (view.strides == nullptr) return setStridesOfOrderC();
  for (std::size_t i = 0; i < view.ndim; ++i)
    strides.push_back(view.strides[i] * static_cast<std::int64_t>(itemsize));
}

void Layout::setStridesOfOrderC() {
  strides.resize(shape.size());
  auto stride = static_cast<std::int64_t>(itemsize);
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
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
