// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/ucx_with_cuda.h"

#include <dlfcn.h>
#include <ucp/api/ucp.h>

namespace ucxx::core::test {

UcxWithCuda& ucxWithCuda() {
  static UcxWithCuda ucx;
  return ucx;
}

}  // namespace ucxx::core::test

/// Instead of UCX's.
extern "C" [[gnu::visibility("default")]] ucs_status_t ucp_context_query(
    ucp_context_h context, ucp_context_attr_t* attributes) {
  const auto query =
      reinterpret_cast<decltype(&ucp_context_query)>(::dlsym(RTLD_NEXT, "ucp_context_query"));
  const ucs_status_t status = query(context, attributes);
  const bool is_asked = (attributes->field_mask & UCP_ATTR_FIELD_MEMORY_TYPES) != 0;
  if (is_asked && ucxx::core::test::ucxWithCuda().knows_cuda)
    attributes->memory_types |= UCS_BIT(UCS_MEMORY_TYPE_CUDA);
  return status;
}

extern "C" [[gnu::visibility("default")]] ucs_status_t ucp_worker_create(
    ucp_context_h context, const ucp_worker_params_t* params, ucp_worker_h* worker) {
  const auto create =
      reinterpret_cast<decltype(&ucp_worker_create)>(::dlsym(RTLD_NEXT, "ucp_worker_create"));
  if (!ucxx::core::test::ucxWithCuda().makes_workers) return UCS_ERR_NO_RESOURCE;
  return create(context, params, worker);
}
