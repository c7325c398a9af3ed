// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// The beginning and the end of a worker in Python, of its thread, and of the process.

#include <chrono>
#include <unordered_set>
#include <utility>
#include <vector>

#include <ucxx/context.h>
#include <ucxx/exception.h>

#include "condition.h"
#include "device.h"
#include "without_gil.h"
#include "worker_state.h"
#include "workers.h"

namespace ucxx::python {
namespace {

using Clock = std::chrono::steady_clock;

/// How long the end of a worker waits for transfers whose bytes are moving.
constexpr auto kPatience = std::chrono::milliseconds(500);

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
    // A forked child: it owns nothing of the worker.
  }
}

void WorkerState::endWaiters() {
  for (Waiter* one = waiters.front(); one != nullptr; one = waiters.after(*one)) one->cancel();
  const auto until = Clock::now() + kPatience;
  for (completions->drain(); !waiters.empty() && Clock::now() < until; completions->drain())
    mover_.nap();
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
