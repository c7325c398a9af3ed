// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// The life of a request's object; what Python calls is in request_methods.cpp.

#include "request.h"

#include <new>
#include <utility>

#include <structmember.h>

#include "errors.h"
#include "request_methods.h"
#include "trace.h"

namespace ucxx::python {
namespace {

PyTypeObject* request_type = nullptr;
PyObject* canceled_error = nullptr;  // asyncio.CancelledError
PyObject* get_running_loop = nullptr;

void askToEnd(Request& request) noexcept {
  try {
    request.cancel();
  } catch (...) {  // no memory to ask with, or a forked child
  }
}

/// A future of asyncio's that has ended: a task takes its result without a call of Python.
PyObject* makeWoken(const nb::module_& asyncio) {
  // A future asks its loop for no more than that.
  nb::dict members;
  members["get_debug"] = nb::cpp_function([](nb::handle) { return false; }, nb::is_method());
  const nb::object type = nb::borrow(reinterpret_cast<PyObject*>(&PyType_Type));
  const nb::object loop = type("_NoLoop", nb::make_tuple(), members)();
  nb::object future = asyncio.attr("Future")("loop"_a = loop);
  future.attr("set_result")(nb::none());
  return future.release().ptr();
}

/// What is left of a request that was dropped before its end: the pins.
struct Pins final : Waiter {
  explicit Pins(RequestObject& from)
      : request(std::move(from.request)),
        extra(std::move(from.extra)),
        completions(from.state->completions),
        state(*from.state) {
    view.take(from.view);
    state.waiters.pushBack(*this);
  }
  void onEnd() override { completions->push(*this); }
  void run() override {
    state.waiters.remove(*this);  // the worker drains these while it is there, and nobody later
    delete this;
  }
  void cancel() noexcept override { askToEnd(*request); }
  void letGo() noexcept override { request.reset(); }

  std::shared_ptr<Request> request;
  std::unique_ptr<Extra> extra;
  View view;
  const std::shared_ptr<Completions> completions;
  WorkerState& state;
};

void drop(RequestObject& self) noexcept {
  if (self.done || self.request->isCompleted()) return;
  const nb::error_scope kept;
  try {
    auto* const pins = new Pins(self);
    pins->request->forget();
    if (!pins->request->attach(*pins)) pins->run();
  } catch (...) {
    // A forked child, or no memory: the pins stay for ever.
    new (&self.view) View;
    (void)self.extra.release();
  }
}

void destroy(PyObject* object) {
  RequestObject& self = *RequestObject::of(object);
  PyObject_GC_UnTrack(object);
  if (self.weakrefs != nullptr) PyObject_ClearWeakRefs(object);
  drop(self);
  PyObject* const worker = self.worker;
  Py_XDECREF(self.value);
  Py_XDECREF(self.wakeup);
  Py_XDECREF(self.wakeup_context);
  Py_XDECREF(self.callbacks);
  Py_XDECREF(self.cancel_message);
  self.~RequestObject();
  PyTypeObject* const type = Py_TYPE(object);
  PyObject_GC_Del(object);
  Py_DECREF(worker);
  Py_DECREF(type);
}

int traverse(PyObject* object, visitproc visit, void* arg) {
  const RequestObject& self = *RequestObject::of(object);
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self.worker);
  Py_VISIT(self.value);
  Py_VISIT(self.wakeup);
  Py_VISIT(self.wakeup_context);
  Py_VISIT(self.callbacks);
  Py_VISIT(self.cancel_message);
  return 0;
}

int clear(PyObject* object) {
  RequestObject& self = *RequestObject::of(object);
  Py_CLEAR(self.wakeup);
  Py_CLEAR(self.wakeup_context);
  Py_CLEAR(self.callbacks);
  return 0;
}

constexpr char kDoc[] =
    "One transfer: awaitable, as often as wanted, a coroutine to asyncio, which makes a task of\n"
    "it where it takes one, and with the methods of a future.\n\n"
    "Its buffer is pinned, and belongs to it, until the transfer has ended: with success, an "
    "error\n"
    "or cancel alike. Dropping it neither cancels nor ends it.";

}  // namespace

