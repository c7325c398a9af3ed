// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>

#include "python.h"

namespace ucxx::python {

struct DlpackView {
  void* data = nullptr;
  std::size_t size_bytes = 0;
  bool on_device = false;
  bool read_only = false;
  bool is_dense = false;  // in C or Fortran order
  std::size_t itemsize = 0;
  std::size_t ndim = 0;
  const std::int64_t* shape = nullptr;    // of the capsule
  const std::int64_t* strides = nullptr;  // the same, in items; null: C order
};

/// What `object.__dlpack__()` gives (DLPack, `dlpack.h` versions 0 and 1), and the capsule that
/// keeps it, new; null with a Python error: it is of a device that is unknown here.
PyObject* viewOfDlpack(PyObject* object, DlpackView& view);

}  // namespace ucxx::python
