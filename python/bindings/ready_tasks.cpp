// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "ready_tasks.h"

#include "callback.h"
#include "request.h"

namespace ucxx::python {
namespace {

/// Between two looks at the clock.
constexpr unsigned kStepsOfALook = 8;

/// `context.run(wakeup, woken)`; false: a Python error is set.
bool wake(PyObject* wakeup, PyObject* context) {
  if (PyContext_Enter(context) != 0) return false;
  PyObject* const result = callingPython([wakeup] { return PyObject_CallOneArg(wakeup, woken); });
  const bool has_left = PyContext_Exit(context) == 0;
  Py_XDECREF(result);
  return result != nullptr && has_left;
}

}  // namespace

void ReadyTasks::push(PyObject* wakeup, PyObject* context) {
  tasks_.push_back({wakeup, context});
  Py_INCREF(wakeup);
  Py_INCREF(context);
}

void ReadyTasks::step(WorkerState& state, Clock::time_point end) {
  ++depth_;
  for (unsigned count = 1; !tasks_.empty(); ++count) {
    const nb::object wakeup = nb::steal(tasks_.front().wakeup);
    const nb::object context = nb::steal(tasks_.front().context);
    tasks_.pop_front();
    if (!wake(wakeup.ptr(), context.ptr())) {
      nb::python_error error;
      reportRaised(state, wakeup, error);
    }
    if (count % kStepsOfALook == 0 && Clock::now() >= end) break;
  }
  --depth_;
}

void ReadyTasks::clear() noexcept {
  // Dropping one may run anything.
  for (std::deque<Task> all = std::move(tasks_); const Task& one : all) {
    Py_DECREF(one.wakeup);
    Py_DECREF(one.context);
  }
  tasks_.clear();
}

int ReadyTasks::traverse(visitproc visit, void* arg) const {
  for (const Task& one : tasks_) {
    Py_VISIT(one.wakeup);
    Py_VISIT(one.context);
  }
  return 0;
}

}  // namespace ucxx::python
