// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "dlpack.h"

#include <optional>

#include "layout.h"

namespace ucxx::python {

using namespace dlpack;  // NOLINT(google-build-using-namespace): its structures

namespace {

constexpr std::uint64_t kReadOnly = 1, kCopied = 2, kPadded = 4;

/// The streams of CUDA that DLPack has numbers for.
constexpr std::uint64_t kLegacy = 1, kOfThread = 2;
constexpr int kNoStream = -1;

/// Whether the memory is a device's, by the word of an object that has one.
bool isOfDevice(nb::handle object) {
  const nb::object method = attributeOf(object, "__dlpack_device__");
  if (!method.is_valid() || method.is_none()) return false;
  const nb::object said = method();
  if (PyTuple_Check(said.ptr()) == 0 || PyTuple_GET_SIZE(said.ptr()) != 2) return false;
  const nb::object type = nb::steal(PyNumber_Index(PyTuple_GET_ITEM(said.ptr(), 0)));
  if (!type.is_valid()) throw nb::python_error();
  const long number = PyLong_AsLong(type.ptr());
  PyErr_Clear();  // none that is known
  return number == kCuda || number == kCudaManaged;
}

/// The stream that the producer is to have come after its work: that of the consumer. The thread's,
/// which a call waits for afterwards, is not held up by other streams, as the legacy one is. None:
/// the producer need not care; nor can it where the consumer is captured.
std::optional<std::uint64_t> streamFor(const Consumer& consumer) {
  switch (consumer.kind) {
    case Consumer::Kind::Now:
    case Consumer::Kind::Copy:
      return kOfThread;
    case Consumer::Kind::Stream:
      if (isBeingCaptured(consumer)) return std::nullopt;
      return reinterpret_cast<std::uintptr_t>(consumer.stream);
    case Consumer::Kind::Later:
      break;
  }
  return std::nullopt;
}

nb::object ask(nb::handle method, const nb::dict& given) {
  nb::dict with_version = nb::steal<nb::dict>(PyDict_Copy(given.ptr()));
  if (!with_version.is_valid()) throw nb::python_error();
  with_version["max_version"] = nb::make_tuple(kMajor, 0);
  try {
    // Who knows no versions cannot say that memory is read-only: NumPy refuses it then.
    return method(**with_version);
  } catch (nb::python_error& error) {
    if (!error.type().is(nb::handle(PyExc_TypeError))) throw;  // a class of its own says more
  }
  return method(**given);
}

/// What a producer has given.
struct Given {
  nb::object capsule;
  std::optional<std::uint64_t> stream;  // comes after its work
};

/// Only memory of a device has a stream. PyTorch knows no stream of a thread: it is asked for the
/// legacy one then, after which the consumer comes.
Given capsuleOf(nb::handle object, nb::handle method, const Consumer& consumer) {
  nb::dict given;
  if (!isOfDevice(object)) return {ask(method, given), std::nullopt};
  const auto stream = streamFor(consumer);
  given["stream"] = stream.has_value() ? nb::int_(*stream) : nb::int_(kNoStream);
  try {
    return {ask(method, given), stream};
  } catch (nb::python_error& error) {
    if (stream != kOfThread || !error.matches(PyExc_BufferError)) throw;
  }
  given["stream"] = nb::int_(kLegacy);
  return {ask(method, given), kLegacy};
}

/// Takes over what a capsule has: the pointer, and in `owner` what gives it back. Null: it is of
/// another kind.
template <class Managed>
Managed* consume(nb::handle capsule, nb::object& owner) {
  if (PyCapsule_IsValid(capsule.ptr(), Managed::kName) == 0) return nullptr;
  auto* const managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule.ptr(), Managed::kName));
  owner = nb::steal(PyCapsule_New(managed, nullptr, [](PyObject* own) {
    auto* const held = static_cast<Managed*>(PyCapsule_GetPointer(own, nullptr));
    if (held->deleter != nullptr) held->deleter(held);
  }));
  if (!owner.is_valid()) throw nb::python_error();
  PyCapsule_SetName(capsule.ptr(), Managed::kUsed);
  return managed;
}

std::size_t itemBytes(nb::handle object, const DataType& type, bool is_padded) {
  const std::size_t bits = std::size_t{type.bits} * type.lanes;
  if (type.code == kOpaque)
    refuse(PyExc_TypeError, object, "has pointers as items, which are of this process");
  if (bits == 0 || (bits % 8 != 0 && !is_padded))
    refuse(PyExc_TypeError, object, "has items of %zu bits: whole bytes are transferred", bits);
  return (bits + 7) / 8;
}

void read(nb::handle object, const Tensor& tensor, std::uint64_t flags, Layout& layout) {
  const std::int32_t device = tensor.device.type;
  if (tensor.dimensions < 0)
    refuse(PyExc_ValueError, object, "says that it has %d dimensions",
           static_cast<int>(tensor.dimensions));
  if (device != kCpu && device != kCuda && device != kCudaHost && device != kCudaManaged)
    refuse(PyExc_TypeError, object, "lies on a device of DLPack type %d; known are 1, 2, 3 and 13",
           static_cast<int>(device));
  layout.itemsize = itemBytes(object, tensor.type, (flags & kPadded) != 0);
  layout.setShape(object, {tensor.shape, tensor.shape + tensor.dimensions});
  if (tensor.strides == nullptr) layout.setStridesOfOrderC();
  for (std::size_t i = 0; tensor.strides != nullptr && i < layout.shape.size(); ++i) {
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(tensor.strides[i], static_cast<std::int64_t>(layout.itemsize),
                               &bytes))
      refuse(PyExc_ValueError, object, "says that it has strides which there cannot be");
    layout.strides.push_back(bytes);
  }
  if (tensor.data == nullptr && layout.bytes() != 0)
    refuse(PyExc_ValueError, object, "says that it has memory at address 0");
  layout.data = static_cast<char*>(tensor.data) + tensor.byte_offset;
  layout.is_on_device = device == kCuda || device == kCudaManaged;
  // Nobody sees what is received into a copy.
  layout.is_read_only = (flags & (kReadOnly | kCopied)) != 0;
}

}  // namespace

bool readDlpack(nb::handle object, Layout& layout, const Consumer& consumer) {
  const nb::object method = attributeOf(object, "__dlpack__");
  if (!method.is_valid() || method.is_none()) return false;
  const auto [capsule, stream] = capsuleOf(object, method, consumer);
  nb::object owner;
  if (const auto* const plain = consume<PlainTensor>(capsule, owner)) {
    read(object, plain->tensor, 0, layout);
  } else if (const auto* const versioned = consume<VersionedTensor>(capsule, owner)) {
    if (versioned->major != kMajor)
      refuse(PyExc_TypeError, object, "has a tensor of DLPack %u.%u; known are 0 and %u",
             versioned->major, versioned->minor, kMajor);
    read(object, versioned->tensor, versioned->flags, layout);
  } else {
    refuse(PyExc_TypeError, object,
           "has given %R by __dlpack__: expected a new, unused capsule of a tensor", capsule.ptr());
  }
  layout.owner = nb::make_tuple(object, owner);
  // One of its own has the producer before it already; these two are others in each context.
  const bool is_awaited = stream.has_value() && *stream <= kOfThread && layout.bytes() != 0;
  if (layout.is_on_device && is_awaited) awaitProducer(consumer, *stream, layout.data);
  return true;
}

}  // namespace ucxx::python
