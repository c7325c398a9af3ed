// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/plan_memory.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include <sys/mman.h>

#include <ucxx/cuda/device.h>

#include "base/file_descriptor.h"
#include "base/immortal.h"
#include "base/system_error.h"
#include "cuda/stream.h"
#include "cuda/waiting_streams.h"
#include "cuda/words.h"

namespace ucxx::cuda {
namespace {

using core::AnswerLine;
using Word = core::Marks::Word;

/// What the processor and kernels both touch: the end of an iteration, a mistake, and words.
struct HostPart {
  AnswerLine answer;
  alignas(64) Word mistake{0};
  std::byte rest[64 - sizeof(Word)];
};
static_assert(sizeof(HostPart) == 128);

/// For plans of up to so many partitions.
struct Block {
  std::byte* host = nullptr;
  Address host_on_device = 0;
  Address device = 0;
};

/// The blocks of one context, by sizes that double.
class BlockPool {
 public:
  BlockPool(Context its_context, unsigned its_locking, const char* what)
      : context(its_context), locking(its_locking) {
    const DespiteCaptures allowed(what);
    check(requireDriver(what).createStream(&stream_, base::cuda::kNonBlocking), "cuStreamCreate",
          what);
  }

  static std::size_t sizeFor(std::size_t partitions) noexcept {
    return std::bit_ceil(std::max(partitions, kLeast));
  }

  Block take(std::size_t size, const char* what) {
    for (;;) {
      if (const std::optional<Block> block = takeFree(size)) return *block;
      add(size, allocate(size, what));
    }
  }
  void giveBack(std::size_t size, const Block& block) noexcept {
    const std::lock_guard lock(mutex_);
    sized_[size].free.push_back(block);  // it has room, since the block was in it
  }
  void copyIn(Address to, const std::vector<std::byte>& content, const char* what) const {
    const DespiteCaptures allowed(what);
    const Driver& driver = requireDriver(what);
    check(driver.copyInAsync(to, content.data(), content.size(), stream_), "cuMemcpyHtoDAsync",
          what);
    check(driver.synchronizeStream(stream_), "cuStreamSynchronize", what);
  }

  const Context context;
  const unsigned locking;  // of the words; an earlier one's memory may be gone

 private:
  static constexpr std::size_t kLeast = 64, kPageWords = 8192;

  /// Memory of blocks that were not made, since a later call of the driver has failed. To free it
  /// would wait for all streams.
  struct Spare {
    Address device = 0;
    void* host = nullptr;
  };
  struct Sized {
    std::vector<Block> free;
    std::size_t made = 0;
    Spare spare;
  };

  /// That which has been free for the longest time: a kernel that still waits on the words of a
  /// plan that has gone has the time to see its end.
  std::optional<Block> takeFree(std::size_t size) {
    const std::lock_guard lock(mutex_);
    std::vector<Block>& free = sized_[size].free;
    if (free.empty()) return std::nullopt;
    const Block block = free.front();
    free.erase(free.begin());
    return block;
  }
  void add(std::size_t size, const std::vector<Block>& blocks) {
    const std::lock_guard lock(mutex_);
    Sized& sized = sized_[size];
    sized.free.reserve(sized.made + blocks.size());  // room for all when they come back
    sized.made += blocks.size();
    sized.free.insert(sized.free.end(), blocks.begin(), blocks.end());
  }
  Spare takeSpare(std::size_t size) {
    const std::lock_guard lock(mutex_);
    return std::exchange(sized_[size].spare, {});
  }
  /// Of two threads that fail at once the memory of one is lost.
  void keepSpare(std::size_t size, const Spare& spare) noexcept {
    const std::lock_guard lock(mutex_);
    if (spare.device != 0) sized_[size].spare = spare;
  }

  /// Pages of the process, and not the driver's: the loop touches them also after cudaDeviceReset.
  static void* lockedPages(std::size_t size, const char* what) {
    void* const pages =
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) base::throwErrno(errno, "map the words of plans");
    ::madvise(pages, size, MADV_DONTFORK);
    constexpr unsigned kFlags = base::cuda::kPortable | base::cuda::kDeviceMap;
    const Result result = requireDriver(what).registerHost(pages, size, kFlags);
    if (result != base::cuda::kSuccess) ::munmap(pages, size);
    check(result, "cuMemHostRegister", what);
    return pages;
  }

