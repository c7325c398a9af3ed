/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders */
#ifndef UCXX_UCP_PREPARED_H
#define UCXX_UCP_PREPARED_H

/* Prepared transfers. A part of `ucxx/ucp_condition.h`. */

#include <ucxx/ucp_condition_types.h>

/* NOLINTBEGIN: UCX's names, and C */
#ifdef __cplusplus
extern "C" {
#endif

/** Transfers that are prepared once, and then done again and again between the same two buffers
 * (`ucxx/prepared.h`). */
enum {
  UCP_BUFFER_PARAM_FIELD_BUFFER = 1 << 0,
  UCP_BUFFER_PARAM_FIELD_LENGTH = 1 << 1,
  UCP_BUFFER_PARAM_FIELD_TAG = 1 << 2,
  UCP_BUFFER_PARAM_FIELD_DIRECTION = 1 << 3,
  UCP_BUFFER_PARAM_FIELD_PARTITIONS = 1 << 4,
  UCP_BUFFER_PARAM_FIELD_CONTRIBUTORS = 1 << 5,
  UCP_BUFFER_PARAM_FIELD_MEMH_SIZE = 1 << 6
};

typedef enum { UCP_BUFFER_SEND = 1, UCP_BUFFER_RECV = 2 } ucp_buffer_direction_t;

/** `field_mask` says which fields are set. Buffer, length, tag and direction are needed. */
typedef struct ucp_buffer_param {
  uint64_t field_mask;
  void* buffer; /**< the caller's, until ucp_release_preparations */
  size_t length;
  ucp_tag_t tag; /**< sends and receives of a tag meet in the order in which they are prepared */
  ucp_buffer_direction_t direction;
  size_t partitions; /**< parts of one size into which the buffer is divided; without it 1 */
  /** How many calls of ucxx::device::ready make a partition of a send ready; without it 1. */
  size_t contributors;
  size_t memh_size; /**< the length of the storage; without it UCP_PREPARED_MEMH_SIZE */
} ucp_buffer_param_t;

/** The length of the storage for one prepared transfer. The caller may move and copy it. */
#define UCP_PREPARED_MEMH_SIZE 64

/** Prepares one end, and waits for nobody; the two ends find each other later. The storage is
 * looked at: set it to 0 before its first use, and where it has a copy of storage that is in use
 * elsewhere. UCS_ERR_INVALID_PARAM: a needed field is missing, or the storage holds a transfer that
 * was not released. UCS_ERR_BUFFER_TOO_SMALL: `memh_size`. Else the status of what
 * `ucxx::Endpoint::prepareSend` and `prepareRecv` throw. */
UCXX_PUBLIC ucs_status_t ucxx_prepare_transfers(ucp_ep_h endpoint, void* prepared_memh,
                                                const ucp_buffer_param_t* param);
/** Ends the transfer, and waits until nobody touches the buffer any more, which the peer has to
 * answer. An iteration in progress ends with UCS_ERR_CANCELED, and the peer's with
 * UCS_ERR_CONNECTION_RESET. UCS_OK: the buffer is free, and so is the storage.
 * UCS_ERR_TIMED_OUT: the peer has not answered within 10 s, and may still use the buffer; call
 * again.
 *
 * Without a progress thread it moves its own worker meanwhile, and no other. Where one thread has
 * both ends, the peer's worker needs a progress thread, else it cannot answer. A callback of
 * another worker holds that worker up while it waits here.
 *
 * Not before kernels have ended that have a handle of the transfer: the next one may get that.
 * UCS_ERR_INVALID_PARAM, at once: in a callback of the worker; on another endpoint than that of
 * ucp_prepare_transfers. At most one call at a time for one transfer, of this function or of
 * ucp_prepared_start. A transfer that is not released keeps its endpoint and the worker, which does
 * not end as long as there is one. */
UCXX_PUBLIC ucs_status_t ucxx_release_preparations(ucp_ep_h endpoint, void* prepared_memh);
/** Begins the next iteration. The receiver's buffer may be written from now on. The sender's
 * partitions may be made ready. A send with a single partition is ready at once, unless
 * ucp_prepared_handle was called. UCS_ERR_INVALID_PARAM: an iteration is in progress. After a
 * failure UCS_OK, and ucp_prepared_test gives the failure. */
UCXX_PUBLIC ucs_status_t ucxx_prepared_start(void* prepared_memh);
/** The bytes of `count` partitions of a send, from `first` on, may leave: each partition once in an
 * iteration. With `count` 0 nothing is made ready. UCS_ERR_INVALID_PARAM, and no partition is made
 * ready: there are not so many; no iteration is in progress; a partition was made ready before in
 * this iteration, also a single one, which is ready at the start; the transfer is a receive;
 * kernels make its partitions ready (ucp_prepared_handle). */
UCXX_PUBLIC ucs_status_t ucxx_prepared_ready(void* prepared_memh, size_t first, size_t count);
/** The status of the iteration that was started last; UCS_INPROGRESS until it has ended. Before the
 * first start: UCS_OK, or the failure of the transfer. It does not move the worker. */
UCXX_PUBLIC ucs_status_t ucxx_prepared_test(void* prepared_memh);
/** For kernels: the ucxx::device::Prepared*. To be called before the first start of a send: from
 * then on kernels make its partitions ready, also a single one, and ucp_prepared_ready gives
 * UCS_ERR_INVALID_PARAM. The call waits for the thread that moves the worker. The handle is valid
 * until ucp_release_preparations, which comes after the end of the kernels that have it. Null,
 * with a line in the log: an iteration of a send has begun; the worker has no progress thread;
 * what `ucxx::Prepared::deviceHandle` throws. */
UCXX_PUBLIC void* ucxx_prepared_handle(void* prepared_memh);

/** @name Several prepared transfers at a time, which is not in the proposal
 * `prepared_memhs` are `count` storages, one at least. With a condition, and for a stream, they are
 * of one worker, and each is there once; else UCS_ERR_INVALID_PARAM. */
/** @{ */
enum {
  /** In `flags` of the parameters, with UCP_OP_ATTR_FIELD_FLAGS: the request, and the node of a
   * graph, end as soon as all iterations have begun. Kernels that come behind may make partitions
   * ready; without it what comes behind waits for the iterations (`ucxx::StartUntil`). */
  UCXX_PREPARED_FLAG_UNTIL_BEGUN = 1
};
/** Begins the next iteration of each, when the condition is triggered: by one trigger, one mark in
 * a stream or one node of a graph for all (`ucxx::startAll`). One request ends when all iterations
 * have ended, with the status of the first that fails; `ucxx_request_wait_on` is one wait for all.
 * Without a condition, or with `param` null, they begin in the call, as by ucxx_prepared_start:
 * null then. The first that cannot be started gives its status, and those before it have been. */
UCXX_PUBLIC ucs_status_ptr_t ucxx_prepared_start_all(void* const* prepared_memhs, size_t count,
                                                     const ucxx_post_param_t* param);
/** Waits until the iterations of all have ended, and moves their workers that have no progress
 * thread; not in callbacks. UCS_OK, the status of the first that has failed, or
 * UCS_ERR_TIMED_OUT. `timeout_ms` less than 0: no limit. */
UCXX_PUBLIC ucs_status_t ucxx_prepared_wait_all(void* const* prepared_memhs, size_t count,
                                                int timeout_ms);
/** Lets `stream` wait until the iterations of all have ended (`ucxx::waitAllOn`): in a capture, in
 * each launch. The worker needs a progress thread. */
UCXX_PUBLIC ucs_status_t ucxx_prepared_wait_all_on(void* const* prepared_memhs, size_t count,
                                                   struct CUstream_st* stream);
/** @} */

#ifdef __cplusplus
}
#endif
/* NOLINTEND */

#endif
