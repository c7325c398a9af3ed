// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <ucxx/address.h>
#include <ucxx/worker.h>

#include "allocator.h"
#include "am_handlers.h"
#include "arguments.h"
#include "bind.h"
#include "callback.h"
#include "condition.h"
#include "copies_without_gil.h"
#include "endpoint_object.h"
#include "features.h"
#include "known_view.h"
#include "log_lines.h"
#include "observe.h"
#include "with_gil.h"
#include "without_gil.h"
#include "word.h"
#include "worker_options.h"

namespace ucxx::python {
namespace {

using AddressPointer = std::shared_ptr<Address>;

int getAddressBuffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  if (!isReady(self)) return -1;
  const std::string_view bytes = nb::inst_ptr<Address>(self)->getStringView();
  return PyBuffer_FillInfo(view, self, const_cast<char*>(bytes.data()),
                           static_cast<Py_ssize_t>(bytes.size()), 1, flags);
}
PyType_Slot address_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(getAddressBuffer)},
                               {0, nullptr}};

AddressPointer addressFrom(nb::handle buffer) {
  View view;
  if (!view.acquire(buffer.ptr(), Access::Read)) throw nb::python_error();
  return createAddressFromString({static_cast<const char*>(view.data()), view.size()});
}

nb::bytes bytesOf(const Address& address) {
  const std::string_view bytes = address.getStringView();
  return nb::bytes(bytes.data(), bytes.size());
}

AddressPointer addressOf(const WorkerState& worker) { return worker.worker->getAddress(); }

/// From protocol 5 on, a buffer that pickle may leave out of its band.
nb::object reduce(nb::handle self, int protocol) {
  const nb::object make =
      nb::module_::import_("ucxx._asyncio.functions").attr("get_ucx_address_from_buffer");
  const nb::object bytes = protocol >= 5 ? nb::steal(PyPickleBuffer_FromObject(self.ptr()))
                                         : nb::steal(PyObject_Bytes(self.ptr()));
  return nb::make_tuple(make, nb::make_tuple(bytes));
}

void bindAddress(nb::module_& module) {
  nb::class_<Address>(module, "UCXAddress", nb::type_slots(address_slots),
                      "The address of a worker: bytes that say where and how it can be met.\n\n"
                      "It has the buffer protocol, pickles, and can be compared and hashed.")
      .def_static("create_from_buffer", &addressFrom, "buffer"_a.none(),
                  nb::sig("def create_from_buffer(buffer: ucxx.types.BufferLike) -> UCXAddress"),
                  nb::sig("def create_from_buffer(buffer: ucxx.types.BufferLike) -> UCXAddress"),
                  "Make an address of the bytes of another one.\n\n"
                  "Bytes that are none are an error of the endpoint that is made from it.")
      .def_static("from_worker", &addressOf, "worker"_a, "Return the address of a worker.")
      .def_static("create_from_worker", &addressOf, "worker"_a, "The same as from_worker.")
      .def("__reduce_ex__", &reduce, "protocol"_a,
           nb::sig("def __reduce_ex__(self, protocol: typing.SupportsIndex) "
                   "-> tuple[typing.Any, ...]"))
      .def_prop_ro("length", &Address::getLength, "Bytes.")
      .def("tobytes", &bytesOf, "Return its bytes.")
      .def("__len__", &Address::getLength)
      .def("__bytes__", &bytesOf)
      .def(
          "__eq__",
          [](const Address& self, nb::handle other) {
            const Address* address = nullptr;
            return nb::try_cast(other, address) && address != nullptr && self == *address;
          },
          "other"_a.none())
      .def("__hash__", [](const Address& self) {
        return static_cast<Py_ssize_t>(std::hash<Address>{}(self) >> 1);
      });
}

nb::object probeOf(const std::shared_ptr<TagProbeInfo>& info) { return nb::cast(info); }

void bindProbe(nb::module_& module) {
  nb::class_<TagProbeInfo>(module, "TagProbe", "What a probe found.")
      .def_prop_ro("matched", &TagProbeInfo::isMatched, "Whether there is a message.")
      .def("__bool__", &TagProbeInfo::isMatched)
      .def_prop_ro(
          "sender_tag",
          [](const TagProbeInfo& self) {
            return static_cast<std::uint64_t>(self.getInfo().senderTag);
          },
          "The tag of the message. Raises RuntimeError without one.")
      .def_prop_ro(
          "length", [](const TagProbeInfo& self) { return self.getInfo().length; },
          "Its bytes. Raises RuntimeError without one.")
      .def_prop_ro(
          "handle",
          [](const TagProbeInfo& self) -> nb::object {
            try {
              return nb::int_(reinterpret_cast<std::uintptr_t>(self.getHandle()));
            } catch (const std::runtime_error&) {
              return nb::none();
            }
          },
          nb::sig("def handle(self) -> int | None"),
          "Names the message that the probe took out; None without remove=True.");
}

