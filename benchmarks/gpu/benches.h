// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The benchmarks. Each runs in a process of its own, as the groups of gpu_facts.

#pragma once

namespace gpu::bench {

void benchPingPong();  // kernel, send, receive, kernel, there and back
void benchEnqueue();   // how busy the thread is that enqueues it
void tellQuestions();  // ... and what the driver has of that
void benchGraph();     // a broadcast, launch after launch
void benchHalo();      // of four ranks, whose kernels make edges ready
void benchHostTag();   // what CUDA costs transfers of the host
void benchIdle();      // what a condition costs that nothing triggers

}  // namespace gpu::bench
