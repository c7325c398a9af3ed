// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <utility>

#include "endpoint_object.h"
#include "known_view.h"
#include "python.h"
#include "request.h"
#include "trace.h"
#include "view.h"

namespace ucxx::python {

/// The object of a transfer of `buffer`, whose request `start(view)` makes: a receive, if it is
/// written to. `condition`: what it waits for, None for nothing. Throws what is wrong with the
/// buffer, and what `start` throws.
template <class Start>
nb::object transfer(EndpointObject& self, nb::handle buffer, Access access, nb::handle condition,
                    const Start& start, std::unique_ptr<Extra> extra = nullptr) {
  View view;
  if (!view.acquire(buffer.ptr(), access, condition.ptr(), self.worker.ptr()))
    throw nb::python_error();
  Trace::posting();
  std::shared_ptr<Request> request;
  {
    const KnownView known(view);
    request = start(std::as_const(view));
  }
  self.state->settle();
  return nb::steal(makeRequest(std::move(request), *self.state, self.worker.ptr(), view,
                               access != Access::Read, std::move(extra)));
}

/// The same of one without a buffer of the caller's. None for no request.
inline nb::object transfer(EndpointObject& self, std::shared_ptr<Request> request,
                           std::unique_ptr<Extra> extra = nullptr) {
  self.state->settle();
  if (request == nullptr) return nb::none();
  View none;
  return nb::steal(makeRequest(std::move(request), *self.state, self.worker.ptr(), none, false,
                               std::move(extra)));
}

}  // namespace ucxx::python