PyObject* woken = nullptr;

PyObject* RequestObject::resultOfSuccess() {
  if (extra != nullptr) return extra->result(*request);
  if (receives) return PyLong_FromSize_t(request->getReceivedLength());
  return Py_NewRef(Py_None);
}

void RequestObject::finish() noexcept {
  // There was no memory to give it back when it ended; now there may be some.
  PyObject* made = cancelled && !disown() ? takeError() : nullptr;
  const bool is_success = made == nullptr && request->getStatus() == UCS_OK;
  if (is_success) made = guarded([&] { return resultOfSuccess(); });
  const bool has_failed = !is_success || made == nullptr;
  if (is_success && has_failed) made = takeError();
  if (done) {  // by another thread: making the result may have let it run
    Py_XDECREF(made);
    return;
  }
  Trace::ended(*this);
  value = made;
  failed = has_failed;
  done = true;
  if (failed || !receives) view.release();
  if (failed) extra.reset();  // it may pin buffers, too
}

PyObject* RequestObject::raiseFailure() {
  if (value != nullptr) return raise(value);
  return guarded([&]() -> PyObject* {
    request->checkError();
    return nullptr;
  });
}

bool RequestObject::disown() {
  if (taken) return true;
  try {
    if (!request->giveBack()) {
      if (!request->isCompleted()) request->cancel();
      return true;
    }
    cancelled = true;
  } catch (const std::bad_alloc&) {
    if (!request->isCompleted()) return true;  // it goes on
    PyErr_Format(
        PyExc_MemoryError,
        "a message of %zu bytes that a cancelled receive had received is lost: there is no "
        "memory to give it back",
        request->getReceivedLength());
    wasTaken();
    return false;
  } catch (...) {  // a forked child: nothing of it ends here
    return true;
  }
  if (done) {
    failed = true;
    Py_CLEAR(value);
    extra.reset();
    view.release();
  }
  return true;
}

void RequestObject::Watch::cancel() noexcept { askToEnd(*owner.request); }

bool RequestObject::startWatch() {
  if (watched) return true;
  Py_INCREF(object());
  watched = true;
  state->waiters.pushBack(watch);
  // What nobody awaits is part of no cycle.
  if (PyObject_GC_IsTracked(object()) == 0) PyObject_GC_Track(object());
  if (request->attach(watch)) return true;
  stopWatch();
  finish();
  return false;
}

void RequestObject::Watch::takeCallbacks(nb::list& to) {
  for (PyObject** one : {&owner.wakeup, &owner.wakeup_context, &owner.callbacks})
    if (*one != nullptr) to.append(nb::steal(std::exchange(*one, nullptr)));
}

void RequestObject::wakeTask() {
  const nb::object function = nb::steal(std::exchange(wakeup, nullptr));
  const nb::object context = nb::steal(std::exchange(wakeup_context, nullptr));
  const bool is_woken = state->isBound() && state->wake(function.ptr(), context.ptr());
  if (!is_woken) PyErr_Clear();  // the loop is closed: nobody waits
}

void RequestObject::callBack() {
  if (wakeup != nullptr) wakeTask();
  PyObject* const all = std::exchange(callbacks, nullptr);
  if (all == nullptr) return;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(all); ++i) {
    PyObject* const pair = PyList_GET_ITEM(all, i);
    PyObject* const argument =
        PyTuple_GET_ITEM(pair, 2) == Py_None ? object() : PyTuple_GET_ITEM(pair, 2);
    const bool is_called =
        state->isBound() &&
        state->loop().callSoon(PyTuple_GET_ITEM(pair, 0), argument, PyTuple_GET_ITEM(pair, 1));
    if (!is_called) PyErr_Clear();  // the loop is closed: nobody waits
  }
  Py_DECREF(all);
}

