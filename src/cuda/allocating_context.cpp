// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/allocating_context.h"

#include <atomic>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "base/immortal.h"

namespace ucxx::cuda {
namespace {

std::atomic<int> last_device{0};

/// Primary contexts that threads without one are lent. Each is retained once, for ever: memory in
/// it may stay for as long.
class LentContexts {
 public:
  Context of(int device, bool renewed, const char* what) {
    const std::lock_guard lock(mutex_);
    Context& context = retained_[device];
    if (context == nullptr || renewed)
      check(requireDriver(what).retainContext(&context, device), "cuDevicePrimaryCtxRetain", what);
    return context;
  }

 private:
  std::mutex mutex_;
  std::map<int, Context> retained_;
};

Context lend(bool renewed, const char* what) {
  static base::Immortal<LentContexts> lent;
  Context const context = (*lent).of(last_device.load(std::memory_order_relaxed), renewed, what);
  check(requireDriver(what).setContext(context), "cuCtxSetCurrent", what);
  return context;
}

Context contextOfThread(const char* what) {
  Context context = nullptr;
  const Result result = requireDriver(what).getContext(&context);
  if (result == base::cuda::kNotInitialized)
    throw UnsupportedError(fmt::format(
        "{}: nobody has initialised CUDA in this process; cudaSetDevice, cuInit, or in Python "
        "torch.cuda.init() or cupy.cuda.Device(i).use(), does so, and comes first",
        what));
  check(result, "cuCtxGetCurrent", what);
  return context;
}

}  // namespace

AllocatingContext::AllocatingContext(const char* what)
    : context_(contextOfThread(what)), is_lent_(context_ == nullptr) {
  if (is_lent_)
    context_ = lend(false, what);
  else
    useFromNowOn(context_);
}

AllocatingContext::~AllocatingContext() {
  if (is_lent_) base::cuda::driver()->setContext(nullptr);
}

bool AllocatingContext::renew(const char* what) {
  if (is_lent_) context_ = lend(true, what);
  return is_lent_;
}

/// Most threads have one context for good.
void useFromNowOn(Context context) noexcept {
  struct Known {
    Context context;
    int device;
  };
  constinit static thread_local Known known{nullptr, 0};
  if (known.context != context) {
    int device = 0;
    if (base::cuda::driver()->contextDevice(&device) != base::cuda::kSuccess) return;
    known = {context, device};
  }
  last_device.store(known.device, std::memory_order_relaxed);
}

}  // namespace ucxx::cuda
