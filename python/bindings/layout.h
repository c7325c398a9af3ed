// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "producer.h"
#include "python.h"

namespace ucxx::python {

/// Where the items of an array lie, contiguous or not. Looked at once, and pinned by `owner`.
class Layout {
 public:
  /// Reads what the object says by the buffer protocol, else by one of the others. Throws what is
  /// wrong with it: a Python error that names it.
  explicit Layout(nb::handle object);
  /// The same without the buffer protocol. `consumer`: who comes after the producer.
  static Layout beside(nb::handle object, const Consumer& consumer);
  /// Whether the object has one of the other protocols. Leaves the Python error alone.
  static bool hasOther(PyObject* object);

  nb::object owner;  // keeps the memory: a memoryview, or all that the object has given, and it
  void* data = nullptr;
  std::size_t itemsize = 1;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // in bytes
  bool is_read_only = false;
  bool is_on_device = false;

  std::size_t bytes() const noexcept;
  bool isDense(bool reversed) const noexcept;
  bool isContiguous() const noexcept { return isDense(false) || isDense(true); }

  /// For those who read a protocol. Both throw unless the whole is possible.
  void setShape(nb::handle object, std::vector<std::int64_t> items);
  void setStridesOfOrderC();

 private:
  Layout() = default;
  bool readBuffer(nb::handle object);
  void readOther(nb::handle object, const Consumer& consumer);
};

/// Throws a Python error of a class, about an object: the name of its type, and `format` as of
/// `PyUnicode_FromFormat`.
[[noreturn]] void refuse(PyObject* error, nb::handle object, const char* format, ...);
/// The attribute; not valid: it has none. Throws what a property raises.
nb::object attributeOf(nb::handle object, const char* name);

/// Fill a layout by `__cuda_array_interface__` or `__array_interface__`, and by `__dlpack__`.
/// False: the object has none. Throw as `Layout` does.
bool readArrayInterface(nb::handle object, Layout& layout, const Consumer& consumer);
bool readDlpack(nb::handle object, Layout& layout, const Consumer& consumer);

}  // namespace ucxx::python
