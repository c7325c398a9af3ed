// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Contexts, workers and endpoints, for C.

#include "ucp_c/handles.h"

#include <utility>

#include <fmt/format.h>

#include <ucxx/context.h>
#include <ucxx/endpoint.h>
#include <ucxx/worker.h>

#include "ucp_c/calls.h"

namespace ucxx::ucp_c {
namespace {

/// `kind`: "worker"; `type`: of C++.
template <class Object, class Handle>
std::shared_ptr<Object> objectOf(core::KnownOfUcp<Object> known, Handle handle, const char* kind,
                                 const char* type) {
  if (isOfUcx(handle) && !known.has_ended) return std::move(known.object);
  throw InvalidParamError(
      fmt::format("the {} {} is null, has ended, or is no such handle; it is what {}::getHandle "
                  "gives, as long as that object lives",
                  kind, static_cast<const void*>(handle), type));
}

template <class Object>
bool isKnown(const core::KnownOfUcp<Object>& known) noexcept {
  return known.object != nullptr || known.has_ended;
}

}  // namespace

bool isOfLibrary(ucp_worker_h worker) { return isKnown(core::workerOfUcp(worker)); }

bool isOfLibrary(ucp_context_h context) { return isKnown(core::contextOfUcp(context)); }

std::shared_ptr<Endpoint> endpointOf(ucp_ep_h handle) {
  std::shared_ptr<Endpoint> endpoint = core::isOurs(handle) ? core::endpointNamed(handle) : nullptr;
  if (endpoint == nullptr)
    throw InvalidParamError(
        fmt::format("the endpoint {} is null or has gone; it is what ucxx::Endpoint::getHandle "
                    "gives, until that is closed or nobody holds it",
                    static_cast<const void*>(handle)));
  return endpoint;
}

std::shared_ptr<Worker> libraryWorkerOf(ucp_worker_h handle) {
  return objectOf(core::workerOfUcp(handle), handle, "worker", "ucxx::Worker");
}

std::shared_ptr<Context> libraryContextOf(ucp_context_h handle) {
  return objectOf(core::contextOfUcp(handle), handle, "context", "ucxx::Context");
}

}  // namespace ucxx::ucp_c
