// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>

#include "python.h"

namespace ucxx::python {

/// The event loop that a worker is bound to, and what the worker has the loop call. Of the calls
/// that the loop has before it, this class knows which are the worker's `arm`; all others are of
/// tasks and programs. Everything needs the GIL.
class EventLoop {
 public:
  bool isBound() const noexcept { return loop_.is_valid(); }
  nb::handle get() const noexcept { return loop_; }
  bool isOpen() const;
  bool isOfThisThread() const noexcept { return PyThread_get_thread_ident() == thread_; }
  /// This thread runs it: a call that waits holds it up.
  bool isHeldUpHere() const;

  /// In the thread of the loop. `worker` is the object in Python, whose methods the loop calls.
  void bind(nb::handle loop, nb::handle worker);
  /// Gives it away: it is bound no more. `forget` lets go of the rest.
  nb::object release() noexcept;
  void forget() noexcept;

  /// `loop.call_soon(callback, argument, context=context)`, from any thread; false: a Python error
  /// is set.
  bool callSoon(PyObject* callback, PyObject* argument, PyObject* context);
  /// Has it call the worker's `arm`, or `poll`, soon. A loop that is closed does not.
  void callArm();
  void callPoll();

  /// Other tasks of the loop could run now. A loop that does not tell (uvloop) has none.
  bool hasOtherCalls() const { return readyCalls() > arms_; }
  /// The same, but a loop that does not tell may always have some.
  bool mayHaveOtherCalls() const { return !ready_.is_valid() || hasOtherCalls(); }
  /// The last of the calls that the loop has before it is `arm`.
  bool isArmLast() const;

  /// @name The calls of `arm`
  /// @{
  bool hasArm() const noexcept { return arms_ > 0; }
  void armRuns() noexcept;
  /// Whoever relies on `hasArm` or `armsRun`, first: where the handler of a signal raises, asyncio
  /// loses the handle that it was about to run, and the loop stops. So in another run of the loop,
  /// and between two, those count that it still has before it. Of a loop that does not tell
  /// (uvloop) none counts: one that is not lost runs once too often.
  void forgetLostArms() noexcept;
  /// How many the loop was given in all, and how many of them have run.
  std::uint64_t armsGiven() const noexcept { return arms_given_; }
  std::uint64_t armsRun() const noexcept { return arms_given_ - static_cast<std::uint64_t>(arms_); }
  /// @}

  int traverse(visitproc visit, void* arg) const;

 private:
  nb::object call(PyObject* const* arguments, std::size_t count, PyObject* names);
  Py_ssize_t readyCalls() const;
  void countArms() noexcept;

  nb::object loop_, call_soon_, call_soon_threadsafe_, ready_, arm_, poll_;
  nb::object last_arm_;  // the handle that the loop has made of it; null: it has run
  nb::object run_;       // what each run of a loop has of its own; null: none
  unsigned long thread_ = 0;
  Py_ssize_t arms_ = 0;  // that the loop has before it
  std::uint64_t arms_given_ = 0;
};

}  // namespace ucxx::python
