// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/condition_module.h"

#include <map>
#include <string>

#include "gpu/report.h"
#include "gpu/setting.h"

namespace ucxx::cuda::test {
namespace {

constexpr const char* kConditionKernels[] = {"trigger_condition", "trigger_often", "wait_condition",
                                             "fill_and_send",     "make_ready",    "wait_iteration",
                                             "await_partition"};

std::map<std::string, base::cuda::Kernel> findAll() {
  const base::cuda::Module module = loadConditionModule();
  std::map<std::string, base::cuda::Kernel> all;
  for (const char* const name : kConditionKernels)
    gpu::must(name, gpu::driver().getFunction(&all[name], module, name));
  return all;
}

const std::map<std::string, base::cuda::Kernel>& allKernels() {
  static const auto all = findAll();
  return all;
}

}  // namespace

base::cuda::Kernel conditionKernel(const char* name) { return allKernels().at(name); }

void warmConditionKernels(base::cuda::Stream stream) {
  // With nulls for all arguments they do nothing; the longest has 5.
  std::uint64_t null = 0;
  void* nulls[]{&null, &null, &null, &null, &null};
  for (const char* const name : kConditionKernels) {
    gpu::must(name, gpu::driver().launch(conditionKernel(name), 1, 1, 1, 1, 1, 1, 0, stream, nulls,
                                         nullptr));
  }
  if (!gpu::drains("the first launches of kernels", stream))
    throw gpu::Stop("the kernels of conditions do not run");
}

}  // namespace ucxx::cuda::test
