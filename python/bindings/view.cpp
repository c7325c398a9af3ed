// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "view.h"

#include <cstring>
#include <utility>

#include "dlpack.h"
#include "without_gil.h"

namespace ucxx::python {
namespace {

/// Of what cannot be used: "ndarray is not contiguous". False, with the Python error.
bool refuse(PyObject* type, PyObject* object, const char* why) {
  PyErr_Format(type, "%s %s", Py_TYPE(object)->tp_name, why);
  return false;
}

/// The attribute, new; null without an error if there is none.
PyObject* attribute(PyObject* object, const char* name) {
  PyObject* const value = PyObject_GetAttrString(object, name);
  if (value == nullptr && PyErr_ExceptionMatches(PyExc_AttributeError)) PyErr_Clear();
  return value;
}

/// Whether `strides` are those of C order or, with `reversed`, of Fortran order.
bool isDense(const nb::tuple& shape, const nb::tuple& strides, std::size_t item, bool reversed) {
  const std::size_t count = shape.size();
  if (strides.size() != count) return false;
  auto expected = static_cast<long long>(item);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t axis = reversed ? i : count - 1 - i;
    const auto extent = nb::cast<long long>(shape[axis]);
    if (extent > 1 && nb::cast<long long>(strides[axis]) != expected) return false;
    expected *= extent;
  }
  return true;
}

}  // namespace

bool hasObjects(const char* format) {
  bool in_name = false;
  for (; format != nullptr && *format != '\0'; ++format) {
    if (*format == ':') in_name = !in_name;
    if (*format == 'O' && !in_name) return true;
  }
  return false;
}

std::size_t itemBytes(nb::handle typestr) {
  const char* const text = PyUnicode_AsUTF8(typestr.ptr());
  if (text == nullptr || std::strlen(text) < 3 || text[1] == 'O') return 0;
  const std::size_t count = std::strtoul(text + 2, nullptr, 10);
  return text[1] == 'U' ? 4 * count : count;  // characters of UCS-4
}

bool hasArrayInterface(PyObject* object) {
  const nb::error_scope kept;
  return PyObject_HasAttrString(object, "__array_interface__") != 0 ||
         PyObject_HasAttrString(object, "__cuda_array_interface__") != 0;
}

bool View::acquire(PyObject* object, Access access) {
  return callingPython([&] {
    return PyObject_CheckBuffer(object) ? acquireBuffer(object, access)
                                        : acquireOther(object, access);
  });
}

bool View::acquireBuffer(PyObject* object, Access access) {
  const int writable = access == Access::Write ? PyBUF_WRITABLE : 0;
  // Most have C order, which this asks for without more.
  if (PyObject_GetBuffer(object, &buffer_, PyBUF_ND | PyBUF_FORMAT | writable) != 0) {
    PyErr_Clear();
    if (PyObject_GetBuffer(object, &buffer_, PyBUF_FULL_RO) != 0) {
      // The protocol has no datetime64: NumPy refuses, and has a second one. So has an Array of a
      // device's memory.
      if (!hasArrayInterface(object)) return false;
      PyErr_Clear();
      return acquireOther(object, access);
    }
    const bool is_dense = PyBuffer_IsContiguous(&buffer_, 'A') != 0;
    const bool is_refused = writable != 0 && buffer_.readonly != 0;
    if (!is_dense || is_refused) {
      PyBuffer_Release(&buffer_);
      if (is_refused)
        return refuse(PyExc_ValueError, object, "is read-only: nothing can be received into it");
      return refuse(PyExc_ValueError, object,
                    "is not contiguous: send a contiguous copy, or its parts by send_multi");
    }
  }
  if (hasObjects(buffer_.format)) {
    PyBuffer_Release(&buffer_);
    return refuse(PyExc_TypeError, object,
                  "has objects, which are of this process: send_obj pickles");
  }
  holds_ = Holds::Buffer;
  data_ = buffer_.buf;
  size_ = static_cast<std::size_t>(buffer_.len);
  read_only_ = buffer_.readonly != 0;
  on_device_ = false;
  return true;
}

