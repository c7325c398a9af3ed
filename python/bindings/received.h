// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>

#include <ucxx/buffer.h>

#include "python.h"
#include "request.h"

namespace ucxx::python {

/// An array of NumPy that owns memory of the library's, which goes back to its pool with it; where
/// there is no NumPy a memoryview of such memory; a `DeviceBuffer` over a device's; the object of
/// an allocator of Python's. Null with a Python error.
PyObject* arrayOf(std::shared_ptr<Buffer> buffer);

/// For a multi-buffer receive: the list of its frames. For an active message: its buffer.
std::unique_ptr<Extra> receivedFrames();
std::unique_ptr<Extra> receivedMessage();

void bindReceived(nb::module_& module);

}  // namespace ucxx::python
