// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>

#include <ucxx/buffer.h>

#include "python.h"

namespace ucxx::python {

/// Memory of a device as Python sees it, `DeviceBuffer`: an exporter of `__cuda_array_interface__`
/// and of DLPack. Null with a Python error.
PyObject* deviceBufferOf(std::shared_ptr<Buffer> buffer);

void bindDeviceBuffer(nb::module_& module);

}  // namespace ucxx::python
