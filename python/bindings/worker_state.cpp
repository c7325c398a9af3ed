// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "worker_state.h"

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include <ucxx/context.h>
#include <ucxx/exception.h>

#include "condition.h"
#include "copies_without_gil.h"
#include "device.h"
#include "errors.h"
#include "log_lines.h"
#include "request.h"
#include "without_gil.h"
#include "workers.h"

namespace ucxx::python {
namespace {

using Clock = Spin::Clock;

/// Rounds in which a reader of the loop may find something before others have their turn.
constexpr int kRounds = 64;
constexpr int kRoundsOfALook = 16;
/// How long the end of a worker waits for transfers whose bytes are moving.
constexpr auto kPatience = std::chrono::milliseconds(500);
/// Awaits that end at once, between two looks at the clock; and how long they may go on.
constexpr std::uint32_t kInlineEnds = 64;
constexpr auto kTurn = std::chrono::milliseconds(1);
/// Of `call_soon`, beside signals.
constexpr int kTries = 3;
/// How long who polls sleeps at most, while a peer on the same processor has to move a payload.
constexpr int kShortNapMs = 1;
/// How long a payload is waited for that comes part by part; and of that with the GIL.
constexpr auto kLongestWait = std::chrono::milliseconds(5);
constexpr auto kWaitWithGil = std::chrono::microseconds(200);
/// A loop that steps tasks and has not slept for so long lets other threads have the GIL, for which
/// they need so long.
constexpr auto kLongestWithoutOthers = std::chrono::milliseconds(5);
constexpr auto kTurnOfOthers = std::chrono::microseconds(50);
/// For so long at most an await looks for its end, or the reader moves payloads.
constexpr auto kMostOfALook = std::chrono::milliseconds(20);
/// For so long an await looks for its end with the GIL, where other threads could have it.
constexpr auto kWithGil = std::chrono::microseconds(5);

/// What the function returns; not valid: a Python error is set.
nb::object callPython(const nb::object& function, PyObject* const* arguments, std::size_t count,
                      PyObject* names) {
  return nb::steal(
      callingPython([&] { return PyObject_Vectorcall(function.ptr(), arguments, count, names); }));
}

/// Threads of Python that may want the GIL. With the GIL.
bool hasOtherThreads() {
  PyThreadState* const first = PyInterpreterState_ThreadHead(PyInterpreterState_Get());
  return PyThreadState_Next(first) != nullptr;
}

std::unordered_set<WorkerState*>& everyone() {
  static auto* const all = new std::unordered_set<WorkerState*>;
  return *all;
}

}  // namespace

WorkerState::WorkerState(std::shared_ptr<Worker> worker_)
    : worker(std::move(worker_)),
      features(std::dynamic_pointer_cast<Context>(worker->getParent())->getFeatureFlags()) {
  {
    const WithoutGil released;  // a dump may be going on
    Workers::get().add(worker);
  }
  everyone().insert(this);  // last: who is not made has no destructor
}

WorkerState::~WorkerState() {
  const nb::error_scope kept;
  everyone().erase(this);
  try {
    {
      const WithoutGil released;
      Workers::get().remove(*worker);
    }
    stopThread();
    endWaiters();
    for (Waiter* one = waiters.front(); one != nullptr; one = waiters.after(*one)) one->letGo();
    // What ends with it, close callbacks for example, still finds this object.
    worker.reset();
    completions->drain();
  } catch (const Error&) {
    // A forked child: nothing of it is ours.
  }
}

void WorkerState::endWaiters() {
  for (Waiter* one = waiters.front(); one != nullptr; one = waiters.after(*one)) one->cancel();
  const auto until = Clock::now() + kPatience;
  for (completions->drain(); !waiters.empty() && Clock::now() < until; completions->drain()) {
    const WithoutGil released;
    (void)worker->progressWorkerEvent(kShortNapMs);
  }
}

bool WorkerState::progress() {
  bool has_moved = false;
  {
    const CopiesWithoutGil copies;
    has_moved = worker->progress();
  }
  settle();
  lookForLogLines();
  armLater();
  return has_moved;
}

bool WorkerState::spin(const Request& request) {
  if (!isMovedHere()) return request.isCompleted();
  const bool tries = spins_ && !othersAreReady() && spin_.mayTry();
  Look looked{.time = spin_.time()};
  bool ended = false, looks = false;
  {
    CopiesWithoutGil copies;
    (void)worker->progress();
    ended = request.isCompleted();
    looks = !ended && tries;
    if (looks) ended = look(request, copies, looked);
  }
  if (looks) {
    // What another task waits for is found as well: the loop need not sleep.
    if (ended || !completions->isEmpty())
      spin_.succeeded(looked.last - looked.began);
    else
      spin_.failed(looked.began);
  }
  settle();
  armLater();
  return ended;
}

bool WorkerState::look(const Request& request, CopiesWithoutGil& copies, Look& looked) {
  looked.began = looked.last = Clock::now();
  auto until = looked.began + looked.time;
  for (;;) {
    for (int i = 0; i < kRoundsOfALook; ++i) {
      const bool has_moved = worker->progress();
      if (request.isCompleted()) return true;
      // Another task has got what it waits for: it is its turn.
      if (!completions->isEmpty()) return false;
      if (has_moved) until = std::max(until, Clock::now() + Spin::kTime);
    }
    looked.last = Clock::now();
    const auto lasted = looked.last - looked.began;
    if (looked.last > until || lasted > kMostOfALook) return false;
    if (lasted <= kWithGil || copies.isReleased() || !hasOtherThreads()) continue;
    // To sleep costs one wait for the GIL. To look longer may cost another one.
    if (CopiesWithoutGil::isContended()) return false;
    copies.release();
  }
}

/// So many rounds at most, while they find something; true: so did the last.
bool WorkerState::move(int rounds) {
  const bool has_others = hasOtherThreads();
  const auto end = Clock::now() + kMostOfALook;
  CopiesWithoutGil copies;
  bool has_moved = true;
  int done = 0;
  for (; done < rounds && has_moved && (done == 0 || Clock::now() < end); ++done)
    has_moved = worker->progress();
  if (has_others && (has_moved || done > 1)) waitForParts(copies);
  return has_moved;
}

/// Something has moved, and nothing has ended: a part of a payload, perhaps. To get the GIL back,
/// now or after a sleep, may take 5 ms, in which no payload moves: not before one has come whole,
/// or nothing comes for a while.
void WorkerState::waitForParts(CopiesWithoutGil& copies) {
  if (!copies.isReleased() && othersAreReady()) return;
  const auto began = Clock::now();
  auto now = began;
  for (auto until = began + Spin::kTime;
       now <= until && now - began < kLongestWait && completions->isEmpty(); now = Clock::now()) {
    if (worker->progress()) until = now + Spin::kTime;
    if (now - began > kWaitWithGil) copies.release();
  }
}

bool WorkerState::mayGoOn() noexcept {
  if (++inline_ends_ % kInlineEnds != 0) return true;
  const auto now = Clock::now();
  if (now - turn_began_ < kTurn) return true;
  turn_began_ = now;
  return false;
}

/// Whether other tasks of the loop could run now. A loop that does not tell (uvloop) has none, but
/// for those that the worker is to step.
bool WorkerState::othersAreReady() const { return !tasks_.isEmpty() || readyCalls() > arms_; }

/// The handle of asyncio's that was to arm is lost where a signal's handler raises in it, and with
/// it the loop ends. It may run again.
void WorkerState::armLater() {
  if (const Py_ssize_t ready = readyCalls(); ready >= 0) arms_ = std::min(arms_, ready);
  if (mode_ == Mode::Loop && arms_ == 0 && !interpreter_ends) scheduleArm();
}

/// How many calls the loop has before it; -1 where it does not tell (uvloop).
Py_ssize_t WorkerState::readyCalls() const {
  return ready_.is_valid() ? PyObject_Size(ready_.ptr()) : -1;
}

bool WorkerState::hasCalls() const { return !ready_.is_valid() || readyCalls() > arms_; }

/// The last of the calls that the loop has before it is `arm`.
bool WorkerState::isArmLast() const {
  if (!ready_.is_valid()) return false;
  const nb::object last = nb::steal(PySequence_GetItem(ready_.ptr(), -1));
  if (!last.is_valid()) PyErr_Clear();  // another thread runs the loop
  return last.is_valid() && last.is(last_arm_);
}

/// The handle that `call_soon` makes of these arguments, whichever thread this is, or None where it
/// is not known; not valid: a Python error is set.
nb::object WorkerState::callLoop(PyObject* const* arguments, std::size_t count, PyObject* names) {
  const nb::object function =
      isLoopThread() ? call_soon_ : call_soon_threadsafe_;  // it may let go of the worker's
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

/// What has ended runs; true: something has, which an await has perhaps slept for.
bool WorkerState::drain() {
  if (completions->isEmpty()) return false;
  spin_.came(Clock::now());
  return completions->drain();
}

void WorkerState::scheduleArm() {
  PyObject* const argument = arm_.ptr();
  nb::object handle = callLoop(&argument, 1, nullptr);
  if (!handle.is_valid()) return PyErr_Clear();  // the loop is closed: nobody waits
  last_arm_ = std::move(handle);
  ++arms_;
  ++arms_given_;
}

void WorkerState::stepTasks() {
  if (tasks_.isEmpty()) return;
  turn_began_ = Clock::now();
  tasks_.step(*this, turn_began_ + kTurn);
  if (!tasks_.isEmpty() && arms_ == 0) scheduleArm();
  if (turn_began_ - slept_ > kLongestWithoutOthers) letOthersRun();
}

/// A loop that has always something to do lets go of the GIL for no longer than it takes the system
/// to look at its descriptors. Who waits for the GIL is then woken, and comes too late each time.
void WorkerState::letOthersRun() {
  slept_ = Clock::now();
  if (!hasOtherThreads()) return;
  const WithoutGil released;
  std::this_thread::sleep_for(kTurnOfOthers);
}

/// Arming interrupts all processors (membarrier): not in a turn of the loop that another one
/// follows in any case.
void WorkerState::arm() {
  if (arms_ > 0) --arms_;
  turn_began_ = Clock::now();
  (void)move(1);
  bool armed = false;
  for (int i = 0; i < kRounds && !armed; ++i) {
    const bool has_woken = drain();
    stepTasks();
    if (has_woken || othersAreReady() || mode_ != Mode::Loop) break;
    armed = worker->arm();
    if (!armed) (void)move(1);
  }
  if (armed) slept_ = turn_began_;
  settle();
  if (!armed && isBound()) armLater();
}

void WorkerState::onReadable() {
  (void)move(kRounds);
  lookForLogLines();
  // What runs here may move the worker again: behind it the worker is armed.
  const bool has_woken = drain();
  stepTasks();
  if (has_woken || arms_ > 0 || !tasks_.isEmpty()) return armLater();
  arm();
}

void WorkerState::poll() {
  if (!move(kRounds) && completions->isEmpty() && !othersAreReady()) {
    const WithoutGil released;
    (void)worker->progressWorkerEvent(kShortNapMs);
  }
  settle();
  stepTasks();
  if (!isBound() || interpreter_ends) return;
  PyObject* const argument = poll_.ptr();
  if (!callLoop(&argument, 1, nullptr).is_valid()) PyErr_Clear();
}

bool WorkerState::callSoon(PyObject* callback, PyObject* argument, PyObject* context) {
  static PyObject* const names = Py_BuildValue("(s)", "context");
  PyObject* const arguments[] = {callback, argument, context};
  const bool has_context = context != nullptr && context != Py_None;
  return callLoop(arguments, 2, has_context ? names : nullptr).is_valid();
}

bool WorkerState::wake(PyObject* wakeup, PyObject* context) {
  if (!steps_ || !isLoopThread()) return callSoon(wakeup, woken, context);
  // First come, first served: the calls that the loop has before it are older than the task.
  const bool has_older = hasCalls();
  if (has_older && !isArmLast()) scheduleArm();
  tasks_.push(wakeup, context, has_older ? arms_given_ : armsRun());
  if (arms_ == 0) scheduleArm();
  return true;
}

bool WorkerState::hasOpenLoop() const {
  if (isInTask()) return true;
  return isBound() && !nb::cast<bool>(loop_.attr("is_closed")());
}

bool WorkerState::holdsUpLoop() const {
  return isBound() && isLoopThread() && nb::cast<bool>(loop_.attr("is_running")());
}

void WorkerState::bind(nb::handle self, nb::handle loop, Mode mode, bool spins) {
  if (loop_.is(loop)) return;
  if (hasOpenLoop())
    throw std::runtime_error(
        "this worker belongs to another event loop: each loop has a worker of its own");
  unbind();
  loop_ = nb::borrow(loop);
  loop_thread_ = PyThread_get_thread_ident();
  call_soon_ = loop.attr("call_soon");
  call_soon_threadsafe_ = loop.attr("call_soon_threadsafe");
  if (nb::hasattr(loop, "_ready")) ready_ = loop.attr("_ready");
  arm_ = self.attr("_arm");
  poll_ = self.attr("_poll");
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
    scheduleArm();
  }
}

void WorkerState::unbind() {
  if (!isBound()) return;
  const nb::object loop = std::move(loop_);
  loop_ = nb::object();
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
  loop_ = call_soon_ = call_soon_threadsafe_ = ready_ = arm_ = poll_ = last_arm_ = nb::object();
  arms_ = 0;
  tasks_.clear();
}

int WorkerState::traverse(visitproc visit, void* arg) {
  for (const nb::object* one :
       {&loop_, &call_soon_, &call_soon_threadsafe_, &ready_, &arm_, &poll_, &last_arm_})
    Py_VISIT(one->ptr());
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

void WorkerState::startThread(bool polling) {
  mode_ = Mode::Thread;
  const WithoutGil released;  // what the thread does first may need it
  worker->startProgressThread(polling);
}

void WorkerState::stopThread() {
  {
    const WithoutGil released;
    worker->stopProgressThread();
  }
  threadHasStopped();
}

void WorkerState::threadHasStopped() noexcept {
  if (mode_ == Mode::Thread) mode_ = isBound() ? Mode::Loop : Mode::Manual;
}

void WorkerState::endAll() {
  interpreter_ends = true;
  endDeviceWaits();
  // Other threads may drop theirs meanwhile.
  std::vector<std::shared_ptr<Worker>> workers;
  for (const WorkerState* state : everyone())
    if (state->worker != nullptr) workers.push_back(state->worker);
  {
    const WithoutGil released;
    for (const std::shared_ptr<Worker>& one : workers) {
      one->stopProgressThread();
      one->endDeviceConditions();
      one->warnOfUntaken();
    }
    workers.clear();
  }
  ConditionObject::closeThoseOfKernels();
  for (WorkerState* state : everyone()) state->threadHasStopped();
}

}  // namespace ucxx::python
