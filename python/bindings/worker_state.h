// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include <ucxx/worker.h>

#include "completions.h"
#include "python.h"
#include "ready_tasks.h"
#include "spin.h"
#include "waiter.h"

namespace ucxx::python {

class CopiesWithoutGil;

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
  bool mayGoOn() noexcept;

  /// @name The event loop
  /// @{
  /// Binds it to `loop`, by mode Loop, Polling or Thread, in the thread of the loop. `self` is its
  /// object in Python. An await looks for its end for a while if it `spins`. Throws when it is
  /// bound to another that is not closed.
  void bind(nb::handle self, nb::handle loop, Mode mode, bool spins);
  void unbind();
  bool isBound() const noexcept { return loop_.is_valid(); }
  bool hasOpenLoop() const;
  /// This thread runs the loop: a call that waits holds it up.
  bool holdsUpLoop() const;
  nb::handle loop() const noexcept { return loop_; }
  /// `loop.call_soon(callback, argument, context=context)`, from any thread; false: a Python error
  /// is set.
  bool callSoon(PyObject* callback, PyObject* argument, PyObject* context);
  /// Has a task of the loop go on, whose transfer has ended: `wakeup` is what asyncio wakes it
  /// with. False: a Python error is set.
  bool wake(PyObject* wakeup, PyObject* context);
  /// This thread runs a task that the worker has stepped, and so the loop.
  bool isInTask() const noexcept { return isBound() && tasks_.isStepping() && isLoopThread(); }
  void onReadable();
  void arm();
  /// The loop may have calls before it that are not the worker's: one that does not tell (uvloop)
  /// may always.
  bool hasCalls() const;
  /// How many of the calls of `arm` that the loop was given have run.
  std::uint64_t armsRun() const noexcept { return arms_given_ - static_cast<std::uint64_t>(arms_); }
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
  /// An await that looks for its end.
  struct Look {
    Spin::Clock::duration time;  // for so long, if nothing moves
    Spin::Clock::time_point began{};
    Spin::Clock::time_point last{};  // of those at which it has looked at the clock
  };
  bool look(const Request& request, CopiesWithoutGil& copies, Look& looked);
  bool drain();
  bool move(int rounds);
  void waitForParts(CopiesWithoutGil& copies);
  void letOthersRun();
  void armLater();
  bool othersAreReady() const;
  bool isLoopThread() const noexcept { return PyThread_get_thread_ident() == loop_thread_; }
  void stepTasks();
  void scheduleArm();
  nb::object callLoop(PyObject* const* arguments, std::size_t count, PyObject* names);
  Py_ssize_t readyCalls() const;
  bool isArmLast() const;
  void forgetLoop();
  void threadHasStopped() noexcept;

  Mode mode_ = Mode::Manual;
  Py_ssize_t arms_ = 0;           // calls of `arm` that the loop has before it
  std::uint64_t arms_given_ = 0;  // in all
  bool spins_ = true;
  bool steps_ = false;                             // tasks that it wakes, itself
  std::chrono::steady_clock::time_point slept_{};  // when the loop has last had nothing to do
  Spin spin_;
  std::uint32_t inline_ends_ = 0;
  std::chrono::steady_clock::time_point turn_began_{};  // of the loop
  unsigned long loop_thread_ = 0;
  ReadyTasks tasks_;
  nb::object loop_, call_soon_, call_soon_threadsafe_, ready_, arm_, poll_;
  nb::object last_arm_;  // the handle that the loop has made of it
};

}  // namespace ucxx::python
