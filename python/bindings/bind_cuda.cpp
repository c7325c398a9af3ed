// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Conditions that streams, graphs and kernels of CUDA trigger.

#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <nanobind/stl/string.h>

#include <ucxx/cuda/stream.h>

#include "bind.h"
#include "condition.h"
#include "device.h"
#include "seconds.h"
#include "without_gil.h"
#include "word.h"

namespace ucxx::python {
namespace {

using Kind = ConditionObject::Kind;

ConditionOptions optionsOf(nb::handle start_timeout, nb::handle transfer_timeout) {
  ConditionOptions options;
  options.start_timeout = limitOf("start_timeout", start_timeout);
  options.transfer_timeout = limitOf("transfer_timeout", transfer_timeout);
  return options;
}

/// The object of what `make` returns, which it makes without the GIL.
template <class Make>
nb::object conditionBy(const Make& make, Kind kind, CUstream_st* stream = nullptr) {
  Condition made = withoutGil(make);
  return nb::cast(new ConditionObject(std::move(made), kind, stream),
                  nb::rv_policy::take_ownership);
}

nb::object streamCondition(nb::handle stream, nb::handle start_timeout,
                           nb::handle transfer_timeout) {
  const ConditionOptions options = optionsOf(start_timeout, transfer_timeout);
  CUstream_st* const handle = streamOf(stream);
  return conditionBy([&] { return Condition::stream(handle, options); }, Kind::Stream, handle);
}

nb::object graphCondition(nb::handle graph, nb::handle after, nb::handle start_timeout,
                          nb::handle transfer_timeout) {
  const ConditionOptions options = optionsOf(start_timeout, transfer_timeout);
  CUgraph_st* const handle = graphOf(graph);
  const auto nodes = nodesOf(after);
  return conditionBy([&] { return Condition::graph(handle, nodes, options); }, Kind::Graph);
}

nb::object kernelCondition(nb::handle repeat, nb::handle start_timeout,
                           nb::handle transfer_timeout) {
  ConditionOptions options = optionsOf(start_timeout, transfer_timeout);
  options.repeat = flagOf("repeat", repeat);
  return conditionBy([&] { return Condition::kernel(options); }, Kind::Kernel);
}

/// A batch is of the thread that opens it: the core collects what that thread posts.
class BatchObject {
 public:
  explicit BatchObject(nb::handle stream) : stream_(streamOf(stream)) {}
  ~BatchObject() {
    const nb::error_scope kept;
    const WithoutGil released(open_ != nullptr);
    open_.reset();
  }
  BatchObject(const BatchObject&) = delete;
  BatchObject& operator=(const BatchObject&) = delete;

  void open() {
    if (open_ != nullptr) fail("the batch is open already");
    auto opened = withoutGil([this] { return std::make_unique<cuda::StreamBatch>(stream_); });
    open_ = std::move(opened);
    thread_ = std::this_thread::get_id();
  }
  void submit() {
    requireOpen();
    withoutGil([this] { open_->submit(); });
  }
  /// In another thread the core leaves what was collected to the thread that has opened it.
  void close() {
    if (open_ == nullptr) fail(kNotOpen);
    std::unique_ptr<cuda::StreamBatch> ending = std::move(open_);
    const bool is_own = isOfThisThread();
    withoutGil([&] {
      const std::unique_ptr<cuda::StreamBatch> ended = std::move(ending);
      if (is_own) ended->submit();
    });
    if (!is_own)
      fail(
          "the batch was opened in another thread: what it has collected enters the stream with "
          "the next post of that thread to a stream, or at the end of that thread");
  }
  nb::str represent() const {
    const char* const now = open_ == nullptr ? "not open" : "open";
    return nb::steal<nb::str>(
        PyUnicode_FromFormat("<ucxx.cuda.StreamBatch of stream %p, %s>", stream_, now));
  }

 private:
  [[noreturn]] static void fail(const char* text) {
    PyErr_SetString(PyExc_RuntimeError, text);
    throw nb::python_error();
  }
  void requireOpen() const {
    if (open_ == nullptr) fail(kNotOpen);
    if (!isOfThisThread()) fail("the batch was opened in another thread");
  }
  bool isOfThisThread() const noexcept { return thread_ == std::this_thread::get_id(); }

