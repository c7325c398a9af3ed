// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "condition.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <ucxx/cuda/stream.h>
#include <ucxx/exception.h>

#include "copies_without_gil.h"
#include "log_lines.h"
#include "without_gil.h"
#include "word.h"
#include "worker_state.h"

namespace ucxx::python {
namespace {

WorkerState* stateOf(nb::handle worker) {
  return worker.is_none() ? nullptr : nb::inst_ptr<WorkerState>(worker);
}

/// Under the GIL.
std::unordered_set<const ConditionObject*>& ofKernels() {
  static auto* const all = new std::unordered_set<const ConditionObject*>;
  return *all;
}

[[noreturn]] void failOver(std::uint64_t wanted, std::uint64_t ended) {
  throw CanceledError("wait: the condition has ended " + std::to_string(ended) + " times of " +
                      std::to_string(wanted) + ", and is closed or does not repeat");
}

}  // namespace

ConditionObject::ConditionObject(Condition condition, Kind kind, CUstream_st* stream)
    : condition_(std::move(condition)),
      kind_(kind),
      consumer_(kind == Kind::Stream ? streamConsumer(stream)
                                     : Consumer{Consumer::Kind::Later, nullptr}) {
  if (kind_ == Kind::Kernel) ofKernels().insert(this);  // last: who is not made has no destructor
}

/// Its transfers may end by that, and whoever awaits them has to be told. Those of a stream or a
/// graph do not: they have their place there.
ConditionObject::~ConditionObject() {
  if (kind_ == Kind::Stream || kind_ == Kind::Graph) return;
  if (kind_ == Kind::Kernel) ofKernels().erase(this);
  const nb::error_scope kept;
  condition_.close();
  try {
    settle();
  } catch (const std::exception&) {  // the interpreter ends, or has no memory: nobody is told
    PyErr_Clear();
  }
}

void ConditionObject::closeThoseOfKernels() {
  std::vector<Condition> all;  // other threads may drop theirs meanwhile
  for (const ConditionObject* one : ofKernels()) all.push_back(one->condition());
  const WithoutGil released;
  for (const Condition& one : all) one.close();
  all.clear();
}

nb::object ConditionObject::referenceTo(nb::handle worker) const {
  if (worker_.is_valid()) return worker_;
  nb::object reference = nb::steal(PyWeakref_NewRef(worker.ptr(), nullptr));
  if (!reference.is_valid()) throw nb::python_error();
  return reference;
}

/// None: it has gone, or nothing was posted yet.
nb::object ConditionObject::worker() const { return worker_.is_valid() ? worker_() : nb::none(); }

void ConditionObject::settle() const {
  const nb::object kept = worker();
  if (WorkerState* const state = stateOf(kept)) state->settle();
}

/// Whoever has moved a worker of an event loop leaves it armed.
void ConditionObject::settleAndArm() const {
  const nb::object kept = worker();
  WorkerState* const state = stateOf(kept);
  if (state == nullptr) return;
  state->isMovedHere() ? (void)state->progress() : state->settle();
}

void ConditionObject::requireThreadOf(nb::handle worker) {
  requireThread(*nb::inst_ptr<WorkerState>(worker)->worker, "a condition of a device");
}

void ConditionObject::requireOpen(nb::handle worker) const {
  requireThreadOf(worker);
  if (is_closed_)
    throw InvalidParamError("a transfer with a condition: its condition is closed; make another");
}

void ConditionObject::trigger() {
  {
    const CopiesWithoutGil copies;
    condition_.trigger();
  }
  settle();
}

void ConditionObject::close() {
  is_closed_ = true;
  condition_.close();
  settle();
}

void ConditionObject::wait(std::uint64_t epoch, std::chrono::steady_clock::time_point deadline) {
  constexpr auto kLook = std::chrono::milliseconds(50);
  for (;;) {
    const bool is_over = condition_.isOver();
    if (condition_.epoch() >= epoch) return settleAndArm();
    if (is_over) failOver(epoch, condition_.epoch());
    const auto left = deadline - std::chrono::steady_clock::now();
    if (left <= left.zero()) {
      PyErr_SetString(PyExc_TimeoutError, "the condition has not ended in time");
      throw nb::python_error();
    }
    {
      const WithoutGil released;
      cuda::StreamBatch::submitAll();  // it may start what is waited for
      (void)condition_.wait(epoch, std::min<std::chrono::nanoseconds>(left, kLook));
    }
    settleAndArm();
    lookForLogLines();
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
}

ConditionObject& conditionOf(nb::handle given) {
  return *pointerOf<ConditionObject*>(
      given,
      "condition must be a ucxx.cuda.Condition, which ucxx.cuda.host(), stream(), graph() or "
      "kernel() makes, or None");
}

Consumer consumerOf(nb::handle given, nb::handle worker) {
  if (!given.is_valid() || !nb::isinstance<ConditionObject>(given)) return {};
  const ConditionObject& condition = *nb::inst_ptr<ConditionObject>(given);
  if (condition.kind() == ConditionObject::Kind::Stream) condition.requireOpen(worker);
  return condition.consumer();
}

}  // namespace ucxx::python
