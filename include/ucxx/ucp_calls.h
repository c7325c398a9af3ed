/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders */
#ifndef UCXX_UCP_CALLS_H
#define UCXX_UCP_CALLS_H

#include <stdio.h>
#include <ucp/api/ucp.h>

#include <ucxx/export.h>

/* Endpoints, listeners, connection requests and probed messages are not UCX's here, but programs
 * call UCX's functions on them: to print who connects, to reject it, to see which transports are in
 * use. In a source that includes this header those calls mean the functions below. They answer for
 * UCXX's handles and hand all others to UCX. Names are replaced and not symbols, so that the order
 * of libraries does not matter. For C and C++. */

/* NOLINTBEGIN: UCX's names, and C */
#ifdef __cplusplus
extern "C" {
#endif
/** `UCS_ERR_INVALID_PARAM` for a request that was answered already. The client id is 0. */
UCXX_PUBLIC ucs_status_t ucxx_conn_request_query(ucp_conn_request_h request,
                                                 ucp_conn_request_attr_t* attributes);
UCXX_PUBLIC ucs_status_t ucxx_listener_reject(ucp_listener_h listener, ucp_conn_request_h request);
UCXX_PUBLIC ucs_status_t ucxx_listener_query(ucp_listener_h listener,
                                             ucp_listener_attr_t* attributes);
/** Addresses are those at which the workers met; all else is of UCX's endpoint, which several
 * endpoints share.
 * `UCS_ERR_NOT_CONNECTED` for what an endpoint without connection or to the own worker has not. */
UCXX_PUBLIC ucs_status_t ucxx_ep_query(ucp_ep_h endpoint, ucp_ep_attr_t* attributes);
UCXX_PUBLIC void ucxx_ep_print_info(ucp_ep_h endpoint, FILE* stream);
/** Receives a message that `TagProbeInfo::getHandle` names, if that ends in the call: null then.
 * Else the message stays where it is: `UCS_ERR_UNSUPPORTED` while its payload is still with its
 * sender (`Worker::tagRecvWithHandle` receives it), for a datatype that is not contiguous, for a
 * condition (`ucxx/ucp_condition.h`) and for `UCP_OP_ATTR_FLAG_NO_IMM_CMPL`;
 * `UCS_ERR_MESSAGE_TRUNCATED` for a buffer that is too short; `UCS_ERR_INVALID_PARAM` for a handle
 * whose message was received, or is gone. */
UCXX_PUBLIC ucs_status_ptr_t ucxx_tag_msg_recv_nbx(ucp_worker_h worker, void* buffer, size_t count,
                                                   ucp_tag_message_h message,
                                                   const ucp_request_param_t* param);
#ifdef __cplusplus
}
#endif

#define ucp_conn_request_query ucxx_conn_request_query
#define ucp_listener_reject ucxx_listener_reject
#define ucp_listener_query ucxx_listener_query
#define ucp_ep_query ucxx_ep_query
#define ucp_ep_print_info ucxx_ep_print_info
#define ucp_tag_msg_recv_nbx ucxx_tag_msg_recv_nbx
/* NOLINTEND */

#endif
