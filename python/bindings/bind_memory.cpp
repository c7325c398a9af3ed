// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <stdexcept>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <ucxx/exception.h>
#include <ucxx/memory_handle.h>
#include <ucxx/remote_key.h>

#include "arguments.h"
#include "bind.h"
#include "condition.h"
#include "features.h"
#include "known_view.h"
#include "transfer.h"
#include "word.h"

namespace ucxx::python {
namespace {

/// Memory that peers can reach: a buffer of the user's, pinned, or some of the library's.
struct Memory {
  /// `memory`: a buffer, or an int.
  Memory(const std::shared_ptr<Context>& context, nb::handle memory) {
    if (PyLong_Check(memory.ptr()) != 0) {
      handle = createMemoryHandle(context, wordOf(memory, "a size in bytes"));
      return;
    }
    if (!view.acquire(memory.ptr(), Access::Write)) throw nb::python_error();
    const KnownView known(view);
    handle = createMemoryHandle(context, view.size(), view.data());
  }

  View view;  // ends after the handle
  std::shared_ptr<MemoryHandle> handle;
};

int getBuffer(PyObject* object, Py_buffer* view, int flags) {
  view->obj = nullptr;
  if (!isReady(object)) return -1;
  const Memory& self = *nb::inst_ptr<Memory>(object);
  return PyBuffer_FillInfo(view, object, reinterpret_cast<void*>(self.handle->getBaseAddress()),
                           static_cast<Py_ssize_t>(self.handle->getSize()), 0, flags);
}
PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(getBuffer)}, {0, nullptr}};

using Key = std::shared_ptr<RemoteKey>;

Key keyOf(nb::handle value) { return pointerOf<Key>(value, "key must be a RemoteKey"); }
std::uint64_t offsetOf(nb::handle value) { return wordOf(value, "an offset"); }

Key keyFrom(const EndpointObject& endpoint, nb::handle data) {
  View view;
  if (!view.acquire(data.ptr(), Access::Read)) throw nb::python_error();
  if (view.isOnDevice()) refuseType(data, "the bytes of a key are in memory of the host");
  try {
    return createRemoteKeyFromSerialized(
        endpoint.endpoint, std::string(static_cast<const char*>(view.data()), view.size()));
  } catch (const std::overflow_error& error) {
    throw InvalidParamError(error.what());
  }
}

nb::object put(EndpointObject& self, nb::handle buffer, nb::handle remote_key, nb::handle offset,
               nb::handle condition) {
  require(*self.state, kRma);
  return transfer(self, buffer, Access::Read, condition, [&](const View& view) {
    const Key key = keyOf(remote_key);
    const std::uint64_t at = offsetOf(offset);
    return post(
        condition, self.worker,
        [&] { return self.endpoint->memPut(view.data(), view.size(), key, at); },
        [&] {
          return self.endpoint->memPutBuilder(view.data(), view.size(), key)
              .remoteAddressOffset(at);
        });
  });
}

/// How many bytes of the peer's memory were read. The request may be one that has no length.
struct Read final : Extra {
  PyObject* result(Request&) override { return PyLong_FromSize_t(bytes); }
  std::size_t bytes = 0;
};

nb::object get(EndpointObject& self, nb::handle buffer, nb::handle remote_key, nb::handle offset,
               nb::handle condition) {
  require(*self.state, kRma);
  auto read = std::make_unique<Read>();
  std::size_t& bytes = read->bytes;
  const auto start = [&](const View& view) {
    const Key key = keyOf(remote_key);
    const std::uint64_t at = offsetOf(offset);
    bytes = view.size();
    return post(
        condition, self.worker,
        [&] { return self.endpoint->memGet(view.data(), view.size(), key, at); },
        [&] {
          return self.endpoint->memGetBuilder(view.data(), view.size(), key)
              .remoteAddressOffset(at);
        });
  };
  return transfer(self, buffer, Access::Write, condition, start, std::move(read));
}

/// The word that an atomic operation has fetched: its result.
template <class Word>
struct Fetched final : Extra {
  PyObject* result(Request&) override { return PyLong_FromUnsignedLongLong(word); }
  Word word = 0;
};

/// Which word, and when.
struct Place {
  Key key;
  std::uint64_t offset;
  nb::handle condition;
};

