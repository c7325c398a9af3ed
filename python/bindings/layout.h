// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "python.h"

namespace ucxx::python {

/// Where the items of an array lie, contiguous or not. Looked at once, and pinned by `owner`.
class Layout {
 public:
  /// Throws what is wrong with the object: a Python error that names it.
  explicit Layout(const nb::object& object) { read(object); }

  nb::object owner;  // keeps the memory: a memoryview, the object, or a capsule
  void* data = nullptr;
  std::size_t itemsize = 1;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // in bytes
  bool is_read_only = false;
  bool is_on_device = false;

  std::size_t bytes() const noexcept;
  bool isDense(bool reversed) const noexcept;
  bool isContiguous() const noexcept { return isDense(false) || isDense(true); }

 private:
  void read(const nb::object& object);
  bool readBuffer(const nb::object& object);
  void readInterface(const nb::object& object, const nb::dict& fields);
  void readDlpack(const nb::object& object);
  void setStridesOfOrderC();
};

}  // namespace ucxx::python
