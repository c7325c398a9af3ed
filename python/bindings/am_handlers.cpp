// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "am_handlers.h"

#include <memory>
#include <utility>

#include <ucxx/worker.h>

#include "callback.h"
#include "received.h"
#include "request.h"
#include "without_gil.h"

namespace ucxx::python {
namespace {

/// With the GIL.
void deliver(const Kept& kept, std::uint64_t id, std::shared_ptr<Request> request,
             std::uintptr_t endpoint) {
  const nb::object worker = workerOf(kept);
  if (worker.is_none()) return;
  WorkerState& state = *nb::inst_ptr<WorkerState>(worker);
  View none;
  const nb::object message = nb::steal(
      makeRequest(std::move(request), state, worker.ptr(), none, false, receivedMessage()));
  if (!message.is_valid()) return PyErr_WriteUnraisable(worker.ptr());
  call(state, nb::object(worker.attr("_on_am")), id, message, endpoint);
}

}  // namespace

void handleAm(nb::handle worker, std::uint64_t id) {
  WorkerState& state = *nb::inst_ptr<WorkerState>(worker);
  auto kept = keepWeakly(worker);
  const WithoutGil released;
  state.worker->registerAmReceiverCallback(
      AmReceiverCallbackInfo(kAmOwner, id),
      [id, kept, completions = state.completions](std::shared_ptr<Request> request,
                                                  ucp_ep_h endpoint) {
        pushCall(*completions, [id, kept, request, endpoint] {
          deliver(*kept, id, request, reinterpret_cast<std::uintptr_t>(endpoint));
        });
      });
}

}  // namespace ucxx::python
