/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders */
#ifndef UCXX_UCP_ACTIVE_MESSAGES_H
#define UCXX_UCP_ACTIVE_MESSAGES_H

/* Active messages. A part of `ucxx/ucp_condition.h`. The id of a message is the receiver callback
 * ("ucp", id) of C++, and its header the user header there: one end may be C, the other C++. */

#include <ucxx/ucp_condition_types.h>

/* NOLINTBEGIN: UCX's names, and C */
#ifdef __cplusplus
extern "C" {
#endif

/** The header is copied in the call, also with a condition. UCP_AM_SEND_FLAG_REPLY, _EAGER and
 * _RNDV are taken and change nothing: the size decides how a message goes. A buffer in the memory
 * of a device: as without a condition, if UCX carries it. */
UCXX_PUBLIC ucs_status_ptr_t ucxx_am_send_nbx(ucp_ep_h endpoint, unsigned id, const void* header,
                                              size_t header_length, const void* buffer,
                                              size_t count, const ucxx_post_param_t* param);
/** The handler of an id, of which each worker has one; `cb` null, or not set: what comes is
 * dropped. It is called on the thread that moves the worker, when all of the message is there:
 * never with UCP_AM_RECV_ATTR_FLAG_RNDV, always with UCP_AM_RECV_ATTR_FLAG_DATA. The endpoint to
 * reply on comes with it (UCP_AM_RECV_ATTR_FIELD_REPLY_EP) if somebody holds the `ucxx::Endpoint`
 * of this end. If it gives UCS_INPROGRESS, the data stay until `ucp_am_data_release` or
 * `ucp_am_recv_data_nbx`; so the data of an empty message are an address, too. Messages that come
 * before there is a handler are dropped, with a warning in the log.
 * UCS_ERR_INVALID_PARAM: the id is missing; C++ has registered ("ucp", id). */
UCXX_PUBLIC ucs_status_t ucxx_worker_set_am_recv_handler(ucp_worker_h worker,
                                                         const ucp_am_handler_param_t* param);
/** Copies the data in the call, into memory of the host, and gives them back, also where it fails.
 * UCS_ERR_MESSAGE_TRUNCATED: the buffer is too short, and nothing was written.
 * UCS_ERR_INVALID_PARAM: they were given back before; or the buffer is null, and the data stay.
 * UCS_ERR_UNSUPPORTED, and the data stay: a condition, since the message is here; a buffer in the
 * memory of a device; what no post takes (`ucxx/ucp_transfers.h`). */
UCXX_PUBLIC ucs_status_ptr_t ucxx_am_recv_data_nbx(ucp_worker_h worker, void* data_desc,
                                                   void* buffer, size_t count,
                                                   const ucxx_post_param_t* param);
UCXX_PUBLIC void ucxx_am_data_release(ucp_worker_h worker, void* data);

#ifdef __cplusplus
}
#endif
/* NOLINTEND */

#endif
