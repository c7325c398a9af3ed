// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver/contexts.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>

#include "cuda/driver/options.h"
#include "cuda/driver/reset.h"

/// It is never used again for another one.
struct CUctx_st {
  CUctx_st(int ordinal, bool is_of_device) : device(ordinal), is_primary(is_of_device) {}

  const int device;
  const bool is_primary;
  std::atomic<stand_in::Life*> life{&stand_in::beginLife(this)};
  std::atomic<bool> is_destroyed{false};  // a primary one: until it is retained again
  std::atomic<bool> is_retained{false};
};

namespace stand_in {
namespace {

struct Contexts {
  std::mutex mutex;
  std::deque<CUctx_st> all;  // guarded by `mutex`; first those of the devices

  Contexts() {
    for (int device = 0; device < options().devices; ++device) all.emplace_back(device, true);
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

gpu::Context makeContext(int device) {
  const std::lock_guard lock(contexts().mutex);
  return &contexts().all.emplace_back(device, false);
}

bool wasContext(gpu::Context handle) {
  const std::lock_guard lock(contexts().mutex);
  return std::any_of(contexts().all.begin(), contexts().all.end(),
                     [handle](const CUctx_st& each) { return &each == handle; });
}

bool isContext(gpu::Context handle) {
  return wasContext(handle) && (handle->is_primary || !handle->is_destroyed);
}

bool isPrimary(gpu::Context context) { return context->is_primary; }
int deviceOf(gpu::Context context) { return context->device; }

gpu::Context& currentContext() {
  thread_local gpu::Context current = nullptr;
  return current;
}

int currentDevice() { return currentContext() == nullptr ? 0 : deviceOf(currentContext()); }

Life& lifeOf(gpu::Context context) { return *context->life; }

Life& currentLife() {
  if (Life* const life = lifeOfThread(); life != nullptr) return *life;
  return lifeOf(currentContext() == nullptr ? primaryContext(0) : currentContext());
}

void setRetained(gpu::Context primary) {
  is_any_retained = true;
  primary->is_retained = true;
  primary->is_destroyed = false;
}

void destroy(gpu::Context context) {
  context->is_destroyed = true;
  Life& before = lifeOf(context);
  if (context->is_primary) context->life = &beginLife(context);
  endLife(before);
}

bool isDestroyed(gpu::Context context) { return context->is_destroyed; }
bool isActive(gpu::Context primary) { return primary->is_retained && !primary->is_destroyed; }

bool lacksContext() noexcept { return is_any_retained && currentContext() == nullptr; }

}  // namespace stand_in
