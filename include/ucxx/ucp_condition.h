/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders */
#ifndef UCXX_UCP_CONDITION_H
#define UCXX_UCP_CONDITION_H

/* UCP with conditions, as it was once proposed for UCX: transfers are posted now, and start when a
 * stream, a graph or a kernel of CUDA gets there. For C and C++. No release of UCX has it.
 *
 * In a source that includes this header UCX's names mean functions of the library
 * (`ucxx/ucp_names.h`). They answer for its handles (`ucxx::Endpoint::getHandle`,
 * `ucxx::Worker::getHandle`, `ucxx::Context::getHandle`, what they return themselves), and hand all
 * others to UCX. Contexts, workers and endpoints are made in C++, by `ucxx/api.h`
 * (`examples/cuda/group.cpp` does so for programs in C). What is not offered for handles of the
 * library gives UCS_ERR_UNSUPPORTED, with the name of the function in the log. Names are replaced
 * and not symbols, so that the order of libraries does not matter.
 *
 * A program that was written for the proposal defines UCXX_UCP_AS_PROPOSED before the include:
 * `ucp_request_param_t` is then the struct with the field `condition`, and
 * `ucxx_plain_request_param_t` UCX's own. Without it they are `ucxx_request_param_t` and
 * `ucp_request_param_t`.
 *
 * Threads: any, at once; with `ucxx::WorkerOptions::single_thread` the worker's one thread alone.
 *
 * Nothing is thrown. A function that fails gives a status, or in place of a request a status
 * pointer (UCS_PTR_IS_ERR). One line of the log, of the level error, says what was wrong and what
 * would be right. The log is silent by default: UCXX_LOG_LEVEL=error in the environment writes it
 * to standard error, and `ucxx::setLogSink` gives it to the program.
 *
 * Handles are checked: one that was given back, has gone, or is none, gives UCS_ERR_INVALID_PARAM.
 * What `ucp_rkey_pack` gives is no handle, and not checked.
 * Those of workers and contexts are addresses, which UCX may use again: after the end of a worker
 * its handle stays refused until `ucp_worker_create`, in a source that includes this header, makes
 * another one there; so does a context's until `ucp_init`.
 *
 * `ucxx/condition.h` describes how transfers wait for conditions, and `ucxx/cuda/device.h` has the
 * functions for kernels.
 *
 * Limits: 256 posts of one stream on their way. The next post waits until one has ended; a caller
 * that progresses the worker itself moves it meanwhile, and waits for its peer, which another
 * thread has to move. In a callback of that worker the post gives UCS_ERR_NO_RESOURCE; in one of
 * another worker it waits, and holds that worker up.
 * Seven streams that wait at the same time; with one more, others may stand still, and the log has
 * a warning. With CUDA_DEVICE_MAX_CONNECTIONS=32, set before CUDA is first used, 31.
 * 4096 conditions in a process, among which each post of a stream and each ucxx_request_wait_on
 * under way counts; one more gives UCS_ERR_NO_RESOURCE. */

/* What it declares is in parts: ucp_condition_types.h, ucp_transfers.h, ucp_memory.h,
 * ucp_active_messages.h, ucp_prepared.h, ucp_handles.h, ucp_calls.h; what it does not, in
 * ucp_not_offered.h. */
#include <ucxx/ucp_names.h>

#endif
