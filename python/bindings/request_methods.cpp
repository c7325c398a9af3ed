// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// What Python calls of a request: the protocols of awaitables, coroutines and asyncio's futures,
// and the methods of the synchronous API.

#include "request_methods.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include "arguments.h"
#include "errors.h"
#include "log_lines.h"
#include "request.h"
#include "without_gil.h"

namespace ucxx::python {
namespace {

PyObject* invalid_state_error = nullptr;  // asyncio.InvalidStateError
PyObject* canceled_error = nullptr;       // asyncio.CancelledError

RequestObject* of(PyObject* self) noexcept { return RequestObject::of(self); }

PyObject* sendMethod(PyObject* self, PyObject*) { return nextOfRequest(self); }

/// Whoever awaits it has gone, or never begun: nobody wants the message any more.
/// Its buffer is given back at its end. False: a Python error is set, its message is lost.
bool abandon(RequestObject& self) {
  if (!self.disown()) return false;
  self.state->settle();
  if (self.isDone()) return true;
  if (guarded([&] { return !self.isDone() && self.startWatch() ? Py_True : Py_False; }) == nullptr)
    PyErr_Clear();  // a forked child: nothing of it ends here
  return true;
}

PyObject* throwInto(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  if (count < 1 || count > 3) {
    PyErr_SetString(PyExc_TypeError, "throw(exception), or throw(type, value, traceback)");
    return nullptr;
  }
  if (!abandon(*of(self))) return nullptr;
  PyObject* const what = count > 1 && arguments[1] != Py_None ? arguments[1] : arguments[0];
  if (PyExceptionInstance_Check(what)) return raise(what);
  if (!PyExceptionClass_Check(arguments[0])) {
    PyErr_SetString(PyExc_TypeError, "what is thrown must be an exception");
    return nullptr;
  }
  PyErr_SetObject(arguments[0], count > 1 ? arguments[1] : Py_None);
  return nullptr;
}

PyObject* closeMethod(PyObject* self, PyObject*) {
  return abandon(*of(self)) ? Py_NewRef(Py_None) : nullptr;
}

/// Also of one whose result was taken, by who has seen that it cannot use it.
PyObject* giveBack(PyObject* object, PyObject*) {
  RequestObject& self = *of(object);
  self.taken = false;
  return closeMethod(object, nullptr);
}

/// What an await does before it suspends its task.
PyObject* lookMethod(PyObject* object, PyObject*) {
  RequestObject& self = *of(object);
  const bool has_ended = self.isDone() || self.state->spin(*self.request);
  if (has_ended && !self.done) self.finish();
  return PyBool_FromLong(has_ended);
}

// asyncio.gather asks for it.
PyObject* makeCancelledError(PyObject* self, PyObject*) {
  PyObject* const message = of(self)->cancel_message;
  return message == nullptr ? PyObject_CallNoArgs(canceled_error)
                            : PyObject_CallOneArg(canceled_error, message);
}
PyObject* getCancelMessage(PyObject* self, void*) {
  PyObject* const message = of(self)->cancel_message;
  return Py_NewRef(message == nullptr ? Py_None : message);
}

PyObject* doneMethod(PyObject* self, PyObject*) { return PyBool_FromLong(of(self)->isDone()); }

PyObject* result(PyObject* object, PyObject*) {
  RequestObject& self = *of(object);
  if (self.isDone()) return self.outcome();
  PyErr_SetString(invalid_state_error, "the transfer has not ended");
  return nullptr;
}

PyObject* exception(PyObject* object, PyObject*) {
  RequestObject& self = *of(object);
  if (!self.isDone() || self.cancelled) return result(object, nullptr);
  if (!self.failed) {
    self.wasTaken();
    return Py_NewRef(Py_None);
  }
  (void)self.raiseFailure();
  return takeError();
}

PyObject* cancelledMethod(PyObject* object, PyObject*) {
  RequestObject& self = *of(object);
  return PyBool_FromLong(self.isDone() && self.cancelled);
}

constexpr Signature<1> kCancel{"cancel()", {"msg"}, 0};
PyObject* cancel(PyObject* object, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  RequestObject& self = *of(object);
  std::array<PyObject*, 1> values{};
  if (!kCancel.read(arguments, count, names, values)) return nullptr;
  return guarded([&] {
    if (self.isDone()) return Py_NewRef(Py_False);
    self.cancelled = true;
    if (values[0] != Py_None) Py_XSETREF(self.cancel_message, Py_XNewRef(values[0]));
    if (!self.disown()) return static_cast<PyObject*>(nullptr);
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
  const bool is_task = std::exchange(self.is_awaited, false);
  return guarded([&]() -> PyObject* {
    if (!self.state->hasOpenLoop() && !self.bindToRunningLoop()) return nullptr;
    if (self.isDone() || !self.startWatch())
      return self.state->callSoon(arguments[0], is_task ? woken : object, context)
                 ? Py_NewRef(Py_None)
                 : nullptr;
    if (is_task && self.wakeup == nullptr && PyContext_CheckExact(context)) {
      self.wakeup = Py_NewRef(arguments[0]);
      self.wakeup_context = Py_NewRef(context);
      return Py_NewRef(Py_None);
    }
    if (self.callbacks == nullptr) self.callbacks = PyList_New(0);
    PyObject* const pair = self.callbacks == nullptr
                               ? nullptr
                               : PyTuple_Pack(3, arguments[0], context, is_task ? woken : Py_None);
    if (pair == nullptr) return nullptr;
    const int failed = PyList_Append(self.callbacks, pair);
    Py_DECREF(pair);
    return failed != 0 ? nullptr : Py_NewRef(Py_None);
  });
}

/// The callbacks of `all` but those equal to `callback`, new; null with a Python error. Comparing
/// runs Python, which may do anything to the request.
PyObject* without(PyObject* all, PyObject* callback) {
  PyObject* const rest = PyList_New(0);
  bool fine = rest != nullptr;
  for (Py_ssize_t i = 0; fine && i < PyList_GET_SIZE(all); ++i) {
    PyObject* const pair = Py_NewRef(PyList_GET_ITEM(all, i));
    const int same = PyObject_RichCompareBool(PyTuple_GET_ITEM(pair, 0), callback, Py_EQ);
    fine = same > 0 || (same == 0 && PyList_Append(rest, pair) == 0);
    Py_DECREF(pair);
  }
  if (!fine) Py_XDECREF(rest);
  return fine ? rest : nullptr;
}

/// Of what wakes a task: how many there were; negative with a Python error.
Py_ssize_t removeWakeup(RequestObject& self, PyObject* callback) {
  if (self.wakeup == nullptr) return 0;
  const nb::object wakeup = nb::borrow(self.wakeup);
  const int same = PyObject_RichCompareBool(wakeup.ptr(), callback, Py_EQ);
  if (same <= 0 || self.wakeup != wakeup.ptr()) return std::min(same, 0);
  Py_CLEAR(self.wakeup);
  Py_CLEAR(self.wakeup_context);
  return 1;
}

PyObject* removeDoneCallback(PyObject* object, PyObject* callback) {
  RequestObject& self = *of(object);
  Py_ssize_t removed = removeWakeup(self, callback);
  if (removed < 0) return nullptr;
  if (self.callbacks == nullptr) return PyLong_FromSsize_t(removed);
  PyObject* const all = Py_NewRef(self.callbacks);
  PyObject* const rest = without(all, callback);
  if (rest != nullptr && self.callbacks == all) {
    removed += PyList_GET_SIZE(all) - PyList_GET_SIZE(rest);
    Py_SETREF(self.callbacks, Py_NewRef(rest));
  }
  Py_DECREF(all);
  if (rest == nullptr) return nullptr;
  Py_DECREF(rest);
  return PyLong_FromSsize_t(removed);
}

PyObject* getLoop(PyObject* object, PyObject*) {
  RequestObject& self = *of(object);
  return guarded([&]() -> PyObject* {
    if (!self.state->hasOpenLoop() && !self.bindToRunningLoop()) return nullptr;
    return Py_NewRef(self.state->loop().ptr());
  });
}

/// Waits, as nobody else moves the worker, or for its thread; looks for Ctrl-C now and then.
bool waitUntil(RequestObject& self, std::chrono::steady_clock::time_point deadline) {
  constexpr auto kLook = std::chrono::milliseconds(50);
  while (!self.isDone()) {
    if (self.state->spin(*self.request)) continue;
    const auto left = deadline - std::chrono::steady_clock::now();
    if (left <= left.zero()) return false;
    {
      const WithoutGil released;
      (void)self.request->wait(std::min<std::chrono::nanoseconds>(left, kLook));
    }
    self.state->settle();
    lookForLogLines();
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  return true;
}

/// False: a Python error that says what would be right.
bool readDeadline(PyObject* timeout, std::chrono::steady_clock::time_point& deadline) {
  constexpr double kFarAway = 1e9;
  if (timeout == nullptr || timeout == Py_None) return true;
  const double seconds = PyFloat_AsDouble(timeout);
  if (seconds == -1.0 && PyErr_Occurred() != nullptr) {
    if (PyErr_ExceptionMatches(PyExc_TypeError) != 0)
      PyErr_Format(PyExc_TypeError, "timeout must be a number of seconds or None, not %s",
                   Py_TYPE(timeout)->tp_name);
    return false;
  }
  if (std::isnan(seconds)) {
    PyErr_SetString(PyExc_ValueError, "timeout must be a number of seconds or None, not nan");
    return false;
  }
  const auto now = std::chrono::steady_clock::now();
  if (seconds < kFarAway)
    deadline =
        now + std::chrono::nanoseconds(static_cast<std::int64_t>(std::max(seconds, 0.0) * 1e9));
  return true;
}

constexpr Signature<1> kWait{"wait()", {"timeout"}, 0};
PyObject* wait(PyObject* object, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  return guarded([&]() -> PyObject* {
    std::array<PyObject*, 1> values{};
    auto deadline = std::chrono::steady_clock::time_point::max();
    if (!kWait.read(arguments, count, names, values) || !readDeadline(values[0], deadline))
      return nullptr;
    RequestObject& self = *of(object);
    if (!waitUntil(self, deadline)) {
      PyErr_SetString(PyExc_TimeoutError, "the transfer has not ended in time");
      return nullptr;
    }
    if (self.failed) return self.raiseFailure();
    self.wasTaken();
    return Py_NewRef(self.value);
  });
}

PyObject* checkError(PyObject* object, PyObject*) {
  RequestObject& self = *of(object);
  if (!self.isDone()) Py_RETURN_NONE;
  if (self.failed) return self.raiseFailure();
  self.wasTaken();
  Py_RETURN_NONE;
}

PyObject* completed(PyObject* object, void*) {
  RequestObject& self = *of(object);
  self.state->settle();
  if (!self.isDone()) Py_RETURN_FALSE;
  if (!self.failed) self.wasTaken();
  Py_RETURN_TRUE;
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
  if (!self.isDone() || self.failed || self.extra == nullptr) Py_RETURN_NONE;
  self.wasTaken();
  return Py_NewRef(self.value);
}

/// Of a multi-buffer receive; others have none.
PyObject* receivedBuffers(PyObject* object, void*) {
  RequestObject& self = *of(object);
  const bool has = self.isDone() && !self.failed && self.value != nullptr;
  if (!has || !PyList_Check(self.value)) return PyTuple_New(0);
  self.wasTaken();
  return PyList_AsTuple(self.value);
}

PyObject* itself(PyObject* object, void*) { return Py_NewRef(object); }
PyObject* itselfToAwait(PyObject* object, PyObject*) { return Py_NewRef(object); }

PyObject* recvHeader(PyObject* object, void*) {
  return guarded([&] {
    const std::string header = of(object)->request->getRecvHeader();
    return PyBytes_FromStringAndSize(header.data(), static_cast<Py_ssize_t>(header.size()));
  });
}

/// None says "no future" to asyncio, which so makes a task of it where it takes a coroutine: `wait`
/// takes what is either, not what is both. A task that has been given it in an await takes it as a
/// future.
PyObject* getBlocking(PyObject* object, void*) {
  return Py_NewRef(of(object)->blocking ? Py_True : Py_None);
}

int setBlocking(PyObject* object, PyObject* value, void*) {
  const int truth = value == nullptr ? -1 : PyObject_IsTrue(value);
  RequestObject& self = *of(object);
  if (truth >= 0) self.is_awaited = std::exchange(self.blocking, truth != 0) && truth == 0;
  return truth < 0 ? -1 : 0;
}

}  // namespace

PyMethodDef request_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
     "For annotations: UCXRequest[int] is a transfer whose result is an int."},
    {"send", sendMethod, METH_O, "send($self, value, /)\n--\n\nGo on, as a coroutine does."},
    {"throw", asMethod(throwInto), METH_FASTCALL,
     "throw($self, type, value=None, traceback=None, /)\n--\n\n"
     "Cancel the transfer as `close` does, and raise, as a coroutine does."},
    {"close", closeMethod, METH_NOARGS,
     "close($self, /)\n--\n\n"
     "Cancel the transfer, as closing a coroutine does.\n\n"
     "A receive that has ended well gives its message back, if nobody has its result: by `await`,\n"
     "`result`, `exception`, `wait`, `check_error`, `recv_buffer`, `py_buffers`, or by "
     "`completed`\n"
     "that was True.\n"
     "The next receive gets that message."},
    {"_give_back", giveBack, METH_NOARGS,
     "_give_back($self, /)\n--\n\nAs `close`, though somebody has the result."},
    {"_look", lookMethod, METH_NOARGS,
     "_look($self, /)\n--\n\nLook for the end for a while, as an await does before it suspends; "
     "return whether it has ended."},
    {"_make_cancelled_error", makeCancelledError, METH_NOARGS,
     "_make_cancelled_error($self, /)\n--\n\n"},
    {"done", doneMethod, METH_NOARGS,
     "done($self, /)\n--\n\n"
     "Tell whether the transfer has ended.\n\n"
     "Who has seen that has not taken the message, as with `completed`: the buffer of a receive\n"
     "stays pinned."},
    {"result", result, METH_NOARGS,
     "result($self, /)\n--\n\n"
     "Return the result, or raise what the transfer ended with.\n\n"
     "Raises asyncio.InvalidStateError while it has not ended."},
    {"exception", exception, METH_NOARGS,
     "exception($self, /)\n--\n\nReturn what the transfer ended with, or None."},
    {"cancelled", cancelledMethod, METH_NOARGS,
     "cancelled($self, /)\n--\n\nTell whether it ended after `cancel`."},
    {"cancel", asMethod(cancel), METH_FASTCALL | METH_KEYWORDS,
     "cancel($self, msg=None)\n--\n\n"
     "Ask for the end of the transfer; return False when it has ended.\n\n"
     "The buffer is the caller's again only at the end: at once for what no peer has matched, "
     "else\n"
     "when its bytes have moved. Whoever awaits it gets asyncio.CancelledError then. A message "
     "that\n"
     "a receive gets all the same is not lost: the next receive gets it, in its old order."},
    {"add_done_callback", asMethod(addDoneCallback), METH_FASTCALL | METH_KEYWORDS,
     "add_done_callback($self, callback, /, *, context=None)\n--\n\n"
     "Call `callback(request)` by the event loop at the end of the transfer."},
    {"remove_done_callback", removeDoneCallback, METH_O,
     "remove_done_callback($self, callback, /)\n--\n\n"
     "Take a callback back; return how many there were."},
    {"get_loop", getLoop, METH_NOARGS,
     "get_loop($self, /)\n--\n\nReturn the event loop of its worker."},
    {"wait", asMethod(wait), METH_FASTCALL | METH_KEYWORDS,
     "wait($self, timeout=None)\n--\n\n"
     "Wait for the end without an event loop, for `timeout` seconds at most; return the result.\n\n"
     "Raises TimeoutError when the time is up, the transfer going on, and what it ended with.\n"
     "Other Python threads run meanwhile, Ctrl-C interrupts it."},
    {"wait_yield", itselfToAwait, METH_NOARGS,
     "wait_yield($self, /)\n--\n\nReturn the request: something to await."},
    {"check_error", checkError, METH_NOARGS,
     "check_error($self, /)\n--\n\n"
     "Raise what the transfer ended with, if it has failed."},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef request_fields[] = {
    {"completed", completed, nullptr,
     "Whether the transfer has ended. Who has seen that has the message, and its buffer is free.",
     nullptr},
    {"status", status, nullptr,
     "The UCX status, 0 for success, 1 in progress, negative for errors.", nullptr},
    {"received_length", received, nullptr, "Bytes that were received.", nullptr},
    {"sender_tag", senderTag, nullptr, "The tag that a tag receive has matched, once it has ended.",
     nullptr},
    {"recv_buffer", recvBuffer, nullptr,
     "What was received into memory of the library's; None before success.", nullptr},
    {"py_buffers", receivedBuffers, nullptr,
     "The buffers that a multi-buffer receive has received, a tuple; empty before success.",
     nullptr},
    {"all_completed", completed, nullptr, "The same as `completed`.", nullptr},
    {"future", itself, nullptr, "The request: it has the methods of a future.", nullptr},
    {"recv_header", recvHeader, nullptr, "The user header of an active message that was received.",
     nullptr},
    {"_cancel_message", getCancelMessage, nullptr, nullptr, nullptr},
    {"_asyncio_future_blocking", getBlocking, setBlocking, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PySendResult sendToRequest(PyObject* object, PyObject*, PyObject** result) {
  RequestObject& self = *of(object);
  if (self.isDone() || self.state->spin(*self.request)) {
    if (!self.done) self.finish();
    if (!self.state->mayGoOn()) {
      *result = Py_NewRef(Py_None);
      return PYGEN_NEXT;
    }
    *result = self.outcome();
    return *result == nullptr ? PYGEN_ERROR : PYGEN_RETURN;
  }
  if (!self.bindToRunningLoop()) return PYGEN_ERROR;
  const PyObject* const watched = guarded([&] { return self.startWatch() ? Py_True : Py_False; });
  if (watched == nullptr) return PYGEN_ERROR;
  if (watched == Py_False) {
    *result = self.outcome();
    return *result == nullptr ? PYGEN_ERROR : PYGEN_RETURN;
  }
  self.blocking = true;
  *result = Py_NewRef(object);
  return PYGEN_NEXT;
}

PyObject* awaitRequest(PyObject* self) { return Py_NewRef(self); }

PyObject* nextOfRequest(PyObject* self) {
  PyObject* result = nullptr;
  switch (sendToRequest(self, nullptr, &result)) {
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

PyObject* representRequest(PyObject* object) {
  RequestObject& self = *of(object);
  const char* const now = !self.isDone() ? "pending" : self.failed ? "failed" : "done";
  return guarded([&] {
    return PyUnicode_FromFormat("<ucxx.Request: %s, %s>", self.request->describe().c_str(), now);
  });
}

void bindRequestMethods(const nb::module_& asyncio) {
  canceled_error = nb::object(asyncio.attr("CancelledError")).release().ptr();
  invalid_state_error = nb::object(asyncio.attr("InvalidStateError")).release().ptr();
}

}  // namespace ucxx::python
