// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "received.h"

#include <new>
#include <utility>

#include <ucxx/request_tag_multi.h>

#include "errors.h"

namespace ucxx::python {
namespace {

PyTypeObject* host_buffer_type = nullptr;

/// Library memory as Python sees it: an exporter of the buffer protocol.
struct HostBufferObject {
  PyObject_HEAD std::shared_ptr<Buffer> buffer;
};

int getBuffer(PyObject* self, Py_buffer* view, int flags) {
  Buffer& buffer = *reinterpret_cast<HostBufferObject*>(self)->buffer;
  return PyBuffer_FillInfo(view, self, buffer.data(), static_cast<Py_ssize_t>(buffer.getSize()), 0,
                           flags);
}

void destroy(PyObject* self) {
  reinterpret_cast<HostBufferObject*>(self)->buffer.~shared_ptr();
  PyTypeObject* const type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(type);
}

constexpr char kDoc[] = "Memory of the library's: pooled, and warm. It has the buffer protocol.";
PyType_Slot slots[] = {{Py_tp_doc, const_cast<char*>(kDoc)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                       {Py_bf_getbuffer, reinterpret_cast<void*>(getBuffer)},
                       {0, nullptr}};
PyType_Spec spec = {"ucxx._core.HostBuffer", sizeof(HostBufferObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

/// NumPy's functions, looked for when the first array is made: importing it takes 100 ms.
struct Numpy {
  PyObject* frombuffer = nullptr;
  PyObject* empty = nullptr;
  PyObject* uint8 = nullptr;

  /// No static that is guarded: an import lets other threads run, which would wait for the guard
  /// with the GIL.
  static const Numpy& get() {
    static const Numpy* numpy = nullptr;
    if (numpy == nullptr) {
      auto made = std::unique_ptr<Numpy>(new Numpy);
      if (numpy == nullptr) numpy = made.release();
    }
    return *numpy;
  }

 private:
  Numpy() {
    PyObject* const module = PyImport_ImportModule("numpy");
    if (module == nullptr) {  // memoryviews will do
      PyErr_Clear();
      return;
    }
    frombuffer = PyObject_GetAttrString(module, "frombuffer");
    empty = PyObject_GetAttrString(module, "empty");
    PyObject* const dtype = PyObject_GetAttrString(module, "dtype");
    uint8 = dtype == nullptr ? nullptr : PyObject_CallFunction(dtype, "s", "uint8");
    Py_XDECREF(dtype);
    Py_DECREF(module);
    if (uint8 == nullptr) throw nb::python_error();
  }
};

class Frames final : public Extra {
 public:
  PyObject* result(Request& request) override {
    auto& multi = dynamic_cast<RequestTagMulti&>(request);
    PyObject* const list = PyList_New(static_cast<Py_ssize_t>(multi._bufferRequests.size()));
    if (list == nullptr) return nullptr;
    for (std::size_t i = 0; i < multi._bufferRequests.size(); ++i) {
      PyObject* const array = arrayOf(multi._bufferRequests[i]->buffer);
      if (array == nullptr) {
        Py_DECREF(list);
        return nullptr;
      }
      PyList_SET_ITEM(list, static_cast<Py_ssize_t>(i), array);
    }
    return list;
  }
};

class Message final : public Extra {
 public:
  PyObject* result(Request& request) override { return arrayOf(request.getRecvBuffer()); }
};

}  // namespace

PyObject* arrayOf(std::shared_ptr<Buffer> buffer) {
  const Numpy& numpy = Numpy::get();
  if (buffer->getSize() == 0 && numpy.empty != nullptr)
    return PyObject_CallFunction(numpy.empty, "iO", 0, numpy.uint8);
  auto* const self = PyObject_New(HostBufferObject, host_buffer_type);
  if (self == nullptr) return nullptr;
  new (&self->buffer) std::shared_ptr<Buffer>(std::move(buffer));
  PyObject* const object = reinterpret_cast<PyObject*>(self);
  PyObject* const arguments[] = {object, numpy.uint8};
  PyObject* const array = numpy.frombuffer == nullptr
                              ? PyMemoryView_FromObject(object)
                              : PyObject_Vectorcall(numpy.frombuffer, arguments, 2, nullptr);
  Py_DECREF(object);
  return array;
}

std::unique_ptr<Extra> receivedFrames() { return std::make_unique<Frames>(); }
std::unique_ptr<Extra> receivedMessage() { return std::make_unique<Message>(); }

void bindReceived(nb::module_& module) {
  host_buffer_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (host_buffer_type == nullptr) throw nb::python_error();
  module.attr("HostBuffer") = nb::handle(reinterpret_cast<PyObject*>(host_buffer_type));
}

}  // namespace ucxx::python
