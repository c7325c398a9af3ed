// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// For the stand-in, which looks for nothing else in a module.

#include "cuda/condition_module.h"
#include "gpu/report.h"

namespace ucxx::cuda::test {

base::cuda::Module loadConditionModule() {
  constexpr char kText[] =
      ".version 6.0 .entry trigger_condition( .entry trigger_often( .entry wait_condition( .entry "
      "fill_and_send( .entry make_ready( .entry wait_iteration( .entry await_partition(";
  base::cuda::Module module = nullptr;
  gpu::must("cuModuleLoadData", gpu::driver().loadModule(&module, kText));
  return module;
}

}  // namespace ucxx::cuda::test
