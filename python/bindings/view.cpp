// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "view.h"

#include <utility>

#include "condition.h"
#include "errors.h"
#include "layout.h"

namespace ucxx::python {
namespace {

[[noreturn]] void refuseToWrite(PyObject* object) {
  refuse(PyExc_ValueError, object, "is read-only: nothing can be received into it");
}

[[noreturn]] void refuseGaps(PyObject* object, Access access) {
  refuse(PyExc_ValueError, object,
         access == Access::Read
             ? "is not contiguous: send a contiguous copy, or its parts by send_multi"
             : "is not contiguous: take a contiguous buffer, and copy from it");
}

/// Whether a type of ctypes, or what it is made of, is a pointer to an object. Of unions and packed
/// structures the buffer protocol says that they are bytes.
bool holdsObjects(nb::handle type, int depth = 0) {
  constexpr int kDeepest = 16;
  if (depth == kDeepest) return true;
  const nb::object item = nb::getattr(type, "_type_", nb::none());
  if (PyUnicode_Check(item.ptr()) != 0)
    return PyUnicode_CompareWithASCIIString(item.ptr(), "O") == 0;
  if (PyType_Check(item.ptr()) != 0)  // an array's; or a pointer's, to what may be of its own type
    return nb::hasattr(type, "_length_") && holdsObjects(item, depth + 1);
  const nb::object bases = nb::getattr(type, "__mro__", nb::none());  // each adds its fields
  for (Py_ssize_t i = 0; PyTuple_Check(bases.ptr()) != 0 && i < PyTuple_GET_SIZE(bases.ptr());
       ++i) {
    const nb::object fields = nb::getattr(PyTuple_GET_ITEM(bases.ptr(), i), "_fields_", nb::none());
    if (PyList_Check(fields.ptr()) == 0 && PyTuple_Check(fields.ptr()) == 0) continue;
    for (const nb::handle field : fields)
      if (PyTuple_Check(field.ptr()) != 0 && PyTuple_GET_SIZE(field.ptr()) >= 2 &&
          holdsObjects(PyTuple_GET_ITEM(field.ptr(), 1), depth + 1))
        return true;
  }
  return false;
}

/// Whose memory a memoryview or a PickleBuffer shows; null: `object` is neither.
PyObject* shownBy(PyObject* object) {
  if (PyMemoryView_Check(object)) return PyMemoryView_GET_BASE(object);
  if (!PyPickleBuffer_Check(object)) return nullptr;
  const Py_buffer* const buffer = PyPickleBuffer_GetBuffer(object);
  if (buffer == nullptr) throw nb::python_error();
  return buffer->obj;
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

bool isOfCtypesWithObjects(PyObject* object) {
  while (PyObject* const shown = shownBy(object)) object = shown;
  auto* const type = reinterpret_cast<PyObject*>(Py_TYPE(object));
  return Py_TYPE(type) != &PyType_Type &&
         holdsObjects(type);  // ctypes' types have types of their own
}

void refuseObjects(nb::handle object) {
  refuse(PyExc_TypeError, object, "has objects, which are of this process: send_obj pickles");
}

bool View::acquire(PyObject* object, Access access, PyObject* condition, PyObject* worker) {
  const auto read = [&] {
    if (PyObject_CheckBuffer(object) == 0 || !acquireBuffer(object, access))
      acquireOther(object, access, consumerOf(condition, worker));
    return Py_None;
  };
  if (guarded(read) != nullptr) return true;
  const nb::error_scope kept;
  release();
  return false;
}

/// False: it has another protocol for its items.
bool View::acquireBuffer(PyObject* object, Access access) {
  const int writable = access == Access::Read ? 0 : PyBUF_WRITABLE;
  // Most have C order, which this asks for without more.
  const bool is_dense =
      PyObject_GetBuffer(object, &buffer_, PyBUF_ND | PyBUF_FORMAT | writable) == 0;
  if (!is_dense) {
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
  if (hasObjects(buffer_.format) || isOfCtypesWithObjects(object)) refuseObjects(object);
  if (!is_dense && writable != 0 && buffer_.readonly != 0) refuseToWrite(object);
  if (!is_dense && PyBuffer_IsContiguous(&buffer_, 'A') == 0) refuseGaps(object, access);
  data_ = buffer_.buf;
  size_ = static_cast<std::size_t>(buffer_.len);
  read_only_ = buffer_.readonly != 0;
  on_device_ = false;
  return true;
}

void View::acquireOther(PyObject* object, Access access, Consumer consumer) {
  if (access == Access::Receive && consumer.kind == Consumer::Kind::Now) {
    consumer.kind = Consumer::Kind::Copy;
    consumer.gate = &gate_;
  }
  Layout layout = Layout::beside(object, consumer);
  if (!layout.isContiguous()) refuseGaps(object, access);
  if (access != Access::Read && layout.is_read_only) {
    if (!layout.is_on_device) refuseToWrite(object);
    refuse(PyExc_ValueError, object,
           "is read-only: nothing can be received into it; receive into a core.DeviceBuffer, of "
           "which its library makes an array by __dlpack__");
  }
  data_ = layout.data;
  size_ = layout.bytes();
  read_only_ = layout.is_read_only;
  on_device_ = layout.is_on_device;
  holds_ = Holds::Object;
  object_ = layout.owner.release().ptr();
}

void View::release() noexcept {
  gate_ = nullptr;
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

int View::traverse(visitproc visit, void* arg) const {
  if (holds_ == Holds::Buffer) Py_VISIT(buffer_.obj);
  if (holds_ == Holds::Object) Py_VISIT(object_);
  return 0;
}

}  // namespace ucxx::python
