// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/arena.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <new>
#include <utility>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file_descriptor.h"
#include "base/log.h"
#include "base/machine_memory.h"
#include "local/memory_table.h"

namespace ucxx::local {
namespace {

constexpr std::size_t kPageBytes = 4096;
/// What free blocks may keep, at most and of the machine's memory.
constexpr std::size_t kMostIdle = std::size_t{256} << 20;
constexpr std::size_t kIdlePart = 16;
/// Not more is given back at a time, since it takes half a microsecond a page, and the next part
/// after so long.
constexpr std::size_t kGivenAtOnce = std::size_t{16} << 20;
constexpr auto kPause = std::chrono::milliseconds(20);

std::atomic<Arena*> made{nullptr};  // the process's
std::atomic<base::TimerDescriptor*> made_timer{nullptr};
std::mutex making;
/// Whole pages.
constexpr std::size_t kTableBytes = MemoryTable::kBytes;
static_assert(kTableBytes % kPageBytes == 0);

std::size_t blockBytesFor(std::size_t size) noexcept {
  return (std::max<std::size_t>(size, 1) + kPageBytes - 1) / kPageBytes * kPageBytes;
}

bool isReused(FreeSpace::Place place, std::size_t block_bytes) noexcept {
  return place.warm_bytes >= block_bytes / 2;
}

/// Where the kernel counts every page before it gives one (vm.overcommit_memory = 2), a page that
/// it refuses to a store is a signal.
bool mayPagesComeLate() noexcept {
  static const bool may = [] {
    const base::FileDescriptor file(::open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC));
    char mode = 0;  // a stream would throw without memory
    return file.get() >= 0 && ::read(file.get(), &mode, 1) == 1 && mode != '2';
  }();
  return may;
}

}  // namespace

Arena* Arena::existing() noexcept { return made.load(std::memory_order_acquire); }

Arena* Arena::get() noexcept {
  if (base::isForkedChild()) return nullptr;
  if (Arena* arena = existing()) return arena;
  base::TimerDescriptor* const own_timer = timer();
  const std::lock_guard lock(making);
  if (made.load(std::memory_order_relaxed) == nullptr && mayReserve()) {
    try {
      const std::size_t bytes = std::min(base::machineMemory(), kMostBytes - kTableBytes);
      const Limits limits{std::min(base::machineMemory() / kIdlePart, kMostIdle), bytes};
      made.store(new Arena(bytes, limits, own_timer), std::memory_order_release);
    } catch (const std::exception& error) {
      base::log(LogLevel::Debug, "local", "no library memory: {}", error.what());
    }
  }
  return made.load(std::memory_order_relaxed);
}

base::TimerDescriptor* Arena::timer() noexcept {
  if (base::isForkedChild()) return nullptr;
  const std::lock_guard lock(making);
  try {
    if (made_timer.load(std::memory_order_relaxed) == nullptr)
      made_timer.store(new base::TimerDescriptor, std::memory_order_relaxed);
  } catch (const std::exception& error) {
    base::log(LogLevel::Debug, "local", "no timer for library memory: {}", error.what());
  }
  return made_timer.load(std::memory_order_relaxed);
}

bool Arena::mayReserve() noexcept {
  rlimit most{};
  return ::getrlimit(RLIMIT_AS, &most) != 0 || most.rlim_cur == RLIM_INFINITY;
}

Arena::Arena(std::size_t bytes, Limits limits, base::TimerDescriptor* timer,
             base::MemoryBudget::Available available)
    : memory_(base::SharedMemory::reserve(kTableBytes + bytes)),
      budget_(available),
      timer_(timer),
      space_({kTableBytes, bytes}),
      limits_(limits) {}

MemoryTable* Arena::table() noexcept {
  const std::lock_guard lock(mutex_);
  has_table_ = has_table_ || memory_.populate(0, kTableBytes);
  return has_table_ ? reinterpret_cast<MemoryTable*>(bytes().data()) : nullptr;
}

std::size_t Arena::offsetOf(const void* block) const noexcept {
  return static_cast<std::size_t>(static_cast<const std::byte*>(block) - bytes().data());
}

bool Arena::contains(const void* begin, std::size_t size) const noexcept {
  const std::size_t offset =
      reinterpret_cast<std::uintptr_t>(begin) - reinterpret_cast<std::uintptr_t>(bytes().data());
  return offset < bytes().size() && size <= bytes().size() - offset;
}

Arena::Stats Arena::stats() noexcept {
  const std::lock_guard lock(mutex_);
  return {used_, space_.warmBytes(), limits_, taken_, reused_};
}