bool RequestObject::bindToRunningLoop() {
  if (state->isInTask()) return true;
  PyObject* const loop = PyObject_CallNoArgs(get_running_loop);
  if (loop == nullptr) return false;
  const PyObject* const bound = guarded([&] {
    const Mode mode = state->mode() == Mode::Thread ? Mode::Thread : Mode::Loop;
    state->bind(worker, loop, mode, true);
    return Py_None;
  });
  Py_DECREF(loop);
  return bound != nullptr;
}

PyObject* RequestObject::outcome() {
  if (!cancelled || (failed && value != nullptr)) {
    if (failed) return raiseFailure();
    wasTaken();
    return Py_NewRef(value);
  }
  PyErr_SetObject(canceled_error, cancel_message);
  return nullptr;
}

void RequestObject::stopWatch() noexcept {
  watched = false;
  state->waiters.remove(watch);
  Py_DECREF(object());
}

void RequestObject::Watch::run() {
  RequestObject& self = owner;
  if (!self.done) self.finish();
  self.callBack();
  self.stopWatch();
}

PyObject* makeRequest(std::shared_ptr<Request> request, WorkerState& state, PyObject* worker,
                      View& view, bool receives, std::unique_ptr<Extra> extra) {
  auto* const self = PyObject_GC_New(RequestObject, request_type);
  if (self == nullptr) {
    // The transfer goes on with the buffer, which nobody may free any more.
    new (&view) View;
    (void)extra.release();
    return nullptr;
  }
  new (&self->request) std::shared_ptr<Request>(std::move(request));
  self->state = &state;
  self->worker = Py_NewRef(worker);
  new (&self->view) View;
  self->view.take(view);
  new (&self->extra) std::unique_ptr<Extra>(std::move(extra));
  new (&self->watch) RequestObject::Watch(*self);
  self->value = self->wakeup = self->wakeup_context = self->callbacks = self->cancel_message =
      self->weakrefs = nullptr;
  self->receives = receives;
  self->failed = self->done = self->watched = self->cancelled = false;
  self->taken = self->blocking = self->is_awaited = self->suspends = false;
  Trace::began(*self);
  (void)self->isDone();
  return self->object();
}

void bindRequest(nb::module_& module) {
  PyMemberDef members[] = {{"__weaklistoffset__", T_PYSSIZET, sizeof(PyObject), READONLY, nullptr},
                           {nullptr, 0, 0, 0, nullptr}};
  PyType_Slot slots[] = {{Py_tp_doc, const_cast<char*>(kDoc)},
                         {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                         {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                         {Py_tp_clear, reinterpret_cast<void*>(clear)},
                         {Py_tp_repr, reinterpret_cast<void*>(representRequest)},
                         {Py_tp_iter, reinterpret_cast<void*>(awaitRequest)},
                         {Py_tp_iternext, reinterpret_cast<void*>(nextOfRequest)},
                         {Py_am_await, reinterpret_cast<void*>(awaitRequest)},
                         {Py_am_send, reinterpret_cast<void*>(sendToRequest)},
                         {Py_tp_methods, request_methods},
                         {Py_tp_getset, request_fields},
                         {Py_tp_members, members},
                         {0, nullptr}};
  PyType_Spec spec = {"ucxx._core.UCXRequest", sizeof(RequestObject), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                      slots};
  request_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (request_type == nullptr) throw nb::python_error();
  const nb::handle type(reinterpret_cast<PyObject*>(request_type));
  module.attr("UCXRequest") = type;
  // For stubgen, as nanobind's own types have it.
  type.attr("__nb_signature__") =
      "@typing.final\n"
      "class UCXRequest(collections.abc.Coroutine[typing.Any, typing.Any, _T_co])";
  const nb::module_ asyncio = nb::module_::import_("asyncio");
  canceled_error = nb::object(asyncio.attr("CancelledError")).release().ptr();
  get_running_loop = nb::object(asyncio.attr("get_running_loop")).release().ptr();
  woken = makeWoken(asyncio);
  bindRequestMethods(asyncio);
}

}  // namespace ucxx::python
