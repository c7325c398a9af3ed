// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// How a worker moves, and its tasks with it. worker_life.cpp has its beginning and its end.

#include "worker_state.h"

#include <stdexcept>

#include "log_lines.h"
#include "request.h"
#include "without_gil.h"

namespace ucxx::python {
namespace {

/// Rounds in which a reader of the loop may find something before others have their turn.
constexpr int kRounds = 64;
/// Turns of the loop in which it is not armed, since other calls wait.
constexpr int kMostPutOff = 64;

}  // namespace

bool WorkerState::progress() {
  const bool has_moved = mover_.progress();
  settle();
  lookForLogLines();
  armLater();
  return has_moved;
}

bool WorkerState::spin(const Request& request) {
  if (!isMovedHere()) return request.isCompleted();
  const bool has_ended = mover_.spin(request, spins_ && !othersAreReady());
  settle();
  armLater();
  return has_ended;
}

void WorkerState::armLater() {
  loop_.forgetLostArms();
  if (mode_ == Mode::Loop && !loop_.hasArm() && !interpreter_ends) loop_.callArm();
}

/// What has ended runs; true: something has.
bool WorkerState::drain() {
  if (completions->isEmpty()) return false;
  mover_.woken();
  return completions->drain();
}

void WorkerState::stepTasks() {
  if (tasks_.isEmpty()) return;
  turn_.begin();
  tasks_.step(*this, turn_.end());
  stepLater();
  turn_.letOthersRun();
}

void WorkerState::stepLater() {
  if (tasks_.isEmpty()) return;
  loop_.forgetLostArms();
  if (!loop_.hasArm()) loop_.callArm();
}

/// Arming interrupts all processors (membarrier): not in a turn of the loop that another one
/// follows in any case. But the call that waits may be `onReadable`, which leaves it to the next
/// `arm`, and nothing else makes UCX's descriptor quiet: so not in each turn.
void WorkerState::arm() {
  loop_.forgetLostArms();
  loop_.armRuns();
  turn_.begin();
  (void)mover_.progress(1, othersAreReady());
  const bool may_put_off = ++put_off_ < kMostPutOff;
  if (!may_put_off) put_off_ = 0;
  bool armed = false;
  for (int i = 0; i < kRounds && !armed; ++i) {
    const bool has_woken = drain();
    stepTasks();
    if (has_woken || (may_put_off && othersAreReady()) || mode_ != Mode::Loop) break;
    armed = worker->arm();
    if (!armed) (void)mover_.progress(1, false);
  }
  if (armed) put_off_ = 0;
  if (armed && may_put_off) turn_.endsAsleep();
  settle();
  if (!armed && isBound()) armLater();
}

void WorkerState::onReadable() {
  loop_.forgetLostArms();
  (void)mover_.progress(kRounds, othersAreReady());
  lookForLogLines();
  // What runs here may move the worker again: behind it the worker is armed.
  const bool has_woken = drain();
  stepTasks();
  if (has_woken || loop_.hasArm() || !tasks_.isEmpty()) return armLater();
  arm();
}

void WorkerState::poll() {
  loop_.forgetLostArms();
  if (!mover_.progress(kRounds, othersAreReady()) && completions->isEmpty() && !othersAreReady())
    mover_.nap();
  settle();
  stepTasks();
  if (isBound() && !interpreter_ends) loop_.callPoll();
}

bool WorkerState::wake(PyObject* wakeup, PyObject* context) {
  if (!steps_ || !loop_.isOfThisThread()) return loop_.callSoon(wakeup, woken, context);
  loop_.forgetLostArms();
  // First come, first served: the calls that the loop has before it are older than the task.
  const bool has_older = loop_.mayHaveOtherCalls();
  if (has_older && !loop_.isArmLast()) loop_.callArm();
  tasks_.push(wakeup, context, has_older ? loop_.armsGiven() : loop_.armsRun());
  if (!loop_.hasArm()) loop_.callArm();
  return true;
}

void WorkerState::bind(nb::handle self, nb::handle loop, Mode mode, bool spins) {
  if (loop_.get().is(loop)) return;
  if (hasOpenLoop())
    throw std::runtime_error(
        "this worker belongs to another event loop: each loop has a worker of its own");
  unbind();
  loop_.bind(loop, self);
  mode_ = mode;
  spins_ = spins;
  // In debug mode asyncio tells of callbacks that are slow: those of tasks have names.
  steps_ = mode != Mode::Thread && !nb::cast<bool>(loop.attr("get_debug")());
  if (mode == Mode::Thread) {
    completions->rings(true);
    loop.attr("add_reader")(completions->descriptor(), self.attr("_drain"));
    startThread(false);
  } else if (mode == Mode::Polling) {
    poll();
  } else {
    loop.attr("add_reader")(worker->getEpollFileDescriptor(), self.attr("_on_readable"));
    loop_.callArm();
  }
}

void WorkerState::unbind() {
  if (!isBound()) return;
  const nb::object loop = loop_.release();
  // Dropping them may run anything, which may end others.
  nb::list callbacks;
  for (Waiter* one = waiters.front(); one != nullptr; one = waiters.after(*one))
    one->takeCallbacks(callbacks);
  const bool is_open = !nb::cast<bool>(loop.attr("is_closed")());
  if (is_open) tasks_.handOver(*this);
  if (is_open && mode_ != Mode::Polling) {
    loop.attr("remove_reader")(mode_ == Mode::Thread ? completions->descriptor()
                                                     : worker->getEpollFileDescriptor());
  }
  forgetLoop();
  if (mode_ != Mode::Thread) mode_ = Mode::Manual;
}

void WorkerState::forgetLoop() {
  loop_.forget();
  tasks_.clear();
}

int WorkerState::traverse(visitproc visit, void* arg) {
  if (const int stop = loop_.traverse(visit, arg); stop != 0) return stop;
  if (const int stop = tasks_.traverse(visit, arg); stop != 0) return stop;
  for (Waiter* one = waiters.front(); one != nullptr; one = waiters.after(*one)) {
    const int stop = one->traverse(visit, arg);
    if (stop != 0) return stop;
  }
  return 0;
}

void WorkerState::clear() {
  forgetLoop();
  endWaiters();
}

}  // namespace ucxx::python
