/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders */
#ifndef UCXX_UCP_CONDITION_H
#define UCXX_UCP_CONDITION_H

/* UCP with conditions, as it was once proposed for UCX: transfers are posted now, and start when a
 * stream, a graph or a kernel of CUDA gets there. For C and C++. No release of UCX has it.
 *
 * In a source that includes this header the names in it mean functions of the library. They answer
 * for its handles (`ucxx::Endpoint::getHandle`, `ucxx::Worker::getHandle`, what they return
 * themselves), and hand all others to UCX. UCX's other functions (ucp_ep_flush_nbx, ucp_put_nbx,
 * ucp_get_nbx, ucp_ep_close_nbx, ...) must not be given an endpoint or a request of the library,
 * which UCX takes for an address; `ucxx/ucp_calls.h` has a few of them for C++. Names are replaced
 * and not symbols, so that the order of libraries does not matter.
 *
 * Threads: any, at once; with `ucxx::WorkerOptions::single_thread` the worker's one thread alone.
 *
 * Nothing is thrown. A function that fails gives a status, or in place of a request a status
 * pointer (UCS_PTR_IS_ERR). One line of the log, of the level error, says what was wrong and what
 * would be right. The log is silent by default: UCXX_LOG_LEVEL=error in the environment writes it
 * to standard error, and `ucxx::setLogSink` gives it to the program.
 *
 * Conditions, requests, endpoints and storage are checked: one that was given back, has gone, or is
 * none, gives UCS_ERR_INVALID_PARAM. A worker's handle is not: after the worker's end the call goes
 * to UCX, which reads freed memory.
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

#include <stddef.h>
#include <stdint.h>
#include <ucp/api/ucp.h>

#include <ucxx/export.h>

/* NOLINTBEGIN: UCX's names, and C */
/* What cudaStream_t, cudaGraph_t and cudaGraphNode_t point to. */
struct CUstream_st;
struct CUgraph_st;
struct CUgraphNode_st;

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  UCP_CONDITION_CATEGORY_STREAM = 1,
  UCP_CONDITION_CATEGORY_GRAPH = 2,
  UCP_CONDITION_CATEGORY_KERNEL_TRIGGERED = 3
} ucp_condition_category_t;

enum {
  /** The caller moves the worker, by ucp_worker_progress, and never waits for the device meanwhile.
   * Without it the worker has to have a progress thread. */
  UCP_CONDITION_FLAG_CALLER_PROGRESSES = 1
};

/** All that is not set has to be 0. */
typedef struct ucp_condition_param {
  ucp_condition_category_t category;
  /** STREAM, in: the address of a cudaStream_t, which is read in ucp_create_condition. Transfers
   *   start at their place in that stream, each at its own.
   * GRAPH, out: the address of a cudaGraphNode_t, which lives as long as the graph and what was
   *   instantiated from it. It is written by the first post with the condition, which makes the
   *   node: this struct has to live until then.
   * KERNEL_TRIGGERED, out: the ucxx::device::Handle* for kernels. Written by
   *   ucp_create_condition. */
  void* context;
  /** GRAPH, in: what the node is made in. CUDA makes no node without a graph. */
  struct CUgraph_st* graph;
  uint64_t flags;
} ucp_condition_param_t;

typedef struct ucp_condition* ucp_condition_h;

/** Transfers are posted with a condition in the field `condition`, if this is in `op_attr_mask`. */
#define UCP_OP_ATTR_CONDITION ((uint32_t)1 << 30)

/** `ucp_request_param_t`, and the field `condition`. */
typedef struct ucxx_request_param {
  /** @cond */
  __extension__ union {
    __extension__ struct {
      uint32_t op_attr_mask;
      uint32_t flags;
      void* request;
      union {
        ucp_send_nbx_callback_t send;
        ucp_tag_recv_nbx_callback_t recv;
        ucp_stream_recv_nbx_callback_t recv_stream;
        ucp_am_recv_data_nbx_callback_t recv_am;
      } cb;
      ucp_datatype_t datatype;
      void* user_data;
      void* reply_buffer;
      ucs_memory_type_t memory_type;
      union {
        size_t* length;
        ucp_tag_recv_info_t* tag_info;
      } recv_info;
      ucp_mem_h memh;
    };
    ucp_request_param_t ucp; /**< for fields that later versions of UCX have */
  };
  /** @endcond */
  ucp_condition_h condition;
} ucxx_request_param_t;

/** UCS_ERR_INVALID_PARAM: the category is none, `context` or the stream is null, `graph` is
 * missing, a flag is unknown. Else the status of what `ucxx::Condition::stream`, `graph` and
 * `kernel` throw. */
UCXX_PUBLIC ucs_status_t ucxx_create_condition(ucp_condition_param_t* param,
                                               ucp_condition_h* condition);
/** May be called right after the posts: they keep the condition until they have ended and their
 * request was freed. A kernel may have its handle until then. Null: nothing happens. */
UCXX_PUBLIC void ucxx_destroy_condition(ucp_condition_h condition);

/** `param` is a ucxx_request_param_t, or UCX's struct, which has no condition. It is read in the
 * call alone. Null: the transfer has ended with success in the call, and no callback is called.
 * UCS_ERR_UNSUPPORTED, with a handle of the library: a request of the caller's
 * (UCP_OP_ATTR_FIELD_REQUEST), a datatype that is not contiguous, UCP_OP_ATTR_FLAG_FORCE_IMM_CMPL.
 * UCS_ERR_UNSUPPORTED, with a handle of UCX's own: a condition. */
UCXX_PUBLIC ucs_status_ptr_t ucxx_tag_send_nbx(ucp_ep_h endpoint, const void* buffer, size_t count,
                                               ucp_tag_t tag, const void* param);
/** Likewise. Receives of the worker match any peer: tags and masks alone decide. */
UCXX_PUBLIC ucs_status_ptr_t ucxx_tag_recv_nbx(ucp_worker_h worker, void* buffer, size_t count,
                                               ucp_tag_t tag, ucp_tag_t mask, const void* param);
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

#ifdef __cplusplus
}
#endif

#define ucp_create_condition ucxx_create_condition
#define ucp_destroy_condition ucxx_destroy_condition
#define ucp_tag_send_nbx ucxx_tag_send_nbx
#define ucp_tag_recv_nbx ucxx_tag_recv_nbx
#define ucp_worker_progress ucxx_worker_progress
#define ucp_request_check_status ucxx_request_check_status
#define ucp_tag_recv_request_test ucxx_tag_recv_request_test
#define ucp_request_cancel ucxx_request_cancel
#define ucp_request_free ucxx_request_free
#define ucp_prepare_transfers ucxx_prepare_transfers
#define ucp_release_preparations ucxx_release_preparations
#define ucp_prepared_start ucxx_prepared_start
#define ucp_prepared_ready ucxx_prepared_ready
#define ucp_prepared_test ucxx_prepared_test
#define ucp_prepared_handle ucxx_prepared_handle
/* NOLINTEND */

#endif
