/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * A loop of prepared transfers, in C: two members send to each other, again and again, between the
 * same buffers. In each iteration all are started, a kernel fills the buffers and lets each
 * partition leave as soon as it is full, and all are awaited. */

#define UCXX_UCP_AS_PROPOSED

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include "group.h"
#include "kernels.h"

enum { COUNT = 4096, PARTITIONS = 8, ITERATIONS = 20, PLANS = 4 };
static const ucp_tag_t kTag = 7;

/* Storage for one prepared transfer, of member `member` with the other one. */
struct plan {
  int member;
  ucp_buffer_direction_t direction;
  uint32_t* buffer;
  char memh[UCP_PREPARED_MEMH_SIZE];
};

static void prepare(struct plan* plan) {
  const ucp_buffer_param_t param = {
      .field_mask = UCP_BUFFER_PARAM_FIELD_BUFFER | UCP_BUFFER_PARAM_FIELD_LENGTH |
                    UCP_BUFFER_PARAM_FIELD_TAG | UCP_BUFFER_PARAM_FIELD_DIRECTION |
                    UCP_BUFFER_PARAM_FIELD_PARTITIONS,
      .buffer = plan->buffer,
      .length = COUNT * sizeof(uint32_t),
      .tag = kTag,
      .direction = plan->direction,
      .partitions = PARTITIONS};
  check(ucp_prepare_transfers(group_endpoint(plan->member, 1 - plan->member), plan->memh, &param),
        "ucp_prepare_transfers");
}

static unsigned wrong_words(const uint32_t* data, uint32_t value) {
  unsigned wrong = 0;
  for (int i = 0; i < COUNT; ++i) wrong += data[i] != value;
  return wrong;
}

static void* handle_of(struct plan* plan) {
  void* const handle = ucp_prepared_handle(plan->memh);
  if (handle != NULL) return handle;
  fprintf(stderr, "ucp_prepared_handle failed; UCXX_LOG_LEVEL=error tells why\n");
  exit(1);
}

/* How many words came wrong. A receiver that starts tells its sender that the buffer is free, which
 * the proposal does by a call of its own for each iteration. */
static unsigned iterate(struct plan* plans, cudaStream_t stream) {
  void *const left = handle_of(&plans[0]), *const right = handle_of(&plans[1]);
  void* memhs[PLANS];
  unsigned wrong = 0;
  for (int i = 0; i < PLANS; ++i) memhs[i] = plans[i].memh;
  for (uint32_t value = 1; value <= ITERATIONS; ++value) {
    check(UCS_PTR_RAW_STATUS(ucxx_prepared_start_all(memhs, PLANS, NULL)), "start");
    launch_fill_and_ready(plans[0].buffer, plans[1].buffer, COUNT, PARTITIONS, value, left, right,
                          stream);
    check(ucxx_prepared_wait_all(memhs, PLANS, -1), "the iterations");
    wrong += wrong_words(plans[2].buffer, value + 1) + wrong_words(plans[3].buffer, value);
  }
  check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  return wrong;
}

int main(void) {
  static struct plan plans[PLANS] = {{.member = 0, .direction = UCP_BUFFER_SEND},
                                     {.member = 1, .direction = UCP_BUFFER_SEND},
                                     {.member = 0, .direction = UCP_BUFFER_RECV},
                                     {.member = 1, .direction = UCP_BUFFER_RECV}};
  cudaStream_t stream;
  unsigned wrong;
  check_cuda(cudaSetDevice(0), "cudaSetDevice");
  check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  group_open(2);
  for (int i = 0; i < PLANS; ++i) {
    check_cuda(cudaMallocHost((void**)&plans[i].buffer, COUNT * sizeof(uint32_t)), "buffer");
    prepare(&plans[i]);
  }

  wrong = iterate(plans, stream);

  for (int i = 0; i < PLANS; ++i) {
    const int member = plans[i].member;
    check(ucp_release_preparations(group_endpoint(member, 1 - member), plans[i].memh),
          "ucp_release_preparations");
    check_cuda(cudaFreeHost(plans[i].buffer), "cudaFreeHost");
  }
  group_close();
  check_cuda(cudaStreamDestroy(stream), "cudaStreamDestroy");
  printf("%d iterations, %u wrong words\n", ITERATIONS, wrong);
  return wrong == 0 ? 0 : 1;
}
