// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/staging_memory.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <new>
#include <utility>

#include "base/file_descriptor.h"
#include "base/immortal.h"
#include "base/log.h"
#include "local/arena.h"
#include "ucp/device_memory.h"

namespace ucxx::cuda {
namespace {

constexpr std::size_t kBlockBytes = core::kMostStaged;
/// To lock one more block at a time would be dearer: the driver takes as long for the call.
constexpr std::size_t kBlocksAtOnce = 4;
/// What is smaller shares a block.
constexpr std::size_t kMostShared = 64 << 10, kAlignment = 64;
/// Blocks that messages which wait for their bytes leave to copies that have begun.
constexpr std::size_t kLeftToCopies = 4;

struct StagingBlock {
  std::byte* memory = nullptr;
  bool is_locked = false;
  std::size_t filled = 0;  // of one that is shared
  unsigned users = 0;
};

/// Gives back what was taken.
struct Taken {
  Taken() = default;
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;
  ~Taken();
  StagingBlock* block = nullptr;
  std::size_t size = 0;
};

class StagingMemory {
 public:
  void give(StagingBlock& block, std::size_t size) noexcept {
    if (base::isForkedChild()) return;  // it may have found the lock taken
    const std::lock_guard lock(mutex_);
    taken_ -= size;
    if (--block.users != 0) return;
    block.filled = 0;
    ++unused_;
  }
  std::shared_ptr<std::byte> take(std::size_t size, std::size_t left_over) noexcept try {
    const auto taken = std::make_shared<Taken>();  // before the lock: its end takes it
    const std::lock_guard lock(mutex_);
    StagingBlock* const block = size <= kMostShared ? shared(size, left_over) : unused(left_over);
    if (block == nullptr) return nullptr;
    std::byte* const bytes = block->memory + block->filled;
    block->filled += size <= kMostShared ? roundedUp(size) : kBlockBytes;
    begin(*block, size);
    taken->block = block;
    taken->size = size;
    return {taken, bytes};
  } catch (const std::bad_alloc&) {
    return nullptr;
  }

  void provide() noexcept try {
    const std::lock_guard lock(mutex_);
    const std::size_t most = limit_ / kBlockBytes;
    if (unused_ > kLeftToCopies || blocks_.size() + kBlocksAtOnce > most) return;
    void* const memory = allocateBlocks();
    if (memory == nullptr) return;
    const bool is_locked = lockPages(memory);
    for (std::size_t i = 0; i < kBlocksAtOnce; ++i)
      blocks_.push_back({static_cast<std::byte*>(memory) + i * kBlockBytes, is_locked});
    unused_ += kBlocksAtOnce;
  } catch (const std::bad_alloc&) {  // those that are there have to do
  }

  void keepLocked(const std::byte* bytes) noexcept {
    if (ucp::placeOf(bytes).is_page_locked) return;
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < blocks_.size(); i += kBlocksAtOnce) {
      std::byte* const first = blocks_[i].memory;
      const bool is_its = bytes >= first && bytes < first + kBlocksAtOnce * kBlockBytes;
      if (is_its && blocks_[i].is_locked) (void)registerPages(first);
    }
  }
  void setLimit(std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    limit_ = bytes;
  }
  StagingStats stats() noexcept {
    const std::lock_guard lock(mutex_);
    return {blocks_.size() * kBlockBytes, locked_, taken_};
  }

 private:
  /// Where there is no library memory, other memory, which peers do not map.
  static void* allocateBlocks() noexcept {
    constexpr std::size_t kBytes = kBlocksAtOnce * kBlockBytes;
    local::Arena* const arena = local::Arena::get();
    void* const memory = arena == nullptr ? nullptr : arena->allocate(kBytes);
    return memory != nullptr ? memory : std::aligned_alloc(kBlockBytes, kBytes);
  }
  static constexpr std::size_t roundedUp(std::size_t size) noexcept {
    return (size + kAlignment - 1) / kAlignment * kAlignment;
  }
  /// With room for `size` bytes: the one that is being filled, or the next.
  StagingBlock* shared(std::size_t size, std::size_t left_over) noexcept {
    const auto has_room = [&](const StagingBlock& block) {
      return block.users != 0 && block.filled + roundedUp(size) <= kBlockBytes;
    };
    const auto found = std::find_if(blocks_.begin(), blocks_.end(), has_room);
    return found != blocks_.end() ? &*found : unused(left_over);
  }
  StagingBlock* unused(std::size_t left_over) noexcept {
    if (unused_ <= left_over) return nullptr;
    const auto is_unused = [](const StagingBlock& block) { return block.users == 0; };
    return &*std::find_if(blocks_.begin(), blocks_.end(), is_unused);
  }
  void begin(StagingBlock& block, std::size_t size) noexcept {
    if (block.users++ == 0) --unused_;
    taken_ += size;
  }
  /// Never unlocked, and never given back to the arena, which takes pages out of free memory: to
  /// unlock waits for all streams, and a device would go on with the old pages.
  bool lockPages(void* memory) noexcept {
    constexpr std::size_t kBytes = kBlocksAtOnce * kBlockBytes;
    const Result result = registerPages(memory);
    if (result == base::cuda::kSuccess) {
      locked_ += kBytes;
      return true;
    }
    if (std::exchange(has_warned_, true)) return false;
    base::log(
        LogLevel::Warn, "cuda",
        "{} bytes for copies are not page-locked: cuMemHostRegister: {} ({}); copies from and "
        "to devices take longer, and hold up the loop",
        kBytes, base::cuda::nameOf(result), base::cuda::textOf(result));
    return false;
  }

  static Result registerPages(void* memory) noexcept {
    constexpr unsigned kFlags = base::cuda::kPortable | base::cuda::kDeviceMap;
    return base::cuda::driver()->registerHost(memory, kBlocksAtOnce * kBlockBytes, kFlags);
  }

  std::mutex mutex_;
  std::size_t limit_ = core::kStagingLimit;
  std::deque<StagingBlock> blocks_;  // of which each stays in its place
  std::size_t unused_ = 0;
  std::size_t locked_ = 0, taken_ = 0;  // bytes
  bool has_warned_ = false;
};

StagingMemory& memory() noexcept {
  static base::Immortal<StagingMemory> only;
  return *only;
}

Taken::~Taken() {
  if (block != nullptr) memory().give(*block, size);
}

}  // namespace

std::shared_ptr<std::byte> takeBlock(std::size_t size) noexcept { return memory().take(size, 0); }

void provideBlocks() noexcept { memory().provide(); }

void keepLocked(const std::byte* block) noexcept { memory().keepLocked(block); }

StagingStats stagingStats() noexcept { return memory().stats(); }

}  // namespace ucxx::cuda

namespace ucxx::core {

std::shared_ptr<std::byte> takeStaging(std::size_t size) noexcept {
  if (size > cuda::kBlockBytes) return nullptr;
  return cuda::memory().take(size, cuda::kLeftToCopies);
}

void setStagingLimit(std::size_t bytes) noexcept { cuda::memory().setLimit(bytes); }

}  // namespace ucxx::core
