// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "ready_tasks.h"

#include <utility>

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

void ReadyTasks::push(PyObject* wakeup, PyObject* context, std::uint64_t place) {
  tasks_.push_back({nb::borrow(wakeup), nb::borrow(context), place});
}

/// Dropping a task may run anything: it is not among the others any more then.
ReadyTasks::Task ReadyTasks::takeFirst() noexcept {
  Task first = std::move(tasks_.front());
  tasks_.pop_front();
  return first;
}

bool ReadyTasks::hasTurn(const WorkerState& state) const {
  return !tasks_.empty() && tasks_.front().place <= state.loop().armsRun();
}

void ReadyTasks::step(WorkerState& state, Clock::time_point end) {
  ++depth_;
  bool is_in_time = true;
  for (unsigned count = 1; hasTurn(state) && (is_in_time || state.loop().mayHaveOtherCalls());
       ++count) {
    const Task task = takeFirst();
    if (!wake(task.wakeup.ptr(), task.context.ptr())) {
      nb::python_error error;
      const bool ends_loop = endsProgram(error);
      callingPython([&] { reportRaised(state, task.wakeup, error); });
      if (ends_loop) handOver(state);  // the loop stops first, and has them when it runs again
    }
    if (count % kStepsOfALook == 0) is_in_time = Clock::now() < end;
  }
  --depth_;
}

void ReadyTasks::handOver(WorkerState& state) noexcept {
  while (!tasks_.empty()) {
    const Task task = takeFirst();
    if (!state.loop().callSoon(task.wakeup.ptr(), woken, task.context.ptr())) PyErr_Clear();
  }
}

void ReadyTasks::clear() noexcept {
  while (!tasks_.empty()) (void)takeFirst();
}

int ReadyTasks::traverse(visitproc visit, void* arg) const {
  for (const Task& one : tasks_) {
    Py_VISIT(one.wakeup.ptr());
    Py_VISIT(one.context.ptr());
  }
  return 0;
}

}  // namespace ucxx::python