void* Arena::allocate(std::size_t size) noexcept {
  if (size > bytes().size() || base::isForkedChild()) return nullptr;
  const std::size_t block_bytes = blockBytesFor(size);
  const auto place = take(block_bytes);
  if (!place) return nullptr;
  const auto [offset, warm_bytes] = *place;
  if (givePages(offset + warm_bytes, block_bytes - warm_bytes)) return at(offset);
  undoTake(*place, block_bytes);
  return nullptr;
}

Arena::Reserved Arena::reserve(std::size_t size) noexcept {
  if (size > bytes().size() || base::isForkedChild() || !mayPagesComeLate()) return {};
  const std::size_t block_bytes = blockBytesFor(size);
  const auto place = take(block_bytes);
  if (!place) return {};
  if (!promisePages(*place, block_bytes)) {
    undoTake(*place, block_bytes);
    return {};
  }
  return {at(place->offset), place->warm_bytes == block_bytes};
}

bool Arena::givePages(std::size_t offset, std::size_t bytes) noexcept {
  if (bytes == 0) return true;
  return base::populateWithin(budget_, memory_, offset, bytes) ||
         (makeRoom(bytes) && base::populateWithin(budget_, memory_, offset, bytes));
}

bool Arena::promisePages(FreeSpace::Place place, std::size_t block_bytes) noexcept try {
  const std::size_t cold_bytes = block_bytes - place.warm_bytes;
  if (cold_bytes == 0) return true;
  if (!budget_.reserve(cold_bytes) && !(makeRoom(cold_bytes) && budget_.reserve(cold_bytes)))
    return false;
  const std::lock_guard lock(mutex_);
  pending_.emplace(place.offset, PendingBlock{block_bytes, cold_bytes});
  return true;
} catch (const std::bad_alloc&) {
  budget_.cancel(block_bytes - place.warm_bytes);
  return false;
}

/// Gives back as much as is missing, of what is free. False: nothing was.
bool Arena::makeRoom(std::size_t bytes) noexcept {
  const bool had_pending = commitPending();
  return cool(bytes) != 0 || had_pending;
}

/// Ends the promises of blocks whose pages have come meanwhile.
bool Arena::commitPending() noexcept {
  const std::lock_guard lock(mutex_);
  return std::erase_if(pending_, [this](const auto& entry) {
           const auto& [offset, block] = entry;
           if (!memory_.isPopulated(offset, block.bytes)) return false;
           budget_.commit(block.cold_bytes);
           return true;
         }) != 0;
}

/// Whoever asks sees to the promise.
std::optional<Arena::PendingBlock> Arena::takePending(std::size_t offset) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = pending_.find(offset);
  if (found == pending_.end()) return std::nullopt;
  const PendingBlock block = found->second;
  pending_.erase(found);
  return block;
}

/// Where addresses are short, also those of warm parts, which are cold then.
std::optional<FreeSpace::Place> Arena::take(std::size_t block_bytes) noexcept {
  auto place = takeOnce(block_bytes);
  if (!place && isAllowed(block_bytes) && trim() != 0) place = takeOnce(block_bytes);
  if (place && place->warm_bytes != block_bytes) coolBeyondLimits();
  return place;
}

bool Arena::isAllowed(std::size_t block_bytes) noexcept {
  const std::lock_guard lock(mutex_);
  return block_bytes <= roomUnderTotal();
}

std::size_t Arena::roomUnderTotal() const noexcept {
  return limits_.total - std::min(used_, limits_.total);
}

std::optional<FreeSpace::Place> Arena::takeOnce(std::size_t block_bytes) noexcept {
  const std::lock_guard lock(mutex_);
  if (block_bytes > roomUnderTotal()) return std::nullopt;
  const auto place = space_.take(block_bytes);
  if (!place) return std::nullopt;
  used_ += block_bytes;
  ++taken_;
  reused_ += isReused(*place, block_bytes);
  noteUse();
  return place;
}

/// There were no pages for it.
void Arena::undoTake(FreeSpace::Place place, std::size_t block_bytes) noexcept {
  {
    const std::lock_guard lock(mutex_);
    used_ -= block_bytes;
    --taken_;
    reused_ -= isReused(place, block_bytes);
  }
  removePages({place.offset, place.warm_bytes});
  forgetPages({place.offset, block_bytes});
}

void Arena::free(void* block, std::size_t size) noexcept {
  if (base::isForkedChild()) return;
  const FreeSpace::Part part{offsetOf(block), blockBytesFor(size)};
  std::size_t beyond_limits = 0;
  try {
    const std::lock_guard lock(mutex_);
    used_ -= part.bytes;
    space_.addWarm(part);
    noteUse();
    beyond_limits = excess();
  } catch (const std::bad_alloc&) {
    removePages(part);
    forgetPages(part);
  }
  if (beyond_limits != 0) cool(beyond_limits);
}

