/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * Sends of a stream, in C: a kernel fills a buffer, the send that follows it in the stream leaves
 * when it has, and the next kernel comes after the send. The thread that puts all of this into the
 * stream waits for nothing. */

#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

#include "group.h"
#include "kernels.h"

enum { COUNT = 4096, STEPS = 16, SENDER = 0, RECEIVER = 1 };
static const ucp_tag_t kTag = 7;

static ucp_condition_h condition_of(cudaStream_t stream) {
  ucp_condition_param_t param;
  ucp_condition_h condition;
  memset(&param, 0, sizeof param);
  param.category = UCP_CONDITION_CATEGORY_STREAM;
  param.context = &stream;
  check(ucp_create_condition(&param, &condition), "ucp_create_condition");
  return condition;
}

/* All steps, one after the other. */
static void enqueue_sends(uint32_t* data, cudaStream_t stream, ucs_status_ptr_t* sends) {
  ucxx_request_param_t param;
  memset(&param, 0, sizeof param);
  param.op_attr_mask = UCP_OP_ATTR_CONDITION;
  param.condition = condition_of(stream);
  for (uint32_t step = 0; step < STEPS; ++step) {
    launch_fill(data, COUNT, step, stream);
    sends[step] = ucp_tag_send_nbx(group_endpoint(SENDER, RECEIVER), data, COUNT * sizeof *data,
                                   kTag, &param);
    if (UCS_PTR_IS_ERR(sends[step])) check(UCS_PTR_STATUS(sends[step]), "ucp_tag_send_nbx");
    check(ucxx_request_wait_on(sends[step], stream), "ucxx_request_wait_on");
  }
  ucp_destroy_condition(param.condition); /* the posts keep it */
}

/* How many words are not what the sender's kernel wrote. */
static unsigned receive_step(uint32_t step) {
  static uint32_t data[COUNT];
  ucxx_request_param_t param;
  unsigned wrong = 0;
  memset(&param, 0, sizeof param);
  finish(RECEIVER,
         ucp_tag_recv_nbx(group_worker(RECEIVER), data, sizeof data, kTag, (ucp_tag_t)-1, &param),
         "receive");
  for (int i = 0; i < COUNT; ++i) wrong += data[i] != step;
  return wrong;
}

int main(void) {
  uint32_t* data;
  cudaStream_t stream;
  ucs_status_ptr_t sends[STEPS];
  unsigned wrong = 0;
  check_cuda(cudaSetDevice(0), "cudaSetDevice");
  check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  check_cuda(cudaMallocHost((void**)&data, COUNT * sizeof *data), "cudaMallocHost");
  group_open(2);

  enqueue_sends(data, stream, sends);
  for (uint32_t step = 0; step < STEPS; ++step) wrong += receive_step(step);
  for (uint32_t step = 0; step < STEPS; ++step) finish(SENDER, sends[step], "send");
  check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");

  group_close();
  check_cuda(cudaFreeHost(data), "cudaFreeHost");
  check_cuda(cudaStreamDestroy(stream), "cudaStreamDestroy");
  printf("%d steps, %u wrong words\n", STEPS, wrong);
  return wrong == 0 ? 0 : 1;
}
