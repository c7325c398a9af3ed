// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// What is called for each message.

#include <ucxx/worker.h>

#include "arguments.h"
#include "base/spread.h"
#include "condition.h"
#include "endpoint_object.h"
#include "errors.h"
#include "features.h"
#include "known_view.h"
#include "received.h"
#include "request.h"
#include "trace.h"
#include "word.h"

namespace ucxx::python {
namespace {

PyObject* number_of = nullptr;  // ucxx._arguments.tags.number_of

/// A number for any hashable object, the same in each process where that is possible.
bool numberOf(PyObject* tag, std::uint64_t& number) {
  if (PyIndex_Check(tag)) return readTag(tag, number);
  PyObject* const found = PyObject_CallOneArg(number_of, tag);
  if (found == nullptr) return false;
  number = PyLong_AsUnsignedLongLongMask(found);
  Py_DECREF(found);
  return true;
}

/// The tag of a message of the asynchronous API: `own` is the endpoint's for that direction.
bool endpointTag(const AsyncEndpoint& self, Tag own, PyObject* tag, PyObject* force,
                 std::uint64_t& result) {
  const int forced = force == nullptr ? 0 : PyObject_IsTrue(force);
  if (forced < 0) return false;
  if (forced != 0 && tag != nullptr && tag != Py_None) return readTag(tag, result);
  if (forced != 0) {
    PyErr_SetString(PyExc_ValueError, "force_tag=True needs a tag");
    return false;
  }
  if (!self.has_tags) {
    PyErr_SetString(PyExc_ValueError,
                    "an endpoint made from a worker's address has no tags of its own: give "
                    "tag=... and force_tag=True");
    return false;
  }
  result = own;
  if (tag == nullptr || tag == Py_None) return true;
  std::uint64_t number = 0;
  if (!numberOf(tag, number)) return false;
  result = base::spread(own + base::spread(number));
  return true;
}

PyObject* startSend(EndpointObject& self, PyObject* buffer, std::uint64_t tag,
                    PyObject* condition) {
  View view;
  if (!has(*self.state, kTag) || !view.acquire(buffer, Access::Read, condition, self.worker.ptr()))
    return nullptr;
  return guarded([&] {
    Trace::posting();
    const KnownView known(view);
    auto request = post(
        condition, self.worker,
        [&] { return self.endpoint->tagSend(view.data(), view.size(), Tag{tag}); },
        [&] { return self.endpoint->tagSendBuilder(view.data(), view.size(), Tag{tag}); });
    self.state->settle();
    return makeRequest(std::move(request), *self.state, self.worker.ptr(), view, false);
  });
}

/// What a tag receive is given.
struct Receive {
  PyObject* buffer = nullptr;
  std::uint64_t tag = 0, mask = ~std::uint64_t{0};
  PyObject* condition = nullptr;
};

/// `owner`: the endpoint or worker that receives it; `worker`: the object of the worker.
template <class Owner>
PyObject* startReceive(Owner& owner, WorkerState& state, PyObject* worker, const Receive& given) {
  View view;
  if (!has(state, kTag) || !view.acquire(given.buffer, Access::Receive, given.condition, worker))
    return nullptr;
  const Tag tag{given.tag};
  const TagMask mask{given.mask};
  return guarded([&] {
    Trace::posting();
    const KnownView known(view);
    auto request = post(
        given.condition, worker, [&] { return owner.tagRecv(view.data(), view.size(), tag, mask); },
        [&] { return owner.tagRecvBuilder(view.data(), view.size(), tag, mask); });
    state.settle();
    return makeRequest(std::move(request), state, worker, view, true);
  });
}

PyObject* startReceive(EndpointObject& self, const Receive& given) {
  return startReceive(*self.endpoint, *self.state, self.worker.ptr(), given);
}

constexpr Signature<3> kTagSend{"tag_send()", {"array", "tag", "condition"}, 2, 2};
PyObject* tagSend(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  std::array<PyObject*, 3> values{};
  std::uint64_t tag = 0;
  if (!kTagSend.read(self, arguments, count, names, values) || !readTag(values[1], tag))
    return nullptr;
  return startSend(*nb::inst_ptr<EndpointObject>(self), values[0], tag, values[2]);
}

/// The arguments of `tag_recv`, an endpoint's or a worker's.
bool readTagRecv(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names,
                 Receive& given) {
  static constexpr Signature<4> kTagRecv{
      "tag_recv()", {"array", "tag", "tag_mask", "condition"}, 2, 3};
  std::array<PyObject*, 4> values{};
  if (!kTagRecv.read(self, arguments, count, names, values)) return false;
  given.buffer = values[0];
  given.condition = values[3];
  return readTag(values[1], given.tag) && (values[2] == nullptr || readTag(values[2], given.mask));
}

PyObject* tagRecv(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  Receive given;
  if (!readTagRecv(self, arguments, count, names, given)) return nullptr;
  return startReceive(*nb::inst_ptr<EndpointObject>(self), given);
}

PyObject* workerTagRecv(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                        PyObject* names) {
  Receive given;
  if (!readTagRecv(self, arguments, count, names, given)) return nullptr;
  WorkerState& state = *nb::inst_ptr<WorkerState>(self);
  return startReceive(*state.worker, state, self, given);
}

constexpr Signature<4> kSend{"send()", {"buffer", "tag", "force_tag", "condition"}, 1, 3};
PyObject* send(PyObject* object, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  std::array<PyObject*, 4> values{};
  AsyncEndpoint& self = *nb::inst_ptr<AsyncEndpoint>(object);
  std::uint64_t tag = 0;
  if (!kSend.read(object, arguments, count, names, values) ||
      !endpointTag(self, self.tags.send, values[1], values[2], tag))
    return nullptr;
  return startSend(self, values[0], tag, values[3]);
}

constexpr Signature<4> kRecv{"recv()", {"buffer", "tag", "force_tag", "condition"}, 1, 3};
PyObject* recv(PyObject* object, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  std::array<PyObject*, 4> values{};
  AsyncEndpoint& self = *nb::inst_ptr<AsyncEndpoint>(object);
  Receive given;
  if (!kRecv.read(object, arguments, count, names, values) ||
      !endpointTag(self, self.tags.receive, values[1], values[2], given.tag))
    return nullptr;
  ++self.receives;
  given.buffer = values[0];
  given.condition = values[3];
  return startReceive(self, given);
}

/// Several buffers of one message, pinned.
class Views final : public Extra {
 public:
  /// False: a Python error that names the buffer.
  bool acquire(PyObject* buffers, PyObject* condition, PyObject* worker) {
    // One buffer is a sequence, too: of its items.
    if (PyBytes_Check(buffers) || PyByteArray_Check(buffers) || PyMemoryView_Check(buffers))
      refuseType(buffers, "buffers must be a sequence of buffers");
    PyObject* const fast = PySequence_Fast(buffers, "send_multi needs a sequence of buffers");
    if (fast == nullptr) return false;
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(fast);
    views_ = std::make_unique<View[]>(static_cast<std::size_t>(count));
    bool acquired = true;
    for (Py_ssize_t i = 0; i < count && acquired; ++i) {
      View& view = views_[static_cast<std::size_t>(i)];
      acquired = acquireItem(view, fast, i, condition, worker);
      if (!acquired) break;
      addresses.push_back(view.data());
      sizes.push_back(view.size());
      is_cuda.push_back(view.isOnDevice() ? 1 : 0);
      if (!view.isOnDevice()) of_host.push_back(view.data());
    }
    Py_DECREF(fast);
    return acquired;
  }
  PyObject* result(Request&) override {
    views_.reset();  // the buffers are the caller's again
    return Py_NewRef(Py_None);
  }

