// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The driver of CUDA as the library finds it, with a note of the call that hangs.

#pragma once

#include <atomic>

#include "base/cuda_driver.h"

namespace gpu {

using namespace ucxx::base::cuda;  // NOLINT(google-build-using-namespace): all of the types

/// CUgraphNodeParams of a conditional node
struct ConditionalNode {
  int type = 13;  // CU_GRAPH_NODE_TYPE_CONDITIONAL
  int reserved[3] = {};
  unsigned long long handle = 0;
  int kind = 0;  // CU_GRAPH_COND_TYPE_IF
  unsigned size = 1;
  Graph* bodies = nullptr;  // written by the driver
  Context context = nullptr;
  char rest[208] = {};
};
static_assert(sizeof(ConditionalNode) == 256);

/// The function of the driver that was called last and has not come back; null: none. For who
/// tells where something hangs.
inline std::atomic<const char*> called{nullptr};

/// A function of the driver that notes its calls.
template <class Signature>
class Noted;
template <class... Arguments>
class Noted<Result(Arguments...)> {
 public:
  Noted(const char* symbol, const Function<Result(Arguments...)>& function)
      : symbol_(symbol), function_(function) {}
  bool isThere() const noexcept { return function_.isThere(); }
  Result operator()(Arguments... arguments) const {
    called.store(symbol_, std::memory_order_relaxed);
    const Result result = function_(arguments...);
    called.store(nullptr, std::memory_order_relaxed);
    return result;
  }

 private:
  const char* const symbol_;
  const Function<Result(Arguments...)> function_;
};

struct NotedDriver {
  const Driver& its;
#define UCXX_GPU_MEMBER(name, symbol, version, ...) Noted<__VA_ARGS__> name{#symbol, its.name};
  UCXX_CUDA_FUNCTIONS(UCXX_GPU_MEMBER)
#undef UCXX_GPU_MEMBER
};

/// The driver. Where there is none, the first call ends the process with 77.
const NotedDriver& driver();

/// What dlsym has under a name.
void* exported(const char* name);

}  // namespace gpu
