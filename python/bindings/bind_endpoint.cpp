// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <ucxx/address.h>
#include <ucxx/exception.h>

#include "am_handlers.h"
#include "bind.h"
#include "callback.h"
#include "condition.h"
#include "features.h"
#include "seconds.h"
#include "transfer.h"
#include "without_gil.h"
#include "word.h"

namespace ucxx::python {
namespace {

nb::object endpointOf(std::shared_ptr<Endpoint> endpoint, nb::handle worker) {
  return nb::cast(EndpointObject(std::move(endpoint), nb::borrow(worker)));
}

/// Nothing: the worker's.
Worker::ConnectTimeout connectTimeoutOf(nb::handle value) {
  if (value.is_none()) return std::nullopt;
  return millisecondsOf("connect_timeout", value);
}

nb::object create(nb::handle worker, nb::handle ip_address, nb::handle port, bool error_handling,
                  nb::handle connect_timeout) {
  const auto limit = connectTimeoutOf(connect_timeout);
  const auto number = nb::cast<std::uint16_t>(
      nb::module_::import_("ucxx._shared.listening").attr("port_number")(port));
  WorkerState& state = *pointerOf<WorkerState*>(worker, "worker must be a UCXWorker");
  if (PyUnicode_Check(ip_address.ptr()) == 0) refuseType(ip_address, "ip_address must be a string");
  const auto host = nb::cast<std::string>(ip_address);
  std::shared_ptr<Endpoint> endpoint;
  {
    const WithoutGil released;  // it may ask a name server
    endpoint = state.worker->createEndpointFromHostname(host, number, error_handling, limit);
  }
  return endpointOf(std::move(endpoint), worker);
}

nb::object createFromAddress(nb::handle worker, nb::handle address, bool error_handling,
                             nb::handle connect_timeout) {
  const auto limit = connectTimeoutOf(connect_timeout);
  WorkerState& state = *pointerOf<WorkerState*>(worker, "worker must be a UCXWorker");
  const auto where = pointerOf<std::shared_ptr<Address>>(
      address, "address must be a UCXAddress (of bytes: UCXAddress.create_from_buffer)");
  return endpointOf(state.worker->createEndpointFromWorkerAddress(where, error_handling, limit),
                    worker);
}

nb::object createFromRequest(nb::handle listener, nb::handle conn_request, bool error_handling) {
  return listener.attr("create_endpoint_from_conn_request")(conn_request, error_handling);
}

nb::object receiveProbed(const EndpointObject& self, nb::handle buffer, nb::handle probe) {
  return self.worker.attr("tag_recv_with_handle")(buffer, probe);
}

nb::object streamSend(EndpointObject& self, nb::handle buffer, nb::handle condition) {
  require(*self.state, kStream);
  return transfer(self, buffer, Access::Read, condition, [&](const View& view) {
    return post(
        condition, self.worker,
        [&] { return self.endpoint->streamSend(view.data(), view.size(), false); },
        [&] { return self.endpoint->streamSendBuilder(view.data(), view.size()); });
  });
}

nb::object streamRecv(EndpointObject& self, nb::handle buffer, bool some, nb::handle condition) {
  require(*self.state, kStream);
  return transfer(self, buffer, Access::Receive, condition, [&](const View& view) {
    return post(
        condition, self.worker,
        [&] {
          return some ? self.endpoint->streamRecvSome(view.data(), view.size())
                      : self.endpoint->streamRecv(view.data(), view.size(), false);
        },
        [&] { return self.endpoint->streamRecvBuilder(view.data(), view.size()).some(some); });
  });
}

AmSendParams amSendParams(const View& view, nb::handle id, nb::handle header) {
  AmSendParams params;
  if (view.isOnDevice()) params.memoryType = UCS_MEMORY_TYPE_CUDA;
  if (!id.is_none())
    params.receiverCallbackInfo =
        AmReceiverCallbackInfo(kAmOwner, wordOf(id, "the id of a handler"));
  params.setUserHeader(PyBytes_AS_STRING(header.ptr()),
                       static_cast<std::size_t>(PyBytes_GET_SIZE(header.ptr())));
  return params;
}

nb::object amSend(EndpointObject& self, nb::handle buffer, nb::handle id, nb::handle header,
                  nb::handle condition) {
  require(*self.state, kAm);
  if (PyBytes_Check(header.ptr()) == 0) refuseType(header, "header must be bytes");
  return transfer(self, buffer, Access::Read, condition, [&](const View& view) {
    const AmSendParams params = amSendParams(view, id, header);
    return post(
        condition, self.worker,
        [&] { return self.endpoint->amSend(view.data(), view.size(), params); },
        [&] { return self.endpoint->amSendBuilder(view.data(), view.size(), params); });
  });
}

nb::object amRecv(EndpointObject& self, nb::handle condition) {
  require(*self.state, kAm);
  ++self.receives;
  return transfer(self,
                  post(
                      condition, self.worker, [&] { return self.endpoint->amRecv(); },
                      [&] { return self.endpoint->amRecvBuilder(); }),
                  receivedMessage());
}

nb::object flush(EndpointObject& self, nb::handle condition) {
  return transfer(self, post(
                            condition, self.worker, [&] { return self.endpoint->flush(); },
                            [&] { return self.endpoint->flushBuilder(); }));
}

void setCloseCallback(EndpointObject& self, nb::object function, nb::handle arguments,
                      nb::handle keywords) {
  if (function.is_none()) return self.endpoint->setCloseCallback(nullptr, nullptr);
  if (PyCallable_Check(function.ptr()) == 0)
    refuseType(function, "a close callback must be callable, or None");
  if (!keywords.is_none()) {
    const nb::object names = nb::module_::import_("builtins").attr("dict")(keywords);
    function =
        nb::module_::import_("functools").attr("partial")(function, **nb::borrow<nb::dict>(names));
  }
  const nb::tuple given = arguments.is_none() ? nb::tuple() : nb::tuple(arguments);
  auto kept = std::make_shared<Kept>(nb::make_tuple(function, given), self.state->completions);
  self.close_callback = kept;
  WorkerState* const state = self.state;
  self.endpoint->setCloseCallback(
      [state, kept, completions = state->completions](ucs_status_t, const std::shared_ptr<void>&) {
        pushCall(*completions, [state, kept] {
          const auto both = nb::borrow<nb::tuple>(kept->get());
          if (!both.is_valid()) return;
          call(*state, both[0], *nb::tuple(both[1]));
        });
      },
      kept);
}

int traverse(PyObject* object, visitproc visit, void* arg) {
  if (!nb::inst_ready(object)) return 0;
  const EndpointObject& self = *nb::inst_ptr<EndpointObject>(object);
  Py_VISIT(self.worker.ptr());
  if (const auto kept = self.close_callback.lock()) Py_VISIT(kept->get().ptr());
  return 0;
}

/// Before the collector breaks a cycle, of which a close callback could see the pieces: it is not
/// called. Destroying an object of a subclass comes here, too, with the only reference.
void finalize(PyObject* object) {
  if (!nb::inst_ready(object) || Py_REFCNT(object) == 1) return;
  if (const auto kept = nb::inst_ptr<EndpointObject>(object)->close_callback.lock()) kept->forget();
}

PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                       {Py_tp_finalize, reinterpret_cast<void*>(finalize)},
                       {0, nullptr}};

/// Moves the worker first, as probes of tags do: a program that only probes sees what came.
bool amProbe(const EndpointObject& self) {
  require(*self.state, kAm);
  self.state->progress();
  const WithoutGil released;
  return self.state->worker->amProbe(self.endpoint->getHandle());
}

/// By its owner.
bool wasClosed(const EndpointObject& self) {
  const bool has_closed = self.closing != nullptr && self.closing->isCompleted();
  return self.is_shut || has_closed || self.endpoint->getHandle() == nullptr;
}

nb::object close(EndpointObject& self, nb::handle timeout) {
  auto request = timeout.is_none() ? self.endpoint->close()
                                   : self.endpoint->close(millisecondsOf("timeout", timeout));
  if (request != nullptr) self.closing = request;
  if (self.closing == nullptr) self.is_shut = true;
  return transfer(self, std::move(request));
}

void receiveAhead(const EndpointObject& self, nb::handle nbytes) {
  const std::uint64_t bytes = wordOf(nbytes, "nbytes");
  {
    const WithoutGil released;
    self.endpoint->receiveAhead(bytes);
  }
  self.state->settle();
}

/// A peer that is there answers at once; one that is stopped must not stop an event loop, nor
/// Ctrl-C.
constexpr std::uint64_t kAnswerNs = 50'000'000;

void closeBlocking(EndpointObject& self, nb::handle period_ns, nb::handle attempts) {
  const std::uint64_t period = wordOf(period_ns, "period"),
                      max_attempts = wordOf(attempts, "max_attempts");
  self.is_shut = true;
  {
    const WithoutGil released;
    self.endpoint->closeBlocking(period == 0 ? kAnswerNs : period, period == 0 ? 1 : max_attempts);
  }
  self.state->settle();
}

std::vector<std::string> transportsOf(const EndpointObject& self) {
  std::vector<std::string> names;
  for (const TransportInfo& info : self.endpoint->getTransports())
    if (std::find(names.begin(), names.end(), info.transport) == names.end())
      names.push_back(info.transport);
  return names;
}

void bindClass(nb::class_<EndpointObject>& type) {
  type.def_static(
          "create", &create, "worker"_a.none(), "ip_address"_a.none(), "port"_a.none(),
          "endpoint_error_handling"_a = true, nb::arg("connect_timeout").none() = nb::none(),
          nb::sig("def create(worker: ucxx.core.UCXWorker, ip_address: str, port: int, "
                  "endpoint_error_handling: bool = True, "
                  "connect_timeout: float | None = None) -> UCXEndpoint"),
          "Meet the listener at an address, by name or number.\n\n"
          "Returns at once; failure ends its requests. Raises UCXError for a name that "
          "cannot be resolved,\nValueError for what is no port. `connect_timeout`: seconds; "
          "None: the worker's.")
      .def_static(
          "create_from_worker_address", &createFromAddress, "worker"_a.none(), "address"_a.none(),
          "endpoint_error_handling"_a = true, nb::arg("connect_timeout").none() = nb::none(),
          nb::sig(
              "def create_from_worker_address(worker: ucxx.core.UCXWorker, address: UCXAddress, "
              "endpoint_error_handling: bool = True, "
              "connect_timeout: float | None = None) -> UCXEndpoint"),
          "Meet a worker by its address.\n\n"
          "Returns at once; failure ends its requests. Raises UCXInvalidAddrError for other bytes. "
          "`connect_timeout`: as of `create`.")
      .def_static("create_endpoint_from_worker_address", &createFromAddress, "worker"_a.none(),
                  "address"_a.none(), "endpoint_error_handling"_a = true,
                  nb::arg("connect_timeout").none() = nb::none(),
                  nb::sig("def create_endpoint_from_worker_address(worker: ucxx.core.UCXWorker, "
                          "address: UCXAddress, endpoint_error_handling: bool = True, "
                          "connect_timeout: float | None = None) -> UCXEndpoint"),
                  "The same as create_from_worker_address.")
      .def_static(
          "create_from_conn_request", &createFromRequest, "listener"_a, "conn_request"_a,
          "endpoint_error_handling"_a = true,
          nb::sig(
              "def create_from_conn_request(listener: ucxx.core.UCXListener, conn_request: int, "
              "endpoint_error_handling: bool = True) -> UCXEndpoint"),
          "Accept a caller; the same as the listener's create_endpoint_from_conn_request.")
      .def_prop_ro(
          "worker", [](const EndpointObject& self) { return self.worker; },
          nb::sig("def worker(self) -> ucxx.core.UCXWorker"), "The worker that moves it.")
      .def_prop_ro(
          "worker_handle", [](const EndpointObject& self) { return self.worker.attr("handle"); },
          nb::sig("def worker_handle(self) -> int"), "The ucp_worker_h of its worker, as an int.")
      .def_prop_ro(
          "ucxx_worker_ptr",
          [](const EndpointObject& self) { return self.worker.attr("ucxx_ptr"); },
          nb::sig("def ucxx_worker_ptr(self) -> int"), "Address of the C++ worker.")
      .def_prop_ro(
          "alive", [](const EndpointObject& self) { return self.endpoint->isAlive(); },
          "False once it is closed, or the peer has gone and somebody has progressed.")
      .def_prop_ro(
          "has_connected", [](const EndpointObject& self) { return self.endpoint->hasConnected(); },
          "True once the peer has accepted it, also after its end.")
      .def_prop_ro(
          "closed", [](const EndpointObject& self) { return !self.endpoint->isAlive(); },
          "True once it is not `alive`, whoever has ended it.")
      .def_prop_ro("_was_closed", &wasClosed)
      .def_prop_ro(
          "handle",
          [](const EndpointObject& self) {
            return reinterpret_cast<std::uintptr_t>(self.endpoint->getHandle());
          },
          "The key of the endpoint in UCX's type, as an int; 0 once it is closed.")
      .def_prop_ro(
          "ucxx_ptr",
          [](const EndpointObject& self) {
            return reinterpret_cast<std::uintptr_t>(self.endpoint.get());
          },
          "The address of the C++ object, as an int.")
      .def_prop_ro(
          "local_address",
          [](const EndpointObject& self) { return self.endpoint->getLocalAddress(); },
          "Address and port as text; empty until connected.")
      .def_prop_ro(
          "peer_address",
          [](const EndpointObject& self) { return self.endpoint->getPeerAddress(); },
          "Address and port as text; empty until connected.")
      .def_prop_ro("transports", &transportsOf,
                   "Names of the transports (self, local, or UCX's); empty until connected.")
      .def(
          "explain",
          [](const EndpointObject& self, nb::handle nbytes) {
            const std::uint64_t size = wordOf(nbytes, "nbytes");
            const WithoutGil released;
            return self.endpoint->explain(size).toString();
          },
          "nbytes"_a.none(), nb::sig("def explain(self, nbytes: int) -> str"),
          "Say how a message of so many bytes would go to the peer now, and why.")
      .def("tag_recv_with_handle", &receiveProbed, "array"_a, "probe_result"_a,
           nb::sig("def tag_recv_with_handle(self, array: ucxx.types.BufferLike, probe_result: "
                   "TagProbe) "
                   "-> UCXRequest[int]"),
           "Receive a message that a probe with remove=True has found.")
      .def("stream_send", &streamSend, "array"_a.none(), nb::kw_only(),
           nb::arg("condition").none() = nb::none(),
           nb::sig("def stream_send(self, array: ucxx.types.BufferLike, *, "
                   "condition: Condition | None = None) -> UCXRequest[None]"),
           "Send bytes of the stream, which has no message boundaries.\n\n"
           "The buffer must not change before the request has ended. Raises RuntimeError for no "
           "bytes.")
      .def("stream_recv", &streamRecv, "array"_a.none(), "some"_a = false, nb::kw_only(),
           nb::arg("condition").none() = nb::none(),
           nb::sig("def stream_recv(self, array: ucxx.types.BufferLike, some: bool = False, *, "
                   "condition: Condition | None = None) -> UCXRequest[int]"),
           "Receive as many bytes of the stream as the buffer has; the result is how many.\n\n"
           "With some=True it ends when any bytes are there, with as many as are. Raises "
           "RuntimeError "
           "for\nno room.")
      .def("am_send", &amSend, "array"_a.none(), "id"_a = nb::none(),
           nb::arg("header").none() = nb::bytes("", 0), nb::kw_only(),
           nb::arg("condition").none() = nb::none(),
           nb::sig("def am_send(self, array: ucxx.types.BufferLike, id: int | None = None, "
                   "header: bytes = b'', *, condition: Condition | None = None) "
                   "-> UCXRequest[None]"),
           "Send an active message: for the peer's am_recv, or its handler of that id.")
      .def("am_recv", &amRecv, nb::kw_only(), nb::arg("condition").none() = nb::none(),
           nb::sig("def am_recv(self, *, condition: Condition | None = None) "
                   "-> UCXRequest[numpy.typing.NDArray[numpy.uint8]]"),
           "Receive the next active message of this endpoint; the result is an array of uint8.\n\n"
           "It is in memory of the library's, or what an allocator made; a memoryview, where NumPy "
           "is "
           "not\ninstalled; a DeviceBuffer, if it was sent from memory of a device.")
      .def("am_probe", &amProbe,
           "Move the worker, and tell whether an active message of this endpoint waits.\n\n"
           "Also after the peer has closed.")
      .def("flush", &flush, nb::kw_only(), nb::arg("condition").none() = nb::none(),
           nb::sig("def flush(self, *, condition: Condition | None = None) -> UCXRequest[None]"),
           "Return a request that ends when what was sent is with the peer, and what was put is "
           "in\nits memory.")
      .def(
          "set_close_callback", &setCloseCallback, "cb_func"_a.none(),
          "cb_args"_a.none() = nb::none(), "cb_kwargs"_a.none() = nb::none(),
          nb::sig("def set_close_callback(self, cb_func: typing.Callable[..., object] | None, "
                  "cb_args: tuple[object, ...] | None = None, "
                  "cb_kwargs: dict[str, object] | None = None) -> None"),
          "Call ``cb_func(*cb_args, **cb_kwargs)`` once, at the end of the endpoint; None takes it "
          "back.\n\n"
          "It runs where the worker is moved, or in the thread of callbacks. Raises RuntimeError "
          "after\nthe end.")
      .def(
          "remove_close_callback",
          [](const EndpointObject& self) { self.endpoint->setCloseCallback(nullptr, nullptr); },
          "The same as set_close_callback(None).")
      .def(
          "receive_ahead", &receiveAhead, "nbytes"_a.none(),
          nb::sig("def receive_ahead(self, nbytes: int) -> None"),
          "Take messages that the peer sends by send_multi or send_obj into memory as they "
          "come.\n\n"
          "From now on, before anybody receives them: a send to here does not wait for this "
          "program.\nSo many bytes are held at a time, and one message of any size while none is; "
          "what is\nbeyond waits for its receive, or for room. Receives take them as ever. What is "
          "held\nwhen this end closes is dropped. 0: no more is taken.")
      .def(
          "raise_on_error", [](const EndpointObject& self) { self.endpoint->raiseOnError(); },
          "Raise what the endpoint has failed with, if it has: UCXConnectionResetError and others.")
      .def("_close", &close, nb::arg("timeout").none() = nb::none(),
           nb::sig("def _close(self, timeout: float | None = None) -> UCXRequest[None] | None"))
      .def(
          "close", [](nb::handle self, nb::handle timeout) { return self.attr("_close")(timeout); },
          nb::kw_only(), nb::arg("timeout").none() = nb::none(),
          nb::sig("def close(self, *, timeout: float | None = None) -> typing.Any"),
          "Begin to close; return a request that ends when it is closed, None the second time.\n\n"
          "It fails with the number of messages that were not taken within `timeout` seconds "
          "(None: "
          "the\nworker's), and of their bytes.")
      .def("close_blocking", &closeBlocking, nb::arg("period").none() = 0,
           nb::arg("max_attempts").none() = 1,
           nb::sig("def close_blocking(self, period: int = 0, max_attempts: int = 1) -> None"),
           "Cancel what is pending and close; may be repeated.\n\n"
           "A peer that does not answer is waited for 50 ms at most, or `period` nanoseconds times "
           "`max_attempts`.\n"
           "Pending requests end with UCXCanceledError.");
}

}  // namespace