  std::vector<const void*> addresses;
  std::vector<std::size_t> sizes;
  std::vector<int> is_cuda;
  std::vector<const void*> of_host;  // the core does not ask for the others

 private:
  /// The object may run code of Python's, which may change the list.
  static bool acquireItem(View& view, PyObject* fast, Py_ssize_t at, PyObject* condition,
                          PyObject* worker) {
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(fast);
    PyObject* const item = Py_NewRef(PySequence_Fast_GET_ITEM(fast, at));
    const bool acquired = view.acquire(item, Access::Read, condition, worker);
    Py_DECREF(item);
    if (!acquired || PySequence_Fast_GET_SIZE(fast) == count) return acquired;
    PyErr_SetString(PyExc_RuntimeError,
                    "the list of buffers has changed while they were looked at");
    return false;
  }

  std::unique_ptr<View[]> views_;
};

PyObject* startSendMulti(EndpointObject& self, PyObject* buffers, std::uint64_t tag,
                         PyObject* condition) {
  if (!has(*self.state, kTag)) return nullptr;
  return guarded([&]() -> PyObject* {
    auto views = std::make_unique<Views>();
    if (!views->acquire(buffers, condition, self.worker.ptr())) return nullptr;
    const Views& all = *views;
    Endpoint& endpoint = *self.endpoint;
    Trace::posting();
    const core::KnownMemory known(all.of_host, core::MemoryOf::Host);
    auto request = post(
        condition, self.worker,
        [&] { return endpoint.tagMultiSend(all.addresses, all.sizes, all.is_cuda, Tag{tag}); },
        [&] {
          return endpoint.tagMultiSendBuilder(all.addresses, all.sizes, all.is_cuda, Tag{tag});
        });
    self.state->settle();
    View none;
    return makeRequest(std::move(request), *self.state, self.worker.ptr(), none, false,
                       std::move(views));
  });
}

PyObject* startRecvMulti(EndpointObject& self, Tag tag, TagMask mask, PyObject* condition) {
  if (!has(*self.state, kTag)) return nullptr;
  return guarded([&] {
    Trace::posting();
    auto request = post(
        condition, self.worker, [&] { return self.endpoint->tagMultiRecv(tag, mask); },
        [&] { return self.endpoint->tagMultiRecvBuilder(tag, mask); });
    self.state->settle();
    View none;
    return makeRequest(std::move(request), *self.state, self.worker.ptr(), none, false,
                       receivedFrames());
  });
}

constexpr Signature<3> kTagSendMulti{"tag_send_multi()", {"buffers", "tag", "condition"}, 2, 2};
PyObject* tagSendMulti(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                       PyObject* names) {
  std::array<PyObject*, 3> values{};
  std::uint64_t tag = 0;
  if (!kTagSendMulti.read(self, arguments, count, names, values) || !readTag(values[1], tag))
    return nullptr;
  return startSendMulti(*nb::inst_ptr<EndpointObject>(self), values[0], tag, values[2]);
}

constexpr Signature<3> kTagRecvMulti{"tag_recv_multi()", {"tag", "tag_mask", "condition"}, 1, 2};
PyObject* tagRecvMulti(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                       PyObject* names) {
  std::array<PyObject*, 3> values{};
  std::uint64_t tag = 0, mask = ~std::uint64_t{0};
  if (!kTagRecvMulti.read(self, arguments, count, names, values) || !readTag(values[0], tag))
    return nullptr;
  if (values[1] != nullptr && !readTag(values[1], mask)) return nullptr;
  return startRecvMulti(*nb::inst_ptr<EndpointObject>(self), Tag{tag}, TagMask{mask}, values[2]);
}

constexpr Signature<4> kSendMulti{
    "send_multi()", {"buffers", "tag", "force_tag", "condition"}, 1, 3};
PyObject* sendMulti(PyObject* object, PyObject* const* arguments, Py_ssize_t count,
                    PyObject* names) {
  std::array<PyObject*, 4> values{};
  AsyncEndpoint& self = *nb::inst_ptr<AsyncEndpoint>(object);
  std::uint64_t tag = 0;
  if (!kSendMulti.read(object, arguments, count, names, values) ||
      !endpointTag(self, self.tags.send, values[1], values[2], tag))
    return nullptr;
  return startSendMulti(self, values[0], tag, values[3]);
}

constexpr Signature<3> kRecvMulti{"recv_multi()", {"tag", "force_tag", "condition"}, 0, 2};
PyObject* recvMulti(PyObject* object, PyObject* const* arguments, Py_ssize_t count,
                    PyObject* names) {
  std::array<PyObject*, 3> values{};
  AsyncEndpoint& self = *nb::inst_ptr<AsyncEndpoint>(object);
  std::uint64_t tag = 0;
  if (!kRecvMulti.read(object, arguments, count, names, values) ||
      !endpointTag(self, self.tags.receive, values[0], values[1], tag))
    return nullptr;
  ++self.receives;
  return startRecvMulti(self, Tag{tag}, TagMaskFull, values[2]);
}

constexpr int kFast = METH_FASTCALL | METH_KEYWORDS;

PyMethodDef endpoint_methods[] = {
    {"tag_send", asMethod(tagSend), kFast,
     "tag_send($self, array, tag, *, condition=None)\n--\n\n"
     "Send a contiguous buffer as one message; return its UCXRequest.\n\n"
     "The buffer must not change before the request has ended. Raises UCXCloseError on a closed\n"
     "endpoint, ValueError for a tag outside 0 to 2**64 - 1."},
    {"tag_recv", asMethod(tagRecv), kFast,
     "tag_recv($self, array, tag, tag_mask=0xffffffffffffffff, *, condition=None)\n--\n\n"
     "Receive the next message whose tag agrees in all bits of the mask; return its UCXRequest.\n\n"
     "Any peer of the worker may have sent it. A shorter message is fine (received_length); a\n"
     "longer one ends the request with UCXMessageTruncatedError, nothing written past the buffer.\n"
     "Into memory of a device the bytes come behind what the stream that its array names has to "
     "do."},
    {"tag_send_multi", asMethod(tagSendMulti), kFast,
     "tag_send_multi($self, buffers, tag, *, condition=None)\n--\n\n"
     "Send several buffers as one message; return its UCXRequest.\n\n"
     "All are pinned until it has ended. The peer receives them by tag_recv_multi."},
    {"tag_recv_multi", asMethod(tagRecvMulti), kFast,
     "tag_recv_multi($self, tag, tag_mask=0xffffffffffffffff, *, condition=None)\n--\n\n"
     "Receive what one tag_send_multi sent; the result is the list of its buffers.\n\n"
     "They are arrays of uint8, or memoryviews where NumPy is not installed, of memory of the\n"
     "library's."}};

PyMethodDef async_methods[] = {
    {"send", asMethod(send), kFast,
     "send($self, buffer, tag=None, force_tag=False, *, condition=None)\n--\n\n"
     "Send a contiguous buffer as one message; await the result, which is None.\n\n"
     "Without a tag the message is for a `recv` without one of the endpoint's peer; a tag, an int "
     "of 0\n"
     "to 2**64 - 1 or any hashable object, is mixed with the endpoint's own, and with "
     "force_tag=True\n"
     "taken as it is.\n"
     "The buffer must not change before the await is over. Cancelling the awaiting task waits "
     "until\n"
     "the buffer is free again."},
    {"recv", asMethod(recv), kFast,
     "recv($self, buffer, tag=None, force_tag=False, *, condition=None)\n--\n\n"
     "Receive the next message of that tag into a writable, contiguous buffer; await how many "
     "bytes\n"
     "it has.\n\n"
     "A message that is longer raises UCXMessageTruncatedError, nothing written past the buffer.\n"
     "Into memory of a device the bytes come behind what the stream that its array names has to "
     "do;\n"
     "when the await is over, each stream sees them."},
    {"send_multi", asMethod(sendMulti), kFast,
     "send_multi($self, buffers, tag=None, force_tag=False, *, condition=None)\n--\n\n"
     "Send a sequence of buffers as one message, for one `recv_multi`; await the result, which is\n"
     "None.\n\n"
     "Each is contiguous, of any size; all are pinned until the await is over. Tags as in `send`."},
    {"recv_multi", asMethod(recvMulti), kFast,
     "recv_multi($self, tag=None, force_tag=False, *, condition=None)\n--\n\n"
     "Receive what one `send_multi` sent; await the list of its buffers.\n\n"
     "They are arrays of uint8, or memoryviews where NumPy is not installed, of memory of the\n"
     "library's, in the sender's order; those from memory of a device are DeviceBuffers. Instead "
     "they\n"
     "are what an allocator has made (`set_allocator`). Tags as in `send`."}};

PyMethodDef worker_method = {
    "tag_recv", asMethod(workerTagRecv), kFast,
    "tag_recv($self, array, tag, tag_mask=0xffffffffffffffff, *, condition=None)\n--\n\n"
    "Receive the next message of any peer whose tag agrees in all bits of "
    "the mask; return its UCXRequest."};

void add(nb::handle type, PyMethodDef& method) {
  PyObject* const descriptor =
      PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &method);
  if (descriptor == nullptr) throw nb::python_error();
  type.attr(method.ml_name) = nb::steal(descriptor);
}

}  // namespace

bool readTag(PyObject* value, std::uint64_t& tag) { return readWord(value, "a tag", tag); }

bool sendTag(const AsyncEndpoint& self, PyObject* tag, PyObject* force_tag, std::uint64_t& result) {
  return endpointTag(self, self.tags.send, tag, force_tag, result);
}

bool receiveTag(const AsyncEndpoint& self, PyObject* tag, PyObject* force_tag,
                std::uint64_t& result) {
  return endpointTag(self, self.tags.receive, tag, force_tag, result);
}

void addTransfers(nb::handle endpoint_class, nb::handle async_class, nb::handle worker_class) {
  number_of =
      nb::object(nb::module_::import_("ucxx._arguments.tags").attr("number_of")).release().ptr();
  for (PyMethodDef& method : endpoint_methods) add(endpoint_class, method);
  for (PyMethodDef& method : async_methods) add(async_class, method);
  add(worker_class, worker_method);
}

}  // namespace ucxx::python
