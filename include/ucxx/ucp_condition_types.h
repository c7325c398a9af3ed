/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders */
#ifndef UCXX_UCP_CONDITION_TYPES_H
#define UCXX_UCP_CONDITION_TYPES_H

/* Conditions, and the parameters of transfers that have one. A part of `ucxx/ucp_condition.h`. */

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
  /** GRAPH, in: what the node is made in. CUDA makes no node without a graph, and the proposal has
   * no place for it. */
  struct CUgraph_st* graph;
  uint64_t flags;
} ucp_condition_param_t;

typedef struct ucp_condition* ucp_condition_h;

/** Transfers are posted with a condition in the field `condition`, if this is in `op_attr_mask`. */
#define UCP_OP_ATTR_CONDITION ((uint32_t)1 << 30)

/** UCX's own struct, also where UCXX_UCP_AS_PROPOSED gives its name to the next one. */
typedef ucp_request_param_t ucxx_plain_request_param_t;

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
    ucxx_plain_request_param_t ucp; /**< for fields that later versions of UCX have */
    char room[128];                 /* so that `condition` has one place with all versions of UCX */
  };
  /** @endcond */
  ucp_condition_h condition;
} ucxx_request_param_t;

/** What a post takes: the struct with the field, or UCX's, which has no condition. With
 * UCXX_UCP_AS_PROPOSED the former alone. */
#ifdef UCXX_UCP_AS_PROPOSED
typedef ucxx_request_param_t ucxx_post_param_t;
#else
typedef void ucxx_post_param_t;
#endif

/** UCS_ERR_INVALID_PARAM: the category is none, `context` or the stream is null, `graph` is
 * missing, a flag is unknown. Else the status of what `ucxx::Condition::stream`, `graph` and
 * `kernel` throw. */
UCXX_PUBLIC ucs_status_t ucxx_create_condition(ucp_condition_param_t* param,
                                               ucp_condition_h* condition);
/** May be called right after the posts: they keep the condition until they have ended and their
 * request was freed. A kernel may have its handle until then. Null: UCS_OK, and nothing happens.
 * UCS_ERR_INVALID_PARAM: it is none, or was destroyed before. */
UCXX_PUBLIC ucs_status_t ucxx_destroy_condition(ucp_condition_h condition);

#ifdef __cplusplus
}
#endif
/* NOLINTEND */

#endif
