// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <utility>

#include "completions.h"
#include "python.h"
#include "without_gil.h"
#include "worker_state.h"

namespace ucxx::python {

/// KeyboardInterrupt, or SystemExit.
bool endsProgram(const nb::python_error& error);
void reportRaised(WorkerState& state, nb::handle function, nb::python_error& error) noexcept;

/// Calls a Python function; what it raises goes to the event loop's exception handler, or without a
/// loop to `sys.unraisablehook`; but KeyboardInterrupt and SystemExit end the loop, or the main
/// thread. With the GIL.
template <class... Arguments>
void call(WorkerState& state, nb::handle function, Arguments&&... arguments) noexcept {
  try {
    callingPython([&] { function(std::forward<Arguments>(arguments)...); });
  } catch (nb::python_error& error) {
    callingPython([&] { reportRaised(state, function, error); });
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
    if (object_ != nullptr) pushCall(*completions_, [object = object_] { Py_DECREF(object); });
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  nb::handle get() const noexcept { return object_; }
  /// With the GIL: there is nothing to call any more.
  void forget() noexcept { Py_CLEAR(object_); }

 private:
  PyObject* object_;
  const std::shared_ptr<Completions> completions_;
};

/// Keeps a worker's object weakly: what the worker's C++ object keeps is out of the collector's
/// sight.
std::shared_ptr<Kept> keepWeakly(nb::handle worker);
/// The object that `keepWeakly` has kept; None when it has gone. With the GIL.
nb::object workerOf(const Kept& kept);

}  // namespace ucxx::python
