// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "view.h"

#include <utility>

#include "errors.h"
#include "layout.h"

namespace ucxx::python {
namespace {

[[noreturn]] void refuseToWrite(PyObject* object) {
  refuse(PyExc_ValueError, object, "is read-only: nothing can be received into it");
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

void refuseObjects(nb::handle object) {
  refuse(PyExc_TypeError, object, "has objects, which are of this process: send_obj pickles");
}

bool View::acquire(PyObject* object, Access access) {
  const auto read = [&] {
    if (PyObject_CheckBuffer(object) == 0 || !acquireBuffer(object, access))
      acquireOther(object, access);
    return Py_None;
  };
  if (guarded(read) != nullptr) return true;
  const nb::error_scope kept;
  release();
  return false;
}

/// False: it has another protocol for its items.
bool View::acquireBuffer(PyObject* object, Access access) {
  const int writable = access == Access::Write ? PyBUF_WRITABLE : 0;
  // Most have C order, which this asks for without more.
  if (PyObject_GetBuffer(object, &buffer_, PyBUF_ND | PyBUF_FORMAT | writable) != 0) {
    PyErr_Clear();
    if (PyObject_GetBuffer(object, &buffer_, PyBUF_FULL_RO) != 0) {
      // The protocol has no datetime64: NumPy refuses, and has a second one. So has an Array of a
      // device's memory.
      if (!Layout::hasOther(object)) throw nb::python_error();
      PyErr_Clear();
      return false;
    }
  }
  holds_ = Holds::Buffer;
  if (writable != 0 && buffer_.readonly != 0) refuseToWrite(object);
  if (PyBuffer_IsContiguous(&buffer_, 'A') == 0)
    refuse(PyExc_ValueError, object,
           "is not contiguous: send a contiguous copy, or its parts by send_multi");
  if (hasObjects(buffer_.format)) refuseObjects(object);
  data_ = buffer_.buf;
  size_ = static_cast<std::size_t>(buffer_.len);
  read_only_ = buffer_.readonly != 0;
  on_device_ = false;
  return true;
}

void View::acquireOther(PyObject* object, Access access) {
  Layout layout = Layout::beside(object);
  if (!layout.isContiguous())
    refuse(PyExc_ValueError, object, "is not contiguous: send a contiguous copy");
  if (access == Access::Write && layout.is_read_only) refuseToWrite(object);
  data_ = layout.data;
  size_ = layout.bytes();
  read_only_ = layout.is_read_only;
  on_device_ = layout.is_on_device;
  holds_ = Holds::Object;
  object_ = layout.owner.release().ptr();
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
