// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include "python.h"

namespace ucxx::python {

struct DlpackView {
  void* data = nullptr;
  std::size_t size_bytes = 0;
  bool on_device = false;
  bool read_only = false;
};

/// What `object.__dlpack__()` gives (DLPack, `dlpack.h` versions 0 and 1), and the capsule that
/// keeps it, new; null with a Python error: it is not contiguous, or of a device that is unknown
/// here.
PyObject* viewOfDlpack(PyObject* object, DlpackView& view);

}  // namespace ucxx::python
