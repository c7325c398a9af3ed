/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders */
#ifndef UCXX_UCP_NOT_OFFERED_H
#define UCXX_UCP_NOT_OFFERED_H

/* What is not offered for handles of the library: UCS_ERR_UNSUPPORTED, a status pointer of that, or
 * null where UCX gives a message; and a line in the log. With handles of UCX's own these are UCX's
 * functions. They are macros, so that a name need not be in the UCX that a program is compiled
 * with: a pointer to such a function is to UCX's own. A part of `ucxx/ucp_condition.h`. */

#include <ucxx/ucp_handles.h>

/* NOLINTBEGIN: UCX's names, and C */
#define UCXX_UNLESS_REFUSED(kind, type, function, handle, refusal, ...)              \
  __extension__({                                                                    \
    type ucxx_handle = (handle);                                                     \
    ucxx_refuses_##kind(#function, ucxx_handle) ? (refusal) : function(__VA_ARGS__); \
  })
#define UCXX_STATUS_OF(kind, type, function, handle, ...) \
  UCXX_UNLESS_REFUSED(kind, type, function, handle, UCS_ERR_UNSUPPORTED, __VA_ARGS__)
#define UCXX_POINTER_OF(kind, type, function, handle, ...)                               \
  UCXX_UNLESS_REFUSED(kind, type, function, handle, UCS_STATUS_PTR(UCS_ERR_UNSUPPORTED), \
                      __VA_ARGS__)
#define UCXX_MESSAGE_OF(kind, type, function, handle, ...) \
  UCXX_UNLESS_REFUSED(kind, type, function, handle, NULL, __VA_ARGS__)
#define UCXX_NOTHING_OF(kind, type, function, handle, ...) \
  UCXX_UNLESS_REFUSED(kind, type, function, handle, (void)0, __VA_ARGS__)

/* Endpoints */
#define ucp_ep_close_nb(handle, ...) \
  UCXX_POINTER_OF(marked, ucp_ep_h, ucp_ep_close_nb, handle, ucxx_handle, __VA_ARGS__)
#define ucp_ep_destroy(handle) \
  UCXX_NOTHING_OF(marked, ucp_ep_h, ucp_ep_destroy, handle, ucxx_handle)
#define ucp_ep_evaluate_perf(handle, ...) \
  UCXX_STATUS_OF(marked, ucp_ep_h, ucp_ep_evaluate_perf, handle, ucxx_handle, __VA_ARGS__)
#define ucp_ep_flush(handle) UCXX_STATUS_OF(marked, ucp_ep_h, ucp_ep_flush, handle, ucxx_handle)
#define ucp_ep_flush_nb(handle, ...) \
  UCXX_POINTER_OF(marked, ucp_ep_h, ucp_ep_flush_nb, handle, ucxx_handle, __VA_ARGS__)
#define ucp_ep_modify_nb(handle, ...) \
  UCXX_POINTER_OF(marked, ucp_ep_h, ucp_ep_modify_nb, handle, ucxx_handle, __VA_ARGS__)
#define ucp_disconnect_nb(handle) \
  UCXX_POINTER_OF(marked, ucp_ep_h, ucp_disconnect_nb, handle, ucxx_handle)

#define ucp_tag_send_nb(handle, ...) \
  UCXX_POINTER_OF(marked, ucp_ep_h, ucp_tag_send_nb, handle, ucxx_handle, __VA_ARGS__)
#define ucp_tag_send_nbr(handle, ...) \
  UCXX_STATUS_OF(marked, ucp_ep_h, ucp_tag_send_nbr, handle, ucxx_handle, __VA_ARGS__)
#define ucp_tag_send_sync_nb(handle, ...) \
  UCXX_POINTER_OF(marked, ucp_ep_h, ucp_tag_send_sync_nb, handle, ucxx_handle, __VA_ARGS__)
#define ucp_am_send_nb(handle, ...) \
  UCXX_POINTER_OF(marked, ucp_ep_h, ucp_am_send_nb, handle, ucxx_handle, __VA_ARGS__)
