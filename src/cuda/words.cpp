// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/words.h"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include <ucxx/cuda/stream.h>
#include <ucxx/exception.h>

#include "base/file_descriptor.h"
#include "base/immortal.h"
#include "core/condition/condition_words.h"
#include "cuda/allocating_context.h"
#include "cuda/blocking_launches.h"
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

/// Also after an error that stays the driver says it. If it says nothing at all, they may be.
bool arePageLocked(const void* pages) noexcept {
  int asked = base::cuda::kMemoryType;
  unsigned type = base::cuda::kHostMemory;
  void* answer = &type;
  const Result result =
      base::cuda::driver()->pointerAttributes(1, &asked, &answer, reinterpret_cast<Address>(pages));
  return result != base::cuda::kSuccess || type == base::cuda::kHostMemory;
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
  void requireKept(Context context, const char* what) {
    if (!isAttachedTo(context) || arePageLocked(pages())) return;
    throw IOError(fmt::format("{}: {}", what, kWordsGone));
  }
  unsigned lockings() {
    const std::lock_guard lock(mutex_);
    return lockings_;
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
    const auto lock_pages = [&, page = first_page, bytes = size] {
      check(driver.registerHost(page, bytes, kFlags), "cuMemHostRegister", what);
      if (++lockings_ == 1) warnOfBlockingLaunches();
    };
    if (lockings_ == 0) lock_pages();
    Address first = 0;
    Result result = driver.deviceAddress(&first, first_page, 0);
    if (result != base::cuda::kSuccess) {  // where the context has gone that locked them
      lock_pages();
      result = driver.deviceAddress(&first, first_page, 0);
    }
    check(result, "cuMemHostGetDevicePointer", what);
    attached_.push_back({context, first});
    useFromNowOn(context);
    return first;
  }

  std::mutex mutex_;
  unsigned lockings_ = 0;
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
  requireKept(context, what);
  words().attachTo(context, what);
  return context;
}

void requireKept(Context context, const char* what) { words().requireKept(context, what); }

unsigned lockings() { return words().lockings(); }

void attach() { makeHandlePool(attachCurrent("attach"), "attach"); }

}  // namespace ucxx::cuda
