// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "request.h"

#include <chrono>
#include <new>
#include <utility>

#include "errors.h"

namespace ucxx::python {
namespace {

PyTypeObject* request_type = nullptr;
PyObject* canceled_error = nullptr;       // asyncio.CancelledError
PyObject* invalid_state_error = nullptr;  // asyncio.InvalidStateError

RequestObject* of(PyObject* self) noexcept { return reinterpret_cast<RequestObject*>(self); }

/// What is left of a request that was dropped before its end: the pins.
struct Pins final : Orphan, Continuation, Event {
  explicit Pins(RequestObject& from)
      : request(std::move(from.request)),
        extra(std::move(from.extra)),
        completions(from.state->completions),
        state(*from.state) {
    view.take(from.view);
    state.orphans.insert(this);
  }
  void onEnd() override { completions->push(*this); }
  void run() override {
    state.orphans.erase(this);  // the worker drains these while it is there, and nobody later
    delete this;
  }
  void cancel() noexcept override {
    try {
      request->cancel();
    } catch (...) {  // no memory to ask with
    }
  }
  std::shared_ptr<Request> request;
  std::unique_ptr<Extra> extra;
  View view;
  const std::shared_ptr<Completions> completions;
  WorkerState& state;
};

PyObject* resultOf(RequestObject& self) {
  if (self.extra != nullptr) return self.extra->result(*self.request);
  if (self.receives) return PyLong_FromSize_t(self.request->getReceivedLength());
  return Py_NewRef(Py_None);
}

/// Takes what the core says of the end, and gives the buffer back.
void finish(RequestObject& self) noexcept {
  self.done = true;
  const ucs_status_t status = self.request->getStatus();
  self.value = status != UCS_OK ? nullptr : guarded([&] { return resultOf(self); });
  if (self.value == nullptr) {
    self.failed = true;
    if (PyErr_Occurred() != nullptr) {
      PyObject *type = nullptr, *trace = nullptr;
      PyErr_Fetch(&type, &self.value, &trace);
      PyErr_NormalizeException(&type, &self.value, &trace);
      Py_XDECREF(type);
      Py_XDECREF(trace);
    } else {
      try {
        self.request->checkError();
      } catch (...) {
        self.value = currentAsObject();
      }
    }
  }
  self.view.release();
}

bool isDone(RequestObject& self) noexcept {
  if (!self.done && self.request->isCompleted()) finish(self);
  return self.done;
}

/// Has the completions tell of the end. False: it has ended.
bool watch(RequestObject& self) {
  if (self.watched) return true;
  Py_INCREF(reinterpret_cast<PyObject*>(&self));
  self.watched = true;
  if (self.request->attach(self.ending)) return true;
  self.watched = false;
  Py_DECREF(reinterpret_cast<PyObject*>(&self));
  finish(self);
  return false;
}

void callBack(RequestObject& self) {
  PyObject* const callbacks = std::exchange(self.callbacks, nullptr);
  if (callbacks == nullptr) return;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(callbacks); ++i) {
    PyObject* const pair = PyList_GET_ITEM(callbacks, i);
    if (!self.state->isBound() ||
        !self.state->callSoon(PyTuple_GET_ITEM(pair, 0), reinterpret_cast<PyObject*>(&self),
                              PyTuple_GET_ITEM(pair, 1)))
      PyErr_Clear();  // the loop is closed: nobody waits
  }
  Py_DECREF(callbacks);
}

/// The running loop, which is the worker's from now on. Null with a Python error.
bool bindToRunningLoop(RequestObject& self) {
  static PyObject* const running =
      nb::object(nb::module_::import_("asyncio").attr("get_running_loop")).release().ptr();
  PyObject* const loop = PyObject_CallNoArgs(running);
  if (loop == nullptr) return false;
  const PyObject* const bound = guarded([&] {
    const Mode mode = self.state->mode() == Mode::Thread ? Mode::Thread : Mode::Loop;
    self.state->bind(self.worker, loop, mode);
    return Py_None;
  });
  Py_DECREF(loop);
  return bound != nullptr;
}

PyObject* raiseValue(PyObject* exception) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception)), exception);
  return nullptr;
}

/// The result of one that is done: new, or null with its exception set.
PyObject* outcome(RequestObject& self) {
  if (self.cancelled) {
    PyErr_SetNone(canceled_error);
    return nullptr;
  }
  return self.failed ? raiseValue(self.value) : Py_NewRef(self.value);
}

