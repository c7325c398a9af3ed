// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "event_loop.h"

#include <utility>

#include "copies_without_gil.h"
#include "errors.h"

namespace ucxx::python {
namespace {

/// Of `call_soon`, beside signals.
constexpr int kTries = 3;

/// What the function returns; not valid: a Python error is set.
nb::object callPython(const nb::object& function, PyObject* const* arguments, std::size_t count,
                      PyObject* names) {
  return nb::steal(
      callingPython([&] { return PyObject_Vectorcall(function.ptr(), arguments, count, names); }));
}

/// Each run sets the hook of asynchronous generators anew, to a method of its loop.
PyObject* currentRun() noexcept { return PyThreadState_Get()->async_gen_firstiter; }

}  // namespace

bool EventLoop::isOpen() const { return isBound() && !nb::cast<bool>(loop_.attr("is_closed")()); }

bool EventLoop::isHeldUpHere() const {
  return isBound() && isOfThisThread() && nb::cast<bool>(loop_.attr("is_running")());
}

void EventLoop::bind(nb::handle loop, nb::handle worker) {
  loop_ = nb::borrow(loop);
  thread_ = PyThread_get_thread_ident();
  call_soon_ = loop.attr("call_soon");
  call_soon_threadsafe_ = loop.attr("call_soon_threadsafe");
  if (nb::hasattr(loop, "_ready")) ready_ = loop.attr("_ready");
  arm_ = worker.attr("_arm");
  poll_ = worker.attr("_poll");
  run_ = nb::borrow(currentRun());
}

nb::object EventLoop::release() noexcept { return std::exchange(loop_, nb::object()); }

void EventLoop::forget() noexcept {
  loop_ = call_soon_ = call_soon_threadsafe_ = ready_ = arm_ = poll_ = last_arm_ = run_ =
      nb::object();
  arms_ = 0;
}

bool EventLoop::callSoon(PyObject* callback, PyObject* argument, PyObject* context) {
  static PyObject* const names = Py_BuildValue("(s)", "context");
  PyObject* const arguments[] = {callback, argument, context};
  const bool has_context = context != nullptr && context != Py_None;
  return call(arguments, 2, has_context ? names : nullptr).is_valid();
}

void EventLoop::callArm() {
  PyObject* const argument = arm_.ptr();
  nb::object handle = call(&argument, 1, nullptr);
  if (!handle.is_valid()) return PyErr_Clear();  // the loop is closed: nobody waits
  last_arm_ = std::move(handle);
  ++arms_;
  ++arms_given_;
}

void EventLoop::callPoll() {
  PyObject* const argument = poll_.ptr();
  if (!call(&argument, 1, nullptr).is_valid()) PyErr_Clear();
}

bool EventLoop::isArmLast() const {
  if (!ready_.is_valid()) return false;
  const nb::object last = nb::steal(PySequence_GetItem(ready_.ptr(), -1));
  if (!last.is_valid()) PyErr_Clear();  // another thread runs the loop
  return last.is_valid() && last.is(last_arm_);
}

/// The handle is dropped: it keeps the context of the task in which it was made.
void EventLoop::armRuns() noexcept {
  if (arms_ > 0 && --arms_ == 0) last_arm_ = nb::object();
}

void EventLoop::forgetLostArms() noexcept {
  if (!isOfThisThread()) return;
  PyObject* const run = currentRun();
  if (run == run_.ptr()) return;
  run_ = nb::borrow(run);
  last_arm_ = nb::object();
  arms_ = 0;
  if (ready_.is_valid()) countArms();
}

/// Those that the loop still has before it. Nothing that this asks of a handle lets other threads
/// in.
void EventLoop::countArms() noexcept {
  const nb::object calls = nb::steal(PySequence_List(ready_.ptr()));
  const Py_ssize_t count = calls.is_valid() ? PyList_GET_SIZE(calls.ptr()) : 0;
  for (Py_ssize_t i = 0; i < count; ++i) {
    const nb::handle call = PyList_GET_ITEM(calls.ptr(), i);
    const nb::object callback = nb::steal(PyObject_GetAttrString(call.ptr(), "_callback"));
    if (!callback.is(arm_)) continue;
    last_arm_ = nb::borrow(call);
    ++arms_;
  }
  PyErr_Clear();  // of what is no handle of asyncio
}

/// How many calls the loop has before it; -1 where it does not tell.
Py_ssize_t EventLoop::readyCalls() const {
  return ready_.is_valid() ? PyObject_Size(ready_.ptr()) : -1;
}

/// The handle that `call_soon` makes of these arguments, whichever thread this is, or None where it
/// is not known; not valid: a Python error is set.
nb::object EventLoop::call(PyObject* const* arguments, std::size_t count, PyObject* names) {
  const nb::object function =
      isOfThisThread() ? call_soon_ : call_soon_threadsafe_;  // it may let go of the worker's
  const Py_ssize_t ready = readyCalls();
  nb::object handle = callPython(function, arguments, count, names);
  if (handle.is_valid()) return handle;
  // asyncio's is Python: where the handler of a signal (Ctrl-C) raises in it, that has nothing to
  // do with the call, which may have been taken or not.
  PyObject* const error = takeError();
  if (readyCalls() > ready) handle = nb::none();
  for (int i = 0; i < kTries && !handle.is_valid(); ++i)
    handle = callPython(function, arguments, count, names);
  if (handle.is_valid()) {
    raiseInMainThread(error);
  } else {
    (void)raise(error);
    Py_DECREF(error);
  }
  return handle;
}

int EventLoop::traverse(visitproc visit, void* arg) const {
  for (const nb::object* one :
       {&loop_, &call_soon_, &call_soon_threadsafe_, &ready_, &arm_, &poll_, &last_arm_, &run_})
    Py_VISIT(one->ptr());
  return 0;
}

}  // namespace ucxx::python
