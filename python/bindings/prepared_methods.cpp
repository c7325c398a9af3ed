// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// What Python calls of a prepared transfer in each iteration.

#include <array>

#include "arguments.h"
#include "errors.h"
#include "prepared.h"
#include "seconds.h"
#include "word.h"

namespace ucxx::python {
namespace {

PlanObject& planOf(PyObject* self) noexcept { return *nb::inst_ptr<PlanObject>(self); }

/// Whether an argument `stream=` is there.
bool isGiven(PyObject* stream) noexcept { return stream != nullptr && stream != Py_None; }

constexpr Signature<2> kStart{"start()", {"stream", "until"}, 0, 0};
PyObject* startPlan(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  std::array<PyObject*, 2> values{};
  if (!kStart.read(self, arguments, count, names, values)) return nullptr;
  return guarded([&] {
    const StartUntil until = untilOf(values[1]);
    if (isGiven(values[0])) return planOf(self).startOn(values[0], until).release().ptr();
    planOf(self).start();
    return Py_NewRef(Py_None);
  });
}

PyObject* waitOnPlan(PyObject* self, PyObject* stream) {
  if (!isReady(self)) return nullptr;
  return guarded([&] {
    planOf(self).waitOn(stream);
    return Py_NewRef(Py_None);
  });
}

/// The partitions that `ready` is given: all, one, or a range. False: a Python error is set.
bool readPartitions(const PlanObject& self, PyObject* const* arguments, Py_ssize_t count,
                    std::uint64_t& first, std::uint64_t& last) {
  first = 0;
  last = self.plan().partitions();
  if (count == 0) return true;
  if (count > 2) {
    PyErr_Format(PyExc_TypeError,
                 "ready() takes no partition, one, or the first and the one after the last, got "
                 "%zd arguments",
                 count);
    return false;
  }
  if (!readWord(arguments[0], "a partition", first)) return false;
  last = first + 1;
  return count == 1 || readWord(arguments[1], "a partition", last);
}

constexpr Signature<1> kReady{"ready()", {"stream"}, 0};
PyObject* readyPlan(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  std::uint64_t first = 0, last = 0;
  std::array<PyObject*, 1> values{};
  if (!isReady(self) || !readPartitions(planOf(self), arguments, count, first, last) ||
      !kReady.read(arguments + count, 0, names, values))
    return nullptr;
  return guarded([&] {
    if (isGiven(values[0])) return planOf(self).readyOn(values[0], first, last).release().ptr();
    planOf(self).ready(first, last);
    return Py_NewRef(Py_None);
  });
}

PyObject* planArrived(PyObject* self, PyObject* partition) {
  std::uint64_t number = 0;
  if (!isReady(self) || !readWord(partition, "a partition", number)) return nullptr;
  return guarded([&] { return PyBool_FromLong(planOf(self).arrived(number)); });
}

constexpr Signature<1> kWait{"wait()", {"timeout"}, 0};
PyObject* waitForPlan(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                      PyObject* names) {
  std::array<PyObject*, 1> values{};
  auto deadline = std::chrono::steady_clock::time_point::max();
  if (!kWait.read(self, arguments, count, names, values) || !readDeadline(values[0], deadline))
    return nullptr;
  return guarded([&] {
    planOf(self).wait(deadline);
    return Py_NewRef(Py_None);
  });
}

PyMethodDef start_method = {
    "start", asMethod(startPlan), METH_FASTCALL | METH_KEYWORDS,
    "start($self, /, *, stream=None, until='ended')\n--\n\n"
    "Begin the next iteration, without waiting for the peer.\n\n"
    "At the receiver's end the buffer may be written from now on. At the sender's, partitions\n"
    "may be made ready; the only one of a plan is ready at once. On a plan that has failed, the\n"
    "iteration fails at once. Raises UCXInvalidParamError while an iteration is in progress.\n\n"
    "With a stream of CUDA it begins when the stream gets there and the one before has ended;\n"
    "in a capture, in each launch. The caller goes on at once, with a request that ends with\n"
    "the iteration, or, with until=\"begun\", as soon as that has begun. Several may be posted;\n"
    "until their requests have ended, `start()` raises UCXInvalidParamError. Cancelling a request\n"
    "takes back a start that has not begun, and what was posted after it to be ready. In a "
    "capture\n"
    "what comes after the start waits for its request: kernels that come there and make "
    "partitions\n"
    "ready need until=\"begun\". Without a stream `until` changes nothing. The worker needs a "
    "progress\n"
    "thread. Raises as `wait_on` does; ValueError: `until` is another word."};

PyMethodDef wait_on_method = {
    "wait_on", waitOnPlan, METH_O,
    "wait_on($self, stream, /)\n--\n\n"
    "Let a stream of CUDA wait until the iteration has ended that was started or posted last.\n\n"
    "What is put into the stream afterwards comes after the end; the caller goes on at once. Of a\n"
    "start whose condition repeats, or that was captured, it is the iteration that is in progress\n"
    "when the stream gets there. Raises as that of a request: UCXRequest.wait_on."};

PyMethodDef ready_method = {
    "ready", asMethod(readyPlan), METH_FASTCALL | METH_KEYWORDS,
    "Say that the bytes of a partition are there, and may leave.\n\n"
    "`ready(i)`: of that one; `ready(first, last)`: of all from `first` up to, but without,\n"
    "`last`, which leave together; `ready()`: of all. Exactly once for each in an iteration, in "
    "any\n"
    "order and thread. After a failure it does nothing.\n\n"
    "Raises UCXInvalidParamError: there is no such partition, it was made ready before, or no\n"
    "iteration is in progress. ValueError: it is no int of 0 to 2**64 - 1.\n\n"
    "`ready(..., stream=s)`: when that stream of CUDA gets there, and all starts that it came to\n"
    "before have begun; returns a request that ends when it is done. What is wrong only then (a\n"
    "partition that was made ready before, no iteration in progress) ends the plan with\n"
    "UCXInvalidParamError. Raises as `wait_on` does."};

PyMethodDef arrived_method = {
    "arrived", planArrived, METH_O,
    "arrived($self, partition, /)\n--\n\n"
    "Tell whether the bytes of a partition of this iteration are in the buffer.\n\n"
    "It does not move the worker. Raises UCXInvalidParamError: there is no such partition."};

PyMethodDef wait_method = {
    "wait", asMethod(waitForPlan), METH_FASTCALL | METH_KEYWORDS,
    "wait($self, timeout=None)\n--\n\n"
    "Wait for the end of the iteration without an event loop, for `timeout` seconds at most.\n\n"
    "The sender's: the buffer may be filled again. The receiver's: all partitions have arrived.\n"
    "Raises TimeoutError when the time is up, the iteration going on, and what it ended with.\n"
    "Other Python threads run meanwhile, Ctrl-C interrupts it.\n\n"
    "It tells of iterations that have begun. One whose start was posted to a stream may not have:\n"
    "wait for the request that `start(stream=...)` has returned."};

void add(nb::handle type, const char* name, PyMethodDef& method) {
  PyObject* const descriptor =
      PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &method);
  if (descriptor == nullptr) throw nb::python_error();
  type.attr(name) = nb::steal(descriptor);
}

}  // namespace

void addPlanMethods(nb::handle plan_class, nb::handle send_class, nb::handle recv_class,
                    nb::handle async_class) {
  add(plan_class, "start", start_method);
  add(plan_class, "wait_on", wait_on_method);
  add(send_class, "ready", ready_method);
  add(recv_class, "arrived", arrived_method);
  for (const nb::handle type : {send_class, recv_class}) add(type, "wait", wait_method);
  add(async_class, "_ready", ready_method);
  add(async_class, "_arrived", arrived_method);
}

}  // namespace ucxx::python
