// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "worker_state.h"

#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <ucxx/context.h>
#include <ucxx/exception.h>

#include "without_gil.h"

namespace ucxx::python {
namespace {

using Clock = std::chrono::steady_clock;

/// Rounds in which a reader of the loop may find something before others have their turn.
constexpr int kRounds = 64;
constexpr int kRoundsOfALook = 16;
/// How long the end of a worker waits for transfers whose bytes are moving.
constexpr auto kPatience = std::chrono::milliseconds(500);
/// Awaits that end at once, between two looks at the clock; and how long they may go on.
constexpr std::uint32_t kInlineEnds = 64;
constexpr auto kTurn = std::chrono::milliseconds(1);
/// From here on memory is copied without the GIL.
constexpr std::size_t kLargeBytes = 64 << 10;

/// Threads inside of a call of Python from here. When the interpreter ends, one that waits for the
/// GIL there is ended, by unwinding C++ that cannot be unwound: so the end waits for them.
int calling = 0;

/// `call_soon(callback)`; false: a Python error is set.
bool callPython(PyObject* const* arguments, std::size_t count, PyObject* names,
                PyObject* function) {
  ++calling;
  PyObject* const handle = PyObject_Vectorcall(function, arguments, count, names);
  --calling;
  Py_XDECREF(handle);
  return handle != nullptr;
}

std::unordered_set<WorkerState*>& everyone() {
  static auto* const all = new std::unordered_set<WorkerState*>;
  return *all;
}

}  // namespace

WorkerState::WorkerState(std::shared_ptr<Worker> worker_)
    : worker(std::move(worker_)),
      features(std::dynamic_pointer_cast<Context>(worker->getParent())->getFeatureFlags()) {
  everyone().insert(this);
}

WorkerState::~WorkerState() {
  everyone().erase(this);
  try {
    stopThread();
    endOrphans();
    // What ends with it, close callbacks for example, still finds this object.
    worker.reset();
    completions->drain();
  } catch (const Error&) {
    // A forked child: nothing of it is ours.
  }
}

void WorkerState::endOrphans() {
  const auto until = Clock::now() + kPatience;
  for (Orphan* orphan : std::vector<Orphan*>(orphans.begin(), orphans.end())) orphan->cancel();
  completions->drain();
  while (!orphans.empty() && Clock::now() < until) {
    (void)worker->progress();
    completions->drain();
  }
}

bool WorkerState::progress() {
  const bool has_moved = worker->progress();
  settle();
  moved();
  return has_moved;
}

bool WorkerState::spin(const Request& request, std::size_t bytes) {
  if (!isMovedHere()) return request.isCompleted();
  bool ended = false;
  {
    const bool tries = !othersAreReady() && spin_.mayTry();
    const WithoutGil released(bytes >= kLargeBytes);
    (void)worker->progress();
    ended = request.isCompleted();
    if (!ended && tries) {
      ended = look(request);
      ended ? spin_.succeeded() : spin_.failed();
    }
  }
  settle();
  moved();
  return ended;
}

bool WorkerState::look(const Request& request) noexcept {
  auto until = Clock::now() + Spin::kTime;
  for (;;) {
    for (int i = 0; i < kRoundsOfALook; ++i) {
      const bool has_moved = worker->progress();
      if (request.isCompleted()) return true;
      if (has_moved) until = Clock::now() + Spin::kTime;
    }
    if (Clock::now() > until) return false;
  }
}

bool WorkerState::mayGoOn() noexcept {
  if (++inline_ends_ % kInlineEnds != 0) return true;
  const auto now = Clock::now();
  if (now - turn_began_ < kTurn) return true;
  turn_began_ = now;
  return false;
}

/// Whether other tasks of the loop could run now; false where it does not tell (uvloop).
bool WorkerState::othersAreReady() const {
  if (!ready_.is_valid()) return false;
  return PyObject_Size(ready_.ptr()) > (arm_scheduled_ ? 1 : 0);
}

void WorkerState::moved() {
  if (mode_ == Mode::Loop && !arm_scheduled_ && !Ending::has_begun) scheduleArm();
}

void WorkerState::scheduleArm() {
  PyObject* const argument = arm_.ptr();
  arm_scheduled_ = callPython(&argument, 1, nullptr, call_soon_.ptr());
  if (!arm_scheduled_) PyErr_Clear();  // the loop is closed: nobody waits
}

void WorkerState::arm() {
  arm_scheduled_ = false;
  turn_began_ = Clock::now();
  bool armed = false;
  for (int i = 0; i < kRounds && !armed; ++i) {
    armed = worker->arm();
    if (!armed) (void)worker->progress();
  }
  settle();
  if (!armed && isBound() && !Ending::has_begun) scheduleArm();
}

void WorkerState::onReadable() {
  for (int i = 0; i < kRounds && worker->progress(); ++i) {
  }
  if (completions->isEmpty()) return arm();
  // The callbacks that this schedules may move the worker again: behind them it is armed.
  completions->drain();
  moved();
}

void WorkerState::poll() {
  for (int i = 0; i < kRounds && worker->progress(); ++i) {
  }
  settle();
  if (!isBound() || Ending::has_begun) return;
  PyObject* const argument = poll_.ptr();
  if (!callPython(&argument, 1, nullptr, call_soon_.ptr())) PyErr_Clear();
}

bool WorkerState::callSoon(PyObject* callback, PyObject* argument, PyObject* context) {
  static PyObject* const names = Py_BuildValue("(s)", "context");
  PyObject* const arguments[] = {callback, argument, context};
  const bool has_context = context != nullptr && context != Py_None;
  return callPython(arguments, 2, has_context ? names : nullptr, call_soon_.ptr());
}

void WorkerState::bind(nb::handle self, nb::handle loop, Mode mode) {
  if (isBound() && !loop_.is(loop))
    throw std::runtime_error(
        "this worker belongs to another event loop: each loop has a worker of its own");
  if (isBound()) return;
  loop_ = nb::borrow(loop);
  call_soon_ = loop.attr("call_soon");
  if (nb::hasattr(loop, "_ready")) ready_ = loop.attr("_ready");
  arm_ = self.attr("_arm");
  poll_ = self.attr("_poll");
  mode_ = mode;
  if (mode == Mode::Thread) {
    completions->rings(true);
    loop.attr("add_reader")(completions->descriptor(), self.attr("_drain"));
    startThread(false);
  } else if (mode == Mode::Polling) {
    poll();
  } else {
    loop.attr("add_reader")(worker->getEpollFileDescriptor(), self.attr("_on_readable"));
    scheduleArm();
  }
}

void WorkerState::unbind() {
  if (!isBound()) return;
  const nb::object loop = std::move(loop_);
  loop_ = nb::object();
  if (!nb::cast<bool>(loop.attr("is_closed")()) && mode_ != Mode::Polling) {
    loop.attr("remove_reader")(mode_ == Mode::Thread ? completions->descriptor()
                                                     : worker->getEpollFileDescriptor());
  }
  forgetLoop();
  if (mode_ != Mode::Thread) mode_ = Mode::Manual;
}

void WorkerState::forgetLoop() {
  loop_ = call_soon_ = ready_ = arm_ = poll_ = nb::object();
  arm_scheduled_ = false;
}

int WorkerState::traverse(visitproc visit, void* arg) const {
  for (const nb::object* one : {&loop_, &call_soon_, &ready_, &arm_, &poll_}) Py_VISIT(one->ptr());
  return 0;
}

void WorkerState::startThread(bool polling) {
  mode_ = Mode::Thread;
  worker->startProgressThread(polling);
}

void WorkerState::stopThread() {
  {
    const WithoutGil released(true);
    worker->stopProgressThread();
  }
  if (mode_ == Mode::Thread) mode_ = isBound() ? Mode::Loop : Mode::Manual;
}

void WorkerState::endAll() {
  Ending::by = std::this_thread::get_id();
  Ending::has_begun = true;
  // Stopping one lets other threads run, which may end others.
  const std::vector<WorkerState*> all(everyone().begin(), everyone().end());
  for (WorkerState* state : all)
    if (everyone().count(state) != 0) state->stopThread();
  const auto until = Clock::now() + kPatience;
  while (calling != 0 && Clock::now() < until) {
    const WithoutGil released(true);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace ucxx::python
