// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "dlpack.h"

namespace ucxx::python {
namespace {

// The layout of DLPack's C structures (dlpack.h of the Python array API), as far as it is read.
struct Device {
  std::int32_t type;
  std::int32_t id;
};
struct DataType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
struct Tensor {
  void* data;
  Device device;
  std::int32_t dimensions;
  DataType type;
  std::int64_t* shape;
  std::int64_t* strides;  // in items; null: C order
  std::uint64_t byte_offset;
};
struct VersionedTensor {
  std::uint32_t major, minor;
  void* manager;
  void (*deleter)(VersionedTensor*);
  std::uint64_t flags;
  Tensor tensor;
};

constexpr std::int32_t kCpu = 1, kCuda = 2, kCudaHost = 3, kCudaManaged = 13;
constexpr std::uint64_t kReadOnly = 1;

bool isDense(const Tensor& tensor, bool reversed) {
  if (tensor.strides == nullptr) return true;
  std::int64_t expected = 1;
  for (std::int32_t i = 0; i < tensor.dimensions; ++i) {
    const std::int32_t axis = reversed ? i : tensor.dimensions - 1 - i;
    if (tensor.shape[axis] > 1 && tensor.strides[axis] != expected) return false;
    expected *= tensor.shape[axis];
  }
  return true;
}

bool read(const Tensor& tensor, PyObject* object, DlpackView& view) {
  if (tensor.dimensions < 0) {
    PyErr_Format(PyExc_ValueError, "%s says that it has %d dimensions", Py_TYPE(object)->tp_name,
                 static_cast<int>(tensor.dimensions));
    return false;
  }
  const std::int32_t device = tensor.device.type;
  if (device != kCpu && device != kCuda && device != kCudaHost && device != kCudaManaged) {
    PyErr_Format(PyExc_TypeError, "%s lies on a device of DLPack type %d; known are 1, 2, 3 and 13",
                 Py_TYPE(object)->tp_name, static_cast<int>(device));
    return false;
  }
  view.itemsize = (std::size_t{tensor.type.bits} * tensor.type.lanes + 7) / 8;
  view.ndim = static_cast<std::size_t>(tensor.dimensions);
  view.shape = tensor.shape;
  view.strides = tensor.strides;
  view.is_dense = isDense(tensor, false) || isDense(tensor, true);
  view.size_bytes = view.itemsize;
  for (std::int32_t i = 0; i < tensor.dimensions; ++i) {
    const std::int64_t extent = tensor.shape[i];
    if (extent < 0 || __builtin_mul_overflow(view.size_bytes, extent, &view.size_bytes)) {
      PyErr_Format(PyExc_ValueError, "%s says that it has more bytes than there can be, or fewer",
                   Py_TYPE(object)->tp_name);
      return false;
    }
  }
  view.data = static_cast<char*>(tensor.data) + tensor.byte_offset;
  view.on_device = device == kCuda || device == kCudaManaged;
  return true;
}

}  // namespace

PyObject* viewOfDlpack(PyObject* object, DlpackView& view) {
  PyObject* const capsule = PyObject_CallMethod(object, "__dlpack__", nullptr);
  if (capsule == nullptr) return nullptr;
  bool is_read = false;
  if (const void* plain = PyCapsule_GetPointer(capsule, "dltensor")) {
    is_read = read(*static_cast<const Tensor*>(plain), object, view);
  } else {
    PyErr_Clear();
    const void* versioned = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    if (versioned != nullptr) {
      const auto& tensor = *static_cast<const VersionedTensor*>(versioned);
      view.read_only = (tensor.flags & kReadOnly) != 0;
      is_read = read(tensor.tensor, object, view);
    }
  }
  if (is_read) return capsule;  // not consumed: its destructor frees the tensor
  Py_DECREF(capsule);
  return nullptr;
}

}  // namespace ucxx::python
