// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <string>

#include "cuda/driver/stand_in.h"

namespace stand_in {

/// A function of the test.
struct KernelFunction {
  KernelBody body = nullptr;
  void* function = nullptr;
  std::vector<std::size_t> argument_sizes;
  Threads threads = Threads::InTurn;
};

/// Null: none is registered by that name. It stays.
const KernelFunction* kernelFunction(const std::string& name);

/// In the calling thread, or in as many as the kernel has.
void runKernel(const KernelFunction& kernel, unsigned blocks, unsigned threads, void** arguments);

inline constexpr unsigned kMostAtOnce = 256;

}  // namespace stand_in
