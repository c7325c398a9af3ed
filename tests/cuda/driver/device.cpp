// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// The driver itself, its device, and contexts.

#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>

#include "cuda/driver/attributes.h"
#include "cuda/driver/call.h"
#include "cuda/driver/contexts.h"
#include "cuda/driver/options.h"
#include "cuda/driver/queue.h"
#include "cuda/driver/reset.h"

namespace stand_in {
namespace {

constexpr const char* kDeviceName = "UCXX's stand-in for a GPU";

/// Kernels of a library that registers them.
void loadKernels() {
  const std::string& path = options().kernels;
  if (path.empty() || ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr) return;
  std::fprintf(stderr, "CUDA stand-in: kernels: %s\n",
               ::dlerror());  // NOLINT(concurrency-mt-unsafe)
  std::_Exit(2);
}

thread_local std::vector<gpu::Context> pushed;

void push(gpu::Context context) {
  pushed.push_back(currentContext());
  currentContext() = context;
}

void pop() {
  currentContext() = pushed.empty() ? nullptr : pushed.back();
  if (!pushed.empty()) pushed.pop_back();
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the driver's names
UCXX_CUDA_API Result cuInit(unsigned flags) {
  return call("cuInit", kAnywhere, [&] {
    if (flags != 0) return kInvalidValue;
    if (isAsked("no-gpu")) return kNoDevice;
    static const bool once = (loadKernels(), true);
    (void)once;
    setInitialised();
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuDriverGetVersion(int* version) {
  return call("cuDriverGetVersion", kAnywhere, [&] {
    *version = options().version;
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuGetErrorName(Result result, const char** name) {
  *name = nameOfResult(result);
  return *name == nullptr ? kInvalidValue : kSuccess;
}

UCXX_CUDA_API Result cuGetErrorString(Result result, const char** text) {
  *text = textOfResult(result);
  return *text == nullptr ? kInvalidValue : kSuccess;
}

UCXX_CUDA_API Result cuDeviceGetCount(int* count) {
  return call("cuDeviceGetCount", kInitialised, [&] {
    *count = options().devices;
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuDeviceGet(int* device, int ordinal) {
  return call("cuDeviceGet", kInitialised, [&] {
    *device = ordinal;
    return isDevice(ordinal) ? kSuccess : kInvalidDevice;
  });
}

UCXX_CUDA_API Result cuDeviceGetName(char* name, int length, int device) {
  return call("cuDeviceGetName", kInitialised, [&] {
    if (!isDevice(device)) return kInvalidDevice;
    if (name == nullptr || length <= 0) return kInvalidValue;
    std::snprintf(name, static_cast<std::size_t>(length), "%s", kDeviceName);
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuDeviceGetAttribute(int* value, int attribute, int device) {
  return call("cuDeviceGetAttribute", kInitialised, [&] {
    if (!isDevice(device)) return kInvalidDevice;
    const auto known = attributeOf(attribute);
    if (!known.has_value()) return kInvalidValue;
    *value = *known;
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuDevicePrimaryCtxRetain(gpu::Context* context, int device) {
  return call("cuDevicePrimaryCtxRetain", kInitialised, [&] {
    if (!isDevice(device)) return kInvalidDevice;
    *context = primaryContext(device);
    setRetained(*context);
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
  return call("cuDevicePrimaryCtxGetState", kInitialised, [&] {
    if (!isDevice(device)) return kInvalidDevice;
    if (flags == nullptr || active == nullptr) return kInvalidValue;
    *flags = 0;
    *active = isActive(primaryContext(device)) ? 1 : 0;
    return kSuccess;
  });
}

/// It becomes current, too.
UCXX_CUDA_API Result cuCtxCreate_v2(gpu::Context* context, unsigned flags, int device) {
  return call("cuCtxCreate", kInitialised, [&] {
    constexpr unsigned kAllFlags = 0xff;
    if (context == nullptr || flags > kAllFlags) return kInvalidValue;
    if (!isDevice(device)) return kInvalidDevice;
    *context = makeContext(device);
    push(*context);
    return kSuccess;
  });
}

/// In other threads it stays current, where calls answer that it is destroyed.
UCXX_CUDA_API Result cuCtxDestroy_v2(gpu::Context context) {
  return call("cuCtxDestroy", kInitialised, [&] {
    if (!isContext(context) || isPrimary(context)) return kInvalidContext;
    if (currentContext() == context) pop();
    destroy(context);
    return kSuccess;
  });
}

/// Another one after a reset.
UCXX_CUDA_API Result cuCtxGetId(gpu::Context context, unsigned long long* id) {
  return call("cuCtxGetId", kInitialised, [&] {
    const gpu::Context asked = context != nullptr ? context : currentContext();
    if (id == nullptr) return kInvalidValue;
    if (!wasContext(asked)) return kInvalidContext;
    if (isDestroyed(asked)) return kContextIsDestroyed;
    *id = lifeOf(asked).id;
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuCtxSetCurrent(gpu::Context context) {
  return call("cuCtxSetCurrent", kInitialised, [&] {
    if (context != nullptr && !isContext(context)) return kInvalidContext;
    currentContext() = context;
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuCtxGetCurrent(gpu::Context* context) {
  return call("cuCtxGetCurrent", kInitialised, [&] {
    *context = currentContext();
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuCtxPushCurrent_v2(gpu::Context context) {
  return call("cuCtxPushCurrent", kInitialised, [&] {
    if (!isContext(context)) return kInvalidContext;
    push(context);
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuCtxPopCurrent_v2(gpu::Context* context) {
  return call("cuCtxPopCurrent", kInitialised, [&] {
    if (currentContext() == nullptr) return kInvalidContext;
    if (context != nullptr) *context = currentContext();
    pop();
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuCtxGetDevice(int* device) {
  return call("cuCtxGetDevice", kInContext, [&] {
    *device = currentDevice();
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return call("cuCtxGetStreamPriorityRange", kInContext, [&] {
    constexpr int kLeast = 0, kGreatest = -5;
    if (least != nullptr) *least = kLeast;
    if (greatest != nullptr) *greatest = kGreatest;
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuCtxSynchronize() {
  return call("cuCtxSynchronize", kUnsafe, [] { return waitForAll(); });
}

UCXX_CUDA_API Result cuFlushGPUDirectRDMAWrites(int target, int scope) {
  return call("cuFlushGPUDirectRDMAWrites", kInContext, [&] {
    constexpr int kOwner = 100, kAllDevices = 200, kByHost = 1;
    if (target != 0 || (scope != kOwner && scope != kAllDevices)) return kInvalidValue;
    return (attributeOf(kFlushOptions).value_or(0) & kByHost) != 0 ? kSuccess : kNotSupported;
  });
}
// NOLINTEND(readability-identifier-naming)

}  // namespace stand_in