PySendResult send(PyObject* object, PyObject*, PyObject** result) {
  RequestObject& self = *of(object);
  if (isDone(self) || self.state->spin(*self.request, self.view.size())) {
    if (!self.done) finish(self);
    if (!self.state->mayGoOn()) {
      *result = Py_NewRef(Py_None);
      return PYGEN_NEXT;
    }
    *result = outcome(self);
    return *result == nullptr ? PYGEN_ERROR : PYGEN_RETURN;
  }
  if (!bindToRunningLoop(self)) return PYGEN_ERROR;
  const PyObject* const watched = guarded([&] { return watch(self) ? Py_True : Py_False; });
  if (watched == nullptr) return PYGEN_ERROR;
  if (watched == Py_False) {
    *result = outcome(self);
    return *result == nullptr ? PYGEN_ERROR : PYGEN_RETURN;
  }
  self.blocking = true;
  *result = Py_NewRef(object);
  return PYGEN_NEXT;
}

PyObject* awaitIt(PyObject* self) { return Py_NewRef(self); }

PyObject* iterNext(PyObject* self) {
  PyObject* result = nullptr;
  switch (send(self, nullptr, &result)) {
    case PYGEN_NEXT:
      return result;
    case PYGEN_RETURN:
      if (result != Py_None) {
        PyObject* const stop = PyObject_CallOneArg(PyExc_StopIteration, result);
        if (stop != nullptr) PyErr_SetObject(PyExc_StopIteration, stop);
        Py_XDECREF(stop);
      } else {
        PyErr_SetNone(PyExc_StopIteration);
      }
      Py_DECREF(result);
      return nullptr;
    case PYGEN_ERROR:
      return nullptr;
  }
  return nullptr;
}

PyObject* sendMethod(PyObject* self, PyObject*) { return iterNext(self); }

PyObject* throwInto(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  PyObject* const what = count > 1 && arguments[1] != Py_None ? arguments[1] : arguments[0];
  if (PyExceptionInstance_Check(what)) return raiseValue(what);
  PyErr_SetNone(what);
  return nullptr;
}

PyObject* close(PyObject*, PyObject*) { return Py_NewRef(Py_None); }

PyObject* doneMethod(PyObject* self, PyObject*) { return PyBool_FromLong(isDone(*of(self))); }

PyObject* result(PyObject* object, PyObject*) {
  RequestObject& self = *of(object);
  if (isDone(self)) return outcome(self);
  PyErr_SetString(invalid_state_error, "the transfer has not ended");
  return nullptr;
}

PyObject* exception(PyObject* object, PyObject*) {
  RequestObject& self = *of(object);
  if (!isDone(self) || self.cancelled) return result(object, nullptr);
  return Py_NewRef(self.failed ? self.value : Py_None);
}

PyObject* cancelledMethod(PyObject* object, PyObject*) {
  RequestObject& self = *of(object);
  return PyBool_FromLong(isDone(self) && self.cancelled);
}

PyObject* cancel(PyObject* object, PyObject* const*, Py_ssize_t, PyObject*) {
  RequestObject& self = *of(object);
  return guarded([&] {
    if (isDone(self)) return Py_NewRef(Py_False);
    self.cancelled = true;
    self.request->cancel();
    self.state->settle();
    return Py_NewRef(Py_True);
  });
}

PyObject* addDoneCallback(PyObject* object, PyObject* const* arguments, Py_ssize_t count,
                          PyObject* names) {
  RequestObject& self = *of(object);
  if (count != 1) {
    PyErr_SetString(PyExc_TypeError, "add_done_callback(callback, *, context=None)");
    return nullptr;
  }
  PyObject* const context =
      names != nullptr && PyTuple_GET_SIZE(names) == 1 ? arguments[1] : Py_None;
  return guarded([&]() -> PyObject* {
    if (!self.state->isBound() && !bindToRunningLoop(self)) return nullptr;
    if (isDone(self) || !watch(self))
      return self.state->callSoon(arguments[0], object, context) ? Py_NewRef(Py_None) : nullptr;
    if (self.callbacks == nullptr) self.callbacks = PyList_New(0);
    PyObject* const pair =
        self.callbacks == nullptr ? nullptr : PyTuple_Pack(2, arguments[0], context);
    if (pair == nullptr) return nullptr;
    const int failed = PyList_Append(self.callbacks, pair);
    Py_DECREF(pair);
    return failed != 0 ? nullptr : Py_NewRef(Py_None);
  });
}

PyObject* removeDoneCallback(PyObject* object, PyObject* callback) {
  RequestObject& self = *of(object);
  Py_ssize_t removed = 0;
  for (Py_ssize_t i = 0; self.callbacks != nullptr && i < PyList_GET_SIZE(self.callbacks);) {
    PyObject* const one = PyTuple_GET_ITEM(PyList_GET_ITEM(self.callbacks, i), 0);
    const int same = PyObject_RichCompareBool(one, callback, Py_EQ);
    if (same < 0) return nullptr;
    if (same == 0) {
      ++i;
      continue;
    }
    if (PyList_SetSlice(self.callbacks, i, i + 1, nullptr) != 0) return nullptr;
    ++removed;
  }
  return PyLong_FromSsize_t(removed);
}