  /// At least a page, since each call of the driver takes long.
  std::vector<Block> allocate(std::size_t size, const char* what) {
    const std::size_t count = std::max<std::size_t>(kPageWords / size, 1);
    const std::size_t host_each = sizeof(HostPart) + size * sizeof(Word);
    const std::size_t device_each = sizeof(device::Prepared) + size * sizeof(Word);
    std::vector<Block> made;
    made.reserve(count);
    const DespiteCaptures allowed(what);
    const Driver& driver = requireDriver(what);
    Address host_on_device = 0;
    Spare memory = takeSpare(size);
    try {
      if (memory.device == 0)
        check(driver.allocate(&memory.device, count * device_each), "cuMemAlloc", what);
      if (memory.host == nullptr) memory.host = lockedPages(count * host_each, what);
      check(driver.deviceAddress(&host_on_device, memory.host, 0), "cuMemHostGetDevicePointer",
            what);
    } catch (...) {
      keepSpare(size, memory);
      throw;
    }
    for (std::size_t i = 0; i < count; ++i)
      made.push_back({static_cast<std::byte*>(memory.host) + i * host_each,
                      host_on_device + i * host_each, memory.device + i * device_each});
    return made;
  }

  base::cuda::Stream stream_ = nullptr;
  std::mutex mutex_;  // no call of CUDA is made under it
  std::map<std::size_t, Sized> sized_;
};

BlockPool& blockPoolOf(Context context, const char* what) {
  struct Pools {
    std::mutex mutex;
    std::vector<std::unique_ptr<BlockPool>> all;
  };
  static base::Immortal<Pools> pools;
  const unsigned locking = lockings();
  const std::lock_guard lock((*pools).mutex);
  for (const auto& one : (*pools).all) {
    if (one->context == context && one->locking == locking) return *one;
  }
  return *(*pools).all.emplace_back(std::make_unique<BlockPool>(context, locking, what));
}

/// A block while somebody has it.
class PlanMemory {
 public:
  PlanMemory(BlockPool& pool, std::size_t partitions, const char* what)
      : pool_(pool), size_(BlockPool::sizeFor(partitions)), block_(pool.take(size_, what)) {}
  ~PlanMemory() {
    if (!base::isForkedChild()) pool_.giveBack(size_, block_);
  }
  PlanMemory(const PlanMemory&) = delete;
  PlanMemory& operator=(const PlanMemory&) = delete;

  HostPart& makeHostPart(std::size_t partitions) const {
    auto* const part = new (block_.host) HostPart;
    for (std::size_t i = 0; i < partitions; ++i) new (words() + i) Word(0);
    return *part;
  }
  Word* words() const noexcept { return reinterpret_cast<Word*>(block_.host + sizeof(HostPart)); }

  void writeHandle(std::size_t partitions, unsigned contributors, const char* what) const {
    const Address counts = block_.device + sizeof(device::Prepared);
    const device::Prepared handle{
        .words = at(sizeof(HostPart)),
        .answer = reinterpret_cast<const device::Answer*>(at(offsetof(HostPart, answer))),
        .mistake = at(offsetof(HostPart, mistake)),
        .counts = contributors == 0 ? nullptr : reinterpret_cast<unsigned long long*>(counts),
        .partitions = static_cast<unsigned>(partitions),
        .contributors = contributors};
    std::vector<std::byte> content(sizeof handle + partitions * sizeof(Word));
    std::memcpy(content.data(), &handle, sizeof handle);
    pool_.copyIn(block_.device, content, what);
  }
  device::Prepared* handle() const noexcept {
    return reinterpret_cast<device::Prepared*>(block_.device);
  }

 private:
  unsigned long long* at(std::size_t offset) const noexcept {
    return reinterpret_cast<unsigned long long*>(block_.host_on_device + offset);
  }

  BlockPool& pool_;
  const std::size_t size_;
  const Block block_;
  const MayWait may_wait_;
};

}  // namespace

std::unique_ptr<const core::PlanDevice> makePlanDevice(Context context, std::size_t partitions,
                                                       unsigned contributors, const char* what) {
  auto memory = std::make_shared<const PlanMemory>(blockPoolOf(context, what), partitions, what);
  HostPart& host = memory->makeHostPart(partitions);
  memory->writeHandle(partitions, contributors, what);
  Word* const words = memory->words();
  device::Prepared* const handle = memory->handle();
  return std::unique_ptr<const core::PlanDevice>(new core::PlanDevice{
      {words, partitions}, &host.mistake, &host.answer, handle, std::move(memory)});
}

}  // namespace ucxx::cuda
