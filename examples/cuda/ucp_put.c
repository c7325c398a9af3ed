/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * One-sided transfers and an active message of a stream, in C, as UCP with conditions was proposed:
 * a kernel fills a buffer; a put, a flush and an active message follow it in the stream. The
 * message says that the data are at the receiver, whose thread does nothing for that. */

#define UCXX_UCP_AS_PROPOSED

#include <cuda_runtime.h>
#include <stdio.h>

#include "group.h"
#include "kernels.h"

enum { COUNT = 4096, STEPS = 16, SENDER = 0, RECEIVER = 1, THERE = 5 };

/* The receiver's memory, with room for each step, and the sender's key to it. */
static uint32_t* memory;
static ucp_mem_h memh;
static ucp_rkey_h rkey;

/* In a real program the key's bytes go to the sender by a message. */
static void share_memory(void) {
  const ucp_mem_map_params_t params = {
      .field_mask = UCP_MEM_MAP_PARAM_FIELD_LENGTH | UCP_MEM_MAP_PARAM_FIELD_FLAGS,
      .length = (size_t)STEPS * COUNT * sizeof *memory,
      .flags = UCP_MEM_MAP_ALLOCATE};
  ucp_mem_attr_t attributes = {.field_mask = UCP_MEM_ATTR_FIELD_ADDRESS};
  void* packed;
  size_t size;
  check(ucp_mem_map(group_context(), &params, &memh), "ucp_mem_map");
  check(ucp_mem_query(memh, &attributes), "ucp_mem_query");
  memory = attributes.address;
  check(ucp_rkey_pack(group_context(), memh, &packed, &size), "ucp_rkey_pack");
  check(ucp_ep_rkey_unpack(group_endpoint(SENDER, RECEIVER), packed, &rkey), "ucp_ep_rkey_unpack");
  ucp_rkey_buffer_release(packed);
}

static unsigned wrong_words, steps_there;

/* The header of the message is the step, whose data are there. The receiver's thread calls it. */
static ucs_status_t on_there(void* arg, const void* header, size_t header_length, void* data,
                             size_t length, const ucp_am_recv_param_t* param) {
  const uint32_t step = *(const uint32_t*)header;
  (void)arg, (void)header_length, (void)data, (void)length, (void)param;
  for (uint32_t i = 0; i < COUNT; ++i) wrong_words += memory[step * COUNT + i] != step;
  __atomic_add_fetch(&steps_there, 1, __ATOMIC_RELEASE);
  return UCS_OK;
}

static void handle_messages(void) {
  const ucp_am_handler_param_t param = {
      .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB,
      .id = THERE,
      .cb = on_there};
  check(ucp_worker_set_am_recv_handler(group_worker(RECEIVER), &param), "handler");
}

/* Waits in the stream, so that what is posted next starts when this has ended. */
static void follow(ucs_status_ptr_t request, cudaStream_t stream, const char* what) {
  if (UCS_PTR_IS_ERR(request)) check(UCS_PTR_STATUS(request), what);
  check(ucxx_request_wait_on(request, stream), what);
  ucp_request_free(request); /* the stream waits all the same */
}

static void enqueue_step(uint32_t* data, uint32_t step, ucp_condition_h condition,
                         cudaStream_t stream) {
  const ucp_ep_h ep = group_endpoint(SENDER, RECEIVER);
  const ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_CONDITION, .condition = condition};
  const uint64_t place = (uint64_t)(uintptr_t)(memory + step * COUNT);
  launch_fill(data, COUNT, step, stream);
  follow(ucp_put_nbx(ep, data, COUNT * sizeof *data, place, rkey, &param), stream, "ucp_put_nbx");
  follow(ucp_ep_flush_nbx(ep, &param), stream, "ucp_ep_flush_nbx");
  follow(ucp_am_send_nbx(ep, THERE, &step, sizeof step, NULL, 0, &param), stream,
         "ucp_am_send_nbx");
}

int main(void) {
  uint32_t* data;
  cudaStream_t stream;
  ucp_condition_h condition;
  ucp_condition_param_t of_stream = {.category = UCP_CONDITION_CATEGORY_STREAM, .context = &stream};
  check_cuda(cudaSetDevice(0), "cudaSetDevice");
  check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  check_cuda(cudaMallocHost((void**)&data, COUNT * sizeof *data), "cudaMallocHost");
  launch_fill(data, COUNT, 0, stream); /* a kernel's first launch waits for streams that wait */
  check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  group_open(2);
  share_memory();
  handle_messages();

  check(ucp_create_condition(&of_stream, &condition), "ucp_create_condition");
  for (uint32_t step = 0; step < STEPS; ++step) enqueue_step(data, step, condition, stream);
  check(ucp_destroy_condition(condition), "ucp_destroy_condition");
  check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");

  while (__atomic_load_n(&steps_there, __ATOMIC_ACQUIRE) < STEPS)
    ucp_worker_progress(group_worker(RECEIVER));

  ucp_rkey_destroy(rkey);
  check(ucp_mem_unmap(group_context(), memh), "ucp_mem_unmap");
  group_close();
  check_cuda(cudaFreeHost(data), "cudaFreeHost");
  check_cuda(cudaStreamDestroy(stream), "cudaStreamDestroy");
  printf("%d steps, %u wrong words\n", STEPS, wrong_words);
  return wrong_words == 0 ? 0 : 1;
}
