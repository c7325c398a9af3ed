// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// gpu_facts GROUP: what the driver of CUDA and a GPU do here, as lines of JSON. `./dev gpu facts`
// runs all groups. Exit status 0; 1: something was not as it has to be; 77: no driver. With a
// number behind the group it begins with that step (step.h), and with a word more it has failed
// already.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <string>

#include "gpu/driver.h"
#include "gpu/groups.h"
#include "gpu/report.h"
#include "gpu/step.h"

namespace {

const std::map<std::string, void (*)()> kGroups{
    {"device", gpu::tellDevice},     {"pointers", gpu::tellPointers},
    {"pages", gpu::tellPages},       {"stream", gpu::tellStream},
    {"batch", gpu::tellBatch},       {"capture", gpu::tellCapture},
    {"graph", gpu::tellGraph},       {"round_trip", gpu::tellRoundTrip},
    {"costs", gpu::tellCosts},       {"queue", gpu::tellQueue},
    {"blocking", gpu::tellBlocking}, {"copies", gpu::tellCopies},
    {"held_up", gpu::tellHeldUp},    {"ipc", gpu::tellIpc},
    {"streams", gpu::tellStreams},   {"lifetime", gpu::tellLifetime},
    {"sticky", gpu::tellSticky}};

int usage() {
  std::fputs("usage: gpu_facts", stderr);
  for (const auto& [name, group] : kGroups) std::fprintf(stderr, " %s", name.c_str());
  std::fputs("\n", stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  const auto group = kGroups.find(name);
  const bool is_ipc_peer = name == "ipc_peer" && argc == 3;
  if (group == kGroups.end() && !is_ipc_peer) return usage();
  if (!is_ipc_peer) gpu::beginSteps(name, argc > 2 ? std::atoi(argv[2]) : 0);
  try {
    gpu::driver();
    is_ipc_peer ? gpu::answerIpc(argv[2]) : group->second();
  } catch (const std::exception& failure) {
    gpu::error(name, failure.what());
  }
  // A stream may still wait, and threads with it: no destructor has a say.
  std::fflush(nullptr);
  std::_Exit(gpu::hadErrors() || (argc > 3 && !is_ipc_peer) ? 1 : 0);
}
