// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// NumPy's array interface, version 3, and the CUDA array interface, which has the same fields.

#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "layout.h"
#include "view.h"
#include "word.h"

namespace ucxx::python {
namespace {

/// Of fields within fields; a list that is within itself has no end.
constexpr int kDeepest = 16;

/// Whether a description of fields ([("name", "<i4"), ("inner", [...], shape), ...]) has objects,
/// or is deeper than any that is meant.
bool describesObjects(nb::handle descr, int depth = 0) {
  if (PyUnicode_Check(descr.ptr()) != 0)
    return PyUnicode_FindChar(descr.ptr(), 'O', 0, PY_SSIZE_T_MAX, 1) >= 0;
  if (PyList_Check(descr.ptr()) == 0) return false;
  if (depth == kDeepest) return true;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(descr.ptr()); ++i) {
    const nb::handle field = PyList_GET_ITEM(descr.ptr(), i);
    if (PyTuple_Check(field.ptr()) != 0 && PyTuple_GET_SIZE(field.ptr()) >= 2 &&
        describesObjects(PyTuple_GET_ITEM(field.ptr(), 1), depth + 1))
      return true;
  }
  return false;
}

/// Whether NumPy says so: it describes no fields that overlap or are out of order.
bool hasObjectsByDtype(nb::handle object) {
  const nb::object dtype = nb::getattr(object, "dtype", nb::none());
  return nb::getattr(dtype, "hasobject", nb::none()).is(nb::handle(Py_True));
}

/// The interface of one object: reads its fields into a layout, or says which one is wrong.
class Interface {
 public:
  Interface(nb::handle object, const char* name, nb::handle interface)
      : object_(object), name_(name) {
    if (PyDict_Check(interface.ptr()) == 0)
      refuse(PyExc_TypeError, object, "has %s of type %s instead of a dict", name,
             Py_TYPE(interface.ptr())->tp_name);
    // What is in it may be all that keeps the memory.
    fields_ = nb::steal<nb::dict>(PyDict_Copy(interface.ptr()));
    if (!fields_.is_valid()) throw nb::python_error();
  }

  void read(Layout& layout, bool on_device, const Consumer& consumer) {
    refuseWhatIsLost();
    layout.is_on_device = on_device;
    layout.itemsize = itemBytes();
    layout.setShape(object_, integers("shape", field("shape")));
    const nb::object strides = field("strides");
    if (strides.is_none()) {
      layout.setStridesOfOrderC();
    } else {
      layout.strides = integers("strides", strides);
      if (layout.strides.size() != layout.shape.size())
        refuse(PyExc_ValueError, object_, "has %zu axes and %zu strides", layout.shape.size(),
               layout.strides.size());
    }
    readData(layout);
    if (on_device && layout.bytes() != 0) followProducer(layout, consumer);
  }

 private:
  /// Version 3 names a stream: 1 the legacy default one, 2 that of the thread.
  void followProducer(const Layout& layout, const Consumer& consumer) const {
    const nb::object stream = field("stream");
    if (stream.is_none()) return;
    if (PyBool_Check(stream.ptr()) != 0)
      refuseField(PyExc_TypeError, "stream", "a stream is an int");
    const std::uint64_t producer = wordOf(stream, "the stream of an array interface");
    if (producer == 0)
      refuseField(PyExc_ValueError, "stream", "the legacy default stream is 1, that of a thread 2");
    awaitProducer(consumer, producer, layout.data);
  }

  /// None: there is no such field.
  nb::object field(const char* name) const {
    PyObject* const value = PyDict_GetItemString(fields_.ptr(), name);
    return nb::borrow(value == nullptr ? Py_None : value);
  }

  [[noreturn]] void refuseField(PyObject* error, const char* name, const char* wanted) const {
    refuse(error, object_, "has %R as %s of %s: %s", field(name).ptr(), name, name_, wanted);
  }

  void refuseWhatIsLost() const {
    if (hasObjectsByDtype(object_) || describesObjects(field("descr"))) refuseObjects(object_);
    if (!field("mask").is_none())
      refuse(PyExc_TypeError, object_, "has a mask, which would be lost");
  }