PyObject* getLoop(PyObject* object, PyObject*) {
  RequestObject& self = *of(object);
  if (!self.state->isBound() && !bindToRunningLoop(self)) return nullptr;
  return Py_NewRef(self.state->loop().ptr());
}

/// Waits, as nobody else moves the worker, or for its thread; looks for Ctrl-C now and then.
bool waitUntil(RequestObject& self, std::chrono::steady_clock::time_point deadline) {
  constexpr auto kLook = std::chrono::milliseconds(50);
  while (!isDone(self)) {
    if (self.state->spin(*self.request, self.view.size())) continue;
    const auto left = deadline - std::chrono::steady_clock::now();
    if (left <= left.zero()) return false;
    Py_BEGIN_ALLOW_THREADS;
    (void)self.request->wait(std::min<std::chrono::nanoseconds>(left, kLook));
    Py_END_ALLOW_THREADS;
    self.state->settle();
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  return true;
}

PyObject* wait(PyObject* object, PyObject* const* arguments, Py_ssize_t count) {
  return guarded([&]() -> PyObject* {
    auto deadline = std::chrono::steady_clock::time_point::max();
    if (count == 1 && arguments[0] != Py_None) {
      const double seconds = PyFloat_AsDouble(arguments[0]);
      if (seconds == -1.0 && PyErr_Occurred() != nullptr) return nullptr;
      if (seconds < 1e9)
        deadline = std::chrono::steady_clock::now() +
                   std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
    }
    RequestObject& self = *of(object);
    if (!waitUntil(self, deadline)) {
      PyErr_SetString(PyExc_TimeoutError, "the transfer has not ended in time");
      return nullptr;
    }
    return self.failed ? raiseValue(self.value) : Py_NewRef(self.value);
  });
}

PyObject* checkError(PyObject* object, PyObject*) {
  RequestObject& self = *of(object);
  if (isDone(self) && self.failed) return raiseValue(self.value);
  Py_RETURN_NONE;
}

PyObject* completed(PyObject* object, void*) {
  RequestObject& self = *of(object);
  self.state->settle();
  return PyBool_FromLong(isDone(self));
}

PyObject* status(PyObject* object, void*) {
  return PyLong_FromLong(of(object)->request->getStatus());
}

PyObject* received(PyObject* object, void*) {
  return PyLong_FromSize_t(of(object)->request->getReceivedLength());
}

PyObject* senderTag(PyObject* object, void*) {
  return PyLong_FromUnsignedLongLong(of(object)->request->getSenderTag());
}

PyObject* recvBuffer(PyObject* object, void*) {
  RequestObject& self = *of(object);
  if (isDone(self) && !self.failed) return Py_NewRef(self.extra == nullptr ? Py_None : self.value);
  Py_RETURN_NONE;
}

PyObject* getBlocking(PyObject* object, void*) { return PyBool_FromLong(of(object)->blocking); }

int setBlocking(PyObject* object, PyObject* value, void*) {
  const int truth = value == nullptr ? -1 : PyObject_IsTrue(value);
  if (truth >= 0) of(object)->blocking = truth != 0;
  return truth < 0 ? -1 : 0;
}

void drop(RequestObject& self) noexcept {
  if (self.done || self.request == nullptr || self.request->isCompleted()) return;
  try {
    auto* const pins = new Pins(self);
    if (!pins->request->attach(*pins)) pins->run();
  } catch (...) {
    // A forked child, or no memory: the pins stay for ever.
    new (&self.view) View;
    (void)self.extra.release();
  }
}

void destroy(PyObject* object) {
  RequestObject& self = *of(object);
  drop(self);
  PyObject* const worker = self.worker;
  Py_XDECREF(self.value);
  Py_XDECREF(self.callbacks);
  self.~RequestObject();
  PyTypeObject* const type = Py_TYPE(object);
  PyObject_Free(object);
  Py_DECREF(worker);
  Py_DECREF(type);
}

PyObject* represent(PyObject* object) {
  RequestObject& self = *of(object);
  const char* const now = !isDone(self) ? "pending" : self.failed ? "failed" : "done";
  return PyUnicode_FromFormat("<ucxx.Request %s>", now);
}

// As a table of methods has them: functions with more arguments than two are cast.
template <class Function>
PyCFunction cast(Function function) noexcept {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef methods[] = {
    {"send", sendMethod, METH_O, nullptr},
    {"throw", cast(throwInto), METH_FASTCALL, nullptr},
    {"close", close, METH_NOARGS, nullptr},
    {"done", doneMethod, METH_NOARGS, "Tell whether the transfer has ended."},
    {"result", result, METH_NOARGS,
     "Return the result, or raise what the transfer ended with.\n\n"
     "Raises asyncio.InvalidStateError while it has not ended."},
    {"exception", exception, METH_NOARGS, "Return what the transfer ended with, or None."},
    {"cancelled", cancelledMethod, METH_NOARGS, "Tell whether it ended after `cancel`."},
    {"cancel", cast(cancel), METH_FASTCALL | METH_KEYWORDS,
     "Ask for the end of the transfer; return False when it has ended.\n\n"
     "The buffer is the caller's again only at the end: at once for what no peer has matched, "
     "else\n"
     "when its bytes have moved. Whoever awaits it gets asyncio.CancelledError then."},
    {"add_done_callback", cast(addDoneCallback), METH_FASTCALL | METH_KEYWORDS,
     "Call `callback(request)` by the event loop at the end of the transfer."},
    {"remove_done_callback", removeDoneCallback, METH_O,
     "Take a callback back; return how many there were."},
    {"get_loop", getLoop, METH_NOARGS, "Return the event loop of its worker."},
    {"wait", cast(wait), METH_FASTCALL,
     "Wait for the end without an event loop, for `timeout` seconds at most; return the result.\n\n"
     "Raises TimeoutError when the time is up, the transfer going on, and what it ended with.\n"
     "Other Python threads run meanwhile, Ctrl-C interrupts it."},
    {"check_error", checkError, METH_NOARGS,
     "Raise what the transfer ended with, if it has failed."},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef fields[] = {
    {"completed", completed, nullptr, "Whether the transfer has ended.", nullptr},
    {"status", status, nullptr, "The UCX status: 0 success, 1 in progress, negative errors.",
     nullptr},
    {"received_length", received, nullptr, "Bytes that were received.", nullptr},
    {"sender_tag", senderTag, nullptr, "Of a tag receive that has ended: the tag it matched.",
     nullptr},
    {"recv_buffer", recvBuffer, nullptr,
     "What was received into memory of the library's; None before success.", nullptr},
    {"_asyncio_future_blocking", getBlocking, setBlocking, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

constexpr char kDoc[] =
    "One transfer: awaitable, and a future of asyncio's protocol.\n\n"
    "Its buffer is pinned, and belongs to it, until the transfer has ended: with success, an "
    "error\n"
    "or cancel alike. Dropping it neither cancels nor ends it.";

PyType_Slot slots[] = {{Py_tp_doc, const_cast<char*>(kDoc)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                       {Py_tp_repr, reinterpret_cast<void*>(represent)},
                       {Py_tp_iter, reinterpret_cast<void*>(awaitIt)},
                       {Py_tp_iternext, reinterpret_cast<void*>(iterNext)},
                       {Py_am_await, reinterpret_cast<void*>(awaitIt)},
                       {Py_am_send, reinterpret_cast<void*>(send)},
                       {Py_tp_methods, methods},
                       {Py_tp_getset, fields},
                       {0, nullptr}};

PyType_Spec spec = {"ucxx._core.UCXRequest", sizeof(RequestObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

}  // namespace

void RequestObject::Ending::run() {
  RequestObject& self = owner;
  self.watched = false;
  if (!self.done) finish(self);
  callBack(self);
  Py_DECREF(reinterpret_cast<PyObject*>(&self));
}

PyObject* makeRequest(std::shared_ptr<Request> request, WorkerState& state, PyObject* worker,
                      View& view, bool receives, std::unique_ptr<Extra> extra) {
  auto* const self = PyObject_New(RequestObject, request_type);
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
  new (&self->ending) RequestObject::Ending(*self);
  self->value = self->callbacks = nullptr;
  self->receives = receives;
  self->failed = self->done = self->watched = self->cancelled = self->blocking = false;
  if (self->request->isCompleted()) finish(*self);
  return reinterpret_cast<PyObject*>(self);
}

void bindRequest(nb::module_& module) {
  request_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (request_type == nullptr) throw nb::python_error();
  module.attr("UCXRequest") = nb::handle(reinterpret_cast<PyObject*>(request_type));
  const nb::module_ exceptions = nb::module_::import_("asyncio.exceptions");
  canceled_error = nb::object(exceptions.attr("CancelledError")).release().ptr();
  invalid_state_error = nb::object(exceptions.attr("InvalidStateError")).release().ptr();
}

}  // namespace ucxx::python
