// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>

#include <ucp/api/ucp.h>

#include <ucxx/typedefs.h>

#include "core/handles.h"

// Whose handles programs in C give.

namespace ucxx::ucp_c {

/// UCX's own, and none of the library's.
inline bool isOfUcx(ucp_ep_h endpoint) noexcept {
  return endpoint != nullptr && !core::isOurs(endpoint);
}

/// Of any kind; also of what has ended.
bool isOfLibrary(const void* handle);

/// @name Throw `InvalidParamError` for one that is null, or whose object has gone.
/// @{
std::shared_ptr<Endpoint> endpointOf(ucp_ep_h handle);
/// Null: UCX's own.
std::shared_ptr<Worker> workerOf(ucp_worker_h handle);
/// Null: UCX's own.
std::shared_ptr<Context> contextOf(ucp_context_h handle);
/// @}

}  // namespace ucxx::ucp_c
