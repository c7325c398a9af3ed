// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <nanobind/stl/string.h>

#include <ucxx/listener.h>

#include "bind.h"
#include "callback.h"
#include "endpoint_object.h"
#include "word.h"

namespace ucxx::python {
namespace {

/// Listens, and calls `callback(request)` for each caller, with the GIL.
struct ListenerObject {
  ListenerObject(nb::object worker_, nb::object callback_)
      : worker(std::move(worker_)),
        callback(std::move(callback_)),
        state(pointerOf<WorkerState*>(worker, "worker must be a UCXWorker")) {}
  ~ListenerObject() {
    const nb::error_scope kept;
    *self = nullptr;  // callers that wait for Python are turned away
    stop();
    listener.reset();
    state->settle();
  }

  /// Endpoints that it has accepted keep it in C++, but not this object, which it calls.
  void stop() noexcept {
    if (listener == nullptr) return;
    try {
      listener->stop();
    } catch (const std::exception&) {  // a forked child, or it may still call
      (void)target.release();
    }
  }

  static void onCaller(ucp_conn_request_h request, void* argument) {
    const Target& target = *static_cast<Target*>(argument);
    pushCall(*target.completions, [self = target.self, request] {
      if (*self == nullptr) return;
      call(*(*self)->state, (*self)->callback, reinterpret_cast<std::uintptr_t>(request));
    });
  }

  /// What the core calls.
  struct Target {
    std::shared_ptr<ListenerObject*> self;
    std::shared_ptr<Completions> completions;
  };

  nb::object worker, callback;
  WorkerState* state;
  std::shared_ptr<ListenerObject*> self = std::make_shared<ListenerObject*>(this);
  std::unique_ptr<Target> target{new Target{self, state->completions}};
  std::shared_ptr<Listener> listener;
};

int traverse(PyObject* object, visitproc visit, void* arg) {
  if (!nb::inst_ready(object)) return 0;
  const ListenerObject& self = *nb::inst_ptr<ListenerObject>(object);
  Py_VISIT(self.worker.ptr());
  Py_VISIT(self.callback.ptr());
  return 0;
}
int clear(PyObject* object) {
  if (nb::inst_ready(object)) nb::inst_ptr<ListenerObject>(object)->callback = nb::none();
  return 0;
}
PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void*>(clear)},
                       {0, nullptr}};

ucp_conn_request_h handleOf(nb::handle request) {
  return reinterpret_cast<ucp_conn_request_h>(
      static_cast<std::uintptr_t>(wordOf(request, "a connection request")));
}

}  // namespace

void bindListener(nb::module_& module) {
  nb::class_<ListenerObject>(module, "_Listener", nb::is_weak_referenceable(),
                             nb::type_slots(slots))
      .def(
          "__init__",
          [](ListenerObject* self, nb::object worker, std::uint16_t port, nb::object callback,
             const std::string& ip) {
            new (self) ListenerObject(std::move(worker), std::move(callback));
            try {
              self->listener = self->state->worker->createListener(port, &ListenerObject::onCaller,
                                                                   self->target.get(), ip);
            } catch (...) {
              self->~ListenerObject();
              throw;
            }
          },
          "worker"_a.none(), "port"_a, "callback"_a, "ip"_a = "",
          nb::sig("def __init__(self, worker: _Worker, port: int, "
                  "callback: typing.Callable[[int], object], ip: str = '') -> None"))
      .def_prop_ro("port", [](const ListenerObject& self) { return self.listener->getPort(); })
      .def_prop_ro("ip", [](const ListenerObject& self) { return self.listener->getIp(); })
      .def(
          "accept",
          [](ListenerObject& self, nb::handle request, bool error_handling) {
            auto endpoint =
                self.listener->createEndpointFromConnRequest(handleOf(request), error_handling);
            self.state->settle();
            return nb::cast(EndpointObject(std::move(endpoint), self.worker));
          },
          "conn_request"_a.none(), "endpoint_error_handling"_a = true,
          nb::sig("def accept(self, conn_request: int, endpoint_error_handling: bool = True) "
                  "-> UCXEndpoint"))
      .def(
          "reject",
          [](ListenerObject& self, nb::handle request) {
            self.listener->reject(handleOf(request));
          },
          "conn_request"_a.none(), nb::sig("def reject(self, conn_request: int) -> None"))
      .def(
          "peer_of",
          [](const ListenerObject& self, nb::handle request) {
            const ConnectionRequestInfo info = self.listener->queryConnRequest(handleOf(request));
            return nb::make_tuple(info.ip, info.port, info.worker);
          },
          nb::sig("def peer_of(self, conn_request: int) -> tuple[str, int, str]"));
}

}  // namespace ucxx::python
