// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Frames go through stages, a PE each: the data by put with signal, room for more by credits.
// build: oshcc -std=c11 -g -Wall pipeline.c -o pipeline
// run: oshrun -l -np 4 ./pipeline 40
// prints: [0] stage 0: 40 frames
// prints: [1] stage 1: 40 frames
// prints: [2] stage 2: 40 frames
// prints: [3] stage 3: 40 frames
// prints: [3] all frames are right: ok
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

enum { kPixels = 256, kSlots = 3 };

static int slots[kSlots][kPixels];
static uint64_t filled = 0, credits = 0;

static int pixel(int frame, int i) { return (frame * 31 + i * 7) % 1000; }

static void make(int* image, int frame) {
  for (int i = 0; i < kPixels; ++i) image[i] = pixel(frame, i);
}

/* Each stage doubles the pixels and adds its number. */
static void work(int* image, int stage) {
  for (int i = 0; i < kPixels; ++i) image[i] = 2 * image[i] + stage;
}

static int is_done(const int* image, int frame, int stages) {
  for (int i = 0; i < kPixels; ++i) {
    int expected = pixel(frame, i);
    for (int stage = 0; stage < stages; ++stage) expected = 2 * expected + stage;
    if (image[i] != expected) return 0;
  }
  return 1;
}

static void pass_on(const int* image, int frame, int next) {
  /* A slot is free again once the next stage has returned as many credits. */
  if (frame >= kSlots)
    shmem_signal_wait_until(&credits, SHMEM_CMP_GE, (uint64_t)(frame - kSlots + 1));
  shmem_put_signal_nbi(slots[frame % kSlots], image, kPixels, &filled, 1, SHMEM_SIGNAL_ADD, next);
  shmem_quiet();
}

int main(int argc, char** argv) {
  const int frames = argc > 1 ? atoi(argv[1]) : 10;
  static int image[kPixels];
  int wrong = 0;

  shmem_init();
  const int me = shmem_my_pe(), stages = shmem_n_pes();
  for (int frame = 0; frame < frames; ++frame) {
    if (me == 0) {
      make(image, frame);
    } else {
      shmem_signal_wait_until(&filled, SHMEM_CMP_GE, (uint64_t)frame + 1);
      for (int i = 0; i < kPixels; ++i) image[i] = slots[frame % kSlots][i];
      shmem_atomic_inc(&credits, me - 1);
    }
    work(image, me);
    if (me + 1 < stages)
      pass_on(image, frame, me + 1);
    else
      wrong += !is_done(image, frame, stages);
  }
  printf("stage %d: %d frames\n", me, frames);
  if (me == stages - 1) printf("all frames are right: %s\n", wrong ? "NO" : "ok");
  shmem_finalize();
  return wrong != 0;
}