  std::size_t itemBytes() const {
    const nb::object typestr = field("typestr");
    const char* const text =
        PyUnicode_Check(typestr.ptr()) ? PyUnicode_AsUTF8(typestr.ptr()) : nullptr;
    PyErr_Clear();
    const char* const wanted = "expected a string such as '<f8'";
    if (text == nullptr || std::strlen(text) < 2 || std::strchr("<>|=", text[0]) == nullptr)
      refuseField(PyExc_TypeError, "typestr", wanted);
    if (text[1] == 'O') refuseObjects(object_);
    if (std::strchr("biufcmMSUV", text[1]) == nullptr)
      refuseField(PyExc_TypeError, "typestr", "NumPy has no items of that type");
    // Units may follow: "<M8[s]".
    char* end = nullptr;
    const std::size_t count = std::strtoul(text + 2, &end, 10);
    if (count > std::numeric_limits<std::uint32_t>::max() || (*end != '\0' && *end != '['))
      refuseField(PyExc_ValueError, "typestr", wanted);
    if (count == 0) refuse(PyExc_TypeError, object_, "has items of no size");
    return text[1] == 'U' ? 4 * count : count;  // characters of UCS-4
  }

  std::vector<std::int64_t> integers(const char* name, const nb::object& items) const {
    if (PyTuple_Check(items.ptr()) == 0)
      refuseField(PyExc_TypeError, name, "expected a tuple of ints");
    std::vector<std::int64_t> result;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items.ptr()); ++i) {
      const nb::object item = nb::steal(PyNumber_Index(PyTuple_GET_ITEM(items.ptr(), i)));
      if (!item.is_valid()) throwUnless(PyExc_TypeError, name, "expected a tuple of ints");
      result.push_back(PyLong_AsLongLong(item.ptr()));
      if (result.back() == -1 && PyErr_Occurred() != nullptr)
        throwUnless(PyExc_OverflowError, name, "no memory is that large", PyExc_ValueError);
    }
    return result;
  }

  /// Says what is wrong in place of a Python error of class `expected`; throws any other.
  [[noreturn]] void throwUnless(PyObject* expected, const char* name, const char* wanted,
                                PyObject* error = nullptr) const {
    if (PyErr_ExceptionMatches(expected) == 0) throw nb::python_error();
    PyErr_Clear();
    refuseField(error == nullptr ? expected : error, name, wanted);
  }

  void readData(Layout& layout) const {
    const nb::object data = field("data");
    const bool is_buffer = !layout.is_on_device && PyObject_CheckBuffer(data.ptr()) != 0;
    if (is_buffer) return readBufferOfData(layout, data);
    if (PyTuple_Check(data.ptr()) == 0 || PyTuple_GET_SIZE(data.ptr()) != 2)
      refuseField(PyExc_TypeError, "data", "expected a tuple (address, read-only)");
    const std::uint64_t address =
        wordOf(PyTuple_GET_ITEM(data.ptr(), 0), "the address of an array interface");
    if (address == 0 && layout.bytes() != 0)
      refuseField(PyExc_ValueError, "data", "there is no memory at address 0");
    const int is_read_only = PyObject_IsTrue(PyTuple_GET_ITEM(data.ptr(), 1));
    if (is_read_only < 0) throw nb::python_error();
    layout.data = reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
    layout.is_read_only = is_read_only != 0;
    layout.owner = nb::make_tuple(object_, fields_);
  }

  /// An image of Pillow's, for example, has its pixels there.
  void readBufferOfData(Layout& layout, const nb::object& data) const {
    const nb::object memory = nb::steal(PyMemoryView_FromObject(data.ptr()));
    if (!memory.is_valid()) throw nb::python_error();
    const Py_buffer& buffer = *PyMemoryView_GET_BUFFER(memory.ptr());
    if (hasObjects(buffer.format)) refuseObjects(object_);
    if (PyBuffer_IsContiguous(&buffer, 'C') == 0)
      refuse(PyExc_ValueError, object_, "has its data in a buffer that is not contiguous");
    const nb::object offset = field("offset");
    const std::uint64_t begin =
        offset.is_none() ? 0 : wordOf(offset, "the offset of an array interface");
    const auto size = static_cast<std::size_t>(buffer.len);
    if (begin > size || layout.bytes() > size - begin)
      refuse(PyExc_ValueError, object_, "says that it has %zu bytes, in a buffer that has %zu",
             layout.bytes(), size);
    layout.data = static_cast<char*>(buffer.buf) + begin;
    layout.is_read_only = buffer.readonly != 0;
    layout.owner = nb::make_tuple(object_, fields_, memory);
  }

  nb::handle object_;
  const char* name_;
  nb::dict fields_;
};

}  // namespace

bool readArrayInterface(nb::handle object, Layout& layout, const Consumer& consumer) {
  for (const bool on_device : {true, false}) {
    const char* const name = on_device ? "__cuda_array_interface__" : "__array_interface__";
    const nb::object interface = attributeOf(object, name);
    if (!interface.is_valid() || interface.is_none()) continue;
    Interface(object, name, interface).read(layout, on_device, consumer);
    return true;
  }
  return false;
}

}  // namespace ucxx::python
