// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// How the loop copies from and to memory of devices: what is page-locked, and what lies on devices,
// in one piece; else through blocks of page-locked memory, a few at a time for each copy.

#include "core/request/device_copies.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <deque>
#include <list>
#include <new>

#include <ucxx/exception.h>

#include "base/file_descriptor.h"
#include "base/log.h"
#include "cuda/copy_stream.h"
#include "cuda/staging_memory.h"
#include "ucp/device_memory.h"

namespace ucxx::cuda {
namespace {

/// Of one copy at a time: the device has some while the processor fills or empties others.
constexpr std::size_t kMostChunks = 4;
/// The processor copies so much in a round, for all copies together: rings are read between two.
constexpr std::size_t kMostByProcessor = std::size_t{2} << 20;

Address addressOf(const void* place) noexcept { return reinterpret_cast<Address>(place); }

/// What devices may still use, and tell nobody of: nobody else gets it.
struct Kept {
  std::shared_ptr<void> memory;
  Kept* next;
};
std::atomic<Kept*> all_kept{nullptr};

void keepForEver(std::shared_ptr<void> memory) noexcept {
  if (memory == nullptr) return;
  auto* const kept = new (std::nothrow) Kept{std::move(memory), all_kept.load()};
  while (kept != nullptr && !all_kept.compare_exchange_weak(kept->next, kept)) {
  }
}

/// A device may copy all of it directly. A program may have page-locked a part.
bool isPageLocked(const ucp::MemoryPlace& first, const void* place, std::size_t size) noexcept {
  return first.is_page_locked &&
         ucp::placeOf(static_cast<const std::byte*>(place) + size - 1).is_page_locked;
}

}  // namespace

/// One copy on its way.
class MovingCopy {
 public:
  explicit MovingCopy(core::DeviceCopy& copy) noexcept : copy_(copy) {}

  /// What the device has done. `budget`: bytes that the processor may copy in this round.
  bool endChunks(base::TimePoint now, std::size_t& budget) noexcept;
  /// The next part.
  enum class Begun { Nothing, Something, LacksBlock };
  Begun begin(base::TimePoint now, std::size_t& budget) noexcept;
  bool isOver() const noexcept {
    const bool has_begun_all = begun_ == copy_.size && copy_.gate == nullptr;
    return chunks_.empty() && (has_begun_all || status_ != UCS_OK);
  }
  /// Nobody waits for the device any longer.
  void giveUp() noexcept {
    status_ = UCS_ERR_IO_ERROR;
    copy_.gate = nullptr;
    while (!chunks_.empty()) abandonChunk();
  }
  /// It has not begun, and may wait for ever.
  void giveUpAtGate() noexcept {
    if (copy_.gate == nullptr) return;
    status_ = UCS_ERR_CANCELED;
    copy_.gate = nullptr;
  }
  core::DeviceCopy& copy() const noexcept { return copy_; }
  void end() const noexcept { copy_.done(copy_, status_); }

 private:
  struct Chunk {
    std::shared_ptr<std::byte> block;  // null: straight from place to place
    std::size_t offset, size;
    std::uint64_t number;  // in the stream
  };

  void meet();
  Begun beginChunk(std::size_t& budget);
  std::shared_ptr<std::byte> blockFor(std::size_t size) const;
  std::byte* to() const noexcept { return static_cast<std::byte*>(copy_.to); }
  const std::byte* from() const noexcept { return static_cast<const std::byte*>(copy_.from); }
  void enqueue(const void* to, const void* from, Chunk&& chunk);
  void abandonChunk() noexcept {
    keepForEver(std::move(chunks_.front().block));
    keepForEver(copy_.held);
    chunks_.pop_front();
  }

