// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The kernels of gpu_bench for the stand-in, which runs functions.

#include "cuda/driver/stand_in.h"
#include "kernels.h"

namespace {

[[gnu::constructor]] void registerKernels() {
  stand_in::registerKernel("bench_step", bench_step);
  stand_in::registerKernel("bench_replay", bench_replay);
  stand_in::registerKernel("bench_halo", bench_halo);
  stand_in::registerKernel("bench_halo_in_turn", bench_halo_in_turn);
}

}  // namespace
