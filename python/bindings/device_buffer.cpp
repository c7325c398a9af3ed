// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "device_buffer.h"

#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "arguments.h"
#include "dlpack.h"
#include "errors.h"
#include "without_gil.h"
#include "word.h"

namespace ucxx::python {
namespace {

using dlpack::PlainTensor;
using dlpack::VersionedTensor;

PyTypeObject* device_buffer_type = nullptr;

struct DeviceBufferObject {
  PyObject_HEAD std::shared_ptr<Buffer> buffer;
};

std::shared_ptr<Buffer>& bufferOf(PyObject* self) {
  return reinterpret_cast<DeviceBufferObject*>(self)->buffer;
}

PyObject* make(PyTypeObject*, PyObject* arguments, PyObject* keywords) {
  return guarded([&]() -> PyObject* {
    const char* names[] = {"nbytes", nullptr};
    PyObject* nbytes = nullptr;
    if (PyArg_ParseTupleAndKeywords(arguments, keywords, "O:DeviceBuffer",
                                    const_cast<char**>(names), &nbytes) == 0)
      return nullptr;
    const std::uint64_t size = wordOf(nbytes, "nbytes");
    return deviceBufferOf(withoutGil([&] { return allocateBuffer(BufferType::CCCL, size); }));
  });
}

/// The driver may wait for streams, and they for callbacks that want the GIL.
void destroy(PyObject* self) {
  std::shared_ptr<Buffer> buffer = std::move(bufferOf(self));
  bufferOf(self).~shared_ptr();
  PyTypeObject* const type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(type);
  const WithoutGil released;
  buffer = nullptr;
}

Py_ssize_t length(PyObject* self) { return static_cast<Py_ssize_t>(bufferOf(self)->getSize()); }

/// For no bytes the interface wants 0.
unsigned long long addressOf(Buffer& buffer) {
  return buffer.getSize() == 0 ? 0 : reinterpret_cast<std::uintptr_t>(buffer.data());
}

PyObject* cudaInterface(PyObject* self, void*) {
  return guarded([&] {
    Buffer& buffer = *bufferOf(self);
    return Py_BuildValue("{s:(n),s:s,s:(KO),s:i}", "shape",
                         static_cast<Py_ssize_t>(buffer.getSize()), "typestr", "|u1", "data",
                         addressOf(buffer), Py_False, "version", 3);
  });
}

/// Throws a Python error where nobody knows it.
dlpack::Device deviceOf(const std::shared_ptr<Buffer>& buffer) {
  const auto* const own = dynamic_cast<const CCCLBuffer*>(buffer.get());
  if (own == nullptr) {
    PyErr_SetString(PyExc_BufferError,
                    "this memory is not the library's: nobody says which device it is of");
    throw nb::python_error();
  }
  return {dlpack::kCuda, own->device()};
}

PyObject* dlpackDevice(PyObject* self, PyObject*) {
  return guarded([&] {
    const dlpack::Device device = deviceOf(bufferOf(self));
    return Py_BuildValue("(ii)", static_cast<int>(device.type), static_cast<int>(device.id));
  });
}

/// What a consumer has of the memory. It goes in any thread, without the GIL.
template <class Managed>
struct Export {
  Managed managed{};
  std::int64_t shape = 0, stride = 1;
  std::shared_ptr<Buffer> buffer;

