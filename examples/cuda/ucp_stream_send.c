/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * Sends of a stream, in C, as UCP with conditions was proposed: a kernel fills a buffer, the send
 * that follows it in the stream leaves when it has, and the next kernel comes after the send. The
 * thread that puts all of this into the stream waits for nothing. */

#define UCXX_UCP_AS_PROPOSED

#include <cuda_runtime.h>
#include <stdio.h>

#include "group.h"
#include "kernels.h"

enum { COUNT = 4096, STEPS = 16, SENDER = 0, RECEIVER = 1 };
static const ucp_tag_t kTag = 7;

/* The text of the proposal, with its dots filled in. */
static ucs_status_ptr_t stream_send(ucp_ep_h ep, const void* buffer, size_t length, ucp_tag_t tag,
                                    cudaStream_t* cuda_stream) {
  ucs_status_t status;
  ucs_status_ptr_t request;
  ucp_condition_h condition;
  ucp_condition_param_t cond_param = {.category = UCP_CONDITION_CATEGORY_STREAM,
                                      .context = cuda_stream};
  status = ucp_create_condition(&cond_param, &condition);
  if (status != UCS_OK) return UCS_STATUS_PTR(status);

  ucp_request_param_t param = {
      .op_attr_mask = UCP_OP_ATTR_FIELD_MEMORY_TYPE | UCP_OP_ATTR_CONDITION,
      .condition = condition,
      .memory_type = UCS_MEMORY_TYPE_HOST};
  request = ucp_tag_send_nbx(ep, buffer, length, tag, &param);
  status = ucp_destroy_condition(condition); /* the post keeps it */
  check(status, "ucp_destroy_condition");
  return request;
}

/* All steps, one after the other. */
static void enqueue_sends(uint32_t* data, cudaStream_t stream, ucs_status_ptr_t* sends) {
  for (uint32_t step = 0; step < STEPS; ++step) {
    launch_fill(data, COUNT, step, stream);
    sends[step] =
        stream_send(group_endpoint(SENDER, RECEIVER), data, COUNT * sizeof *data, kTag, &stream);
    if (UCS_PTR_IS_ERR(sends[step])) check(UCS_PTR_STATUS(sends[step]), "stream_send");
    check(ucxx_request_wait_on(sends[step], stream), "ucxx_request_wait_on");
  }
}

/* How many words are not what the sender's kernel wrote. */
static unsigned receive_step(uint32_t step) {
  static uint32_t data[COUNT];
  const ucp_request_param_t param = {.op_attr_mask = 0};
  unsigned wrong = 0;
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
  launch_fill(data, COUNT, 0, stream); /* a kernel's first launch waits for streams that wait */
  check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
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
