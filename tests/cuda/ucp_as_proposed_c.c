/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * The text of the proposed UCP interface in C99, with all warnings: names, types and fields. */

#define UCXX_UCP_AS_PROPOSED
#include <ucxx/ucp_condition.h>

/* NOLINTBEGIN(readability-identifier-naming): names of C */
typedef ucs_status_ptr_t (*send_function)(ucp_ep_h, const void*, size_t, ucp_tag_t,
                                          const ucp_request_param_t*);

/* Functions have the types that programs expect of them. */
int ucxx_test_types_as_proposed(void) {
  ucs_status_t (*create)(ucp_condition_param_t*, ucp_condition_h*) = ucp_create_condition;
  ucs_status_t (*destroy)(ucp_condition_h) = ucp_destroy_condition;
  ucs_status_t (*prepare)(ucp_ep_h, void*, const ucp_buffer_param_t*) = ucp_prepare_transfers;
  ucs_status_t (*release)(ucp_ep_h, void*) = ucp_release_preparations;
  const send_function sends[] = {ucp_tag_send_nbx, ucp_tag_send_sync_nbx};
  ucs_status_ptr_t (*receive)(ucp_worker_h, void*, size_t, ucp_tag_t, ucp_tag_t,
                              const ucp_request_param_t*) = ucp_tag_recv_nbx;
  ucs_status_ptr_t (*put)(ucp_ep_h, const void*, size_t, uint64_t, ucp_rkey_h,
                          const ucp_request_param_t*) = ucp_put_nbx;
  ucs_status_ptr_t (*flush)(ucp_ep_h, const ucp_request_param_t*) = ucp_ep_flush_nbx;
  return create && destroy && prepare && release && sends[0] && sends[1] && receive && put && flush;
}

/* What the dots of the text stand for, by designated initialisers. */
ucs_status_ptr_t ucxx_test_send_as_proposed(ucp_ep_h ep, const void* buffer, size_t count,
                                            ucp_tag_t tag, void* cuda_stream) {
  ucp_condition_h condition;
  ucp_condition_param_t cond_param = {.category = UCP_CONDITION_CATEGORY_STREAM,
                                      .context = cuda_stream};
  ucs_status_t status = ucp_create_condition(&cond_param, &condition);
  if (status != UCS_OK) return UCS_STATUS_PTR(status);
  ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE | UCP_OP_ATTR_CONDITION,
                               .condition = condition,
                               .datatype = ucp_dt_make_contig(1)};
  ucs_status_ptr_t request = ucp_tag_send_nbx(ep, buffer, count, tag, &param);
  status = ucp_destroy_condition(condition);
  return status == UCS_OK ? request : UCS_STATUS_PTR(status);
}

/* UCX's own struct stays reachable, and what is not offered is a status. */
ucs_status_t ucxx_test_not_offered_in_c(ucp_ep_h ep, ucp_worker_h worker, void* request) {
  const ucp_request_param_t param = {.op_attr_mask = 0};
  const ucxx_plain_request_param_t* const plain = &param.ucp;
  uint64_t word = 0;
  ucs_status_ptr_t closed = ucp_ep_close_nbx(ep, &param);
  if (plain->op_attr_mask != 0 || UCS_PTR_STATUS(closed) != UCS_ERR_UNSUPPORTED) return UCS_OK;
  if (ucp_tag_probe_nb(worker, 0, 0, 0, NULL) != NULL) return UCS_OK;
  if (ucp_request_is_completed(request)) return UCS_OK;
  ucp_ep_destroy(ep);
  return ucp_put_nbi(ep, &word, sizeof word, 0, NULL);
}
/* NOLINTEND(readability-identifier-naming) */
