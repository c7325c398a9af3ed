// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <new>
#include <string>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "device.h"
#include "prepared.h"
#include "without_gil.h"
#include "word.h"

namespace ucxx::python {
namespace {

int traverse(PyObject* object, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(object));
  if (!nb::inst_ready(object)) return 0;
  return nb::inst_ptr<PlanObject>(object)->traverse(visit, arg);
}

/// Each class needs them: nanobind does not inherit them.
PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {0, nullptr}};

PlanTerms termsOf(nb::handle endpoint, nb::handle buffer, nb::handle tag, nb::handle partitions) {
  return {endpoint, buffer, wordOf(tag, "a tag"), wordOf(partitions, "partitions")};
}

nb::object prepareSend(nb::handle endpoint, nb::handle buffer, nb::handle tag,
                       nb::handle partitions, nb::handle contributors) {
  PlanTerms terms = termsOf(endpoint, buffer, tag, partitions);
  terms.contributors = wordOf(contributors, "contributors");
  return nb::cast(new SendPlanObject(terms), nb::rv_policy::take_ownership);
}

nb::object prepareRecv(nb::handle endpoint, nb::handle buffer, nb::handle tag,
                       nb::handle partitions) {
  return nb::cast(new RecvPlanObject(termsOf(endpoint, buffer, tag, partitions)),
                  nb::rv_policy::take_ownership);
}

void prepareAsync(AsyncPlanObject* self, nb::handle endpoint, bool sends, nb::handle buffer,
                  nb::handle tag, nb::handle force_tag, nb::handle partitions,
                  nb::handle contributors) {
  const auto& own = *pointerOf<AsyncEndpoint*>(endpoint, "endpoint must be a ucxx.Endpoint");
  std::uint64_t number = 0;
  if (!(sends ? sendTag : receiveTag)(own, tag.ptr(), force_tag.ptr(), number))
    throw nb::python_error();
  new (self) AsyncPlanObject(sends ? PlanObject::End::Send : PlanObject::End::Recv,
                             {endpoint, buffer, number, wordOf(partitions, "partitions"),
                              wordOf(contributors, "contributors")});
}

nb::object startAll(const std::vector<PlanObject*>& plans, nb::handle condition, nb::handle stream,
                    nb::handle until) {
  return PlanObject::startAll(plans, condition, stream, untilOf(until));
}

/// Also of one whose `__init__` has failed: a traceback may show it.
std::string represent(nb::handle self) {
  const std::string name = (nb::isinstance<AsyncPlanObject>(self) ? "ucxx." : "ucxx.core.") +
                           nb::cast<std::string>(self.type().attr("__name__"));
  if (!nb::inst_ready(self)) return "<" + name + ", not prepared>";
  return "<" + name + ": " + nb::inst_ptr<PlanObject>(self)->plan().describe() + ">";
}

constexpr char kDoc[] =
    "One end of a transfer that is prepared once, and then done again and again.\n\n"
    "`start` at both ends begins an iteration, between the same two buffers each time. The ends\n"
    "find each other by endpoint and tag, the first prepared with the first prepared; messages of\n"
    "that tag have nothing to do with it. The bytes must be equally many at both ends, and one of\n"
    "the two numbers of partitions must divide the other; else both ends fail with\n"
    "UCXInvalidParamError.\n\n"
    "Its buffer is pinned until its close has ended. Dropping it closes it. It keeps its "
    "endpoint.\n"
    "Call `start` and `close` in one thread at a time; all else in any, at once.";

void bindCommon(nb::class_<PlanObject>& type) {
  type.def_prop_ro(
          "completed", [](const PlanObject& self) { return self.plan().isCompleted(); },
          "Whether no iteration that has begun is in progress.\n\n"
          "A start that was posted to a stream may still be to come: its request tells of it.\n"
          "If `status` is 0 then, the sender may change its buffer, and the receiver has all\n"
          "partitions. After a failure the buffer is free when `close` has ended, and no sooner.")
      .def_prop_ro(
          "status",
          [](const PlanObject& self) { return static_cast<int>(self.plan().getStatus()); },
          "The UCX status of the last iteration, 0 for success and before the first one, 1 in\n"
          "progress, negative for errors.")
      .def(
          "check_error", [](const PlanObject& self) { self.plan().checkError(); },
          "Raise what the last iteration has failed with, if it has.\n\n"
          "UCXCanceledError: it was closed at this end; UCXConnectionResetError: at the other.")
      .def_prop_ro(
          "nbytes", [](const PlanObject& self) { return self.plan().bytes(); },
          "How many bytes the buffer has.")
      .def_prop_ro(
          "partitions", [](const PlanObject& self) { return self.plan().partitions(); },
          "Into how many partitions this end divides it.")
      .def_prop_ro(
          "iterations", [](const PlanObject& self) { return self.plan().iterations(); },
          "How many iterations were started here.")
      .def("request", &PlanObject::request, nb::sig("def request(self) -> UCXRequest[None]"),
           "Return a request that ends with this iteration, which has begun.\n\n"
           "Of an iteration whose start was posted to a stream tells what that start returned.\n"
           "Cancelling it ends the request, not the iteration. It stays until the iteration ends,\n"
           "also if it is dropped.")
      .def("_is_of_worker_of",
           [](const PlanObject& self, const PlanObject& other) { return self.isBeside(other); })
      .def(
          "explain",
          [](const PlanObject& self) {
            const WithoutGil released;
            return self.plan().explain().toString();
          },
          "Say how the bytes of a partition go to the other end now, and why.")
      .def("_close", &PlanObject::close, nb::sig("def _close(self) -> UCXRequest[None]"))
      .def_prop_ro(
          "handle",
          [](PlanObject& self) {
            return DeviceHandle{nb::find(self), self.deviceHandle()};
          },
          "What kernels make partitions ready by, ask which have arrived, and wait for.\n\n"
          "Made at the first call, in memory of the current device. Kernels do not start the "
          "plan:\n"
          "`start` does, with or without a stream. The handle keeps the plan.\n\n"
          "A send's is made before the first start. From then on kernels make its partitions "
          "ready:\n"
          "`ready` is refused, and a single partition leaves no more at the start.\n\n"
          "Raises UCXInvalidParamError: an iteration of the send has begun, the buffer is managed\n"
          "memory, no context of CUDA is current in this thread, or the worker has no progress\n"
          "thread; UCXUnsupportedError: no driver of CUDA can be used, or the device has no "
          "memory\n"
          "operations of 64 bits.")
      .def("__repr__", &represent);
}