  core::DeviceCopy& copy_;
  bool is_met_ = false;
  CopyStream* stream_ = nullptr;  // null: the processor reaches both places
  bool is_direct_ = false;        // the device reaches both
  bool is_to_device_ = false;
  std::size_t begun_ = 0;
  ucs_status_t status_ = UCS_OK;
  std::deque<Chunk> chunks_;
};

/// Asks whose its places are. What was a device's when it was posted, and is not any more, has gone
/// with its context: it is nobody's.
void MovingCopy::meet() {
  is_met_ = true;
  const ucp::MemoryPlace target = ucp::placeOf(copy_.to), source = ucp::placeOf(copy_.from);
  if (target.is_unknown || source.is_unknown)
    throw IOError("the driver does not say whose memory this is");
  if ((copy_.is_to_device && !target.is_on_device) ||
      (copy_.is_from_device && !source.is_on_device))
    throw IOError("the memory of the device has gone, with its context");
  if (!target.is_on_device && !source.is_on_device) return;
  const ucp::MemoryPlace& of_device = target.is_on_device ? target : source;
  CopyStreams& streams = copyStreamsOf(of_device.context, of_device.device);
  is_to_device_ = target.is_on_device;
  stream_ = is_to_device_ ? &streams.to_device : &streams.from_device;
  stream_->provideBlocks();  // for messages that come, too
  is_direct_ = (target.is_on_device || isPageLocked(target, copy_.to, copy_.size)) &&
               (source.is_on_device || isPageLocked(source, copy_.from, copy_.size));
}

bool MovingCopy::endChunks(base::TimePoint now, std::size_t& budget) noexcept {
  bool has_ended = false;
  for (; !chunks_.empty(); has_ended = true) {
    Chunk& chunk = chunks_.front();
    if (!stream_->isOver(chunk.number, now)) {
      if (!stream_->hasFailed()) return has_ended;
      status_ = UCS_ERR_IO_ERROR;
      abandonChunk();
      continue;
    }
    if (chunk.block != nullptr && !is_to_device_) {
      if (budget < chunk.size) return has_ended;
      std::memcpy(to() + chunk.offset, chunk.block.get(), chunk.size);
      budget -= chunk.size;
    }
    chunks_.pop_front();
  }
  return has_ended;
}

MovingCopy::Begun MovingCopy::begin(base::TimePoint now, std::size_t& budget) noexcept {
  if (status_ != UCS_OK || (copy_.gate != nullptr && !copy_.gate->isOpen(now)))
    return Begun::Nothing;
  copy_.gate = nullptr;
  if (begun_ == copy_.size || chunks_.size() >= kMostChunks) return Begun::Nothing;
  try {
    return beginChunk(budget);
  } catch (const std::bad_alloc&) {
    status_ = UCS_ERR_NO_MEMORY;
  } catch (const std::exception& error) {
    base::log(LogLevel::Error, "cuda", "a copy of {} bytes from {} to {} has failed: {}",
              copy_.size, copy_.from, copy_.to, error.what());
    status_ = UCS_ERR_IO_ERROR;
  }
  return Begun::Something;
}

MovingCopy::Begun MovingCopy::beginChunk(std::size_t& budget) {
  if (!is_met_) meet();
  if (stream_ != nullptr && stream_->hasFailed())
    return status_ = UCS_ERR_IO_ERROR, Begun::Something;
  if (is_direct_) {
    enqueue(to(), from(), {nullptr, 0, copy_.size, 0});
    return Begun::Something;
  }
  const std::size_t size = std::min(copy_.size - begun_, core::kMostStaged);
  const bool is_copied_first = stream_ == nullptr || is_to_device_;
  if (is_copied_first && budget < size) return Begun::Nothing;
  if (is_copied_first) budget -= size;
  if (stream_ == nullptr) {
    std::memcpy(to() + begun_, from() + begun_, size);
    begun_ += size;
    return Begun::Something;
  }
  std::shared_ptr<std::byte> block = blockFor(size);
  if (block == nullptr) return Begun::LacksBlock;
  std::byte* const bytes = block.get();
  const std::size_t offset = begun_;
  if (is_to_device_) std::memcpy(bytes, from() + offset, size);
  const void* const target = is_to_device_ ? to() + offset : bytes;
  const void* const source = is_to_device_ ? bytes : from() + offset;
  enqueue(target, source, {std::move(block), offset, size, 0});
  return Begun::Something;
}

/// Null: others have them all. Throws `std::bad_alloc` if there are none.
std::shared_ptr<std::byte> MovingCopy::blockFor(std::size_t size) const {
  if (auto block = takeBlock(size)) return block;
  stream_->provideBlocks();
  if (stagingStats().made == 0) throw std::bad_alloc();
  return takeBlock(size);
}

void MovingCopy::enqueue(const void* to, const void* from, Chunk&& chunk) {
  chunks_.push_back(std::move(chunk));
  Chunk& added = chunks_.back();
  try {
    added.number = stream_->copy(addressOf(to), addressOf(from), added.size, added.block.get());
  } catch (...) {
    chunks_.pop_back();
    throw;
  }
  begun_ += added.size;
}

}  // namespace ucxx::cuda

