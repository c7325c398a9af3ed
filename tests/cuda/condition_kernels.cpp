// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The kernels of conditions for the stand-in, which runs them on threads of the processor.

#include "gpu/condition_kernels.h"

namespace {

[[gnu::constructor]] void registerConditionKernels() {
  stand_in::registerKernel("trigger_condition", trigger_condition);
  stand_in::registerKernel("trigger_often", trigger_often);
  stand_in::registerKernel("wait_condition", wait_condition);
  stand_in::registerKernel("fill_and_send", fill_and_send, stand_in::Threads::AtOnce);
  stand_in::registerKernel("make_ready", make_ready);
  stand_in::registerKernel("wait_iteration", wait_iteration);
  stand_in::registerKernel("await_partition", await_partition);
}

}  // namespace