WorkerState& stateOf(nb::handle self) {
  if (!isReady(self.ptr())) throw nb::python_error();
  return *nb::inst_ptr<WorkerState>(self);
}

nb::object receiveProbed(nb::handle self, nb::handle buffer,
                         const std::shared_ptr<TagProbeInfo>& info) {
  WorkerState& state = stateOf(self);
  require(state, kTag);
  View view;
  if (!view.acquire(buffer.ptr(), Access::Receive)) throw nb::python_error();
  if (info->isMatched() && info->getInfo().length > view.size())
    throw std::invalid_argument("the message has " + std::to_string(info->getInfo().length) +
                                " bytes, the buffer " + std::to_string(view.size()));
  const KnownView known(view);
  auto request = state.worker->tagRecvWithHandle(view.data(), info);
  state.settle();
  return nb::steal(makeRequest(std::move(request), state, self.ptr(), view, true));
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  if (!nb::inst_ready(self)) return 0;
  return nb::inst_ptr<WorkerState>(self)->traverse(visit, arg);
}
int clear(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<WorkerState>(self)->clear();
  return 0;
}
PyType_Slot worker_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                              {Py_tp_clear, reinterpret_cast<void*>(clear)},
                              {0, nullptr}};

nb::object probe(WorkerState& self, nb::handle tag, nb::handle mask, bool remove) {
  require(self, kTag);
  const Tag wanted{wordOf(tag, "a tag")};
  return probeOf(self.worker->tagProbe(wanted, TagMask{wordOf(mask, "a mask of tags")}, remove));
}

bool waitEvent(WorkerState& self, int timeout_ms) {
  bool moved = false;
  {
    const WithoutGil released;
    moved = self.worker->progressWorkerEvent(timeout_ms);
  }
  self.settle();
  lookForLogLines();
  return moved;
}

/// Has each progress thread that starts call `_on_thread_start` of the worker's object first.
void callAtThreadStart(nb::handle worker) {
  const auto call = [kept = keepWeakly(worker)](void*) {
    if (interpreter_ends) return;
    const WithGil held;
    const nb::object self = workerOf(*kept);
    if (self.is_none()) return;
    try {
      callingPython([&] { self.attr("_on_thread_start")(); });
    } catch (nb::python_error& error) {
      error.discard_as_unraisable(self);
    }
  };
  nb::inst_ptr<WorkerState>(worker)->worker->setProgressThreadStartCallback(call, nullptr);
}

/// Nothing without WAKEUP: there is nothing to sleep on, and waiting is progressing.
void initBlocking(WorkerState& self) {
  if (hasFeature(self, kWakeup)) self.worker->initBlockingProgressMode();
}

}  // namespace

