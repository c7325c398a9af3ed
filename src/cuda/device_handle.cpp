// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/device_handle.h"

#include <memory>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "base/file_descriptor.h"
#include "base/immortal.h"
#include "core/condition/condition_words.h"
#include "cuda/stream.h"
#include "cuda/words.h"

namespace ucxx::cuda {

/// Those of one context. Its memory is never freed: a kernel may use a handle later than anybody
/// expects, and to free memory waits for all streams.
class HandlePool {
 public:
  HandlePool(Context its_context, unsigned its_locking, const char* what)
      : context(its_context), locking(its_locking) {
    const DespiteCaptures allowed(what);
    const Driver& driver = requireDriver(what);
    free_.reserve(kHandles);
    check(driver.createStream(&stream_, base::cuda::kNonBlocking), "cuStreamCreate", what);
    const Result result = driver.allocate(&first_, kHandles * sizeof(device::Handle));
    if (result != base::cuda::kSuccess) (void)driver.destroyStream(stream_);
    check(result, "cuMemAlloc", what);
    for (std::size_t slot = kHandles; slot != 0;) free_.push_back(--slot);
  }

  std::size_t take(const char* what) {
    const std::lock_guard lock(mutex_);
    if (free_.empty())
      throw NoResourceError(fmt::format(
          "{}: there are {} handles for kernels of one context, and no more are to be had; drop "
          "the last handles of some conditions",
          what, kHandles));
    const std::size_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void giveBack(std::size_t slot) noexcept {
    const std::lock_guard lock(mutex_);
    free_.push_back(slot);
  }
  void write(std::size_t slot, const device::Handle& content, const char* what) const {
    const DespiteCaptures allowed(what);
    const Driver& driver = requireDriver(what);
    check(driver.copyInAsync(at(slot), &content, sizeof content, stream_), "cuMemcpyHtoDAsync",
          what);
    check(driver.synchronizeStream(stream_), "cuStreamSynchronize", what);
  }
  Address at(std::size_t slot) const noexcept { return first_ + slot * sizeof(device::Handle); }

  const Context context;
  const unsigned locking;  // of the words; an earlier one's memory may be gone

 private:
  static constexpr std::size_t kHandles = core::ConditionWords::kGrowing;

  Address first_ = 0;
  base::cuda::Stream stream_ = nullptr;
  std::mutex mutex_;  // no call of CUDA is made under it
  std::vector<std::size_t> free_;
};

namespace {

struct Pools {
  std::mutex mutex;
  std::vector<std::unique_ptr<HandlePool>> all;
};

HandlePool& poolOf(Context context, const char* what) {
  static base::Immortal<Pools> pools;
  const unsigned locking = lockings();
  const std::lock_guard lock((*pools).mutex);
  for (const auto& one : (*pools).all) {
    if (one->context == context && one->locking == locking) return *one;
  }
  return *(*pools).all.emplace_back(std::make_unique<HandlePool>(context, locking, what));
}

}  // namespace

DeviceHandle::DeviceHandle(const device::Handle& content, Context context, const char* what)
    : pool_(poolOf(context, what)), slot_(pool_.take(what)) {
  try {
    pool_.write(slot_, content, what);
  } catch (...) {
    pool_.giveBack(slot_);
    throw;
  }
}

DeviceHandle::~DeviceHandle() {
  if (!base::isForkedChild()) pool_.giveBack(slot_);
}

device::Handle* DeviceHandle::get() const noexcept {
  return reinterpret_cast<device::Handle*>(pool_.at(slot_));
}

void makeHandlePool(Context context, const char* what) { poolOf(context, what); }

}  // namespace ucxx::cuda
