// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Contexts and workers of UCX's own begin and end, for C. UCX may give them the addresses of those
// of the library that have ended.

#include <ucxx/exception.h>
#include <ucxx/ucp_handles.h>

#include "ucp_c/calls.h"
#include "ucp_c/handles.h"
#include "ucp_c/param.h"

namespace ucxx::ucp_c {
namespace {

/// 1, and the caller is told, if `is_of_library` says so.
template <class IsOfLibrary>
int refuses(const char* function, const IsOfLibrary& is_of_library) noexcept {
  bool is_refused = true;
  asNothing(function, [&] {
    is_refused = is_of_library();
    if (is_refused)
      tellCaller(
          function,
          "not offered for handles of the library; ucxx/ucp_condition.h says what is, and the "
          "functions of its objects do the rest");
  });
  return is_refused ? 1 : 0;
}

}  // namespace
}  // namespace ucxx::ucp_c

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

ucs_status_t ucxx_ep_create(ucp_worker_h worker, const ucp_ep_params_t* params,
                            ucp_ep_h* endpoint) {
  return asStatus("ucp_ep_create", [&] {
    if (isOfLibrary(worker))
      throw ucxx::UnsupportedError(
          "the worker is of the library; make endpoints by "
          "ucxx::Worker::createEndpointFromWorkerAddress, or createEndpointFromHostname");
    const bool is_request =
        params != nullptr && (params->field_mask & UCP_EP_PARAM_FIELD_CONN_REQUEST) != 0;
    if (is_request && ucxx::core::isOurs(params->conn_request))
      throw ucxx::InvalidParamError(
          "the connection request is of the library, and the worker UCX's own; answer it by "
          "ucxx::Listener::createEndpointFromConnRequest");
    return ucp_ep_create(worker, params, endpoint);
  });
}

ucs_status_ptr_t ucxx_ep_close_nbx(ucp_ep_h endpoint, const void* param) {
  return asPointer("ucp_ep_close_nbx", [&] {
    if (ucxx::core::isOurs(endpoint))
      throw ucxx::UnsupportedError(
          "the endpoint is of the library; it closes by ucxx::Endpoint::close, or with its object");
    return ucp_ep_close_nbx(endpoint, paramForUcx(param));
  });
}

void ucxx_cleanup(ucp_context_h context) {
  if (ucxx_refuses_context("ucp_cleanup", context) == 0) ucp_cleanup(context);
}

void ucxx_worker_destroy(ucp_worker_h worker) {
  if (ucxx_refuses_worker("ucp_worker_destroy", worker) == 0) ucp_worker_destroy(worker);
}

int ucxx_refuses_marked(const char* function, const void* handle) {
  return refuses(function, [&] { return ucxx::core::isOurs(handle); });
}

int ucxx_refuses_worker(const char* function, ucp_worker_h worker) {
  return refuses(function, [&] { return isOfLibrary(worker); });
}

int ucxx_refuses_context(const char* function, ucp_context_h context) {
  return refuses(function, [&] { return isOfLibrary(context); });
}
// NOLINTEND(readability-identifier-naming)
