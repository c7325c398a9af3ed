// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Contexts and workers of UCX's own begin and end, for C. UCX may give them the addresses of those
// of the library that have ended.

#include <ucxx/ucp_handles.h>

#include "ucp_c/calls.h"
#include "ucp_c/handles.h"

using namespace ucxx::ucp_c;  // NOLINT(google-build-using-namespace): its own

// NOLINTBEGIN(readability-identifier-naming): UCX's names
ucs_status_t ucxx_init_version(unsigned major, unsigned minor, const ucp_params_t* params,
                               const ucp_config_t* config, ucp_context_h* context) {
  const ucs_status_t status = ucp_init_version(major, minor, params, config, context);
  if (status == UCS_OK) ucxx::core::forgetEnded(*context);
  return status;
}

ucs_status_t ucxx_worker_create(ucp_context_h context, const ucp_worker_params_t* params,
                                ucp_worker_h* worker) {
  const ucs_status_t status = ucp_worker_create(context, params, worker);
  if (status == UCS_OK) ucxx::core::forgetEnded(*worker);
  return status;
}

void ucxx_cleanup(ucp_context_h context) {
  if (ucxx_refuses("ucp_cleanup", context) == 0) ucp_cleanup(context);
}

void ucxx_worker_destroy(ucp_worker_h worker) {
  if (ucxx_refuses("ucp_worker_destroy", worker) == 0) ucp_worker_destroy(worker);
}

int ucxx_refuses(const char* function, const void* handle) {
  bool is_refused = true;
  asNothing(function, [&] {
    is_refused = isOfLibrary(handle);
    if (is_refused)
      tellCaller(function,
                 "not offered for handles of the library; use what ucxx/ucp_condition.h declares, "
                 "or the functions of its objects");
  });
  return is_refused ? 1 : 0;
}
// NOLINTEND(readability-identifier-naming)
