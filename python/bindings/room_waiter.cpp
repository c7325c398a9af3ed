// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "room_waiter.h"

namespace ucxx::python {
namespace {

class Held {
 public:
  Held() : state_(PyGILState_Ensure()) {}
  ~Held() { PyGILState_Release(state_); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 private:
  const PyGILState_STATE state_;
};

}  // namespace

bool RoomWaiter::mayGoOn() {
  return callingPython([this] {
    const Held gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return !state_.holdsUpLoop();
  });
}

}  // namespace ucxx::python