bool View::acquireOther(PyObject* object, Access access) {
  for (const bool on_device : {true, false}) {
    PyObject* const interface =
        attribute(object, on_device ? "__cuda_array_interface__" : "__array_interface__");
    if (interface == nullptr && PyErr_Occurred() != nullptr) return false;
    if (interface == nullptr) continue;
    const bool acquired = acquireArray(object, interface, on_device, access);
    Py_DECREF(interface);
    return acquired;
  }
  if (PyObject_HasAttrString(object, "__dlpack__")) return acquireDlpack(object, access);
  return refuse(PyExc_TypeError, object,
                "has no memory to transfer: it needs the buffer protocol, __array_interface__, "
                "__cuda_array_interface__ or __dlpack__");
}

bool View::acquireArray(PyObject* object, PyObject* interface, bool on_device, Access access) {
  try {
    const auto fields = nb::cast<nb::dict>(nb::handle(interface));
    const auto shape = nb::cast<nb::tuple>(fields["shape"]);
    const auto data = nb::cast<nb::tuple>(fields["data"]);
    if (data.size() != 2) throw nb::cast_error();
    std::size_t bytes = itemBytes(fields["typestr"]);
    if (bytes == 0) return refuse(PyExc_TypeError, object, "has items of no size");
    if (fields.contains("strides") && !fields["strides"].is_none()) {
      const auto strides = nb::cast<nb::tuple>(fields["strides"]);
      if (!isDense(shape, strides, bytes, false) && !isDense(shape, strides, bytes, true))
        return refuse(PyExc_ValueError, object, "is not contiguous: send a contiguous copy");
    }
    for (const nb::handle extent : shape) {
      const auto count = nb::cast<std::size_t>(extent);
      if (__builtin_mul_overflow(bytes, count, &bytes))
        return refuse(PyExc_ValueError, object, "says that it has more bytes than there can be");
    }
    read_only_ = nb::cast<bool>(data[1]);
    if (access == Access::Write && read_only_)
      return refuse(PyExc_ValueError, object, "is read-only: nothing can be received into it");
    data_ = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(data[0]));
    size_ = bytes;
  } catch (nb::python_error& error) {
    error.restore();
    return false;
  } catch (const nb::cast_error&) {
    return refuse(PyExc_TypeError, object, "has an array interface that is none");
  }
  on_device_ = on_device;
  holds_ = Holds::Object;
  object_ = Py_NewRef(object);
  return true;
}

bool View::acquireDlpack(PyObject* object, Access access) {
  DlpackView found;
  PyObject* const owner = viewOfDlpack(object, found);
  if (owner == nullptr) return false;
  const bool is_refused = access == Access::Write && found.read_only;
  if (is_refused || !found.is_dense) {
    Py_DECREF(owner);
    if (!found.is_dense)
      return refuse(PyExc_ValueError, object, "is not contiguous: send a contiguous copy");
    return refuse(PyExc_ValueError, object, "is read-only: nothing can be received into it");
  }
  data_ = found.data;
  size_ = found.size_bytes;
  on_device_ = found.on_device;
  read_only_ = found.read_only;
  holds_ = Holds::Object;
  object_ = owner;
  return true;
}

void View::release() noexcept {
  const Holds held = std::exchange(holds_, Holds::Nothing);
  if (held == Holds::Nothing) return;
  callingPython([&] { held == Holds::Buffer ? PyBuffer_Release(&buffer_) : Py_DECREF(object_); });
}

void View::take(View& other) noexcept {
  data_ = other.data_;
  size_ = other.size_;
  on_device_ = other.on_device_;
  read_only_ = other.read_only_;
  holds_ = std::exchange(other.holds_, Holds::Nothing);
  if (holds_ == Holds::Object)
    object_ = other.object_;
  else
    buffer_ = other.buffer_;
}

}  // namespace ucxx::python
