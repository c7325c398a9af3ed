// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// For a GPU: the file that nvcc has made lies beside the program.

#include <climits>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "cuda/condition_module.h"
#include "gpu/report.h"

namespace ucxx::cuda::test {

base::cuda::Module loadConditionModule() {
  const auto path =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "condition_kernels.fatbin";
  std::ifstream file(path, std::ios::binary);
  const std::string image{std::istreambuf_iterator<char>(file), {}};
  if (image.empty())
    throw gpu::Stop(path.string() + " is not there, or empty; it is made where nvcc is");
  base::cuda::Module module = nullptr;
  gpu::must("cuModuleLoadData", gpu::driver().loadModule(&module, image.c_str()));
  return module;
}

}  // namespace ucxx::cuda::test
