// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>

#include <ucp/api/ucp.h>

#include <ucxx/typedefs.h>

#include "core/request/handles.h"

// Whose handles programs in C give.

namespace ucxx::ucp_c {

/// An address of UCX's: neither null nor a handle that the library marks. Contexts and workers of
/// the library are addresses, too.
inline bool isOfUcx(const void* handle) noexcept {
  return handle != nullptr && !core::isOurs(handle);
}

/// Also one that has ended.
bool isOfLibrary(ucp_worker_h worker);
bool isOfLibrary(ucp_context_h context);

/// @name Throw `InvalidParamError` for one that is null, or whose object has gone.
/// @{
std::shared_ptr<Endpoint> endpointOf(ucp_ep_h handle);
/// Null: it is UCX's own.
std::shared_ptr<Worker> libraryWorkerOf(ucp_worker_h handle);
/// Null: it is UCX's own.
std::shared_ptr<Context> libraryContextOf(ucp_context_h handle);
/// @}

}  // namespace ucxx::ucp_c
