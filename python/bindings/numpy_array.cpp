// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "numpy_array.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace ucxx::python {
namespace {

// What NumPy promises to programs that were compiled with any of its headers since 1.22: places in
// the table of its functions, an array's fields, and the functions of an array's memory (NEP 49).
constexpr std::size_t kVersionFunction = 0, kArrayType = 2, kNewFromDescr = 94;
constexpr int kContiguous = 0x1, kOwnsData = 0x4, kAligned = 0x100, kWritable = 0x400;
constexpr const char* kHandlerName = "mem_handler";

struct ArrayFields {
  PyObject_HEAD char* data;
  int dimensions;
  Py_intptr_t* shape;
  Py_intptr_t* strides;
  PyObject* base;
  PyObject* type_of_items;
  int flags;
  PyObject* weak_references;
  void* buffer_info;
  PyObject* handler;
};

struct Handler {
  char name[127];
  std::uint8_t version;
  void* context;
  void* (*allocate)(void* context, std::size_t size);
  void* (*allocateZeros)(void* context, std::size_t count, std::size_t size);
  void* (*reallocate)(void* context, void* data, std::size_t size);
  void (*free)(void* context, void* data, std::size_t size);
};

/// The memory of one array: NumPy calls it for nothing else.
struct Owner {
  Handler handler;
  std::shared_ptr<Buffer> buffer;
};

Owner& ownerOf(void* context) { return *static_cast<Owner*>(context); }

/// `ndarray.resize`
void* reallocate(void* context, void* data, std::size_t size) {
  Owner& owner = ownerOf(context);
  try {
    auto next = std::make_shared<HostBuffer>(size);
    std::memcpy(next->data(), data, std::min(size, owner.buffer->getSize()));
    owner.buffer = std::move(next);
    return owner.buffer->data();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

constexpr Handler kHandler = {
    "ucxx",
    1,
    nullptr,
    [](void*, std::size_t) -> void* { return nullptr; },
    [](void*, std::size_t, std::size_t) -> void* { return nullptr; },
    reallocate,
    [](void* context, void*, std::size_t) { ownerOf(context).buffer = nullptr; }};

void endOwner(PyObject* capsule) {
  delete static_cast<Owner*>(PyCapsule_GetPointer(capsule, kHandlerName));
}

/// The capsule of its handler; null with a Python error.
PyObject* own(std::shared_ptr<Buffer> buffer) {
  auto* const owner = new Owner{kHandler, std::move(buffer)};
  owner->handler.context = owner;
  PyObject* const capsule = PyCapsule_New(owner, kHandlerName, endOwner);
  if (capsule == nullptr) delete owner;
  return capsule;
}

ArrayFields& fieldsOf(PyObject* array) { return *reinterpret_cast<ArrayFields*>(array); }

/// Up to here memory is copied: frames up to 8 KiB share a block with others of their message, of
/// half a MiB, and a copy of so much costs no more than the owner of a block.
constexpr std::size_t kCopiedBytes = 8 << 10;

/// Null: this NumPy has none.
void* const* functionTable(nb::handle numpy) {
  // Before NumPy 2 it was `core`, which warns of itself since.
  const char* const name = nb::hasattr(numpy, "_core") ? "_core" : "core";
  const nb::object table =
      nb::getattr(numpy.attr(name).attr("_multiarray_umath"), "_ARRAY_API", nb::none());
  if (!PyCapsule_IsValid(table.ptr(), nullptr)) return nullptr;
  return static_cast<void* const*>(PyCapsule_GetPointer(table.ptr(), nullptr));
}

}  // namespace

// No static that is guarded: an import lets other threads run, which would wait for the guard with
// the GIL.
const Numpy& Numpy::get() {
  static const Numpy* numpy = nullptr;
  if (numpy == nullptr) {
    auto made = std::unique_ptr<Numpy>(new Numpy);
    if (numpy == nullptr) numpy = made.release();
  }
  return *numpy;
}

Numpy::Numpy() {
  const auto module = nb::steal(PyImport_ImportModule("numpy"));
  if (!module.is_valid()) {
    // Else it is Ctrl-C, for example: the next one tries again.
    if (PyErr_ExceptionMatches(PyExc_ImportError) == 0) throw nb::python_error();
    PyErr_Clear();  // memoryviews will do
    return;
  }
  uint8_ = module.attr("dtype")("uint8").release().ptr();
  findFunctions(module);
  frombuffer_ = nb::object(module.attr("frombuffer")).release().ptr();
}

void Numpy::findFunctions(nb::handle module) {
  void* const* const table = functionTable(module);
  if (table == nullptr) return;
  const auto version = reinterpret_cast<unsigned (*)()>(table[kVersionFunction])() >> 24;
  if (version != 1 && version != 2) return;
  array_type_ = static_cast<PyTypeObject*>(table[kArrayType]);
  new_array_ = reinterpret_cast<NewArray>(table[kNewFromDescr]);
  if (!hasKnownLayout()) new_array_ = nullptr;
}

bool Numpy::hasKnownLayout() const {
  if (array_type_->tp_basicsize < static_cast<Py_ssize_t>(sizeof(ArrayFields))) return false;
  const auto array = nb::steal(make(3, nullptr));
  if (!array.is_valid()) throw nb::python_error();
  const ArrayFields& fields = fieldsOf(array.ptr());
  return fields.dimensions == 1 && fields.shape[0] == 3 && fields.strides[0] == 1 &&
         fields.base == nullptr && fields.type_of_items == uint8_ &&
         (fields.flags & kOwnsData) != 0 && fields.weak_references == nullptr &&
         PyCapsule_IsValid(fields.handler, kHandlerName) != 0;
}

/// Of memory of NumPy's own if `data` is null.
PyObject* Numpy::make(std::size_t size, void* data) const {
  const auto shape = static_cast<Py_intptr_t>(size);
  return new_array_(array_type_, Py_NewRef(uint8_), 1, &shape, nullptr, data,
                    data == nullptr ? 0 : kContiguous | kAligned | kWritable, nullptr);
}

PyObject* Numpy::arrayOf(std::shared_ptr<Buffer> buffer) const {
  void* const data = buffer->data();
  const std::size_t size = buffer->getSize();
  if (size <= kCopiedBytes) {
    PyObject* const array = make(size, nullptr);
    if (array != nullptr && size != 0) std::memcpy(fieldsOf(array).data, data, size);
    return array;
  }
  PyObject* const handler = own(std::move(buffer));
  if (handler == nullptr) return nullptr;
  PyObject* const array = make(size, data);
  if (array == nullptr) {
    Py_DECREF(handler);
    return nullptr;
  }
  ArrayFields& fields = fieldsOf(array);
  fields.handler = handler;
  fields.flags |= kOwnsData;
  return array;
}

PyObject* Numpy::arrayOver(PyObject* exporter) const {
  PyObject* const arguments[] = {exporter, uint8_};
  return PyObject_Vectorcall(frombuffer_, arguments, 2, nullptr);
}

}  // namespace ucxx::python