void bindWorker(nb::module_& module) {
  bindAddress(module);
  bindProbe(module);
  bindWorkerOptions(module);
  nb::enum_<Mode>(module, "Mode")
      .value("Manual", Mode::Manual)
      .value("Loop", Mode::Loop)
      .value("Polling", Mode::Polling)
      .value("Thread", Mode::Thread);
  nb::class_<WorkerState>(module, "_Worker", nb::is_weak_referenceable(),
                          nb::type_slots(worker_slots))
      .def(
          "__init__",
          [](WorkerState* self, const std::shared_ptr<Context>& context,
             bool enable_delayed_submission, const nb::dict& given) {
            WorkerOptions options = workerOptionsFrom(given);
            options.delayed_submission = enable_delayed_submission;
            new (self) WorkerState(context->createWorker(options));
          },
          "context"_a, "enable_delayed_submission"_a, "given"_a,
          nb::sig("def __init__(self, context: _Context, enable_delayed_submission: bool, "
                  "given: ucxx.types.WorkerOptions) -> None"))
      .def_prop_ro(
          "address", [](WorkerState& self) { return self.worker->getAddress(); },
          "The address by which other workers meet it.")
      .def_prop_ro(
          "handle",
          [](WorkerState& self) {
            return reinterpret_cast<std::uintptr_t>(self.worker->getHandle());
          },
          "The ucp_worker_h, as an int.")
      .def_prop_ro(
          "ucxx_ptr",
          [](WorkerState& self) { return reinterpret_cast<std::uintptr_t>(self.worker.get()); },
          "The address of the C++ object, as an int.")
      .def_prop_ro(
          "info", [](WorkerState& self) { return self.worker->getInfo(); },
          "What UCX says of its worker.")
      .def_prop_ro("mode", &WorkerState::mode, "Who moves it.")
      .def_prop_ro(
          "feature_flags", [](WorkerState& self) { return self.features; },
          "The features of its context, as UCX's bits.")
      .def_prop_ro(
          "epoll_fd", [](WorkerState& self) { return self.worker->getEpollFileDescriptor(); },
          "A descriptor that is readable when there is something to progress, once `arm` "
          "has returned True.\n\nFor an event loop of another kind than asyncio's. The "
          "worker owns it.")
      .def("progress", &WorkerState::progress,
           "Move what can be moved now; return whether anything did.\n\n"
           "Not while another thread does it. It may run callbacks.")
      .def(
          "progress_once",
          [](WorkerState& self) {
            bool has_moved = false;
            {
              const CopiesWithoutGil copies;
              has_moved = self.worker->progressOnce();
            }
            self.settle();
            return has_moved;
          },
          "Do one round of `progress`.")
      .def("_cancel_inflight",
           [](WorkerState& self) {
             std::size_t count = 0;
             {
               const WithoutGil released;
               count = self.worker->cancelInflightRequests();
             }
             self.settle();
             return count;
           })
      .def(
          "arm",
          [](WorkerState& self) { return self.completions->isEmpty() && self.worker->arm(); },
          "Make `epoll_fd` readable at the next event.\n\n"
          "Return False when something has to be progressed before.")
      .def("init_blocking_progress_mode", &initBlocking,
           "Let `progress_worker_event` sleep.\n\n"
           "Does nothing for a context without Feature.WAKEUP, whose workers never sleep.")
      .def("_wait_event", &waitEvent)
      .def("start_progress_thread", &WorkerState::startThread, "polling_mode"_a = false)
      .def("stop_progress_thread", &WorkerState::stopThread)
      .def("_call_at_thread_start", &callAtThreadStart,
           nb::sig("def _call_at_thread_start(self) -> None"))
      .def_prop_ro(
          "is_delayed_submission_enabled",
          [](WorkerState& self) { return self.worker->isDelayedRequestSubmissionEnabled(); },
          "Whether its thread posts all transfers.")
      .def("_tag_probe", &probe, "tag"_a.none(), "tag_mask"_a.none(), "remove"_a,
           nb::sig("def _tag_probe(self, tag: int, tag_mask: int, remove: bool) -> TagProbe"))
      .def(
          "_handle_am",
          [](nb::handle self, nb::handle id) {
            require(*nb::inst_ptr<WorkerState>(self), kAm);
            handleAm(self, wordOf(id, "the id of a handler"));
          },
          nb::sig("def _handle_am(self, id: int) -> None"))
      .def("_use_allocator", &useAllocator,
           nb::sig("def _use_allocator(self, of_device: bool) -> None"))
      .def(
          "_receive_probed",
          [](nb::handle self, nb::handle buffer, const std::shared_ptr<TagProbeInfo>& info) {
            return receiveProbed(self, buffer, info);
          },
          nb::sig("def _receive_probed(self, array: ucxx.types.BufferLike, probe: TagProbe) "
                  "-> UCXRequest[int]"))
      .def(
          "describe",
          [](WorkerState& self) {
            const WithoutGil released;
            return self.worker->describe();
          },
          "Return a text: peers, channels, endpoints, and what is pending since when.")
      .def(
          "dump",
          [](WorkerState& self) {
            const WithoutGil released;
            return self.worker->dump();
          },
          "Return the same, and the last operations that have ended.")
      .def("report", &reportOf, nb::sig("def report(self) -> dict[str, Any]"),
           "Return what `dump` says, for programs: the fields of C++'s WorkerReport, times in "
           "seconds.")
      .def("stats", &statsOf, nb::sig("def stats(self) -> dict[str, int]"),
           "Return its counters since it was made, by name; sizes are in bytes.")
      .def(
          "_flush",
          [](nb::handle self, nb::handle condition) {
            WorkerState& state = stateOf(self);
            auto request = post(
                condition, self, [&] { return state.worker->flush(); },
                [&] { return state.worker->flushBuilder(); });
            state.settle();
            View none;
            return nb::steal(makeRequest(std::move(request), state, self.ptr(), none, false));
          },
          nb::arg("condition").none(),
          nb::sig("def _flush(self, condition: Condition | None) -> UCXRequest[None]"))
      .def(
          "_bind",
          [](nb::handle self, nb::handle loop, Mode mode, bool spins) {
            stateOf(self).bind(self, loop, mode, spins);
          },
          nb::sig("def _bind(self, loop: asyncio.AbstractEventLoop, mode: Mode, spins: bool) "
                  "-> None"))
      .def("_unbind", &WorkerState::unbind)
      .def("_end_waiters", &WorkerState::endWaiters)
      .def_prop_ro("_is_bound", &WorkerState::isBound)
      .def("_on_readable", &WorkerState::onReadable)
      .def("_arm", &WorkerState::arm)
      .def("_poll", &WorkerState::poll)
      .def("_drain", [](WorkerState& self) { return self.completions->drain(); })
      .def_prop_ro("_completions_fd",
                   [](WorkerState& self) { return self.completions->descriptor(); })
      .def("_ring", [](WorkerState& self, bool whether) { self.completions->rings(whether); });
  module.def("_end_all", &WorkerState::endAll);
}

}  // namespace ucxx::python
