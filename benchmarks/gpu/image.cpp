// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The module of the kernels: the file GPU_BENCH_KERNELS, or the one beside the program.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string>

#include <ucxx/cuda/stream.h>

#include "edges.h"
#include "rig.h"

namespace gpu::bench {
namespace {

std::string imagePath() {
  const char* const told = std::getenv("GPU_BENCH_KERNELS");
  if (told != nullptr) return told;
  return std::filesystem::read_symlink("/proc/self/exe").string() + ".fatbin";
}

/// Loaded once, for ever.
Module benchModule() {
  static const Module only = [] {
    std::ifstream file(imagePath(), std::ios::binary);
    if (!file)
      throw Stop(imagePath() + " cannot be read: the kernels, which are built where nvcc is");
    static const std::string image{std::istreambuf_iterator<char>(file), {}};
    Module module = nullptr;
    must("cuModuleLoadData", driver().loadModule(&module, image.c_str()));
    return module;
  }();
  return only;
}

}  // namespace

Kernel kernelNamed(const char* name) {
  static std::mutex mutex;
  static std::map<std::string, Kernel, std::less<>> found;
  const std::lock_guard lock(mutex);
  const auto known = found.find(name);
  if (known != found.end()) return known->second;
  Kernel kernel = nullptr;
  must(name, driver().getFunction(&kernel, benchModule(), name));
  return found.emplace(name, kernel).first->second;
}

void warmUp() {
  useDevice();
  ucxx::cuda::attach();
  const OwnStream stream;
  Word* const words = pinnedWords(1);
  Word* const number = deviceWords(1);
  // count 0: nothing is touched
  run("bench_step", stream, Grid{1, 1}, words, Word{0}, words, Word{0}, Word{0}, number);
  run("bench_replay", stream, Grid{1, 1}, words, Word{0}, words, Word{0}, number, number);
  run("bench_halo", stream, Grid{1, 1}, words, Word{0}, words, Word{0}, Word{0}, 1u, number,
      BenchEdges{});
  run("bench_halo_in_turn", stream, Grid{1, 1}, words, words, Word{0}, 1u, number, number,
      BenchEdges{});
  if (!drains("the first launches of kernels", stream)) throw Stop("kernels do not run");
}

}  // namespace gpu::bench
