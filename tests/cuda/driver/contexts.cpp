// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver/contexts.h"

#include <atomic>
#include <deque>
#include <mutex>

#include "cuda/driver/options.h"

/// It is never used again for another one.
struct CUctx_st {
  int device;
  std::atomic<bool> is_destroyed{false};  // a primary one: until it is retained again
  std::atomic<bool> is_retained{false};
};

namespace stand_in {
namespace {

struct Contexts {
  std::mutex mutex;
  std::deque<CUctx_st> all;  // guarded by `mutex`; first those of the devices

  Contexts() {
    for (int device = 0; device < options().devices; ++device) all.emplace_back(device);
  }
};

Contexts& contexts() {
  static auto* const only = new Contexts;
  return *only;
}

std::atomic<bool> is_any_retained{false};

}  // namespace

bool isDevice(int device) { return device >= 0 && device < options().devices; }

gpu::Context primaryContext(int device) {
  const std::lock_guard lock(contexts().mutex);
  return isDevice(device) ? &contexts().all[static_cast<std::size_t>(device)] : nullptr;
}

bool isContext(gpu::Context handle) {
  const std::lock_guard lock(contexts().mutex);
  for (const CUctx_st& each : contexts().all)
    if (&each == handle) return true;
  return false;
}

int deviceOf(gpu::Context context) { return context->device; }

gpu::Context& currentContext() {
  thread_local gpu::Context current = nullptr;
  return current;
}

int currentDevice() { return currentContext() == nullptr ? 0 : currentContext()->device; }

void setRetained(gpu::Context primary) {
  is_any_retained = true;
  primary->is_retained = true;
  primary->is_destroyed = false;
}

void setDestroyed(gpu::Context context) { context->is_destroyed = true; }
bool isDestroyed(gpu::Context context) { return context->is_destroyed; }

bool isActive(gpu::Context primary) { return primary->is_retained && !primary->is_destroyed; }

bool lacksContext() noexcept { return is_any_retained && currentContext() == nullptr; }

}  // namespace stand_in
