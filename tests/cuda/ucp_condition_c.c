/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * The header of the proposed UCP interface in C99, with all warnings. */

#include <string.h>

#include <ucxx/ucp_condition.h>

/* NOLINTBEGIN(readability-identifier-naming): names of C */
/* Whether UCX's names mean the library's functions, in C, too. */
int ucxx_test_names_of_c(void) {
  ucs_status_t (*create)(ucp_condition_param_t*, ucp_condition_h*) = ucp_create_condition;
  ucs_status_t (*destroy)(ucp_condition_h) = ucp_destroy_condition;
  return create == ucxx_create_condition && destroy == ucxx_destroy_condition;
}

/* What a program in C fills in. */
ucs_status_ptr_t ucxx_test_send_of_c(ucp_ep_h endpoint, const void* buffer, size_t count,
                                     ucp_tag_t tag, ucp_condition_h condition, void* user_data,
                                     ucp_send_nbx_callback_t callback) {
  ucxx_request_param_t param;
  memset(&param, 0, sizeof param);
  param.op_attr_mask =
      UCP_OP_ATTR_CONDITION | UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  param.cb.send = callback;
  param.user_data = user_data;
  param.condition = condition;
  return ucp_tag_send_nbx(endpoint, buffer, count, tag, &param);
}
/* NOLINTEND(readability-identifier-naming) */
