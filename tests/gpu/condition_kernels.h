// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Kernels that use the functions for kernels: for a device, and for the stand-in, which runs them
// on threads of the processor. None does anything without a handle: that is a first launch. A new
// one is named in cuda/condition_module.cpp, condition_module_text.cpp and condition_kernels.cpp.

#pragma once

#include <ucxx/cuda/device.h>

#if defined(__CUDACC__)
#define UCXX_TEST_KERNEL extern "C" __global__
#define UCXX_TEST_THREAD threadIdx.x
#define UCXX_TEST_THREADS blockDim.x
#define UCXX_TEST_BARRIER() __syncthreads()
#else
#include "cuda/driver/stand_in.h"
#define UCXX_TEST_KERNEL inline
#define UCXX_TEST_THREAD stand_in::place().thread
#define UCXX_TEST_THREADS stand_in::place().threads
#define UCXX_TEST_BARRIER() stand_in::syncThreads()
#endif

using ConditionHandle = ucxx::device::Handle;
using PreparedHandle = ucxx::device::Prepared;
using KernelWord = unsigned long long;

/// One thread.
UCXX_TEST_KERNEL void trigger_condition(ConditionHandle* handle, KernelWord* epoch) {
  if (handle != nullptr) *epoch = ucxx::device::trigger(handle);
}

/// One thread; any number of times.
UCXX_TEST_KERNEL void trigger_often(ConditionHandle* handle, KernelWord times) {
  if (handle == nullptr) return;
  for (KernelWord i = 0; i < times; ++i) ucxx::device::trigger(handle);
}

/// One thread.
UCXX_TEST_KERNEL void wait_condition(const ConditionHandle* handle, KernelWord epoch,
                                     KernelWord* status) {
  if (handle == nullptr) return;
  *status = static_cast<KernelWord>(ucxx::device::wait(handle, epoch));
}

/// One block: all of its threads fill the words, and one sends them and waits.
UCXX_TEST_KERNEL void fill_and_send(ConditionHandle* handle, KernelWord* words, KernelWord count,
                                    KernelWord value, KernelWord* status) {
  if (handle == nullptr) return;
  for (KernelWord i = UCXX_TEST_THREAD; i < count; i += UCXX_TEST_THREADS) words[i] = value;
  UCXX_TEST_BARRIER();
  if (UCXX_TEST_THREAD != 0) return;
  *status = static_cast<KernelWord>(ucxx::device::wait(handle, ucxx::device::trigger(handle)));
}

/// All threads of one block: each makes all partitions from `first` up to, but without, `last`
/// ready, and the first thread leaves the iteration.
UCXX_TEST_KERNEL void make_ready(PreparedHandle* plan, KernelWord first, KernelWord last,
                                 KernelWord* iteration) {
  if (plan == nullptr) return;
  for (KernelWord i = first; i < last; ++i) {
    const KernelWord its = ucxx::device::ready(plan, static_cast<unsigned>(i));
    if (UCXX_TEST_THREAD == 0) *iteration = its;
  }
}

/// One thread.
UCXX_TEST_KERNEL void wait_iteration(const PreparedHandle* plan, KernelWord iteration,
                                     KernelWord* status) {
  if (plan == nullptr) return;
  *status = static_cast<KernelWord>(ucxx::device::wait(plan, iteration));
}

/// One thread: waits until the partition has come, and copies the word of it; 0 if the plan ends.
UCXX_TEST_KERNEL void await_partition(const PreparedHandle* plan, KernelWord partition,
                                      KernelWord iteration, const KernelWord* from,
                                      KernelWord* to) {
  if (plan == nullptr) return;
  while (!ucxx::device::arrived(plan, static_cast<unsigned>(partition), iteration)) {
    const int status = ucxx::device::test(plan, iteration);
    if (status != ucxx::device::kInProgress && status != ucxx::device::kOk) {
      *to = 0;
      return;
    }
  }
  *to = *static_cast<const volatile KernelWord*>(from);
}
