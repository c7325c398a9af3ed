// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/words.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include <ucxx/cuda/stream.h>
#include <ucxx/exception.h>

#include "base/file_descriptor.h"
#include "base/immortal.h"
#include "base/log.h"
#include "core/condition_words.h"
#include "cuda/device_handle.h"
#include "cuda/stream.h"

namespace ucxx::cuda {
namespace {

void requireMemoryOperations(const Driver& driver, const char* what) {
  int device = 0, has_them = 0;
  check(driver.contextDevice(&device), "cuCtxGetDevice", what);
  check(driver.deviceAttribute(&has_them, base::cuda::kMemoryOperations64, device),
        "cuDeviceGetAttribute", what);
  if (has_them == 0)
    throw UnsupportedError(fmt::format(
        "{}: device {} has no memory operations of 64 bits in streams (attribute {} is 0)", what,
        device, base::cuda::kMemoryOperations64));
}

/// A launch that waits for its end waits for all that its kernel, or its stream, waits for.
void warnOfBlockingLaunches() {
  const char* const text = std::getenv("CUDA_LAUNCH_BLOCKING");  // NOLINT(concurrency-mt-unsafe)
  if (text == nullptr || std::atoi(text) == 0) return;           // NOLINT(cert-err34-c)
  base::log(
      LogLevel::Warn, "cuda",
      "CUDA_LAUNCH_BLOCKING is {}: a launch after a stream's wait for a transfer, and one of a "
      "kernel that waits, come back only when it has ended; unset it, or post both ends before",
      text);
}

/// The words as devices see them. Never page-unlocked: a stream may write to one later than anybody
/// expects, and to give back what is page-locked waits for all streams.
class Words {
 public:
  Address at(const void* word, Context context, const char* what) {
    const std::lock_guard lock(mutex_);
    const auto offset = static_cast<const char*>(word) - pages();
    for (const Attached& one : attached_) {
      if (one.context == context) return one.first + static_cast<Address>(offset);
    }
    return attach(context, what) + static_cast<Address>(offset);
  }
  void attachTo(Context context, const char* what) { at(pages(), context, what); }
  bool isAttachedTo(Context context) {
    const std::lock_guard lock(mutex_);
    return std::any_of(attached_.begin(), attached_.end(),
                       [&](const Attached& one) { return one.context == context; });
  }

 private:
  struct Attached {
    Context context;
    Address first;
  };

  static char* pages() { return static_cast<char*>(core::ConditionWords::pages().first); }

  Address attach(Context context, const char* what) {
    const Driver& driver = requireDriver(what);
    const DespiteCaptures allowed(what);
    requireMemoryOperations(driver, what);
    const auto [first_page, size] = core::ConditionWords::pages();
    constexpr unsigned kFlags = base::cuda::kPortable | base::cuda::kDeviceMap;
    if (!is_locked_) {
      check(driver.registerHost(first_page, size, kFlags), "cuMemHostRegister", what);
      is_locked_ = true;
      warnOfBlockingLaunches();
    }
    Address first = 0;
    Result result = driver.deviceAddress(&first, first_page, 0);
    if (result != base::cuda::kSuccess) {  // where the context has gone that locked them
      check(driver.registerHost(first_page, size, kFlags), "cuMemHostRegister", what);
      result = driver.deviceAddress(&first, first_page, 0);
    }
    check(result, "cuMemHostGetDevicePointer", what);
    attached_.push_back({context, first});
    return first;
  }

  std::mutex mutex_;
  bool is_locked_ = false;
  std::vector<Attached> attached_;
};

Words& words() {
  static base::Immortal<Words> only;
  return *only;
}

}  // namespace

Address addressOf(const void* word, Context context, const char* what) {
  return words().at(word, context, what);
}

void attachTo(Context context, const char* what) {
  if (words().isAttachedTo(context)) return;
  const InContext current(context, what);
  words().attachTo(context, what);
}

Context attachCurrent(const char* what) {
  base::requireNotForked();
  const Driver& driver = requireDriver(what);
  Context context = nullptr;
  const Result result = driver.getContext(&context);
  if (result != base::cuda::kNotInitialized) check(result, "cuCtxGetCurrent", what);
  if (context == nullptr) throwNoContext(what);
  words().attachTo(context, what);
  return context;
}

void attach() { makeHandlePool(attachCurrent("attach"), "attach"); }

}  // namespace ucxx::cuda
