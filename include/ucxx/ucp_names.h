/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders */
#ifndef UCXX_UCP_NAMES_H
#define UCXX_UCP_NAMES_H

/* From here on UCX's names mean functions of the library. A part of `ucxx/ucp_condition.h`. */

#include <ucxx/ucp_active_messages.h>
#include <ucxx/ucp_calls.h>
#include <ucxx/ucp_condition_types.h>
#include <ucxx/ucp_handles.h>
#include <ucxx/ucp_memory.h>
#include <ucxx/ucp_prepared.h>
#include <ucxx/ucp_transfers.h>

/* NOLINTBEGIN: UCX's names, and C */
#define ucp_create_condition ucxx_create_condition
#define ucp_destroy_condition ucxx_destroy_condition

#define ucp_tag_send_nbx ucxx_tag_send_nbx
#define ucp_tag_send_sync_nbx ucxx_tag_send_sync_nbx
#define ucp_tag_recv_nbx ucxx_tag_recv_nbx
#define ucp_stream_send_nbx ucxx_stream_send_nbx
#define ucp_stream_recv_nbx ucxx_stream_recv_nbx
#define ucp_put_nbx ucxx_put_nbx
#define ucp_get_nbx ucxx_get_nbx
#define ucp_atomic_op_nbx ucxx_atomic_op_nbx
#define ucp_ep_flush_nbx ucxx_ep_flush_nbx
#define ucp_worker_flush_nbx ucxx_worker_flush_nbx

#define ucp_am_send_nbx ucxx_am_send_nbx
#define ucp_worker_set_am_recv_handler ucxx_worker_set_am_recv_handler
#define ucp_am_recv_data_nbx ucxx_am_recv_data_nbx
#define ucp_am_data_release ucxx_am_data_release

#define ucp_worker_progress ucxx_worker_progress
#define ucp_request_check_status ucxx_request_check_status
#define ucp_tag_recv_request_test ucxx_tag_recv_request_test
#define ucp_stream_recv_request_test ucxx_stream_recv_request_test
#define ucp_request_cancel ucxx_request_cancel
#define ucp_request_free ucxx_request_free
#define ucp_request_is_completed ucxx_request_is_completed
#define ucp_request_release ucxx_request_free
#define ucp_request_test ucxx_tag_recv_request_test

#define ucp_mem_map ucxx_mem_map
#define ucp_mem_unmap ucxx_mem_unmap
#define ucp_mem_query ucxx_mem_query
#define ucp_rkey_pack ucxx_rkey_pack
#define ucp_rkey_buffer_release ucxx_rkey_buffer_release
#define ucp_ep_rkey_unpack ucxx_ep_rkey_unpack
#define ucp_rkey_ptr ucxx_rkey_ptr
#define ucp_rkey_destroy ucxx_rkey_destroy

#define ucp_prepare_transfers ucxx_prepare_transfers
#define ucp_release_preparations ucxx_release_preparations
#define ucp_prepared_start ucxx_prepared_start
#define ucp_prepared_ready ucxx_prepared_ready
#define ucp_prepared_test ucxx_prepared_test
#define ucp_prepared_handle ucxx_prepared_handle

#define ucp_init_version ucxx_init_version
#define ucp_worker_create ucxx_worker_create
#define ucp_ep_create ucxx_ep_create
#define ucp_ep_close_nbx ucxx_ep_close_nbx
#define ucp_cleanup ucxx_cleanup
#define ucp_worker_destroy ucxx_worker_destroy

#define ucp_init(params, config, context) \
  ucxx_init_version(UCP_API_MAJOR, UCP_API_MINOR, params, config, context)

#ifdef UCXX_UCP_AS_PROPOSED
#define ucp_request_param_t ucxx_request_param_t
#undef ucp_tag_msg_recv_nbx /* it takes UCX's own struct */
#define ucp_tag_msg_recv_nbx(worker, buffer, count, message, param) \
  ucxx_tag_msg_recv_nbx(worker, buffer, count, message, &(param)->ucp)
#endif
/* NOLINTEND */

#include <ucxx/ucp_not_offered.h>

#endif
