// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>

#include "python.h"

namespace ucxx::python {

class WorkerState;

/// Tasks of an event loop whose awaited transfers have ended. The worker's callbacks in the loop
/// step them, where nothing that the loop was given before them waits. `call_soon` would make a
/// handle of Python for each, and run it a turn of the loop later.
///
/// Where the loop has other calls before it, `arm` marks the place of a task among them: a call of
/// it is given to the loop behind them, and when it runs, they have. Everything needs the GIL.
class ReadyTasks {
 public:
  using Clock = std::chrono::steady_clock;

  ReadyTasks() = default;
  ~ReadyTasks() { clear(); }
  ReadyTasks(const ReadyTasks&) = delete;
  ReadyTasks& operator=(const ReadyTasks&) = delete;

  /// Adds a task by what asyncio wakes it with, a callback of one argument, and by its context. It
  /// has its turn once `place` calls of the worker's `arm` have run. Throws std::bad_alloc.
  void push(PyObject* wakeup, PyObject* context, std::uint64_t place);
  bool isEmpty() const noexcept { return tasks_.empty(); }
  /// Steps the tasks that have their turn, in order, also those that are added meanwhile, until
  /// none is left or `end` has passed; but before calls that the loop has been given after them,
  /// all. The caller is in the thread of the loop, and not in a task. What a task raises goes where
  /// a handle's goes.
  void step(WorkerState& state, Clock::time_point end);
  /// A task that `step` has stepped runs now; in whichever thread.
  bool isStepping() const noexcept { return depth_ > 0; }
  /// Gives the tasks to the loop, as asyncio would have.
  void handOver(WorkerState& state) noexcept;
  void clear() noexcept;
  int traverse(visitproc visit, void* arg) const;

 private:
  struct Task {
    nb::object wakeup;
    nb::object context;
    std::uint64_t place;
  };
  bool hasTurn(const WorkerState& state) const;
  Task takeFirst() noexcept;

  std::deque<Task> tasks_;
  int depth_ = 0;  // more than 1 where a task runs the loop itself
};

}  // namespace ucxx::python
