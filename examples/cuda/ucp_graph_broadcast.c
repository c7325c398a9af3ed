/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * A broadcast in a graph, in C, as UCP with conditions was proposed: one node receives, and two
 * nodes that come after it send on what it has received. The graph is made once; each launch does
 * it again. */

#define UCXX_UCP_AS_PROPOSED

#include <cuda_runtime.h>
#include <stdio.h>

#include "group.h"
#include "kernels.h"

enum { COUNT = 1024, LAUNCHES = 20, ROOT = 0, MIDDLE = 1, LEFT = 2, RIGHT = 3, MEMBERS = 4 };
enum { RECEIVE, SEND_LEFT, SEND_RIGHT, POSTS };
static const ucp_tag_t kTag = 7, kAllBits = (ucp_tag_t)-1;
static uint32_t* data; /* what the middle receives and sends on */

static size_t bytes(void) { return COUNT * sizeof(uint32_t); }

/* CUDA's order: `to` comes after `from`. CUDA 13 has one argument more. */
static void add_dependency(cudaGraph_t graph, const void* from, const void* to) {
#if CUDART_VERSION >= 13000
  check_cuda(cudaGraphAddDependencies(graph, from, to, NULL, 1), "dependency");
#else
  check_cuda(cudaGraphAddDependencies(graph, from, to, 1), "dependency");
#endif
}

/* The text of the proposal, with its dots filled in. CUDA makes no node without a graph, which the
 * text does not say to UCP: the field `graph` does. */
static void graph_bcast(cudaGraphNode_t* parent_node, cudaGraph_t* cuda_graph,
                        ucs_status_ptr_t* requests) {
  ucs_status_t status;
  ucp_condition_h recv_cond, send1_cond, send2_cond;
  ucp_condition_param_t recv_cparam = {.category = UCP_CONDITION_CATEGORY_GRAPH};
  ucp_condition_param_t send1_cparam = recv_cparam, send2_cparam = recv_cparam;
  recv_cparam.graph = send1_cparam.graph = send2_cparam.graph = *cuda_graph;

  status = ucp_create_condition(&recv_cparam, &recv_cond);
  check(status, "ucp_create_condition");
  status = ucp_create_condition(&send1_cparam, &send1_cond);
  check(status, "ucp_create_condition");
  status = ucp_create_condition(&send2_cparam, &send2_cond);
  check(status, "ucp_create_condition");

  ucp_request_param_t recv_param = {.op_attr_mask = UCP_OP_ATTR_CONDITION, .condition = recv_cond};
  ucp_request_param_t send1_param = {.op_attr_mask = UCP_OP_ATTR_CONDITION,
                                     .condition = send1_cond};
  ucp_request_param_t send2_param = {.op_attr_mask = UCP_OP_ATTR_CONDITION,
                                     .condition = send2_cond};
  requests[RECEIVE] =
      ucp_tag_recv_nbx(group_worker(MIDDLE), data, bytes(), kTag, kAllBits, &recv_param);
  requests[SEND_LEFT] =
      ucp_tag_send_nbx(group_endpoint(MIDDLE, LEFT), data, bytes(), kTag, &send1_param);
  requests[SEND_RIGHT] =
      ucp_tag_send_nbx(group_endpoint(MIDDLE, RIGHT), data, bytes(), kTag, &send2_param);
  for (int i = 0; i < POSTS; ++i)
    if (UCS_PTR_IS_ERR(requests[i])) check(UCS_PTR_STATUS(requests[i]), "post");

  /* Each post has written the place of its node. */
  add_dependency(*cuda_graph, recv_cparam.context, send1_cparam.context);
  add_dependency(*cuda_graph, recv_cparam.context, send2_cparam.context);
  add_dependency(*cuda_graph, parent_node, recv_cparam.context);

  status = ucp_destroy_condition(recv_cond); /* the graph keeps them */
  check(status, "ucp_destroy_condition");
  status = ucp_destroy_condition(send1_cond);
  check(status, "ucp_destroy_condition");
  status = ucp_destroy_condition(send2_cond);
  check(status, "ucp_destroy_condition");
}

/* What comes before the broadcast in each launch. */
static void count_launch(void* launches) { ++*(unsigned*)launches; }

/* How many words came wrong. */
static unsigned broadcast(cudaGraphExec_t exec, cudaStream_t stream, uint32_t value) {
  static uint32_t sent[COUNT], received[2][COUNT];
  const ucp_request_param_t param = {.op_attr_mask = 0};
  ucs_status_ptr_t receives[2], send;
  unsigned wrong = 0;
  for (int i = 0; i < COUNT; ++i) sent[i] = value;
  check_cuda(cudaGraphLaunch(exec, stream), "cudaGraphLaunch");
  for (int leaf = 0; leaf < 2; ++leaf)
    receives[leaf] = ucp_tag_recv_nbx(group_worker(LEFT + leaf), received[leaf], bytes(), kTag,
                                      kAllBits, &param);
  send = ucp_tag_send_nbx(group_endpoint(ROOT, MIDDLE), sent, bytes(), kTag, &param);
  finish(ROOT, send, "the root's send");
  for (int leaf = 0; leaf < 2; ++leaf) {
    finish(LEFT + leaf, receives[leaf], "a leaf's receive");
    for (int i = 0; i < COUNT; ++i) wrong += received[leaf][i] != value;
  }
  return wrong;
}

int main(void) {
  unsigned launches = 0, wrong = 0;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t parent;
  const struct cudaHostNodeParams counting = {.fn = count_launch, .userData = &launches};
  ucs_status_ptr_t requests[POSTS];
  check_cuda(cudaSetDevice(0), "cudaSetDevice");
  check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  check_cuda(cudaMallocHost((void**)&data, bytes()), "cudaMallocHost");
  check_cuda(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
  check_cuda(cudaGraphAddHostNode(&parent, graph, NULL, 0, &counting), "cudaGraphAddHostNode");
  group_open(MEMBERS);

  graph_bcast(&parent, &graph, requests);
  check_cuda(cudaGraphInstantiate(&exec, graph, 0), "cudaGraphInstantiate");
  for (uint32_t launch = 1; launch <= LAUNCHES; ++launch) wrong += broadcast(exec, stream, launch);
  check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");

  check_cuda(cudaGraphExecDestroy(exec), "cudaGraphExecDestroy");
  check_cuda(cudaGraphDestroy(graph), "cudaGraphDestroy");
  for (int i = 0; i < POSTS; ++i) finish(MIDDLE, requests[i], "a node"); /* ends with the graph */
  group_close();
  check_cuda(cudaFreeHost(data), "cudaFreeHost");
  check_cuda(cudaStreamDestroy(stream), "cudaStreamDestroy");
  printf("%u launches, %u wrong words\n", launches, wrong);
  return wrong == 0 && launches == LAUNCHES ? 0 : 1;
}