#define ucp_stream_send_nb(handle, ...) \
  UCXX_POINTER_OF(marked, ucp_ep_h, ucp_stream_send_nb, handle, ucxx_handle, __VA_ARGS__)
#define ucp_stream_recv_nb(handle, ...) \
  UCXX_POINTER_OF(marked, ucp_ep_h, ucp_stream_recv_nb, handle, ucxx_handle, __VA_ARGS__)
#define ucp_stream_recv_data_nb(handle, ...) \
  UCXX_POINTER_OF(marked, ucp_ep_h, ucp_stream_recv_data_nb, handle, ucxx_handle, __VA_ARGS__)
#define ucp_stream_data_release(handle, ...) \
  UCXX_NOTHING_OF(marked, ucp_ep_h, ucp_stream_data_release, handle, ucxx_handle, __VA_ARGS__)

#define ucp_put(handle, ...) \
  UCXX_STATUS_OF(marked, ucp_ep_h, ucp_put, handle, ucxx_handle, __VA_ARGS__)
#define ucp_put_nb(handle, ...) \
  UCXX_POINTER_OF(marked, ucp_ep_h, ucp_put_nb, handle, ucxx_handle, __VA_ARGS__)
#define ucp_put_nbi(handle, ...) \
  UCXX_STATUS_OF(marked, ucp_ep_h, ucp_put_nbi, handle, ucxx_handle, __VA_ARGS__)
#define ucp_get(handle, ...) \
  UCXX_STATUS_OF(marked, ucp_ep_h, ucp_get, handle, ucxx_handle, __VA_ARGS__)
#define ucp_get_nb(handle, ...) \
  UCXX_POINTER_OF(marked, ucp_ep_h, ucp_get_nb, handle, ucxx_handle, __VA_ARGS__)
#define ucp_get_nbi(handle, ...) \
  UCXX_STATUS_OF(marked, ucp_ep_h, ucp_get_nbi, handle, ucxx_handle, __VA_ARGS__)
#define ucp_atomic_post(handle, ...) \
  UCXX_STATUS_OF(marked, ucp_ep_h, ucp_atomic_post, handle, ucxx_handle, __VA_ARGS__)
#define ucp_atomic_fetch_nb(handle, ...) \
  UCXX_POINTER_OF(marked, ucp_ep_h, ucp_atomic_fetch_nb, handle, ucxx_handle, __VA_ARGS__)
#define ucp_atomic_add32(handle, ...) \
  UCXX_STATUS_OF(marked, ucp_ep_h, ucp_atomic_add32, handle, ucxx_handle, __VA_ARGS__)
#define ucp_atomic_add64(handle, ...) \
  UCXX_STATUS_OF(marked, ucp_ep_h, ucp_atomic_add64, handle, ucxx_handle, __VA_ARGS__)
#define ucp_atomic_fadd32(handle, ...) \
  UCXX_STATUS_OF(marked, ucp_ep_h, ucp_atomic_fadd32, handle, ucxx_handle, __VA_ARGS__)
#define ucp_atomic_fadd64(handle, ...) \
  UCXX_STATUS_OF(marked, ucp_ep_h, ucp_atomic_fadd64, handle, ucxx_handle, __VA_ARGS__)
#define ucp_atomic_swap32(handle, ...) \
  UCXX_STATUS_OF(marked, ucp_ep_h, ucp_atomic_swap32, handle, ucxx_handle, __VA_ARGS__)
#define ucp_atomic_swap64(handle, ...) \
  UCXX_STATUS_OF(marked, ucp_ep_h, ucp_atomic_swap64, handle, ucxx_handle, __VA_ARGS__)
#define ucp_atomic_cswap32(handle, ...) \
  UCXX_STATUS_OF(marked, ucp_ep_h, ucp_atomic_cswap32, handle, ucxx_handle, __VA_ARGS__)
#define ucp_atomic_cswap64(handle, ...) \
  UCXX_STATUS_OF(marked, ucp_ep_h, ucp_atomic_cswap64, handle, ucxx_handle, __VA_ARGS__)

/* Workers */
#define ucp_worker_arm(handle) \
  UCXX_STATUS_OF(worker, ucp_worker_h, ucp_worker_arm, handle, ucxx_handle)