/// A message that did not come whole has left holes in it.
void Arena::freeReserved(void* block, std::size_t size) noexcept {
  if (base::isForkedChild()) return;
  const FreeSpace::Part part{offsetOf(block), blockBytesFor(size)};
  const auto pending = takePending(part.offset);
  if (memory_.isPopulated(part.offset, part.bytes)) {
    if (pending) budget_.commit(pending->cold_bytes);
    return free(block, size);
  }
  const std::size_t promised = pending ? pending->cold_bytes : 0;
  memory_.discard(part.offset, part.bytes);
  budget_.cancel(promised);
  budget_.release(part.bytes - promised);
  {
    const std::lock_guard lock(mutex_);
    used_ -= part.bytes;
  }
  forgetPages(part);
}

/// All of its pages were there.
void Arena::removePages(FreeSpace::Part part) noexcept {
  memory_.discard(part.offset, part.bytes);
  budget_.release(part.bytes);
}

void Arena::forgetPages(FreeSpace::Part part) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    space_.addCold(part);
  } catch (const std::bad_alloc&) {  // its addresses are lost
  }
}

/// The system is called without the lock.
std::size_t Arena::cool(std::size_t most) noexcept {
  std::size_t cooled = 0;
  const auto next = [&] {
    const std::lock_guard lock(mutex_);
    const auto part = space_.takeOldest(most - cooled);
    least_idle_ = std::min(least_idle_, space_.warmBytes());
    if (space_.warmBytes() == 0) setAlarm({});
    return part;
  };
  while (const auto part = next()) {
    removePages(*part);
    forgetPages(*part);
    cooled += part->bytes;
  }
  return cooled;
}

std::size_t Arena::trim() noexcept { return base::isForkedChild() ? 0 : cool(SIZE_MAX); }

void Arena::coolBeyondLimits() noexcept {
  std::size_t bytes = 0;
  {
    const std::lock_guard lock(mutex_);
    bytes = excess();
  }
  if (bytes != 0) cool(bytes);
}

std::size_t Arena::excess() const noexcept {
  const std::size_t may_be_idle = std::min(limits_.idle, roomUnderTotal());
  return space_.warmBytes() - std::min(space_.warmBytes(), may_be_idle);
}

void Arena::setLimits(std::optional<std::size_t> idle, std::optional<std::size_t> total) noexcept {
  if (base::isForkedChild()) return;
  {
    const std::lock_guard lock(mutex_);
    if (idle) limits_.idle = *idle;
    if (total) limits_.total = *total;
  }
  coolBeyondLimits();
}

/// A block was taken or freed.
void Arena::noteUse() noexcept {
  least_idle_ = std::min(least_idle_, space_.warmBytes());
  last_use_ = base::Clock::coarse();
  if (alarm_ == base::TimePoint::max() && space_.warmBytes() != 0) setAlarm(last_use_);
}

std::size_t Arena::giveBackUnused(base::TimePoint now) noexcept {
  if (base::isForkedChild()) return 0;
  std::size_t unused = 0;
  {
    const std::lock_guard lock(mutex_);
    unused = unusedAt(now);
  }
  const std::size_t given = unused == 0 ? 0 : cool(unused);
  const std::lock_guard lock(mutex_);
  setAlarm(now);
  return given;
}

/// While nothing is taken or freed all that is free rests; else as much as was free all the time.
/// Not more than `kGivenAtOnce` of it.
std::size_t Arena::unusedAt(base::TimePoint now) noexcept {
  const std::size_t idle = space_.warmBytes();
  if (now - last_use_ >= kRest) return std::min(idle, kGivenAtOnce);
  if (now - since_ < kRest) return 0;
  const std::size_t unused = std::min(least_idle_, kGivenAtOnce);
  least_idle_ -= unused;
  if (least_idle_ != 0) return unused;  // the rest soon
  since_ = now;
  least_idle_ = idle - unused;
  return unused;
}

void Arena::setAlarm(base::TimePoint now) noexcept {
  auto alarm = base::TimePoint::max();
  if (space_.warmBytes() != 0) {
    const auto rests_since = least_idle_ != 0 ? std::min(since_, last_use_) : last_use_;
    alarm = std::max(rests_since + kRest, now + kPause);
  }
  if (std::exchange(alarm_, alarm) != alarm && timer_ != nullptr) timer_->set(alarm);
}

}  // namespace ucxx::local
