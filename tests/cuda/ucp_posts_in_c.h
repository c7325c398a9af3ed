/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * Every operation of UCP, as C posts it. */
#ifndef UCXX_TESTS_UCP_POSTS_IN_C_H
#define UCXX_TESTS_UCP_POSTS_IN_C_H

#include <ucxx/ucp_condition.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming): names of C */
/* What operations of 8 bytes are given. */
typedef struct ucxx_test_word {
  ucp_ep_h left, right;
  ucp_worker_h left_worker, right_worker;
  const void* from;
  void* to;
  void* swap;           /* what a compare-and-swap stores */
  const void* expected; /* and what it expects */
  size_t* length;
  uint64_t address;
  ucp_rkey_h key;
  ucp_tag_t tag;
  unsigned id;
} ucxx_test_word;

/* Posts the operation of that name, with the condition, if it is not null. */
ucs_status_ptr_t ucxx_test_post_in_c(const char* name, const ucxx_test_word* word,
                                     ucp_condition_h condition);
/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif
