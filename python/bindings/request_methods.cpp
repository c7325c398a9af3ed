// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// What Python calls of a request: the table of all, and the synchronous API.

#include "request_methods.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include <ucxx/cuda/stream.h>

#include "arguments.h"
#include "device.h"
#include "errors.h"
#include "log_lines.h"
#include "request.h"
#include "seconds.h"
#include "without_gil.h"

namespace ucxx::python {
namespace {

RequestObject* of(PyObject* self) noexcept { return RequestObject::of(self); }

/// Waits, as nobody else moves the worker, or for its thread; looks for Ctrl-C now and then.
bool waitUntil(RequestObject& self, std::chrono::steady_clock::time_point deadline) {
  constexpr auto kLook = std::chrono::milliseconds(50);
  while (!self.isDone()) {
    if (self.state->spin(*self.request)) continue;
    const auto left = deadline - std::chrono::steady_clock::now();
    if (left <= left.zero()) return false;
    {
      const WithoutGil released;
      cuda::StreamBatch::submitAll();  // it may start what is waited for
      (void)self.request->wait(std::min<std::chrono::nanoseconds>(left, kLook));
    }
    self.state->settle();
    lookForLogLines();
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
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

/// With a capture or without: the core says whether a request that has ended is looked at.
PyObject* waitOn(PyObject* object, PyObject* stream) {
  return guarded([&] {
    const RequestObject& self = *of(object);
    CUstream_st* const handle = streamOf(stream);
    if (!self.request->isCompleted()) requireThread(*self.state->worker, "wait_on");
    withoutGil([&] { self.request->waitOn(handle); });
    noteDeviceWaits(self.request);
    self.state->settle();
    return Py_NewRef(Py_None);
  });
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
  const bool has = self.isDone() && !self.failed && self.extra != nullptr;
  if (!has || !self.extra->isReceived()) Py_RETURN_NONE;
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

PyObject* requests(PyObject* object, void*) {
  PyObject* const list = PyList_New(1);
  if (list != nullptr) PyList_SET_ITEM(list, 0, Py_NewRef(object));
  return list;
}

PyObject* itself(PyObject* object, void*) { return Py_NewRef(object); }
PyObject* itselfToAwait(PyObject* object, PyObject*) { return Py_NewRef(object); }

PyObject* recvHeader(PyObject* object, void*) {
  return guarded([&] {
    const std::string header = of(object)->request->getRecvHeader();
    return PyBytes_FromStringAndSize(header.data(), static_cast<Py_ssize_t>(header.size()));
  });
}

}  // namespace

PyMethodDef request_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
     "For annotations: UCXRequest[int] is a transfer whose result is an int."},
    {"send", methods::send, METH_O, "send($self, value, /)\n--\n\nGo on, as a coroutine does."},
    {"throw", asMethod(methods::throwInto), METH_FASTCALL,
     "throw($self, type, value=None, traceback=None, /)\n--\n\n"
     "Cancel the transfer as `close` does, and raise, as a coroutine does."},
    {"close", methods::close, METH_NOARGS,
     "close($self, /)\n--\n\n"
     "Cancel the transfer, as closing a coroutine does.\n\n"
     "A receive that has ended well gives its message back, if nobody has its result: by `await`,\n"
     "`result`, `exception`, `wait`, `check_error`, `recv_buffer`, `py_buffers`, or by "
     "`completed`\n"
     "that was True.\n"
     "The next receive gets that message."},
    {"_give_back", methods::giveBack, METH_NOARGS,
     "_give_back($self, /)\n--\n\nAs `close`, though somebody has the result."},
    {"_look", methods::look, METH_NOARGS,
     "_look($self, /)\n--\n\nLook for the end for a while, as an await does before it suspends; "
     "return whether it has ended."},
    {"_make_cancelled_error", methods::makeCancelledError, METH_NOARGS,
     "_make_cancelled_error($self, /)\n--\n\n"},
    {"done", methods::done, METH_NOARGS,
     "done($self, /)\n--\n\n"
     "Tell whether the transfer has ended.\n\n"
     "Who has seen that has not taken the message, as with `completed`: the buffer of a receive\n"
     "stays pinned."},
    {"result", methods::result, METH_NOARGS,
     "result($self, /)\n--\n\n"
     "Return the result, or raise what the transfer ended with.\n\n"
     "Raises asyncio.InvalidStateError while it has not ended."},
    {"exception", methods::exception, METH_NOARGS,
     "exception($self, /)\n--\n\nReturn what the transfer ended with, or None."},
    {"cancelled", methods::cancelled, METH_NOARGS,
     "cancelled($self, /)\n--\n\nTell whether it ended after `cancel`."},
    {"cancel", asMethod(methods::cancel), METH_FASTCALL | METH_KEYWORDS,
     "cancel($self, msg=None)\n--\n\n"
     "Ask for the end of the transfer; return False when it has ended.\n\n"
     "The buffer is the caller's again only at the end: at once for what no peer has matched, "
     "else\n"
     "when its bytes have moved. Whoever awaits it gets asyncio.CancelledError then. A message "
     "that\n"
     "a receive gets all the same is not lost: the next receive gets it, in its old order."},
    {"add_done_callback", asMethod(methods::addDoneCallback), METH_FASTCALL | METH_KEYWORDS,
     "add_done_callback($self, callback, /, *, context=None)\n--\n\n"
     "Call `callback(request)` by the event loop at the end of the transfer."},
    {"remove_done_callback", methods::removeDoneCallback, METH_O,
     "remove_done_callback($self, callback, /)\n--\n\n"
     "Take a callback back; return how many there were."},
    {"get_loop", methods::getLoop, METH_NOARGS,
     "get_loop($self, /)\n--\n\nReturn the event loop of its worker."},
    {"wait", asMethod(wait), METH_FASTCALL | METH_KEYWORDS,
     "wait($self, timeout=None)\n--\n\n"
     "Wait for the end without an event loop, for `timeout` seconds at most; return the result.\n\n"
     "Raises TimeoutError when the time is up, the transfer going on, and what it ended with.\n"
     "Batches of streams that this thread has open are submitted first, if it blocks.\n"
     "Other Python threads run meanwhile, Ctrl-C interrupts it."},
    {"wait_on", waitOn, METH_O,
     "wait_on($self, stream, /)\n--\n\n"
     "Let a stream of CUDA wait until the transfer has ended, with success or without.\n\n"
     "What is put into the stream afterwards comes after the end; the caller goes on at once. Any\n"
     "transfer, with a condition or without; of one that has ended nothing is put into the "
     "stream.\n"
     "In a capture, of a transfer that was posted in it. The worker needs a progress thread.\n"
     "After about 1000 entries that a stream has not done, as kernels, copies and such waits, the\n"
     "driver holds the caller up until there is room.\n\n"
     "Raises TypeError: `stream` is not a stream; UCXInvalidParamError: it is the legacy default\n"
     "stream, the worker has no thread, or the transfer is of a graph; UCXUnsupportedError: there\n"
     "is no driver of CUDA that can be used, or a capture has no such transfer;\n"
     "UCXNoResourceError: 4096 streams, transfers and conditions wait."},
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
    {"requests", requests, nullptr, "A list of the request alone: all buffers go as one transfer.",
     nullptr},
    {"all_completed", completed, nullptr, "The same as `completed`.", nullptr},
    {"future", itself, nullptr, "The request: it has the methods of a future.", nullptr},
    {"recv_header", recvHeader, nullptr, "The user header of an active message that was received.",
     nullptr},
    {"_cancel_message", methods::getCancelMessage, nullptr, nullptr, nullptr},
    {"_asyncio_future_blocking", methods::getBlocking, methods::setBlocking, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyObject* representRequest(PyObject* object) {
  RequestObject& self = *of(object);
  const char* const now = !self.isDone() ? "pending" : self.failed ? "failed" : "done";
  return guarded([&] {
    return PyUnicode_FromFormat("<ucxx.Request: %s, %s>", self.request->describe().c_str(), now);
  });
}

}  // namespace ucxx::python
