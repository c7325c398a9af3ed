/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders */
#ifndef UCXX_UCP_HANDLES_H
#define UCXX_UCP_HANDLES_H

/* Contexts, workers and endpoints of UCX's own, which begin and end by UCX's functions. Those of
 * the library are objects of C++ (`ucxx/api.h`), which give their handles. A part of
 * `ucxx/ucp_condition.h`. */

#include <ucxx/ucp_condition_types.h>

/* NOLINTBEGIN: UCX's names, and C */
#ifdef __cplusplus
extern "C" {
#endif

/** @name UCX's functions. What they make is known to be UCX's own. */
/** @{ */
UCXX_PUBLIC ucs_status_t ucxx_init_version(unsigned major, unsigned minor,
                                           const ucp_params_t* params, const ucp_config_t* config,
                                           ucp_context_h* context);
UCXX_PUBLIC ucs_status_t ucxx_worker_create(ucp_context_h context,
                                            const ucp_worker_params_t* params,
                                            ucp_worker_h* worker);
/** UCS_ERR_UNSUPPORTED for a worker of the library: what it sends to is met by
 * `ucxx::Worker::createEndpointFromWorkerAddress` and its like. UCS_ERR_INVALID_PARAM for a
 * connection request of the library. */
UCXX_PUBLIC ucs_status_t ucxx_ep_create(ucp_worker_h worker, const ucp_ep_params_t* params,
                                        ucp_ep_h* endpoint);
/** UCS_ERR_UNSUPPORTED for an endpoint of the library, which ends with its object, and for a
 * condition. */
UCXX_PUBLIC ucs_status_ptr_t ucxx_ep_close_nbx(ucp_ep_h endpoint, const ucxx_post_param_t* param);
/** @} */
/** @name UCX's functions. Those of the library end with their objects, and are left as they are,
 * with a line in the log. */
/** @{ */
UCXX_PUBLIC void ucxx_cleanup(ucp_context_h context);
UCXX_PUBLIC void ucxx_worker_destroy(ucp_worker_h worker);
/** @} */

/** @name Whether a handle is of the library: then the log is told that `function` is not offered
 * for it. Handles of workers and contexts are addresses; all others have a mark. */
/** @{ */
UCXX_PUBLIC int ucxx_refuses_marked(const char* function, const void* handle);
UCXX_PUBLIC int ucxx_refuses_worker(const char* function, ucp_worker_h worker);
UCXX_PUBLIC int ucxx_refuses_context(const char* function, ucp_context_h context);
/** @} */

#ifdef __cplusplus
}
#endif
/* NOLINTEND */

#endif
