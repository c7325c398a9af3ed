// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <string>

#include <nanobind/stl/string.h>

#include <ucxx/exception.h>

#include "bind.h"
#include "condition.h"
#include "seconds.h"
#include "word.h"

namespace ucxx::python {
namespace {

nb::object host(nb::handle repeat, nb::handle start_timeout, nb::handle transfer_timeout) {
  ConditionOptions options;
  options.repeat = flagOf("repeat", repeat);
  options.start_timeout = limitOf("start_timeout", start_timeout);
  options.transfer_timeout = limitOf("transfer_timeout", transfer_timeout);
  return nb::cast(new ConditionObject(Condition::host(options)), nb::rv_policy::take_ownership);
}

nb::object errorOf(const ConditionObject& self) {
  const ucs_status_t status = self.condition().lastStatus();
  if (status == UCS_OK || status == UCS_INPROGRESS) return nb::none();
  const std::string text =
      std::string("a transfer that waited for the condition: ") + ucs_status_string(status);
  return nb::steal(makeError(status, text.c_str()));
}

void wait(ConditionObject& self, nb::handle epoch, nb::handle timeout) {
  const std::uint64_t wanted = wordOf(epoch, "an epoch");
  auto deadline = std::chrono::steady_clock::time_point::max();
  if (!readDeadline(timeout.ptr(), deadline)) throw nb::python_error();
  self.wait(wanted, deadline);
}

nb::object handleOf(const ConditionObject& self) {
  const auto address = reinterpret_cast<std::uintptr_t>(self.condition().deviceHandle());
  if (address == 0)
    throw nb::type_error("handle is of a condition of kernels, which ucxx.cuda.kernel() makes");
  return nb::cast(DeviceHandle{nb::find(self), address});
}

std::uintptr_t nodeOf(const ConditionObject& self) {
  if (self.kind() != ConditionObject::Kind::Graph)
    throw nb::type_error("node is of a condition of a graph, which ucxx.cuda.graph() makes");
  if (CUgraphNode_st* const node = self.condition().node())
    return reinterpret_cast<std::uintptr_t>(node);
  throw InvalidParamError(
      "node: a condition of a graph has one from its first post until the graph, and what was "
      "instantiated from it, have gone");
}

const char* whatTriggers(const ConditionObject& self) {
  switch (self.kind()) {
    case ConditionObject::Kind::Stream:
      return "a stream";
    case ConditionObject::Kind::Graph:
      return "a graph";
    case ConditionObject::Kind::Kernel:
      return "kernels";
    case ConditionObject::Kind::Host:
      break;
  }
  return "the host";
}

std::string represent(const ConditionObject& self) {
  return std::string("<ucxx.cuda.Condition of ") + whatTriggers(self) + ", ended " +
         std::to_string(self.condition().epoch()) + " times" +
         (self.condition().isOver() ? ", over>" : ">");
}

constexpr char kDoc[] =
    "What transfers wait for: posted with `condition=` now, they start when it is triggered.\n\n"
    "Made by `ucxx.cuda.host`, `stream`, `graph` and `kernel`, which say what triggers it. Until\n"
    "it is triggered they are armed: their arguments were checked and their buffers are pinned, "
    "and\n"
    "nothing else has happened. No flush and no close waits for them, and they have no place in "
    "the\n"
    "order of messages. Cancelling them, closing their endpoint, or its failure ends them at "
    "once.\n"
    "All start together, in the order of their posts; with one of a stream each starts at its own\n"
    "place. A receive, too, is posted when it starts.\n\n"
    "It belongs to the worker of its first transfer. All its methods may be called in any thread.\n"
    "Dropping it closes it, unless it is of a stream or a graph. A context manager: the end of "
    "the\n"
    "`with` closes it, also one of a stream, and so cancels what the stream has not reached.";

}  // namespace

void bindCondition(nb::module_& module) {
  nb::class_<ConditionObject>(module, "Condition", nb::is_weak_referenceable(), kDoc)
      .def("trigger", &ConditionObject::trigger,
           "Start its transfers: in this call, or in the thread that moves their worker.\n\n"
           "What was written into their buffers before is what is sent. A repeating condition "
           "counts\n"
           "triggers: what is triggered while a repetition is under way starts after it. Raises\n"
           "UCXInvalidParamError: it is closed, was triggered before and does not repeat, or "
           "nothing\n"
           "was posted with it yet, or a device triggers it.")
      .def("close", &ConditionObject::close,
           "End what is armed: no trigger comes any more. It may be called again.\n\n"
           "The transfers of a repeating condition end well, after a repetition that is under "
           "way;\n"
           "those of another one end with UCXCanceledError. Of a stream: those that it has not\n"
           "reached. Of a graph: it does nothing.")
      .def_prop_ro(
          "epoch", [](const ConditionObject& self) { return self.condition().epoch(); },
          "How often all of its transfers have ended, with success or without.\n\n"
          "Of the host and of kernels: 1 at the end of one that does not repeat, else the\n"
          "repetitions. Of a stream: the posts that have ended. Of a graph: the launches that "
          "have.\n"
          "What is posted in a capture it does not tell: 0. It may lag behind the requests: ask\n"
          "after `wait(n)`.")
      .def_prop_ro("error", &errorOf, nb::sig("def error(self) -> Exception | None"),
                   "The first error of the last end; None: there was none, or it has not ended "
                   "yet.\n\n"
                   "Of the host and of kernels: of the last repetition. Of a stream: of the post "
                   "that ended\n"
                   "last, so an earlier error is told by its request alone. Of a graph: of the "
                   "last\n"
                   "launch. What is posted in a capture it does not tell: None. Ask after "
                   "`wait(n)`, as\n"
                   "for `epoch`.")
      .def(
          "wait", &wait, nb::arg("epoch").none() = 1, nb::arg("timeout").none() = nb::none(),
          nb::sig("def wait(self, epoch: int = 1, timeout: float | None = None) -> None"),
          "Wait until it has ended `epoch` times, without an event loop, for `timeout` seconds at\n"
          "most.\n\n"
          "It moves the worker while no thread of C++ does. Other Python threads run meanwhile,\n"
          "Ctrl-C interrupts it. What the transfers ended with: `error`. Raises TimeoutError when "
          "the\n"
          "time is up, UCXCanceledError when it is closed before.")
      .def(
          "__enter__", [](nb::handle self) { return nb::borrow(self); },
          nb::sig("def __enter__(self) -> typing.Self"), "Return it.")
      .def(
          "__exit__", [](ConditionObject& self, const nb::args&) { self.close(); },
          nb::sig("def __exit__(self, *exception: object) -> None"), "Close it.")
      .def_prop_ro("handle", &handleOf, nb::sig("def handle(self) -> DeviceHandle"),
                   "What kernels trigger it by, and wait for its transfers.\n\n"
                   "Raises TypeError: it is not of kernels.")
      .def_prop_ro("node", &nodeOf, nb::sig("def node(self) -> int"),
                   "The node of its graph (a cudaGraphNode_t), which the graph owns.\n\n"
                   "Raises TypeError: it is not of a graph; UCXInvalidParamError: nothing "
                   "was posted\nyet, or the graph and what was instantiated from it have gone.")
      .def("__repr__", &represent);
  module.def("_host_condition", &host, "repeat"_a.none(), "start_timeout"_a.none(),
             "transfer_timeout"_a.none(),
             nb::sig("def _host_condition(repeat: bool, start_timeout: float | None, "
                     "transfer_timeout: float | None) -> Condition"));
}

}  // namespace ucxx::python