EndpointObject::~EndpointObject() {
  const nb::error_scope kept;
  endpoint.reset();
  state->settle();
}

void AsyncEndpoint::readTags() {
  try {
    tags = endpoint->getPairTags();
    has_tags = true;
  } catch (const UnsupportedError&) {  // made from an address
  }
}

void bindEndpoint(nb::module_& module) {
  nb::class_<EndpointObject> type(
      module, "UCXEndpoint", nb::is_weak_referenceable(), nb::type_slots(slots),
      "One end of a pair; the other end is the peer's endpoint.\n\n"
      "Dropping it closes it. A transfer with `condition=` starts when that is "
      "triggered; see\n`ucxx.cuda`.");
  bindClass(type);
  // nanobind does not inherit slots.
  nb::class_<AsyncEndpoint, EndpointObject> async_type(module, "_AsyncEndpoint",
                                                       nb::type_slots(slots));
  async_type.def(nb::init<const EndpointObject&>(), "endpoint"_a)
      .def(
          "am_send",
          [](AsyncEndpoint& self, nb::handle buffer, nb::handle id, nb::handle header,
             nb::handle condition) { return amSend(self, buffer, id, header, condition); },
          "buffer"_a.none(), "id"_a = nb::none(), nb::arg("header").none() = nb::bytes("", 0),
          nb::kw_only(), nb::arg("condition").none() = nb::none(),
          nb::sig("def am_send(self, buffer: ucxx.types.BufferLike, id: int | None = None, "
                  "header: bytes = b'', *, condition: Condition | None = None) "
                  "-> UCXRequest[None]"),
          "Send an active message: for the peer's am_recv, or its handler of that id.")
      .def_prop_ro("_receives", [](const AsyncEndpoint& self) { return self.receives; })
      .def(
          "_receive_tag",
          [](const AsyncEndpoint& self, nb::handle tag, nb::handle force) {
            std::uint64_t result = 0;
            if (!receiveTag(self, tag.ptr(), force.ptr(), result)) throw nb::python_error();
            return result;
          },
          nb::arg("tag").none(), nb::arg("force_tag"),
          nb::sig("def _receive_tag(self, tag: typing.Hashable, force_tag: bool) -> int"));
  addTransfers(type, async_type, module.attr("_Worker"));
}

}  // namespace ucxx::python