  static constexpr const char* kNotOpen = "the batch is not open: it is a context manager";

  CUstream_st* const stream_;
  std::unique_ptr<cuda::StreamBatch> open_;
  std::thread::id thread_;
};

constexpr char kBatchDoc[] =
    "One call of the driver in place of many, for what this thread posts to a stream meanwhile.\n\n"
    "Made by `ucxx.cuda.batch`. A context manager: what was collected enters the stream at the\n"
    "end, also after an exception. Of several batches of one stream, one within the other, the\n"
    "outer one collects. `UCXRequest.wait`, `Condition.wait` and the `wait` of a plan submit all\n"
    "batches of their thread before they block.";

void bindBatch(nb::module_& module) {
  nb::class_<BatchObject>(module, "StreamBatch", kBatchDoc)
      .def(
          "__init__", [](BatchObject* self, nb::handle stream) { new (self) BatchObject(stream); },
          "stream"_a.none(), nb::sig("def __init__(self, stream: ucxx.types.StreamLike) -> None"))
      .def("submit", &BatchObject::submit,
           "Put what was collected into the stream now.\n\n"
           "Raises UCXError: what the driver says; then nothing of it is in the stream, and the\n"
           "transfers that it was to start end with UCXCanceledError. RuntimeError: it is not "
           "open,\n"
           "or was opened in another thread.")
      .def(
          "__enter__",
          [](BatchObject& self) {
            self.open();
            return nb::find(self);
          },
          nb::sig("def __enter__(self) -> typing.Self"),
          "Begin to collect; return it. Raises UCXError as `ucxx.cuda.stream` does.")
      .def(
          "__exit__", [](BatchObject& self, const nb::args&) { self.close(); },
          nb::sig("def __exit__(self, *exception: object) -> None"),
          "Submit, and end.\n\n"
          "In another thread than that of `__enter__` (a generator may end there) it raises\n"
          "RuntimeError: what was collected enters the stream with the next post of that thread, "
          "or\n"
          "when that thread ends.")
      .def("__repr__", &BatchObject::represent);
}

void bindHandle(nb::module_& module) {
  nb::class_<DeviceHandle>(
      module, "DeviceHandle",
      "What kernels trigger and wait by: the functions of ucxx/cuda/device.h take its address.\n\n"
      "It keeps what it belongs to. Keep either until the kernels have ended that were given it.")
      .def_prop_ro(
          "ptr", [](const DeviceHandle& self) { return self.address; },
          "The address, in memory of the device.")
      .def(
          "__int__", [](const DeviceHandle& self) { return self.address; }, "Return the address.")
      .def("__repr__", [](const DeviceHandle& self) {
        return nb::steal<nb::str>(PyUnicode_FromFormat("<ucxx.cuda.DeviceHandle at %p>",
                                                       reinterpret_cast<void*>(self.address)));
      });
}

}  // namespace

void bindCuda(nb::module_& module) {
  module.def("_stream_condition", &streamCondition, "stream"_a.none(), "start_timeout"_a.none(),
             "transfer_timeout"_a.none(),
             nb::sig("def _stream_condition(stream: ucxx.types.StreamLike, "
                     "start_timeout: float | None, transfer_timeout: float | None) -> Condition"));
  module.def("_graph_condition", &graphCondition, "graph"_a.none(), "after"_a.none(),
             "start_timeout"_a.none(), "transfer_timeout"_a.none(),
             nb::sig("def _graph_condition(graph: ucxx.types.GraphLike, "
                     "after: collections.abc.Iterable[ucxx.types.GraphNodeLike], "
                     "start_timeout: float | None, transfer_timeout: float | None) -> Condition"));
  module.def("_kernel_condition", &kernelCondition, "repeat"_a.none(), "start_timeout"_a.none(),
             "transfer_timeout"_a.none(),
             nb::sig("def _kernel_condition(repeat: bool, start_timeout: float | None, "
                     "transfer_timeout: float | None) -> Condition"));
  module.def(
      "_attach_cuda", [] { withoutGil([] { cuda::attach(); }); },
      nb::sig("def _attach_cuda() -> None"));
  bindHandle(module);
  bindBatch(module);
}

}  // namespace ucxx::python
