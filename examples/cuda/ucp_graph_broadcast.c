/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * A broadcast in a graph, in C: one node receives, and two nodes that come after it send on what it
 * has received. The graph is made once; each launch does it again. */

#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

#include "group.h"
#include "kernels.h"

enum { COUNT = 1024, LAUNCHES = 20, ROOT = 0, MIDDLE = 1, LEAVES = 2, FIRST_LEAF = 2 };
static const ucp_tag_t kTag = 7, kAllBits = (ucp_tag_t)-1;

static size_t bytes(void) { return COUNT * sizeof(uint32_t); }

/* CUDA's order: `to` comes after `from`. */
static void add_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                             const cudaGraphNode_t* to, size_t count) {
#if CUDART_VERSION >= 13000
  check_cuda(cudaGraphAddDependencies(graph, from, to, NULL, count), "dependencies");
#else
  check_cuda(cudaGraphAddDependencies(graph, from, to, count), "dependencies");
#endif
}

/* What the middle does, as nodes of `graph`. */
static void make_nodes(cudaGraph_t graph, uint32_t* data, ucs_status_ptr_t* requests) {
  ucp_condition_param_t conditions[1 + LEAVES];
  cudaGraphNode_t from[LEAVES], to[LEAVES];
  memset(conditions, 0, sizeof conditions);
  for (int i = 0; i <= LEAVES; ++i) {
    ucxx_request_param_t param;
    memset(&param, 0, sizeof param);
    conditions[i].category = UCP_CONDITION_CATEGORY_GRAPH;
    conditions[i].graph = graph;
    check(ucp_create_condition(&conditions[i], &param.condition), "ucp_create_condition");
    param.op_attr_mask = UCP_OP_ATTR_CONDITION;
    if (i == 0)
      requests[i] = ucp_tag_recv_nbx(group_worker(MIDDLE), data, bytes(), kTag, kAllBits, &param);
    else
      requests[i] =
          ucp_tag_send_nbx(group_endpoint(MIDDLE, FIRST_LEAF + i - 1), data, bytes(), kTag, &param);
    ucp_destroy_condition(param.condition); /* the graph keeps it */
    if (UCS_PTR_IS_ERR(requests[i])) check(UCS_PTR_STATUS(requests[i]), "post");
  }
  for (int i = 0; i < LEAVES; ++i) { /* each post has written the place of its node */
    from[i] = *(cudaGraphNode_t*)conditions[0].context;
    to[i] = *(cudaGraphNode_t*)conditions[1 + i].context;
  }
  add_dependencies(graph, from, to, LEAVES);
}

/* How many words came wrong. */
static unsigned broadcast(cudaGraphExec_t exec, cudaStream_t stream, uint32_t value) {
  static uint32_t sent[COUNT], received[LEAVES][COUNT];
  ucs_status_ptr_t receives[LEAVES], send;
  ucxx_request_param_t param;
  unsigned wrong = 0;
  memset(&param, 0, sizeof param);
  for (int i = 0; i < COUNT; ++i) sent[i] = value;
  check_cuda(cudaGraphLaunch(exec, stream), "cudaGraphLaunch");
  for (int leaf = 0; leaf < LEAVES; ++leaf)
    receives[leaf] = ucp_tag_recv_nbx(group_worker(FIRST_LEAF + leaf), received[leaf], bytes(),
                                      kTag, kAllBits, &param);
  send = ucp_tag_send_nbx(group_endpoint(ROOT, MIDDLE), sent, bytes(), kTag, &param);
  finish(ROOT, send, "the root's send");
  for (int leaf = 0; leaf < LEAVES; ++leaf) {
    finish(FIRST_LEAF + leaf, receives[leaf], "a leaf's receive");
    for (int i = 0; i < COUNT; ++i) wrong += received[leaf][i] != value;
  }
  return wrong;
}

int main(void) {
  uint32_t* data;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  ucs_status_ptr_t requests[1 + LEAVES];
  unsigned wrong = 0;
  check_cuda(cudaSetDevice(0), "cudaSetDevice");
  check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  check_cuda(cudaMallocHost((void**)&data, bytes()), "cudaMallocHost");
  check_cuda(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
  group_open(FIRST_LEAF + LEAVES);

  make_nodes(graph, data, requests);
  check_cuda(cudaGraphInstantiate(&exec, graph, 0), "cudaGraphInstantiate");
  for (uint32_t launch = 1; launch <= LAUNCHES; ++launch) wrong += broadcast(exec, stream, launch);
  check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");

  check_cuda(cudaGraphExecDestroy(exec), "cudaGraphExecDestroy");
  check_cuda(cudaGraphDestroy(graph), "cudaGraphDestroy");
  for (int i = 0; i <= LEAVES; ++i) finish(MIDDLE, requests[i], "a node"); /* ends with the graph */
  group_close();
  check_cuda(cudaFreeHost(data), "cudaFreeHost");
  check_cuda(cudaStreamDestroy(stream), "cudaStreamDestroy");
  printf("%d launches, %u wrong words\n", LAUNCHES, wrong);
  return wrong == 0 ? 0 : 1;
}
