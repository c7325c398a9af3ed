// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>

#include <ucxx/buffer.h>

#include "python.h"

namespace ucxx::python {

/// NumPy as far as it is used here, looked for when the first array is made: importing it takes 100
/// ms. Nothing of it is needed to compile. With the GIL.
class Numpy {
 public:
  /// Throws what an import raises, but for ImportError: then `isThere` is false.
  static const Numpy& get();

  bool isThere() const noexcept { return frombuffer_ != nullptr; }
  /// Whether this NumPy lays out its arrays as all since 1.22 do, so that `arrayOf` can be called.
  bool ownsData() const noexcept { return new_array_ != nullptr; }
  /// An array of bytes without a base, which owns its data: `buffer`'s memory, which it lets go of
  /// when it dies. Small ones are copies, so that none keeps a block alive that it shares. Null
  /// with a Python error.
  PyObject* arrayOf(std::shared_ptr<Buffer> buffer) const;
  /// An array over an exporter of the buffer protocol, which is its base.
  PyObject* arrayOver(PyObject* exporter) const;

 private:
  using NewArray = PyObject* (*)(PyTypeObject*, PyObject* type_of_items, int dimensions,
                                 const Py_intptr_t* shape, const Py_intptr_t* strides, void* data,
                                 int flags, PyObject* finalized_by);
  Numpy();
  void findFunctions(nb::handle module);
  bool hasKnownLayout() const;
  PyObject* make(std::size_t size, void* data) const;

  PyObject* frombuffer_ = nullptr;
  PyObject* uint8_ = nullptr;
  PyTypeObject* array_type_ = nullptr;
  NewArray new_array_ = nullptr;
};

}  // namespace ucxx::python
