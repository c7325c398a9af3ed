// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "received.h"

#include <new>
#include <utility>

#include <ucxx/request_tag_multi.h>

#include "allocator.h"
#include "device_buffer.h"
#include "errors.h"
#include "numpy_array.h"

namespace ucxx::python {
namespace {

PyTypeObject* host_buffer_type = nullptr;

/// Library memory of the host as Python sees it: an exporter of the buffer protocol.
struct BufferObject {
  PyObject_HEAD std::shared_ptr<Buffer> buffer;
};

Buffer& bufferOf(PyObject* self) { return *reinterpret_cast<BufferObject*>(self)->buffer; }

int getBuffer(PyObject* self, Py_buffer* view, int flags) {
  Buffer& buffer = bufferOf(self);
  return PyBuffer_FillInfo(view, self, buffer.data(), static_cast<Py_ssize_t>(buffer.getSize()), 0,
                           flags);
}

void destroy(PyObject* self) {
  reinterpret_cast<BufferObject*>(self)->buffer.~shared_ptr();
  PyTypeObject* const type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(type);
}

constexpr unsigned kFlags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
constexpr char kHostDoc[] =
    "Memory of the library's: pooled, and warm. It has the buffer protocol.\n\n"
    "Received memoryviews show it where there is no NumPy.";
PyType_Slot host_slots[] = {{Py_tp_doc, const_cast<char*>(kHostDoc)},
                            {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                            {Py_bf_getbuffer, reinterpret_cast<void*>(getBuffer)},
                            {0, nullptr}};
PyType_Spec host_spec = {"ucxx._core.HostBuffer", sizeof(BufferObject), 0, kFlags, host_slots};

/// Null with a Python error.
PyObject* objectOf(std::shared_ptr<Buffer> buffer) {
  auto* const self = PyObject_New(BufferObject, host_buffer_type);
  if (self == nullptr) return nullptr;
  new (&self->buffer) std::shared_ptr<Buffer>(std::move(buffer));
  return reinterpret_cast<PyObject*>(self);
}

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
  bool isReceived() const noexcept override { return true; }
};

class Message final : public Extra {
 public:
  PyObject* result(Request& request) override { return arrayOf(request.getRecvBuffer()); }
  bool isReceived() const noexcept override { return true; }
};

}  // namespace

PyObject* arrayOf(std::shared_ptr<Buffer> buffer) {
  if (const auto* own = dynamic_cast<const PythonBuffer*>(buffer.get()))
    return Py_NewRef(own->object().ptr());
  if (buffer->getType() != BufferType::Host) return deviceBufferOf(std::move(buffer));
  const Numpy& numpy = Numpy::get();
  if (numpy.ownsData()) return numpy.arrayOf(std::move(buffer));
  PyObject* const object = objectOf(std::move(buffer));
  if (object == nullptr) return nullptr;
  PyObject* const view =
      numpy.isThere() ? numpy.arrayOver(object) : PyMemoryView_FromObject(object);
  Py_DECREF(object);
  return view;
}

std::unique_ptr<Extra> receivedFrames() { return std::make_unique<Frames>(); }
std::unique_ptr<Extra> receivedMessage() { return std::make_unique<Message>(); }

void bindReceived(nb::module_& module) {
  PyObject* const type = PyType_FromSpec(&host_spec);
  if (type == nullptr) throw nb::python_error();
  module.attr("HostBuffer") = nb::handle(type);
  host_buffer_type = reinterpret_cast<PyTypeObject*>(type);
}

}  // namespace ucxx::python
