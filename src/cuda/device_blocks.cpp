// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/device_blocks.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <exception>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "base/file_descriptor.h"
#include "base/immortal.h"
#include "base/list.h"
#include "cuda/allocating_context.h"
#include "cuda/driver_calls.h"
#include "cuda/stream.h"
#include "cuda/waiting_streams.h"

namespace ucxx::cuda {
namespace {

constexpr std::uint64_t kIdleLimit = std::uint64_t{256} << 20;

/// Blocks of one context and size do for each other.
struct Sort {
  Context context;
  std::size_t size;
  auto operator<=>(const Sort&) const = default;
};

struct DeviceBlock {
  Address begin = 0;
  unsigned long long id = 0;  // the driver's
  const Sort* sort = nullptr;
  base::ListNode node;  // of those that are idle
};

/// A block moves between its holder and those that are idle without a call of the heap, which may
/// fail.
using Blocks = std::multimap<Sort, DeviceBlock>;
using Held = Blocks::node_type;

Held makeHeld(const Sort& sort) {
  Blocks made;
  const auto place = made.emplace(sort, DeviceBlock{});
  place->second.sort = &place->first;  // where it stays
  return made.extract(place);
}

/// The id of the allocation that is at an address; 0: there is none. Any thread; asks for 100 ns.
unsigned long long idAt(Address address) noexcept {
  unsigned type = 0;
  unsigned long long id = 0;
  int asked[]{base::cuda::kMemoryType, base::cuda::kBufferId};
  void* answers[]{&type, &id};
  const Result result = base::cuda::driver()->pointerAttributes(2, asked, answers, address);
  return result == base::cuda::kSuccess && type == base::cuda::kDeviceMemory ? id : 0;
}

/// Not since its context was destroyed or reset, whatever has come to its address.
bool isThere(const DeviceBlock& block) noexcept {
  return block.id != 0 && idAt(block.begin) == block.id;
}

/// Beyond this the driver gives memory by 2 MiB, and to double sizes would waste too much.
constexpr std::size_t kLeast = 512, kMostDoubled = std::size_t{32} << 20,
                      kStep = std::size_t{2} << 20;

std::size_t roundedSize(std::size_t size) {
  if (size <= kMostDoubled) return std::bit_ceil(std::max(size, kLeast));
  if (size > PTRDIFF_MAX) throw NoMemoryError(fmt::format("{} bytes of a device", size));
  return (size + kStep - 1) / kStep * kStep;
}

/// The context of a block that is there is current while this lives.
class InContextOf {
 public:
  explicit InContextOf(Context context) noexcept {
    driver_.getContext(&before_);
    if (before_ != context) is_other_ = driver_.setContext(context) == base::cuda::kSuccess;
  }
  ~InContextOf() {
    if (is_other_) driver_.setContext(before_);
  }
  InContextOf(const InContextOf&) = delete;
  InContextOf& operator=(const InContextOf&) = delete;

 private:
  const Driver& driver_ = *base::cuda::driver();
  Context before_ = nullptr;
  bool is_other_ = false;
};

/// False: this thread may not do so.
bool freeNow(const DeviceBlock& block) noexcept try {
  if (!isThere(block)) return true;
  const DespiteCaptures allowed("give memory of a device back");
  const InContextOf current(block.sort->context);
  return base::cuda::driver()->free(block.begin) != base::cuda::kNotPermitted;
} catch (const std::exception&) {
  return false;
}

bool hasContext() noexcept {
  Context current = nullptr;
  return base::cuda::driver()->getContext(&current) == base::cuda::kSuccess && current != nullptr;
}

class DeviceBlocks {
 public:
  Held take(std::size_t size, const char* what) {
    const std::size_t wanted = roundedSize(size);
    AllocatingContext context(what);
    Held held = takeIdle({context.get(), wanted}, std::max(wanted, 2 * size));
    if (held.empty()) held = allocate(context, wanted, what);
    if (held.empty()) held = takeIdle({context.get(), wanted}, PTRDIFF_MAX);
    if (held.empty()) throwNoMemory(wanted, what);
    const std::lock_guard lock(mutex_);
    used_bytes_ += held.key().size;
    return held;
  }

  void giveBack(Held held) noexcept {
    std::uint64_t limit = 0;
    {
      const std::lock_guard lock(mutex_);
      used_bytes_ -= held.key().size;
      insert(std::move(held));
      limit = idle_limit_;
      if (idle_bytes_ <= limit) return;
    }
    if (hasContext()) trimTo(limit);
  }

  /// Gives back what has been idle for the longest time, as long as more than `limit` is so.
  std::uint64_t trimTo(std::uint64_t limit) noexcept {
    std::uint64_t bytes = 0;
    while (const std::size_t size = freeOldest(limit)) bytes += size;
    return bytes;
  }

  DeviceBlockStats stats() noexcept {
    const std::lock_guard lock(mutex_);
    return {used_bytes_, idle_bytes_, idle_limit_};
  }
  void setLimit(std::uint64_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    idle_limit_ = bytes;
  }