#define ucp_worker_fence(handle) \
  UCXX_STATUS_OF(worker, ucp_worker_h, ucp_worker_fence, handle, ucxx_handle)
#define ucp_worker_flush(handle) \
  UCXX_STATUS_OF(worker, ucp_worker_h, ucp_worker_flush, handle, ucxx_handle)
#define ucp_worker_flush_nb(handle, ...) \
  UCXX_POINTER_OF(worker, ucp_worker_h, ucp_worker_flush_nb, handle, ucxx_handle, __VA_ARGS__)
#define ucp_worker_get_efd(handle, ...) \
  UCXX_STATUS_OF(worker, ucp_worker_h, ucp_worker_get_efd, handle, ucxx_handle, __VA_ARGS__)
#define ucp_worker_set_am_handler(handle, ...) \
  UCXX_STATUS_OF(worker, ucp_worker_h, ucp_worker_set_am_handler, handle, ucxx_handle, __VA_ARGS__)
#define ucp_worker_get_address(handle, ...) \
  UCXX_STATUS_OF(worker, ucp_worker_h, ucp_worker_get_address, handle, ucxx_handle, __VA_ARGS__)
#define ucp_worker_signal(handle) \
  UCXX_STATUS_OF(worker, ucp_worker_h, ucp_worker_signal, handle, ucxx_handle)
#define ucp_worker_wait(handle) \
  UCXX_STATUS_OF(worker, ucp_worker_h, ucp_worker_wait, handle, ucxx_handle)
#define ucp_worker_wait_mem(handle, ...) \
  UCXX_NOTHING_OF(worker, ucp_worker_h, ucp_worker_wait_mem, handle, ucxx_handle, __VA_ARGS__)

#define ucp_tag_recv_nb(handle, ...) \
  UCXX_POINTER_OF(worker, ucp_worker_h, ucp_tag_recv_nb, handle, ucxx_handle, __VA_ARGS__)
#define ucp_tag_recv_nbr(handle, ...) \
  UCXX_STATUS_OF(worker, ucp_worker_h, ucp_tag_recv_nbr, handle, ucxx_handle, __VA_ARGS__)
#define ucp_tag_probe_nb(handle, ...) \
  UCXX_MESSAGE_OF(worker, ucp_worker_h, ucp_tag_probe_nb, handle, ucxx_handle, __VA_ARGS__)
#define ucp_tag_msg_recv_nb(handle, ...) \
  UCXX_POINTER_OF(worker, ucp_worker_h, ucp_tag_msg_recv_nb, handle, ucxx_handle, __VA_ARGS__)
#define ucp_listener_create(handle, ...) \
  UCXX_STATUS_OF(worker, ucp_worker_h, ucp_listener_create, handle, ucxx_handle, __VA_ARGS__)
#define ucp_stream_worker_poll(handle, ...) \
  UCXX_STATUS_OF(worker, ucp_worker_h, ucp_stream_worker_poll, handle, ucxx_handle, __VA_ARGS__)

/* Remote keys, the first of the two */
#define ucp_rkey_compare(worker, handle, ...) \
  UCXX_STATUS_OF(marked, ucp_rkey_h, ucp_rkey_compare, handle, worker, ucxx_handle, __VA_ARGS__)

/* Memory */
#define ucp_memh_pack(handle, ...) \
  UCXX_STATUS_OF(marked, ucp_mem_h, ucp_memh_pack, handle, ucxx_handle, __VA_ARGS__)

/* Contexts */
#define ucp_mem_advise(handle, ...) \
  UCXX_STATUS_OF(context, ucp_context_h, ucp_mem_advise, handle, ucxx_handle, __VA_ARGS__)

/* Requests */
#define ucp_request_query(handle, ...) \
  UCXX_STATUS_OF(marked, void*, ucp_request_query, handle, ucxx_handle, __VA_ARGS__)

/* Listeners */
#define ucp_listener_destroy(handle) \
  UCXX_NOTHING_OF(marked, ucp_listener_h, ucp_listener_destroy, handle, ucxx_handle)
/* NOLINTEND */

#endif