template <class Word>
nb::object atomic(EndpointObject& self, AtomicOperation operation, std::uint64_t wide,
                  const Place& place, bool fetches) {
  const auto operand = static_cast<Word>(wide);
  if (operand != wide)
    throw std::invalid_argument("the operand " + std::to_string(wide) +
                                " does not fit into a word of 4 bytes");
  Endpoint& endpoint = *self.endpoint;
  if (!fetches)
    return transfer(
        self, post(
                  place.condition, self.worker,
                  [&] { return endpoint.atomicPost(operation, operand, place.key, place.offset); },
                  [&] {
                    return endpoint.atomicPostBuilder(operation, operand, place.key)
                        .remoteAddressOffset(place.offset);
                  }));
  auto fetched = std::make_unique<Fetched<Word>>();
  Word* const word = &fetched->word;
  auto request = post(
      place.condition, self.worker,
      [&] { return endpoint.atomicFetch(operation, operand, word, place.key, place.offset); },
      [&] {
        return endpoint.atomicFetchBuilder(operation, operand, word, place.key)
            .remoteAddressOffset(place.offset);
      });
  return transfer(self, std::move(request), std::move(fetched));
}

template <class Word>
nb::object compareSwap(EndpointObject& self, Word expected, Word desired, const Place& place) {
  Endpoint& endpoint = *self.endpoint;
  auto fetched = std::make_unique<Fetched<Word>>();
  Word* const word = &fetched->word;
  auto request = post(
      place.condition, self.worker,
      [&] { return endpoint.atomicCompareSwap(expected, desired, word, place.key, place.offset); },
      [&] {
        return endpoint.atomicCompareSwapBuilder(expected, desired, word, place.key)
            .remoteAddressOffset(place.offset);
      });
  return transfer(self, std::move(request), std::move(fetched));
}

/// Whether the word has 4 bytes, else 8.
bool isShort(const EndpointObject& self, nb::handle itemsize) {
  const std::uint64_t bytes = wordOf(itemsize, "itemsize");
  if (bytes != 4 && bytes != 8)
    throw std::invalid_argument("itemsize is 4 or 8, not " + std::to_string(bytes));
  require(*self.state, bytes == 4 ? kAmo32 : kAmo64);
  return bytes == 4;
}

nb::object anyAtomic(EndpointObject& self, nb::handle what, nb::handle operand, nb::handle key,
                     nb::handle offset, nb::handle itemsize, nb::handle condition, bool fetches) {
  const bool is_short = isShort(self, itemsize);
  const std::uint64_t word = wordOf(operand, "an operand");
  const Place place{keyOf(key), offsetOf(offset), condition};
  AtomicOperation operation{};
  if (!nb::try_cast(what, operation)) refuseType(what, "operation must be an AtomicOperation");
  return is_short ? atomic<std::uint32_t>(self, operation, word, place, fetches)
                  : atomic<std::uint64_t>(self, operation, word, place, fetches);
}

nb::object anyCompareSwap(EndpointObject& self, nb::handle expected_word, nb::handle desired_word,
                          nb::handle key, nb::handle offset, nb::handle itemsize,
                          nb::handle condition) {
  const bool is_short = isShort(self, itemsize);
  const std::uint64_t expected = wordOf(expected_word, "an expected word"),
                      desired = wordOf(desired_word, "a desired word"), at = offsetOf(offset);
  const Place place{keyOf(key), at, condition};
  if (!is_short) return compareSwap<std::uint64_t>(self, expected, desired, place);
  if (expected >> 32 != 0 || desired >> 32 != 0)
    throw std::invalid_argument("a word of 4 bytes is less than 2**32");
  return compareSwap<std::uint32_t>(self, static_cast<std::uint32_t>(expected),
                                    static_cast<std::uint32_t>(desired), place);
}

}  // namespace

