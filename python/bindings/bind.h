// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "device_buffer.h"
#include "errors.h"
#include "python.h"
#include "received.h"
#include "request.h"

namespace ucxx::python {

void bindBuffer(nb::module_& module);
void bindCondition(nb::module_& module);
void bindContext(nb::module_& module);
void bindCuda(nb::module_& module);
void bindDriver(nb::module_& module);
void bindWorker(nb::module_& module);
void bindEndpoint(nb::module_& module);
void bindListener(nb::module_& module);
void bindMemory(nb::module_& module);
void bindObserve(nb::module_& module);
void bindPool(nb::module_& module);
void bindPrepared(nb::module_& module);

}  // namespace ucxx::python
