/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders */
#ifndef UCXX_UCP_CONDITION_H
#define UCXX_UCP_CONDITION_H

/* UCP with conditions, as it was once proposed for UCX: transfers are posted now, and start when a
 * stream, a graph or a kernel of CUDA gets there. For C and C++. No release of UCX has it.
 *
 * In a source that includes this header the names below mean functions of the library. They answer
 * for its handles (`ucxx::Endpoint::getHandle`, `ucxx::Worker::getHandle`, what they return
 * themselves), and hand all others to UCX. Names are replaced and not symbols, so that the order of
 * libraries does not matter.
 *
 * Any thread may call them, unless the worker has a single thread. Nothing is thrown: what fails
 * gives a status, or in place of a request a status pointer (UCS_PTR_IS_ERR), and writes one line
 * to the library's log, which says what was wrong and what would be right. A handle that was
 * released, or is none, gives UCS_ERR_INVALID_PARAM. What transfers with conditions do is told in
 * `ucxx/condition.h`, and what kernels call in `ucxx/cuda/device.h`. */

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
 * missing, a flag is unknown. Else what `ucxx::Condition::stream`, `graph` and `kernel` throw. */
UCXX_PUBLIC ucs_status_t ucxx_create_condition(ucp_condition_param_t* param,
                                               ucp_condition_h* condition);
/** May be called right after the posts: they keep the condition until they have ended and their
 * request was freed. A kernel may have its handle until then. */
UCXX_PUBLIC void ucxx_destroy_condition(ucp_condition_h condition);

/** `param` is a ucxx_request_param_t, or UCX's struct, which has no condition. It is read in the
 * call alone.
 * Null: it has ended with success in the call, and no callback is called. Of the library's handles
 * UCS_ERR_UNSUPPORTED: a request of the caller's, a datatype that is not contiguous, and
 * UCP_OP_ATTR_FLAG_FORCE_IMM_CMPL together with a condition; of UCX's: a condition. */
UCXX_PUBLIC ucs_status_ptr_t ucxx_tag_send_nbx(ucp_ep_h endpoint, const void* buffer, size_t count,
                                               ucp_tag_t tag, const void* param);
/** Receives of the worker match any peer: tags and masks alone decide. */
UCXX_PUBLIC ucs_status_ptr_t ucxx_tag_recv_nbx(ucp_worker_h worker, void* buffer, size_t count,
                                               ucp_tag_t tag, ucp_tag_t mask, const void* param);
UCXX_PUBLIC unsigned ucxx_worker_progress(ucp_worker_h worker);

/** The status of a request; UCS_OK for null, which is one that has ended in its call, and of a
 * status pointer its status. A request of a graph ends with the graph. */
UCXX_PUBLIC ucs_status_t ucxx_request_check_status(void* request);
/** And what a receive has received, once it has ended. */
UCXX_PUBLIC ucs_status_t ucxx_tag_recv_request_test(void* request, ucp_tag_recv_info_t* info);
/** One that waits for its condition ends at once. */
UCXX_PUBLIC void ucxx_request_cancel(ucp_worker_h worker, void* request);
/** Once for each request, also before it has ended: the transfer goes on then, and its callback is
 * called. */
UCXX_PUBLIC void ucxx_request_free(void* request);
/** Not in the proposal: what is put into `stream` from now on comes after the end of the request
 * (`ucxx::Request::waitOn`). Null, and one that has ended: nothing is put into it. The caller
 * progresses if the request's condition says so. */
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

/** `field_mask` says which fields are set. The first four have to be. */
typedef struct ucp_buffer_param {
  uint64_t field_mask;
  void* buffer; /**< the caller's, until ucp_release_preparations */
  size_t length;
  ucp_tag_t tag; /**< sends and receives of a tag meet in the order in which they are prepared */
  ucp_buffer_direction_t direction;
  size_t partitions;   /**< 1 */
  size_t contributors; /**< 1; so many calls of ucxx::device::ready make a partition ready */
  size_t memh_size;    /**< how long the storage is; UCP_PREPARED_MEMH_SIZE */
} ucp_buffer_param_t;

/** The caller's storage for one, which may be moved and copied. */
#define UCP_PREPARED_MEMH_SIZE 64

/** Waits for nobody; the two ends find each other later. UCS_ERR_BUFFER_TOO_SMALL: `memh_size`. */
UCXX_PUBLIC ucs_status_t ucxx_prepare_transfers(ucp_ep_h endpoint, void* prepared_memh,
                                                const ucp_buffer_param_t* param);
/** Waits until nobody touches the buffer any more, and moves the worker meanwhile. An iteration
 * under way ends with UCS_ERR_CANCELED. UCS_ERR_TIMED_OUT: the peer has not answered within 10 s,
 * and may still use the buffer; call again. Not in callbacks. */
UCXX_PUBLIC ucs_status_t ucxx_release_preparations(ucp_ep_h endpoint, void* prepared_memh);
/** Begins the next iteration: the receiver's buffer may be written; the sender's partitions may be
 * made ready. Which are ready at once `ucxx::Prepared::start` tells. */
UCXX_PUBLIC ucs_status_t ucxx_prepared_start(void* prepared_memh);
/** The bytes of `count` partitions from `first` on may leave. */
UCXX_PUBLIC ucs_status_t ucxx_prepared_ready(void* prepared_memh, size_t first, size_t count);
/** The status of the last iteration; UCS_INPROGRESS until it has ended. */
UCXX_PUBLIC ucs_status_t ucxx_prepared_test(void* prepared_memh);
/** For kernels: the ucxx::device::Prepared*. Null: the log says why. */
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
