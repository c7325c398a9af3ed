// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "prepared.h"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include <ucxx/cuda/stream.h>
#include <ucxx/exception.h>

#include "condition.h"
#include "copies_without_gil.h"
#include "device.h"
#include "errors.h"
#include "features.h"
#include "known_view.h"
#include "log_lines.h"
#include "request.h"
#include "room_waiter.h"
#include "trace.h"
#include "without_gil.h"
#include "word.h"

namespace ucxx::python {
namespace {

using Clock = std::chrono::steady_clock;

/// A call that may copy so much lets other threads run.
constexpr std::size_t kMuch = 64 << 10;
/// For so long a wait looks with the GIL: an answer that comes at once costs no handing over.
constexpr auto kWithGil = std::chrono::microseconds(5);
/// Looks at the plan between two at the worker and the clock.
constexpr int kLooks = 16;
/// How long a wait sleeps before it looks for Ctrl-C.
constexpr auto kLook = std::chrono::milliseconds(50);

/// Where another thread computes, to get the GIL back takes longer than any copy of a partition.
void letOthersRun(CopiesWithoutGil& copies, std::size_t bytes) {
  if (bytes >= kMuch && !CopiesWithoutGil::isContended()) copies.release();
}

EndpointObject& endpointOf(const PlanTerms& terms) {
  return *pointerOf<EndpointObject*>(terms.endpoint, "endpoint must be an endpoint");
}

/// Python knows it where no driver of CUDA is there to be asked.
void requireHost(const View& view, PlanObject::End end) {
  if (!view.isOnDevice()) return;
  const char* const kind = end == PlanObject::End::Send ? "prepared send" : "prepared receive";
  throw UnsupportedError(std::string(kind) +
                         ": the buffer is in the memory of a device; host memory is needed");
}

}  // namespace

PlanObject::PlanObject(End end, const PlanTerms& terms)
    : endpoint_(nb::borrow(terms.endpoint)),
      worker_(endpointOf(terms).worker),
      state_(endpointOf(terms).state) {
  require(*state_, kTag);
  if (!view_.acquire(terms.buffer.ptr(), end == End::Send ? Access::Read : Access::Write))
    throw nb::python_error();
  requireHost(view_, end);
  Endpoint& endpoint = *endpointOf(terms).endpoint;
  const PrepareOptions options{terms.partitions, terms.contributors};
  const KnownView known(view_);
  if (end == End::Send) {
    auto send = endpoint.prepareSend(view_.data(), view_.size(), Tag{terms.tag}, options);
    send_ = send.get();
    plan_ = std::move(send);
  } else {
    auto receive = endpoint.prepareRecv(view_.data(), view_.size(), Tag{terms.tag}, options);
    receive_ = receive.get();
    plan_ = std::move(receive);
  }
  settle();
}

PlanObject::~PlanObject() {
  const nb::error_scope kept;
  try {
    (void)close();
  } catch (...) {  // a forked child, or no memory: the pin stays for ever
    PyErr_Clear();
    new (&view_) View;
  }
}

void PlanObject::settle() const { state_->settle(); }

void PlanObject::start() {
  {
    CopiesWithoutGil copies;
    if (send_ != nullptr && plan_->partitions() == 1) letOthersRun(copies, plan_->bytes());
    plan_->start();
  }
  settle();
}

void PlanObject::requireSender() const {
  if (send_ != nullptr) return;
  PyErr_SetString(PyExc_TypeError, "ready() is of the sender's end of a prepared transfer");
  throw nb::python_error();
}

/// In a capture it is a node that each launch waits for: the end of the interpreter has to know it.
nb::object PlanObject::startOn(nb::handle stream, StartUntil until) {
  CUstream_st* const handle = streamOf(stream);
  requireThread(*state_->worker, "start(stream=...)");
  noteWaits();
  Trace::posting();
  auto request = postToDevice(*state_, [&] { return plan_->startOn(handle, until); });
  noteDeviceWaits(request);
  return objectOf(std::move(request));
}

namespace {

/// As a builder of a transfer, for `ConditionObject::post`.
struct StartsBuilder {
  std::vector<std::shared_ptr<Prepared>> plans;
  StartUntil until;
  Condition given;
  void condition(const Condition& condition) { given = condition; }
  std::shared_ptr<Request> build() const { return ucxx::startAll(given, plans, until); }
};

}  // namespace

nb::object PlanObject::startAll(const std::vector<PlanObject*>& plans, nb::handle condition,
                                nb::handle stream, StartUntil until) {
  if (plans.empty()) throw InvalidParamError("start_all: there are no plans; give at least one");
  const PlanObject& first = *plans.front();
  StartsBuilder builder{{}, until, {}};
  for (PlanObject* const plan : plans) {
    builder.plans.push_back(plan->plan_);
    plan->noteWaits();
  }
  Trace::posting();
  if (!condition.is_none())
    return first.objectOf(conditionOf(condition).post(first.worker_, std::move(builder)));
  CUstream_st* const handle = streamOf(stream);
  requireThread(*first.state_->worker, "start_all(stream=...)");
  auto request = postToDevice(*first.state_, [&] {
    builder.condition(Condition::stream(handle));
    return builder.build();
  });
  noteDeviceWaits(request);
  return first.objectOf(std::move(request));
}

StartUntil untilOf(nb::handle given) {
  if (given.ptr() == nullptr) return StartUntil::Ended;
  if (PyUnicode_Check(given.ptr())) {
    if (PyUnicode_CompareWithASCIIString(given.ptr(), "ended") == 0) return StartUntil::Ended;
    if (PyUnicode_CompareWithASCIIString(given.ptr(), "begun") == 0) return StartUntil::Begun;
  }
  PyErr_Format(PyExc_ValueError, "until must be \"ended\" or \"begun\", got %R", given.ptr());
  throw nb::python_error();
}

void PlanObject::waitOn(nb::handle stream) {
  CUstream_st* const handle = streamOf(stream);
  if (!plan_->isCompleted()) requireThread(*state_->worker, "wait_on");
  noteWaits();
  postToDevice(*state_, [&] { plan_->waitOn(handle); });
  settle();
}

void PlanObject::waitAllOn(const std::vector<PlanObject*>& plans, nb::handle stream) {
  CUstream_st* const handle = streamOf(stream);
  std::vector<std::shared_ptr<Prepared>> all;
  for (PlanObject* const plan : plans) {
    if (!plan->plan_->isCompleted()) requireThread(*plan->state_->worker, "wait_all_on");
    plan->noteWaits();
    all.push_back(plan->plan_);
  }
  const auto wait = [&] { ucxx::waitAllOn(handle, all); };
  plans.empty() ? wait() : postToDevice(*plans.front()->state_, wait);
  for (const PlanObject* const plan : plans) plan->settle();
}

nb::object PlanObject::readyOn(nb::handle stream, std::size_t first, std::size_t last) {
  requireSender();
  CUstream_st* const handle = streamOf(stream);
  requireThread(*state_->worker, "ready(stream=...)");
  noteWaits();
  Trace::posting();
  auto request = postToDevice(*state_, [&] { return send_->readyOn(handle, first, last); });
  noteDeviceWaits(request);
  return objectOf(std::move(request));
}

std::uintptr_t PlanObject::deviceHandle() {
  requireThread(*state_->worker, "handle");
  noteWaits();
  return withoutGil([&] { return reinterpret_cast<std::uintptr_t>(plan_->deviceHandle()); });
}

void PlanObject::noteWaits() {
  if (!std::exchange(is_noted_, true)) noteDeviceWaits(plan_);
}

void PlanObject::ready(std::size_t first, std::size_t last) {
  requireSender();
  {
    CopiesWithoutGil copies;
    const std::size_t each = plan_->bytes() / plan_->partitions();
    if (first < last) letOthersRun(copies, std::min(last - first, plan_->partitions()) * each);
    send_->ready(first, last);
  }
  settle();
}

bool PlanObject::arrived(std::size_t partition) const {
  if (receive_ != nullptr) return receive_->arrived(partition);
  PyErr_SetString(PyExc_TypeError, "arrived() is of the receiver's end of a prepared transfer");
  throw nb::python_error();
}

/// For some microseconds. True: the iteration has ended.
bool PlanObject::look() const {
  const CopiesWithoutGil copies;
  const auto until = Clock::now() + kWithGil;
  do {
    for (int i = 0; i < kLooks; ++i)
      if (plan_->isCompleted()) return true;
    if (state_->isMovedHere()) (void)state_->worker->progress();
  } while (Clock::now() < until);
  return false;
}

void PlanObject::wait(Clock::time_point deadline) {
  bool has_ended = plan_->isCompleted() || look();
  while (!has_ended) {
    const auto left = deadline - Clock::now();
    if (left <= left.zero()) {
      PyErr_SetString(PyExc_TimeoutError, "the iteration has not ended in time");
      throw nb::python_error();
    }
    {
      const WithoutGil released;
      cuda::StreamBatch::submitAll();  // it may start what is waited for
      has_ended = plan_->wait(std::min<std::chrono::nanoseconds>(left, kLook));
    }
    settle();
    lookForLogLines();
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  settle();
  plan_->checkError();
}

nb::object PlanObject::objectOf(std::shared_ptr<Request> request) const {
  settle();
  View none;
  PyObject* const made = makeRequest(std::move(request), *state_, worker_.ptr(), none, false);
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

nb::object PlanObject::request() const {
  Trace::posting();
  return objectOf(plan_->request());
}

/// Its end is watched: the buffer is free then, whether anybody looks or not.
nb::object PlanObject::close() {
  if (closing_.is_valid()) return closing_;
  Trace::posting();
  PyObject* const made = makeRequest(plan_->close(), *state_, worker_.ptr(), view_, false);
  if (made == nullptr) throw nb::python_error();
  nb::object closing_now = nb::steal(made);
  if (closing_.is_valid())
    return closing_;  // another thread was quicker, while the post let it run
  closing_ = std::move(closing_now);
  RequestObject& closing = *RequestObject::of(made);
  if (!closing.isDone()) (void)closing.startWatch();
  settle();
  return closing_;
}

int PlanObject::traverse(visitproc visit, void* arg) const {
  Py_VISIT(endpoint_.ptr());
  Py_VISIT(worker_.ptr());
  Py_VISIT(closing_.ptr());
  return view_.traverse(visit, arg);
}

}  // namespace ucxx::python
