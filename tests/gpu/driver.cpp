// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "gpu/driver.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>

namespace gpu {
namespace {

constexpr int kNotHere = 77;

NotedDriver findDriver() {
  const Driver* const found = ucxx::base::cuda::driver();
  if (found == nullptr) {
    std::fprintf(stderr, "%s: no driver of CUDA: %s\n", program_invocation_short_name,
                 whyNoDriver());
    std::exit(kNotHere);  // NOLINT(concurrency-mt-unsafe): no thread has started
  }
  return {*found};
}

}  // namespace

const NotedDriver& driver() {
  static const NotedDriver only = findDriver();
  return only;
}

void* exported(const char* name) {
  return ::dlsym(::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD), name);
}

}  // namespace gpu