template <class Object>
nb::handle bindEnd(nb::module_& module, const char* name, const char* doc) {
  nb::class_<Object, PlanObject> type(module, name, nb::type_slots(slots), doc);
  type.def("close", &PlanObject::close, nb::sig("def close(self) -> UCXRequest[None]"),
           "Begin to close; return a request that ends when nobody touches the buffer any more.\n\n"
           "That is when the peer has answered, or has ended. An iteration in progress ends here\n"
           "with UCXCanceledError, and at the other end with UCXConnectionResetError. It may be\n"
           "called again, for the same request.");
  return type;
}

/// The methods of the endpoint that make them.
void bindPrepare(nb::handle endpoint) {
  nb::cpp_function_def(
      &prepareSend, nb::scope(endpoint), nb::name("prepare_send"), nb::is_method(),
      "array"_a.none(), "tag"_a.none(), nb::kw_only(), "partitions"_a.none() = 1,
      "contributors"_a.none() = 1,
      nb::sig("def prepare_send(self, array: ucxx.types.BufferLike, tag: int, *, "
              "partitions: int = 1, contributors: int = 1) -> PreparedSend"),
      "Prepare to send a contiguous buffer again and again, in partitions of equal size.\n\n"
      "Kernels make a partition ready by as many calls as there are contributors.\n\n"
      "It does not wait for the peer, which calls prepare_recv. Raises UCXInvalidParamError for\n"
      "partitions that are 0, more than 65536, or do not divide the bytes; UCXUnsupportedError "
      "for\n"
      "memory of a device; UCXCloseError on a closed endpoint.");
  nb::cpp_function_def(
      &prepareRecv, nb::scope(endpoint), nb::name("prepare_recv"), nb::is_method(),
      "array"_a.none(), "tag"_a.none(), nb::kw_only(), "partitions"_a.none() = 1,
      nb::sig("def prepare_recv(self, array: ucxx.types.BufferLike, tag: int, *, "
              "partitions: int = 1) -> PreparedRecv"),
      "Prepare to receive into a writable, contiguous buffer again and again.\n\n"
      "The peer, which calls prepare_send, sends as many bytes. Into memory of the library (of a\n"
      "MemoryHandle that was made with a size) a peer of the same machine writes up to 256 KiB\n"
      "at a time itself. Raises as prepare_send does.");
}

}  // namespace

void bindPrepared(nb::module_& module) {
  nb::class_<PlanObject> type(module, "_Prepared", nb::is_weak_referenceable(),
                              nb::type_slots(slots), kDoc);
  bindCommon(type);
  const nb::handle send = bindEnd<SendPlanObject>(
      module, "PreparedSend",
      "The sender's end of a transfer that is prepared once; made by UCXEndpoint.prepare_send.");
  const nb::handle receive = bindEnd<RecvPlanObject>(
      module, "PreparedRecv",
      "The receiver's end of a transfer that is prepared once; made by UCXEndpoint.prepare_recv.");
  nb::class_<AsyncPlanObject, PlanObject> async_type(module, "_AsyncPrepared",
                                                     nb::type_slots(slots));
  async_type.def("__init__", &prepareAsync, "endpoint"_a.none(), "sends"_a, "buffer"_a.none(),
                 "tag"_a.none(), "force_tag"_a.none(), "partitions"_a.none(),
                 "contributors"_a.none(),
                 nb::sig("def __init__(self, endpoint: _AsyncEndpoint, sends: bool, "
                         "buffer: ucxx.types.BufferLike, tag: typing.Hashable, force_tag: bool, "
                         "partitions: int, contributors: int) -> None"));
  addPlanMethods(type, send, receive, async_type);
  bindPrepare(module.attr("UCXEndpoint"));
  module.def("_start_all", &startAll, "plans"_a, "condition"_a.none(), "stream"_a.none(),
             "until"_a.none(),
             nb::sig("def _start_all(plans: list[_Prepared], condition: Condition | None, "
                     "stream: ucxx.types.StreamLike | None, until: str) -> UCXRequest[None]"));
  module.def("_wait_all_on", &PlanObject::waitAllOn, "plans"_a, "stream"_a,
             nb::sig("def _wait_all_on(plans: list[_Prepared], stream: ucxx.types.StreamLike) "
                     "-> None"));
}

}  // namespace ucxx::python
