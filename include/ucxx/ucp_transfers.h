/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders */
#ifndef UCXX_UCP_TRANSFERS_H
#define UCXX_UCP_TRANSFERS_H

/* Transfers, with a condition or without, and their requests. A part of `ucxx/ucp_condition.h`;
 * active messages are in `ucxx/ucp_active_messages.h`. */

#include <ucxx/ucp_condition_types.h>

/* NOLINTBEGIN: UCX's names, and C */
#ifdef __cplusplus
extern "C" {
#endif

/** @name Posts
 * Each is called by UCX's name, with `ucp` for `ucxx`. `param` is read in the call alone; buffers
 * belong to the request until it has ended. Null: the transfer has ended with success in the call,
 * and no callback is called; also with a condition whose trigger has come already. Else a request,
 * which the caller frees, or a status pointer. A callback may be called, and may free the request,
 * before the post has come back. With UCP_OP_ATTR_FLAG_NO_IMM_CMPL there is a request always, and
 * the callback may be called inside the post.
 *
 * A condition belongs to the worker of its first post. All that is posted with one of a graph is in
 * one node; all that is posted with one of a kernel is posted before its first trigger.
 *
 * UCS_ERR_UNSUPPORTED, with a handle of the library: a request of the caller's
 * (UCP_OP_ATTR_FIELD_REQUEST), UCP_OP_ATTR_FLAG_FORCE_IMM_CMPL, a datatype that is neither
 * contiguous nor, for tags and sends of active messages, UCP_DATATYPE_IOV. UCS_ERR_UNSUPPORTED,
 * with a handle of UCX's own: a condition. UCS_ERR_INVALID_PARAM there: a memory handle or a remote
 * key of the library.
 *
 * UCP_OP_ATTR_FIELD_MEMH, _MEMORY_TYPE and the hints (_FLAG_FAST_CMPL,
 * _FLAG_MULTI_SEND) are taken, and not looked at. */
/** @{ */
UCXX_PUBLIC ucs_status_ptr_t ucxx_tag_send_nbx(ucp_ep_h endpoint, const void* buffer, size_t count,
                                               ucp_tag_t tag, const ucxx_post_param_t* param);
/** Ends when a receive has matched it. */
UCXX_PUBLIC ucs_status_ptr_t ucxx_tag_send_sync_nbx(ucp_ep_h endpoint, const void* buffer,
                                                    size_t count, ucp_tag_t tag,
                                                    const ucxx_post_param_t* param);
/** Receives of the worker match any peer: tags and masks alone decide. */
UCXX_PUBLIC ucs_status_ptr_t ucxx_tag_recv_nbx(ucp_worker_h worker, void* buffer, size_t count,
                                               ucp_tag_t tag, ucp_tag_t mask,
                                               const ucxx_post_param_t* param);
/** A stream moves at least one byte: else UCS_ERR_INVALID_PARAM. */
UCXX_PUBLIC ucs_status_ptr_t ucxx_stream_send_nbx(ucp_ep_h endpoint, const void* buffer,
                                                  size_t count, const ucxx_post_param_t* param);
/** Ends when there are some bytes; with UCP_STREAM_RECV_FLAG_WAITALL, in UCP_OP_ATTR_FIELD_FLAGS,
 * when it has all. `length` is written if it has ended in the call. UCS_ERR_UNSUPPORTED: elements
 * of more than a byte without that flag, for the library would have to keep a part of one. */
UCXX_PUBLIC ucs_status_ptr_t ucxx_stream_recv_nbx(ucp_ep_h endpoint, void* buffer, size_t count,
                                                  size_t* length, const ucxx_post_param_t* param);
/** `rkey` is of `ucp_ep_rkey_unpack`, on this endpoint, or `ucxx::RemoteKey::getHandle`.
 * UCS_ERR_INVALID_PARAM: it is none, or the bytes do not lie within its memory. */
UCXX_PUBLIC ucs_status_ptr_t ucxx_put_nbx(ucp_ep_h endpoint, const void* buffer, size_t count,
                                          uint64_t remote_addr, ucp_rkey_h rkey,
                                          const ucxx_post_param_t* param);
UCXX_PUBLIC ucs_status_ptr_t ucxx_get_nbx(ucp_ep_h endpoint, void* buffer, size_t count,
                                          uint64_t remote_addr, ucp_rkey_h rkey,
                                          const ucxx_post_param_t* param);
/** One element (`count` 1) of 4 or 8 bytes, said by UCP_OP_ATTR_FIELD_DATATYPE. Of a
 * compare-and-swap `buffer` has what is expected, and the reply buffer what is stored, and then
 * what was there: in a graph it has to be filled for each launch. Both are read in the call; with a
 * condition when that starts the operation, so that a stream may compute them. */
UCXX_PUBLIC ucs_status_ptr_t ucxx_atomic_op_nbx(ucp_ep_h endpoint, ucp_atomic_op_t opcode,
                                                const void* buffer, size_t count,
                                                uint64_t remote_addr, ucp_rkey_h rkey,
                                                const ucxx_post_param_t* param);
/** Ends when what was posted on the endpoint before has reached the peer: sends, too. With a
 * condition: what was posted, or started by its own condition, before this starts. */
UCXX_PUBLIC ucs_status_ptr_t ucxx_ep_flush_nbx(ucp_ep_h endpoint, const ucxx_post_param_t* param);
/** The same for all endpoints of the worker. */
UCXX_PUBLIC ucs_status_ptr_t ucxx_worker_flush_nbx(ucp_worker_h worker,
                                                   const ucxx_post_param_t* param);
/** @} */

/** 1: something has moved; else 0. Beside a progress thread, or another thread that moves the
 * worker now, it does nothing and gives 0, which is no failure. */
UCXX_PUBLIC unsigned ucxx_worker_progress(ucp_worker_h worker);

/** The status of a request, UCS_INPROGRESS until it has ended. Null, a transfer that has ended in
 * its call: UCS_OK. A status pointer: its status. A request of a graph ends with the graph. */
UCXX_PUBLIC ucs_status_t ucxx_request_check_status(void* request);
/** The status likewise. Once a receive has ended, `info` has its sender's tag and its length; null
 * is taken. Of a send that has ended `info` is written, too, and says nothing. Before the end, and
 * for null and status pointers, it is left as it is. */
UCXX_PUBLIC ucs_status_t ucxx_tag_recv_request_test(void* request, ucp_tag_recv_info_t* info);
/** The same with the length alone, for receives of streams. */
UCXX_PUBLIC ucs_status_t ucxx_stream_recv_request_test(void* request, size_t* length);
/** 1: it has ended; else 0. */
UCXX_PUBLIC int ucxx_request_is_completed(void* request);
/** A transfer that waits for its condition ends at once, with UCS_ERR_CANCELED; one that has
 * started ends as others do that are canceled. `worker` is not looked at for requests of the
 * library. The request has still to be freed. */
UCXX_PUBLIC void ucxx_request_cancel(ucp_worker_h worker, void* request);
/** Once for each request, also before it has ended: the transfer goes on then, and its callback is
 * called. A request that is not freed keeps its worker, which does not end as long as there is one.
 * Null and status pointers: nothing happens. */
UCXX_PUBLIC void ucxx_request_free(void* request);
/** Not in the proposal: what is put into `stream` from now on comes after the end of the request
 * (`ucxx::Request::waitOn`). The worker needs a progress thread, unless the request's condition
 * says that the caller progresses.
 * Null, and a request that has ended: UCS_OK, and nothing is put into the stream, also in a
 * capture: the data came before, and a launch of the graph neither waits for the transfer nor
 * repeats it. A request that was not posted in the capture and has not ended gives
 * UCS_ERR_UNSUPPORTED there. A status pointer: its status. */
UCXX_PUBLIC ucs_status_t ucxx_request_wait_on(void* request, struct CUstream_st* stream);

#ifdef __cplusplus
}
#endif
/* NOLINTEND */

#endif