void bindMemory(nb::module_& module) {
  nb::enum_<AtomicOperation>(module, "AtomicOperation", "What an atomic operation does to a word.")
      .value("ADD", AtomicOperation::Add)
      .value("AND", AtomicOperation::And)
      .value("OR", AtomicOperation::Or)
      .value("XOR", AtomicOperation::Xor)
      .value("SWAP", AtomicOperation::Swap);
  nb::class_<RemoteKey>(module, "RemoteKey",
                        "Lets a peer reach memory: the owner's side of it, or the peer's.\n\n"
                        "bytes(key) is for the peer, whatever way it goes.")
      .def_static("create_from_buffer", &keyFrom, "endpoint"_a, "data"_a.none(),
                  nb::sig("def create_from_buffer(endpoint: ucxx._core.UCXEndpoint, "
                          "data: ucxx.types.BufferLike) -> RemoteKey"),
                  "Make the key of a peer's memory of its bytes.\n\n"
                  "Raises UCXInvalidParamError for bytes that are no key.")
      .def_prop_ro("size", &RemoteKey::getSize, "Bytes of the memory.")
      .def_prop_ro("base_address", &RemoteKey::getBaseAddress, "Where it lies in its process.")
      .def("__bytes__", [](const RemoteKey& self) {
        const std::string text = self.serialize();
        return nb::bytes(text.data(), text.size());
      });
  nb::class_<Memory>(module, "_Memory", nb::type_slots(slots))
      .def(nb::init<const std::shared_ptr<Context>&, nb::handle>(), "context"_a, "memory"_a.none(),
           nb::sig("def __init__(self, context: _Context, memory: ucxx.types.BufferLike | int) "
                   "-> None"))
      .def_prop_ro(
          "size", [](const Memory& self) { return self.handle->getSize(); }, "Bytes.")
      .def_prop_ro(
          "base_address", [](const Memory& self) { return self.handle->getBaseAddress(); },
          "Where it lies in this process.")
      .def(
          "create_remote_key", [](const Memory& self) { return self.handle->createRemoteKey(); },
          "Make the key that lets peers reach it; bytes(key) is what they need of it.\n\n"
          "Who has the key can read and write the whole memory.");
  nb::handle endpoint = module.attr("UCXEndpoint");
  auto type = nb::borrow<nb::class_<EndpointObject>>(endpoint);
  type.def("put", &put, "buffer"_a.none(), "remote_key"_a.none(), nb::arg("offset").none() = 0,
           nb::kw_only(), nb::arg("condition").none() = nb::none(),
           nb::sig("def put(self, buffer: ucxx.types.BufferLike, remote_key: RemoteKey, "
                   "offset: int = 0, *, condition: Condition | None = None) "
                   "-> UCXRequest[None]"),
           "Write a buffer into the peer's memory, `offset` bytes from its start.\n\n"
           "The buffer, of the host and contiguous, must not change before the request has ended; "
           "the\nbytes are with the peer after a `flush`. Raises UCXInvalidParamError for a key of "
           "another\nendpoint, or bytes that do not lie within its memory.")
      .def(
          "get", &get, "buffer"_a.none(), "remote_key"_a.none(), nb::arg("offset").none() = 0,
          nb::kw_only(), nb::arg("condition").none() = nb::none(),
          nb::sig("def get(self, buffer: ucxx.types.BufferLike, remote_key: RemoteKey, "
                  "offset: int = 0, *, condition: Condition | None = None) -> UCXRequest[int]"),
          "Read the peer's memory, from `offset` bytes on, until the buffer is full.\n\n"
          "The buffer is one of the host, writable and contiguous; the result is its bytes. Raises "
          "as `put`.")
      .def(
          "atomic_post",
          [](EndpointObject& self, nb::handle operation, nb::handle operand, nb::handle key,
             nb::handle offset, nb::handle itemsize, nb::handle condition) {
            return anyAtomic(self, operation, operand, key, offset, itemsize, condition, false);
          },
          "operation"_a.none(), "operand"_a.none(), "remote_key"_a.none(),
          nb::arg("offset").none() = 0, nb::arg("itemsize").none() = 8, nb::kw_only(),
          nb::arg("condition").none() = nb::none(),
          nb::sig("def atomic_post(self, operation: AtomicOperation, operand: int, "
                  "remote_key: RemoteKey, offset: int = 0, itemsize: int = 8, *, "
                  "condition: Condition | None = None) -> UCXRequest[None]"),
          "Change a word of the peer's memory; it is done after a `flush`.\n\n"
          "The word has `itemsize` bytes, 4 or 8, and is aligned; `offset` is in bytes. Atomic "
          "with "
          "all\nother atomics. Raises UCXInvalidParamError as `put`, ValueError for an operand "
          "that "
          "does not\nfit.")
      .def(
          "atomic_fetch",
          [](EndpointObject& self, nb::handle operation, nb::handle operand, nb::handle key,
             nb::handle offset, nb::handle itemsize, nb::handle condition) {
            return anyAtomic(self, operation, operand, key, offset, itemsize, condition, true);
          },
          "operation"_a.none(), "operand"_a.none(), "remote_key"_a.none(),
          nb::arg("offset").none() = 0, nb::arg("itemsize").none() = 8, nb::kw_only(),
          nb::arg("condition").none() = nb::none(),
          nb::sig("def atomic_fetch(self, operation: AtomicOperation, operand: int, "
                  "remote_key: RemoteKey, offset: int = 0, itemsize: int = 8, *, "
                  "condition: Condition | None = None) -> UCXRequest[int]"),
          "Change a word of the peer's memory; the result is what it was, unsigned.\n\n"
          "Word, offset and errors as of `atomic_post`.")
      .def("atomic_compare_swap", &anyCompareSwap, "expected"_a.none(), "desired"_a.none(),
           "remote_key"_a.none(), nb::arg("offset").none() = 0, nb::arg("itemsize").none() = 8,
           nb::kw_only(), nb::arg("condition").none() = nb::none(),
           nb::sig("def atomic_compare_swap(self, expected: int, desired: int, "
                   "remote_key: RemoteKey, offset: int = 0, itemsize: int = 8, *, "
                   "condition: Condition | None = None) -> UCXRequest[int]"),
           "Store `desired` if the word is `expected`; the result is what it was, unsigned.\n\n"
           "Word, offset and errors as of `atomic_post`.");
}

}  // namespace ucxx::python
