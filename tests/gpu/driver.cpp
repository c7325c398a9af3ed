// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "gpu/driver.h"

#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>

namespace gpu {
namespace {

using GetAddress = Result(const char* symbol, void** function, int version, std::uint64_t flags,
                          int* found);
constexpr std::uint64_t kLegacyStreams = 1;
constexpr int kNotHere = 77;

[[noreturn]] void lackDriver(const char* why) {
  std::fprintf(stderr, "gpu_facts: no driver of CUDA: %s\n", why);
  std::exit(kNotHere);  // NOLINT(concurrency-mt-unsafe): no thread has started
}

void* openDriver() {
  void* const library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);  // for ever
  if (library == nullptr) lackDriver(::dlerror());  // NOLINT(concurrency-mt-unsafe)
  return library;
}

void* driverLibrary() {
  static void* const library = openDriver();
  return library;
}

Driver loadDriver() {
  const auto find = reinterpret_cast<GetAddress*>(exported("cuGetProcAddress_v2"));
  if (find == nullptr) lackDriver("it has no cuGetProcAddress_v2, so it is older than CUDA 12");
  Driver functions;
  const auto look = [&](auto& function, const char* symbol, int version) {
    void* address = nullptr;
    int found = 0;
    if (find(symbol, &address, version, kLegacyStreams, &found) == kSuccess)
      function.set(symbol, address);
  };
#define UCXX_GPU_FIND(name, symbol, version, ...) look(functions.name, #symbol, version);
  UCXX_GPU_FUNCTIONS(UCXX_GPU_FIND)
#undef UCXX_GPU_FIND
  return functions;
}

}  // namespace

const Driver& driver() {
  static const Driver only = loadDriver();
  return only;
}

void* exported(const char* name) { return ::dlsym(driverLibrary(), name); }

const char* nameOf(Result result) {
  const char* name = nullptr;
  if (result == kSuccess) return "ok";
  if (driver().errorName(result, &name) != kSuccess || name == nullptr) return "unknown error";
  return name;
}

}  // namespace gpu
