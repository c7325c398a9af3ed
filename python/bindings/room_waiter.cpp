// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "room_waiter.h"

#include "with_gil.h"

namespace ucxx::python {

bool RoomWaiter::mayGoOn() {
  return callingPython([this] {
    const WithGil gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return !state_.loop().isHeldUpHere();
  });
}

}  // namespace ucxx::python
