// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// Preloaded with the stand-in where a program moves "CUDA memory" by UCX: that memory is the
// host's, which UCX moves without CUDA, so UCX says that it knows CUDA. And UCX, which would call
// CUDA, is moved only by threads that have a context.

#include <dlfcn.h>
#include <ucp/api/ucp.h>

#include "cuda/driver/stand_in.h"

extern "C" UCXX_STAND_IN ucs_status_t ucp_context_query(ucp_context_h context,
                                                        ucp_context_attr_t* attributes) {
  static const auto query =
      reinterpret_cast<decltype(&ucp_context_query)>(::dlsym(RTLD_NEXT, "ucp_context_query"));
  const ucs_status_t status = query(context, attributes);
  if (status == UCS_OK && (attributes->field_mask & UCP_ATTR_FIELD_MEMORY_TYPES) != 0 &&
      !stand_in::isAsked("no-ucx"))
    attributes->memory_types |= UCS_BIT(UCS_MEMORY_TYPE_CUDA);
  return status;
}

extern "C" UCXX_STAND_IN unsigned ucp_worker_progress(ucp_worker_h worker) {
  static const auto progress =
      reinterpret_cast<decltype(&ucp_worker_progress)>(::dlsym(RTLD_NEXT, "ucp_worker_progress"));
  if (stand_in::lacksContext()) stand_in::countRoundWithoutContext();
  return progress(worker);
}
