// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// gpu_bench BENCHMARK [--quick] [--kernels FILE]: how fast transfers are that streams and graphs of
// CUDA start, beside their peers, as lines of JSON. `./dev gpu bench` runs all of them. Exit
// status 0; 1: something was not as it has to be (a target that is missed is no such thing);
// 77: no driver. FILE has the kernels; without, gpu_bench.fatbin beside the program. With a number
// behind the name it begins with that step (tests/gpu/step.h), and with a word more it has failed
// already.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include "benches.h"
#include "gpu/driver.h"
#include "gpu/report.h"
#include "gpu/step.h"

namespace {

const std::map<std::string, void (*)()> kBenches{
    {"ping_pong", gpu::bench::benchPingPong}, {"enqueue", gpu::bench::benchEnqueue},
    {"graph", gpu::bench::benchGraph},        {"halo", gpu::bench::benchHalo},
    {"host_tag", gpu::bench::benchHostTag},   {"idle", gpu::bench::benchIdle}};

int explain() {
  std::fputs("usage: gpu_bench [--quick] [--kernels FILE] one of", stderr);
  for (const auto& [name, bench] : kBenches) std::fprintf(stderr, " %s", name.c_str());
  std::fputs("\n", stderr);
  return 2;
}

/// Takes the options out, and leaves them in the environment, for the program that goes on after a
/// step that hung.
std::vector<std::string> wordsOf(int count, char** arguments) {
  std::vector<std::string> words;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--quick") == 0)
      ::setenv("GPU_BENCH_QUICK", "1", 1);
    else if (std::strcmp(arguments[i], "--kernels") == 0 && i + 1 < count)
      ::setenv("GPU_BENCH_KERNELS", arguments[++i], 1);
    else
      words.emplace_back(arguments[i]);
  }
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  const auto words = wordsOf(argc, argv);
  const auto bench = words.empty() ? kBenches.end() : kBenches.find(words[0]);
  if (bench == kBenches.end()) return explain();
  gpu::beginSteps(words[0], words.size() > 1 ? std::atoi(words[1].c_str()) : 0);
  try {
    gpu::driver();
    bench->second();
  } catch (const std::exception& failure) {
    gpu::error(words[0], failure.what());
  }
  // A stream may still wait, and threads with it: no destructor has a say.
  std::fflush(nullptr);
  std::_Exit(gpu::hadErrors() || words.size() > 2 ? 1 : 0);
}