 private:
  /// Its size; 0: there is none to be freed now.
  std::size_t freeOldest(std::uint64_t limit) noexcept {
    if (stats().idle_bytes <= limit) return 0;
    const WhileNoneWaits none_waits;
    Held oldest = none_waits ? takeOldest(limit) : Held();
    if (oldest.empty()) return 0;
    if (freeNow(oldest.mapped())) return oldest.key().size;
    const std::lock_guard lock(mutex_);
    insert(std::move(oldest));
    return 0;
  }

  /// Empty: the device has no memory.
  Held allocate(AllocatingContext& context, std::size_t size, const char* what) {
    Held held = makeHeld({context.get(), size});
    DeviceBlock& block = held.mapped();
    const Driver& driver = requireDriver(what);
    const DespiteCaptures allowed(what);
    Result result = driver.allocate(&block.begin, size);
    if (result == base::cuda::kContextIsDestroyed && context.renew(what)) {
      held.key().context = context.get();
      result = driver.allocate(&block.begin, size);
    }
    if (result == base::cuda::kOutOfMemory && context.isOfThread() && trimTo(0) != 0)
      result = driver.allocate(&block.begin, size);
    if (result == base::cuda::kOutOfMemory) return {};
    check(result, "cuMemAlloc", what);
    block.id = idAt(block.begin);
    return held;
  }

  [[noreturn]] void throwNoMemory(std::size_t size, const char* what) {
    const DeviceBlockStats now = stats();
    throw NoMemoryError(fmt::format(
        "{}: the device has no {} bytes left: cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY; here {} bytes "
        "are in use, and {} are idle{}",
        what, size, now.used_bytes, now.idle_bytes,
        anyStreamWaits() ? ", and stay while streams, graphs or kernels wait for transfers" : ""));
  }

  /// Of at most `most` bytes: what it has more than was asked for is used by nobody.
  Held takeIdle(const Sort& sort, std::size_t most) noexcept {
    for (;;) {
      Held held = extract(sort, most);
      if (held.empty() || isThere(held.mapped())) return held;
    }
  }
  /// Of those of one sort the one that has been idle for the longest time: what a stream still did
  /// with it has the time to end.
  Held extract(const Sort& sort, std::size_t most) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = idle_.lower_bound(sort);
    const bool fits =
        found != idle_.end() && found->first.context == sort.context && found->first.size <= most;
    return fits ? remove(found) : Held();
  }
  Held takeOldest(std::uint64_t limit) noexcept {
    const std::lock_guard lock(mutex_);
    if (idle_bytes_ <= limit || ages_.empty()) return {};
    return remove(idle_.lower_bound(*ages_.front()->sort));  // the oldest of its sort, too
  }

  // With the lock:
  void insert(Held held) noexcept {
    idle_bytes_ += held.key().size;
    ages_.pushBack(idle_.insert(std::move(held))->second);
  }
  Held remove(Blocks::iterator place) noexcept {
    idle_bytes_ -= place->first.size;
    ages_.remove(place->second);
    return idle_.extract(place);
  }

  std::mutex mutex_;  // no call of CUDA is made under it
  Blocks idle_;
  base::List<DeviceBlock, &DeviceBlock::node> ages_;  // of `idle_`, the oldest first
  std::uint64_t used_bytes_ = 0, idle_bytes_ = 0;
  std::uint64_t idle_limit_ = kIdleLimit;
};

DeviceBlocks& blocks() noexcept {
  static base::Immortal<DeviceBlocks> only;
  return *only;
}

/// A block while somebody has it. In a forked child it is nobody's.
class TakenBlock {
 public:
  TakenBlock(std::size_t size, const char* what) : held_(blocks().take(size, what)) {}
  ~TakenBlock() {
    if (!base::isForkedChild()) blocks().giveBack(std::move(held_));
  }
  TakenBlock(const TakenBlock&) = delete;
  TakenBlock& operator=(const TakenBlock&) = delete;

  void* data() const noexcept { return reinterpret_cast<void*>(held_.mapped().begin); }

 private:
  Held held_;
};

}  // namespace

std::shared_ptr<void> takeDeviceBlock(std::size_t size, const char* what) {
  base::installForkHandlers();
  base::requireNotForked();
  const auto taken = std::make_shared<TakenBlock>(size, what);
  return {taken, taken->data()};
}

DeviceBlockStats deviceBlockStats() noexcept {
  return base::isForkedChild() ? DeviceBlockStats() : blocks().stats();
}

std::uint64_t trimDeviceBlocks() noexcept { return base::isForkedChild() ? 0 : blocks().trimTo(0); }

void setDeviceBlockLimit(std::uint64_t idle_bytes) noexcept {
  if (base::isForkedChild()) return;
  blocks().setLimit(idle_bytes);
  blocks().trimTo(idle_bytes);
}

}  // namespace ucxx::cuda
