// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>

#include <ucxx/worker.h>

#include "completions.h"
#include "event_loop.h"
#include "mover.h"
#include "python.h"
#include "ready_tasks.h"
#include "turn.h"
#include "waiter.h"

namespace ucxx::python {

/// Who moves a worker, and where its requests are awaited.
enum class Mode : std::uint8_t {
  Manual,   ///< whoever calls `progress` or waits for a request
  Loop,     ///< an event loop: its reader, and whoever awaits
  Polling,  ///< the same, and the loop never sleeps
  Thread,   ///< a progress thread of C++; a loop is woken by the completions' descriptor
};

/// What Python knows of a worker. Everything here needs the GIL.
///
/// In mode Loop the worker must be armed when the loop goes to sleep. Whoever progresses it disarms
/// it, and so has the loop arm it before that: one `call_soon` for each burst.
class WorkerState {
 public:
  explicit WorkerState(std::shared_ptr<Worker> worker);
  ~WorkerState();
  WorkerState(const WorkerState&) = delete;
  WorkerState& operator=(const WorkerState&) = delete;

  std::shared_ptr<Worker> worker;  // null while this object ends
  const std::uint64_t features;    // of its context
  /// Shared with what may end after this object.
  const std::shared_ptr<Completions> completions = std::make_shared<Completions>();

  Mode mode() const noexcept { return mode_; }
  bool isMovedHere() const noexcept { return mode_ != Mode::Thread; }

  /// Moves it, and runs what has ended. True: something moved.
  bool progress();
  /// Runs what has ended inside a call that posted something.
  void settle() {
    if (!completions->isEmpty()) completions->drain();
  }
  /// Progresses for a while, without letting other tasks run, until `request` has ended; true: it
  /// has. Other threads run while much is copied, and after some microseconds.
  bool spin(const Request& request);
  /// An await that suspends nobody: false once in a while, when others should have their turn.
  bool mayGoOn() noexcept { return turn_.mayGoOn(); }

  /// @name The event loop
  /// @{
  /// Binds it to `loop`, by mode Loop, Polling or Thread, in the thread of the loop. `self` is its
  /// object in Python. An await looks for its end for a while if it `spins`. Throws when it is
  /// bound to another that is not closed.
  void bind(nb::handle self, nb::handle loop, Mode mode, bool spins);
  void unbind();
  EventLoop& loop() noexcept { return loop_; }
  const EventLoop& loop() const noexcept { return loop_; }
  bool isBound() const noexcept { return loop_.isBound(); }
  bool hasOpenLoop() const { return isInTask() || loop_.isOpen(); }
  /// Has a task of the loop go on, whose transfer has ended: `wakeup` is what asyncio wakes it
  /// with. False: a Python error is set.
  bool wake(PyObject* wakeup, PyObject* context);
  /// This thread runs a task that the worker has stepped, and so the loop.
  bool isInTask() const noexcept {
    return isBound() && tasks_.isStepping() && loop_.isOfThisThread();
  }
  /// A task is cancelled whose transfer has ended: it goes on, also where its turn was lost.
  void stepLater();
  void onReadable();
  void arm();
  void poll();
  /// @}

  /// Who waits for the end of a transfer; theirs are removed when they run.
  Waiters waiters;
  /// Cancels what is waited for, and moves the worker until all has ended: half a second at most.
  void endWaiters();

  /// @name The collector of cycles
  /// @{
  int traverse(visitproc visit, void* arg);
  void clear();
  /// @}

  void startThread(bool polling);
  void stopThread();
  /// The end of the interpreter: no thread of a worker outlives it.
  static void endAll();

 private:
  bool drain();
  void armLater();
  bool othersAreReady() const { return !tasks_.isEmpty() || loop_.hasOtherCalls(); }
  void stepTasks();
  void forgetLoop();
  void threadHasStopped() noexcept;

  Mode mode_ = Mode::Manual;
  bool spins_ = true;
  bool steps_ = false;  // tasks that it wakes, itself
  int put_off_ = 0;     // calls of `arm` that have not armed, one after the other
  EventLoop loop_;
  ReadyTasks tasks_;
  Turn turn_;
  Mover mover_{worker, *completions};
};

}  // namespace ucxx::python
