// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "allocator.h"

#include <utility>

#include <ucxx/worker.h>

#include "callback.h"
#include "copies_without_gil.h"
#include "with_gil.h"
#include "without_gil.h"

namespace ucxx::python {

struct PythonBuffer::Pin {
  nb::object object;
  View view;
};

namespace {

/// Throws a Python error that says both sizes, or what is wrong with the object.
void check(const View& view, std::size_t size, bool of_device) {
  if (view.isOnDevice() == of_device && view.size() == size) return;
  const auto name = [](bool on_device) { return on_device ? "a device" : "the host"; };
  PyErr_Format(PyExc_ValueError, "an allocator has given %zu bytes of %s instead of %zu of %s",
               view.size(), name(view.isOnDevice()), size, name(of_device));
  throw nb::python_error();
}

/// What the worker's function gives; null when it fails, which is reported as of a callback.
std::shared_ptr<Buffer> allocate(const Kept& kept, std::size_t size, bool of_device) {
  if (interpreter_ends) return nullptr;
  const WithGil acquired;
  const CopiesWithoutGil::Interrupted keeps_it;
  const nb::object worker = workerOf(kept);
  if (worker.is_none()) return nullptr;
  WorkerState& state = *nb::inst_ptr<WorkerState>(worker);
  const nb::object function = worker.attr("_allocate");
  try {
    const nb::object made = function(of_device ? "cuda" : "host", size);
    View view;
    if (!view.acquire(made.ptr(), Access::Write)) throw nb::python_error();
    check(view, size, of_device);
    return std::make_shared<PythonBuffer>(made, view, state.completions);
  } catch (nb::python_error& error) {
    reportRaised(state, function, error);
    return nullptr;
  }
}

}  // namespace

PythonBuffer::PythonBuffer(nb::handle object, View& view, std::shared_ptr<Completions> completions)
    : Buffer(view.isOnDevice() ? BufferType::CCCL : BufferType::Host, view.size()),
      pin_(new Pin),
      completions_(std::move(completions)) {
  pin_->object = nb::borrow(object);
  pin_->view.take(view);
}

PythonBuffer::~PythonBuffer() {
  if (PyGILState_Check() != 0 && !CopiesWithoutGil::isUnderWay()) return;
  pushCall(*completions_, [pin = pin_.release()] { delete pin; });
}

void* PythonBuffer::data() { return pin_->view.data(); }

nb::handle PythonBuffer::object() const noexcept { return pin_->object; }

void useAllocator(nb::handle worker, bool of_device) {
  WorkerState& state = *nb::inst_ptr<WorkerState>(worker);
  auto kept = keepWeakly(worker);
  const WithoutGil released;
  state.worker->registerAmAllocator(
      of_device ? UCS_MEMORY_TYPE_CUDA : UCS_MEMORY_TYPE_HOST,
      [kept, of_device](std::size_t size) { return allocate(*kept, size, of_device); });
}

}  // namespace ucxx::python
