// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <memory>

#include "producer.h"
#include "python.h"

namespace ucxx::python {

/// Receive: what is written comes behind `View::gate`; Write: behind `acquire`.
enum class Access { Read, Write, Receive };

/// Whether items of this format (`struct`'s, with fields as T{O:name:}) are pointers to objects.
bool hasObjects(const char* format);
/// Whether it is an object of ctypes that holds pointers to objects, in its fields for example, or
/// a memoryview of one.
bool isOfCtypesWithObjects(PyObject* object);
/// Throws the Python error for memory with such pointers.
[[noreturn]] void refuseObjects(nb::handle object);

/// The memory of a Python object, pinned from `acquire` to `release`: one with the buffer protocol,
/// `__array_interface__`, `__cuda_array_interface__` or DLPack, or an Array of one. With the GIL.
class View {
 public:
  View() = default;
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  ~View() { release(); }

  /// False, with a Python error that names the object, if it has no memory, no contiguous one, or
  /// none that may be written to. `condition`: what the transfer waits for, null or None for
  /// nothing; it comes after what the producer of a device's memory has in its stream. `worker`:
  /// the object of its worker; a condition that refuses it is an error before that.
  bool acquire(PyObject* object, Access access, PyObject* condition = nullptr,
               PyObject* worker = nullptr);
  void release() noexcept;
  /// Moves what `other` holds to here, which must hold nothing.
  void take(View& other) noexcept;
  /// For the collector of cycles: the object whose memory it is.
  int traverse(visitproc visit, void* arg) const;

  void* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  bool isOnDevice() const noexcept { return on_device_; }
  bool isReadOnly() const noexcept { return read_only_; }
  /// Of memory of a device that is written to: opens when the stream that the object names has done
  /// what it has to do with it. Null: it names none.
  const std::shared_ptr<core::CopyGate>& gate() const noexcept { return gate_; }

 private:
  bool acquireBuffer(PyObject* object, Access access);
  void acquireOther(PyObject* object, Access access, Consumer consumer);

  enum class Holds : unsigned char { Nothing, Buffer, Object };
  void* data_ = nullptr;
  std::size_t size_ = 0;
  Holds holds_ = Holds::Nothing;
  bool on_device_ = false;
  bool read_only_ = false;
  std::shared_ptr<core::CopyGate> gate_;
  union {
    Py_buffer buffer_;
    PyObject* object_;
  };
};

}  // namespace ucxx::python
