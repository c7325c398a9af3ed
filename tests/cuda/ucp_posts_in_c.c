/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders */

#define UCXX_UCP_AS_PROPOSED
#include "cuda/ucp_posts_in_c.h"

#include <string.h>

/* NOLINTBEGIN(readability-identifier-naming): names of C */
static ucs_status_ptr_t atomic(const ucxx_test_word* word, ucp_atomic_op_t opcode,
                               const void* buffer, void* reply, ucp_condition_h condition) {
  const ucp_request_param_t param = {
      .op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE | (condition != NULL ? UCP_OP_ATTR_CONDITION : 0) |
                      (reply != NULL ? UCP_OP_ATTR_FIELD_REPLY_BUFFER : 0),
      .datatype = ucp_dt_make_contig(8),
      .reply_buffer = reply,
      .condition = condition};
  return ucp_atomic_op_nbx(word->left, opcode, buffer, 1, word->address, word->key, &param);
}

ucs_status_ptr_t ucxx_test_post_in_c(const char* name, const ucxx_test_word* word,
                                     ucp_condition_h condition) {
  const ucp_request_param_t param = {.op_attr_mask = condition != NULL ? UCP_OP_ATTR_CONDITION : 0,
                                     .condition = condition};
  const ucp_ep_h ep = word->left;
  if (strcmp(name, "TagSend") == 0) return ucp_tag_send_nbx(ep, word->from, 8, word->tag, &param);
  if (strcmp(name, "TagSendSync") == 0)
    return ucp_tag_send_sync_nbx(ep, word->from, 8, word->tag, &param);
  if (strcmp(name, "TagRecv") == 0)
    return ucp_tag_recv_nbx(word->right_worker, word->to, 8, word->tag, (ucp_tag_t)-1, &param);
  if (strcmp(name, "StreamSend") == 0) return ucp_stream_send_nbx(ep, word->from, 8, &param);
  if (strcmp(name, "StreamRecv") == 0)
    return ucp_stream_recv_nbx(word->right, word->to, 8, word->length, &param);
  if (strcmp(name, "Put") == 0)
    return ucp_put_nbx(ep, word->from, 8, word->address, word->key, &param);
  if (strcmp(name, "Get") == 0)
    return ucp_get_nbx(ep, word->to, 8, word->address, word->key, &param);
  if (strcmp(name, "AtomicAdd") == 0)
    return atomic(word, UCP_ATOMIC_OP_ADD, word->from, NULL, condition);
  if (strcmp(name, "AtomicFetchOr") == 0)
    return atomic(word, UCP_ATOMIC_OP_OR, word->from, word->to, condition);
  if (strcmp(name, "AtomicSwap") == 0)
    return atomic(word, UCP_ATOMIC_OP_SWAP, word->from, word->to, condition);
  if (strcmp(name, "AtomicCompareSwap") == 0)
    return atomic(word, UCP_ATOMIC_OP_CSWAP, word->expected, word->swap, condition);
  if (strcmp(name, "Flush") == 0) return ucp_ep_flush_nbx(ep, &param);
  if (strcmp(name, "FlushOfWorker") == 0) return ucp_worker_flush_nbx(word->left_worker, &param);
  if (strcmp(name, "AmSend") == 0)
    return ucp_am_send_nbx(ep, word->id, NULL, 0, word->from, 8, &param);
  return UCS_STATUS_PTR(UCS_ERR_NOT_IMPLEMENTED);
}
/* NOLINTEND(readability-identifier-naming) */
