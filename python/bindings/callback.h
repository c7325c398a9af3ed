// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <utility>

#include "completions.h"
#include "python.h"
#include "worker_state.h"

namespace ucxx::python {

/// Calls a Python function; what it raises goes to the event loop's exception handler, or without a
/// loop to `sys.unraisablehook`. With the GIL.
template <class... Arguments>
void call(const WorkerState& state, nb::handle function, Arguments&&... arguments) noexcept {
  try {
    function(std::forward<Arguments>(arguments)...);
  } catch (nb::python_error& error) {
    if (!state.isBound()) return error.discard_as_unraisable(function);
    try {
      nb::dict context;
      context["message"] = "a callback of ucxx raised an exception";
      context["exception"] = error.value();
      state.loop().attr("call_exception_handler")(context);
    } catch (nb::python_error& worse) {
      worse.discard_as_unraisable(function);
    }
  }
}

/// An event that calls `body` once and goes; for what happens rarely.
template <class Body>
void pushCall(Completions& completions, Body body) {
  struct Call final : Event {
    explicit Call(Body&& body_) : body(std::move(body_)) {}
    void run() override {
      body();
      delete this;
    }
    Body body;
  };
  completions.push(*new Call(std::move(body)));
}

/// A Python object that C++ keeps, and may drop without the GIL: then the completions do it.
class Kept {
 public:
  Kept(nb::object object, std::shared_ptr<Completions> completions)
      : object_(object.release().ptr()), completions_(std::move(completions)) {}
  ~Kept() {
    pushCall(*completions_, [object = object_] { Py_DECREF(object); });
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  nb::handle get() const noexcept { return object_; }

 private:
  PyObject* const object_;
  const std::shared_ptr<Completions> completions_;
};

}  // namespace ucxx::python
