/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * What the examples in C share: workers that have met. Here they are of one process, and each has a
 * progress thread; UCXX makes them, in group.cpp. */
#ifndef UCXX_EXAMPLES_GROUP_H
#define UCXX_EXAMPLES_GROUP_H

#include <ucxx/ucp_condition.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Members 0 to count - 1. The process ends with 1 if they cannot be made. */
void group_open(int count);
ucp_context_h group_context(void); /* of all */
ucp_worker_h group_worker(int member);
ucp_ep_h group_endpoint(int from, int to);
void group_close(void);

/* Ends the process with 1 unless it is UCS_OK. */
void check(ucs_status_t status, const char* what);
/* Waits for what a transfer of this member gave, checks it, and frees it. */
void finish(int member, ucs_status_ptr_t request, const char* what);

#ifdef __cplusplus
}
#endif

#endif
