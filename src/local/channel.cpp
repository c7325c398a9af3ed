// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "local/channel.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include <sys/uio.h>

#include "base/clock.h"
#include "base/object_pool.h"
#include "base/phase.h"
#include "base/status.h"
#include "local/arena.h"
#include "local/hub.h"

namespace ucxx::local {
namespace {

constexpr std::uint32_t kMagic = 0x4c584355;  // "UCXL"
/// Of rings, boards, these terms, and the messages: other versions meet by UCX.
constexpr std::uint32_t kLayout = 11;

struct RawTerms {
  std::uint32_t magic = kMagic;
  std::uint32_t layout = kLayout;
  std::uint32_t lines = RingMemory::kDefaultLines;
  std::uint32_t slot = 0;  // the sender's, of which its peer raises the bit
  std::uint32_t has_foreign_fences = 0;
  std::uint32_t reserved = 0;
  std::uint64_t proof_address = 0;  // in the sender's memory
  Proof::Bytes proof{};
  std::uint64_t arena_address = 0;  // in the sender's memory
  std::uint64_t arena_bytes = 0;    // 0: there is none, nor its descriptor
};

constexpr std::size_t kRingBytes = RingMemory::bytesFor(RingMemory::kDefaultLines);
constexpr std::size_t bulkPartOf(bool callers) noexcept {
  return Channel::kSegmentBytes + (callers ? 0 : choices::kBulkBytes);
}

[[noreturn]] void refuse(const std::string& what) {
  base::throwStatus(UCS_ERR_INVALID_PARAM, what);
}

RawTerms read(std::span<const std::byte> terms) {
  RawTerms raw;
  if (terms.size() != sizeof raw)
    refuse("local terms of " + std::to_string(terms.size()) + " bytes, not " +
           std::to_string(sizeof raw));
  std::memcpy(&raw, terms.data(), sizeof raw);
  if (raw.magic != kMagic || raw.layout != kLayout || raw.lines != RingMemory::kDefaultLines)
    refuse("local terms of layout " + std::to_string(raw.layout) + " with " +
           std::to_string(raw.lines) + " lines, not " + std::to_string(kLayout) + " with " +
           std::to_string(RingMemory::kDefaultLines));
  return raw;
}

std::size_t sizeOf(std::span<const iovec> blocks) noexcept {
  std::size_t size = 0;
  for (const iovec& block : blocks) size += block.iov_len;
  return size;
}

void gather(std::span<const iovec> blocks, std::byte* to) noexcept {
  for (const iovec& block : blocks) {
    if (block.iov_len != 0) std::memcpy(to, block.iov_base, block.iov_len);
    to += block.iov_len;
  }
}

/// The caller writes to the first ring.
std::span<std::byte> ringOf(const base::SharedMemory& segment, bool callers) {
  return segment.bytes().subspan(callers ? 0 : kRingBytes, kRingBytes);
}

}  // namespace

EndMemory& Channel::endOf(bool callers) const noexcept {
  auto* ends = reinterpret_cast<EndMemory*>(segment_.bytes().data() + 2 * kRingBytes);
  return ends[callers ? 0 : 1];
}

Channel::Channel(Hub& hub, base::SharedMemory segment, bool is_callers)
    : hub_(hub),
      segment_(std::move(segment)),
      is_callers_(is_callers),
      out_(ringOf(segment_, is_callers)),
      in_(ringOf(segment_, !is_callers)),
      bulk_bytes_(segment_.bytes().subspan(bulkPartOf(!is_callers), choices::kBulkBytes)),
      bulk_out_(out_.memory(), segment_, bulkPartOf(is_callers)),
      bulk_in_(in_.memory(), bulk_bytes_),
      arena_(Arena::get()) {
  slot_ = hub.enter(*this);
}

Channel::~Channel() {
  cancelSends();
  hub_.leave(*this);
}

std::unique_ptr<Channel> Channel::call(Hub& hub) {
  return std::unique_ptr<Channel>(
      new Channel(hub, base::SharedMemory::create(kSegmentBytes, kSparseBytes), true));
}

std::unique_ptr<Channel> Channel::answer(Hub& hub, std::span<const std::byte> terms,
                                         std::vector<base::FileDescriptor> descriptors) {
  if (descriptors.empty()) refuse("local terms without descriptors");
  auto segment =
      base::SharedMemory::map(std::move(descriptors.front()), kSegmentBytes, kSparseBytes);
  descriptors.erase(descriptors.begin());
  std::unique_ptr<Channel> channel(new Channel(hub, std::move(segment), false));
  channel->join(terms, std::move(descriptors));
  return channel;
}

std::vector<std::byte> Channel::terms() const {
  RawTerms raw;
  raw.slot = slot_;
  raw.has_foreign_fences = base::admitForeignFences() ? 1 : 0;
  raw.proof_address = proof_.address();
  raw.proof = proof_.bytes();
  if (arena_ != nullptr) {
    raw.arena_address = reinterpret_cast<std::uintptr_t>(arena_->bytes().data());
    raw.arena_bytes = arena_->bytes().size();
  }
  const auto bytes = std::as_bytes(std::span(&raw, 1));
  return {bytes.begin(), bytes.end()};
}

std::vector<int> Channel::descriptors() const {
  std::vector<int> own = hub_.descriptors();
  if (is_callers_) own.insert(own.begin(), segment_.descriptor());
  if (arena_ != nullptr) own.push_back(arena_->descriptor());
  return own;
}

void Channel::join(std::span<const std::byte> terms,
                   std::vector<base::FileDescriptor> descriptors) {
  const RawTerms raw = read(terms);
  const std::size_t count = raw.arena_bytes == 0 ? 3 : 4;  // Hub::descriptors, arena
  if (descriptors.size() != count)
    refuse("local terms with " + std::to_string(descriptors.size()) + " descriptors, not " +
           std::to_string(count));
  bell_.emplace(std::move(descriptors[0]), std::move(descriptors[1]), raw.slot);
  if (raw.has_foreign_fences != 0 && base::admitForeignFences()) {
    bell_->relyOnForeignFences();
    in_.relyOnForeignFences();
  }
  process_.emplace(std::move(descriptors[2]));
  runs_beside_ = process_->canRunBeside();
  memory_.emplace(process_->pid(), raw.proof_address, raw.proof);
  if (raw.arena_bytes != 0)
    memory_->map(std::move(descriptors[3]), raw.arena_address, raw.arena_bytes);
  hub_.watch(*this);  // while the two can still agree on another way
  segment_.closeDescriptor();
}

bool Channel::isShared(const void* begin, std::size_t size) const noexcept {
  return arena_ != nullptr && arena_->contains(begin, size);
}

void Channel::begin(int socket) {
  socket_ = socket;
  // Or else the peer could make this process read and write the memory of others, and its own.
  if (socket >= 0 && !process_->isAt(socket)) memory_->close();
  hub_.begin(*this);
}

void Channel::forgetSocket() noexcept {
  if (!has_begun_) return;
  has_hung_up_ = !process_->isThere(socket_);
  socket_ = -1;
}

void Channel::expectLast() noexcept {
  if (has_begun_) hub_.warm(*this);
}

void Channel::onReady(std::uint32_t) {
  if (has_begun_) hub_.processEnded(*this);
}

ucs_status_t Channel::send(std::span<const std::byte> header, const void* payload, std::size_t size,
                           base::Completion& completion, std::optional<Way> fragment) {
  if (waiting_.empty() && putOne(header, payload, size, fragment)) [[likely]]
    return UCS_OK;
  if (header.size() + size > out_.maxRecordBytes()) return UCS_ERR_EXCEEDS_LIMIT;
  Waiting& waiting = wait(&completion);
  waiting.header = header;
  waiting.single = {const_cast<void*>(payload), size};
  waiting.fragment = fragment;
  return UCS_INPROGRESS;
}

/// A fragment without memory for it is a record like others.
bool Channel::putOne(std::span<const std::byte> header, const void* payload, std::size_t size,
                     std::optional<Way> fragment) noexcept {
  if (fragment && putFragment(header, payload, size, *fragment, true)) return true;
  return !(fragment && bulk_out_.isUsable()) && put(header, payload, size);
}

bool Channel::putFragment(std::span<const std::byte> header, const void* payload, std::size_t size,
                          Way way, bool is_timed) noexcept {
  if (!hasRoomForFragment(header.size(), size)) return false;
  const std::uint64_t begin = is_timed ? base::Clock::cycles() : 0;
  bulk_out_.write(payload, size, way);
  const std::uint64_t end = is_timed ? base::Clock::cycles() : 0;
  const std::uint64_t took = std::min<std::uint64_t>(end - begin, UINT32_MAX);
  base::reached(base::Phase::BulkCopied);
  out_.putNote(header, BulkNote{size, way, static_cast<std::uint32_t>(took)}.word());
  bell_->afterPublish(out_.memory());
  return true;
}

bool Channel::hasRoomForFragment(std::size_t header, std::size_t size) noexcept {
  return out_.isRoomFor(header, sizeof(std::uint64_t)) && bulk_out_.hasRoomForFragment(size);
}

bool Channel::put(const Waiting& waiting) noexcept {
  const auto payload = waiting.payload();
  if (payload.size() != 1) return put(waiting.header, payload);
  const iovec& block = payload.front();
  return putOne(waiting.header, block.iov_base, block.iov_len, waiting.fragment);
}

bool Channel::hasRoomFor(const Waiting& waiting) noexcept {
  const std::size_t header = waiting.header.size(), size = sizeOf(waiting.payload());
  if (waiting.fragment && hasRoomForFragment(header, size)) return true;
  return !(waiting.fragment && bulk_out_.isUsable()) && out_.isRoomFor(header, size);
}

void Channel::want(unsigned size_class, Way way) noexcept {
  auto& wanted = in_.memory().wanted;
  wanted.store(WantedWays::with(wanted.load(std::memory_order_relaxed), size_class, way),
               std::memory_order_relaxed);
}

std::optional<Consumer::Record> Channel::peekInBulk(Consumer::Record record) noexcept {
  if (record.payload.size() == sizeof(std::uint64_t)) {
    std::uint64_t word = 0;  // a copy, since the peer may change it
    std::memcpy(&word, record.payload.data(), sizeof word);
    note_ = BulkNote::read(word);
    if (const std::byte* fragment = bulk_in_.find(note_)) {
      has_note_ = true;
      return Consumer::Record{record.header, {fragment, note_.bytes}};
    }
  }
  is_note_broken_ = true;
  return std::nullopt;
}

// What the bulk ring has freed is published first: after the ring's own, nobody looks any more.
bool Channel::release() noexcept {
  bulk_in_.publish();
  return in_.release();
}

bool Channel::releaseQuarter() noexcept {
  return (bulk_in_.isQuarterFree() || in_.isQuarterFree()) && release();
}

ucs_status_t Channel::send(std::span<const std::byte> header, std::span<const iovec> payload,
                           base::Completion& completion) {
  if (waiting_.empty() && put(header, payload)) return UCS_OK;
  if (header.size() + sizeOf(payload) > out_.maxRecordBytes()) return UCS_ERR_EXCEEDS_LIMIT;
  Waiting& waiting = wait(&completion);
  waiting.header = header;
  waiting.blocks = payload;
  return UCS_INPROGRESS;
}

ucs_status_t Channel::flush(base::Completion& completion) {
  if (waiting_.empty()) return UCS_OK;
  try {
    wait(&completion);
    return UCS_INPROGRESS;
  } catch (const std::bad_alloc&) {
    return UCS_ERR_NO_MEMORY;
  }
}

ucs_status_t Channel::sendCopy(std::span<const std::byte> header, std::span<const iovec> payload) {
  if (waiting_.empty() && put(header, payload)) return UCS_OK;
  const std::size_t size = sizeOf(payload);
  if (header.size() + size > out_.maxRecordBytes()) return UCS_ERR_EXCEEDS_LIMIT;
  auto kept = std::make_unique<std::byte[]>(header.size() + size);
  std::memcpy(kept.get(), header.data(), header.size());
  gather(payload, kept.get() + header.size());
  Waiting& waiting = wait(nullptr);
  waiting.header = {kept.get(), header.size()};
  waiting.single = {kept.get() + header.size(), size};
  waiting.kept = std::move(kept);
  return UCS_OK;
}

Channel::Waiting& Channel::wait(base::Completion* completion) {
  auto* waiting = new (base::PoolAllocator<Waiting>().allocate(1)) Waiting;
  waiting->completion = completion;
  if (waiting_.empty()) hub_.stick(*this);
  waiting_.pushBack(*waiting);
  return *waiting;
}

bool Channel::sendWaiting() {
  bool sent = false;
  while (Waiting* first = waiting_.front()) {
    if (!first->header.empty() && !put(*first)) break;
    sent = true;
    end(*first, UCS_OK);
    base::requireNotForked();  // its callback may have
  }
  return sent;
}

/// The peer is to ring when there is room; true: there is, or nothing waits for it any more, which
/// the hub hears from its next look.
bool Channel::announceWaiting() {
  const Waiting* const first = waiting_.front();
  if (first == nullptr) return true;
  out_.announceWaiting();
  base::reached(base::Phase::RoomAwaited);
  return hasRoomFor(*first);
}

void Channel::end(Waiting& waiting, ucs_status_t status) noexcept {
  base::Completion* const completion = waiting.completion;
  waiting_.remove(waiting);
  std::destroy_at(&waiting);
  base::PoolAllocator<Waiting>().deallocate(&waiting, 1);
  if (completion != nullptr) completion->done(*completion, status);
}

bool Channel::keepPayload(const base::Completion& completion) noexcept {
  Waiting* waiting = waiting_.front();
  while (waiting != nullptr && waiting->completion != &completion)
    waiting = waiting_.after(*waiting);
  if (waiting == nullptr) return false;
  const std::size_t size = sizeOf(waiting->payload());
  std::unique_ptr<std::byte[]> kept(new (std::nothrow) std::byte[size]);
  if (kept == nullptr) return false;
  gather(waiting->payload(), kept.get());
  waiting->single = {kept.get(), size};
  waiting->blocks = {};
  waiting->kept = std::move(kept);
  return true;
}

void Channel::cancelSends() noexcept {
  while (Waiting* first = waiting_.front()) end(*first, UCS_ERR_CANCELED);
}

}  // namespace ucxx::local