  /// Consumers call it with the GIL, or without.
  static void end(Managed* managed) {
    auto* const ending = static_cast<Export*>(managed->manager);
    if (PyGILState_Check() == 0) return delete ending, void();
    const WithoutGil released;  // to give memory of a device back may wait for the device
    delete ending;
  }
};

template <class Managed>
PyObject* capsuleOf(const std::shared_ptr<Buffer>& buffer) {
  constexpr std::uint8_t kBits = 8;
  auto made = std::make_unique<Export<Managed>>();
  made->buffer = buffer;
  made->shape = static_cast<std::int64_t>(buffer->getSize());
  made->managed.manager = made.get();
  made->managed.deleter = &Export<Managed>::end;
  made->managed.tensor = {.data = buffer->data(),
                          .device = deviceOf(buffer),
                          .dimensions = 1,
                          .type = {dlpack::kUnsigned, kBits, 1},
                          .shape = &made->shape,
                          .strides = &made->stride,
                          .byte_offset = 0};
  if constexpr (std::is_same_v<Managed, VersionedTensor>) made->managed.major = dlpack::kMajor;
  PyObject* const capsule = PyCapsule_New(&made->managed, Managed::kName, [](PyObject* own) {
    if (PyCapsule_IsValid(own, Managed::kName) == 0) return;  // a consumer has it
    auto* const unused = static_cast<Managed*>(PyCapsule_GetPointer(own, Managed::kName));
    const WithoutGil released;
    unused->deleter(unused);
  });
  if (capsule != nullptr) (void)made.release();  // the capsule has it
  return capsule;
}

[[noreturn]] void refuseExport(const char* reason) {
  PyErr_SetString(PyExc_BufferError, reason);
  throw nb::python_error();
}

struct Pair {
  int first = 0, second = 0;
};
Pair pairOf(nb::handle given, const char* name) {
  Pair pair;
  const bool is_pair = PyTuple_Check(given.ptr()) != 0 &&
                       PyArg_ParseTuple(given.ptr(), "ii", &pair.first, &pair.second) != 0;
  if (is_pair) return pair;
  PyErr_Clear();
  PyErr_Format(PyExc_TypeError, "%s must be None or a tuple of two ints, not %R", name,
               given.ptr());
  throw nb::python_error();
}

bool knowsVersions(nb::handle max_version) {
  return !max_version.is_none() && pairOf(max_version, "max_version").first >= int{dlpack::kMajor};
}

void requireDevice(nb::handle wanted, const dlpack::Device& own) {
  if (wanted.is_none()) return;
  const Pair device = pairOf(wanted, "dl_device");
  if (device.first != own.type || device.second != own.id)
    refuseExport("dl_device: the memory is of another device, and is not copied");
}

/// All bytes are there, whatever `stream` says.
PyObject* dlpackExport(PyObject* self, PyObject* arguments, PyObject* keywords) {
  return guarded([&]() -> PyObject* {
    const char* names[] = {"stream", "max_version", "dl_device", "copy", nullptr};
    PyObject *stream = Py_None, *max_version = Py_None, *device = Py_None, *copy = Py_None;
    if (PyArg_ParseTupleAndKeywords(arguments, keywords, "|$OOOO:__dlpack__",
                                    const_cast<char**>(names), &stream, &max_version, &device,
                                    &copy) == 0)
      return nullptr;
    const std::shared_ptr<Buffer>& buffer = bufferOf(self);
    requireDevice(device, deviceOf(buffer));
    if (copy == Py_True) refuseExport("copy=True: the memory is handed out, and never copied");
    return knowsVersions(max_version) ? capsuleOf<VersionedTensor>(buffer)
                                      : capsuleOf<PlainTensor>(buffer);
  });
}

constexpr char kDoc[] =
    "DeviceBuffer(nbytes)\n--\n\n"
    "Memory of a device, bytes that are not set. It has __cuda_array_interface__ and DLPack.\n\n"
    "CuPy, Numba, PyTorch and RMM wrap it without a copy, and keep it. It lies on the device\n"
    "that is current in the calling thread, or the one that was used last. When the last of\n"
    "those who have it drops it, it is used again at once: what kernels do with it must have\n"
    "ended by then.\n\n"
    "Raises:\n"
    "    UCXUnsupportedError: no driver of CUDA, or nobody has initialised it yet.\n"
    "    UCXNoMemoryError: the device has no memory left.\n"
    "    ValueError, TypeError: nbytes is not an int from 0 to 2**64 - 1.";
constexpr char kExportDoc[] =
    "Return a capsule of the bytes, which keeps them. All are there, whatever the stream.\n\n"
    "Raises:\n    BufferError: a copy is wanted, or another device.";
constexpr char kDeviceDoc[] = "Return (2, device): CUDA's, as cudaSetDevice counts them.";

PyGetSetDef fields[] = {{"__cuda_array_interface__", cudaInterface, nullptr, nullptr, nullptr},
                        {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMethodDef methods[] = {
    {"__dlpack__", asMethod(dlpackExport), METH_VARARGS | METH_KEYWORDS, kExportDoc},
    {"__dlpack_device__", dlpackDevice, METH_NOARGS, kDeviceDoc},
    {nullptr, nullptr, 0, nullptr}};
PyType_Slot slots[] = {{Py_tp_doc, const_cast<char*>(kDoc)},
                       {Py_tp_new, reinterpret_cast<void*>(make)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                       {Py_tp_getset, fields},
                       {Py_tp_methods, methods},
                       {Py_sq_length, reinterpret_cast<void*>(length)},
                       {0, nullptr}};
PyType_Spec spec = {"ucxx._core.DeviceBuffer", sizeof(DeviceBufferObject), 0, Py_TPFLAGS_DEFAULT,
                    slots};

}  // namespace

PyObject* deviceBufferOf(std::shared_ptr<Buffer> buffer) {
  auto* const self = PyObject_New(DeviceBufferObject, device_buffer_type);
  if (self == nullptr) return nullptr;
  new (&self->buffer) std::shared_ptr<Buffer>(std::move(buffer));
  return reinterpret_cast<PyObject*>(self);
}

void bindDeviceBuffer(nb::module_& module) {
  PyObject* const type = PyType_FromSpec(&spec);
  if (type == nullptr) throw nb::python_error();
  module.attr("DeviceBuffer") = nb::handle(type);
  device_buffer_type = reinterpret_cast<PyTypeObject*>(type);
}

}  // namespace ucxx::python