namespace ucxx::core {

/// All copies of a loop, oldest first: who finds no block waits, and those behind it as well.
class DeviceCopies::Queue {
 public:
  void add(DeviceCopy& copy) noexcept { new_.pushBack(copy); }
  void remove(DeviceCopy& copy) noexcept {
    if (copy.node.linked()) return new_.remove(copy);
    copies_.remove_if([&](const cuda::MovingCopy& moving) { return &moving.copy() == &copy; });
  }
  void eachAt(const CopyGate& gate, const std::function<void(DeviceCopy&)>& visit) {
    const auto visit_if = [&](DeviceCopy& copy) {
      if (copy.gate.get() == &gate) visit(copy);
    };
    for (DeviceCopy* copy = new_.front(); copy != nullptr; copy = new_.after(*copy))
      visit_if(*copy);
    for (cuda::MovingCopy& moving : copies_) visit_if(moving.copy());
  }
  bool empty() const noexcept { return copies_.empty() && new_.empty(); }

  /// Those that end start others, perhaps.
  bool move() noexcept {
    const base::TimePoint now = base::Clock::now();
    std::size_t budget = cuda::kMostByProcessor;
    bool moved = takeNew();
    for (cuda::MovingCopy& copy : copies_) moved |= copy.endChunks(now, budget);
    // Who finds no block is the next to get one.
    for (cuda::MovingCopy& copy : copies_) {
      const cuda::MovingCopy::Begun begun = copy.begin(now, budget);
      moved |= begun == cuda::MovingCopy::Begun::Something;
      if (begun == cuda::MovingCopy::Begun::LacksBlock) break;
    }
    for (auto next = copies_.begin(); next != copies_.end();) {
      const auto copy = next++;
      if (copy->isOver()) over_.splice(over_.end(), copies_, copy);
    }
    return moved;
  }
  void giveUpAtGates() noexcept {
    (void)takeNew();
    for (cuda::MovingCopy& copy : copies_) copy.giveUpAtGate();
  }
  void giveUp() noexcept {
    (void)takeNew();
    for (cuda::MovingCopy& copy : copies_) copy.giveUp();
    over_.splice(over_.end(), copies_);
  }
  /// Tells those that are over. Returns how many.
  std::size_t tell() noexcept {
    std::size_t told = 0;
    for (; !over_.empty(); ++told) {
      const cuda::MovingCopy ended = std::move(over_.front());
      over_.pop_front();
      ended.end();
    }
    return told;
  }

 private:
  /// Those for which there is memory.
  bool takeNew() noexcept try {
    const bool has_some = !new_.empty();
    for (; !new_.empty(); new_.popFront()) copies_.emplace_back(*new_.front());
    return has_some;
  } catch (const std::bad_alloc&) {
    return false;
  }

  base::List<DeviceCopy, &DeviceCopy::node> new_;
  std::list<cuda::MovingCopy> copies_;
  std::list<cuda::MovingCopy> over_;  // not told yet
};

DeviceCopies::DeviceCopies(Watch& watch) : Watched(watch), queue_(std::make_unique<Queue>()) {}

/// A forked child has the copies of its parent, which go on.
DeviceCopies::~DeviceCopies() {
  if (base::isForkedChild()) (void)queue_.release();
}

void DeviceCopies::start(DeviceCopy& copy) noexcept {
  queue_->add(copy);
  beginWatching();
}

void DeviceCopies::withdraw(DeviceCopy& copy) noexcept {
  queue_->remove(copy);
  endWatching();
}

void DeviceCopies::eachAt(const CopyGate& gate, const std::function<void(DeviceCopy&)>& visit) {
  queue_->eachAt(gate, visit);
}

bool DeviceCopies::changesInSilence() const noexcept { return !queue_->empty(); }

bool DeviceCopies::look() noexcept {
  if (!changesInSilence()) return false;
  const bool moved = queue_->move();
  endWatching(queue_->tell());
  return moved;
}

bool DeviceCopies::finish(base::TimePoint deadline) noexcept {
  while (changesInSilence() && base::Clock::now() < deadline) {
    queue_->giveUpAtGates();
    (void)look();
  }
  const bool has_finished = !changesInSilence();
  while (changesInSilence()) {  // what callbacks have begun, too
    queue_->giveUp();
    endWatching(queue_->tell());
  }
  return has_finished;
}

}  // namespace ucxx::core
