// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "local/bulk_ring.h"

#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "base/copying.h"
#include "local/bulk_copy.h"

namespace ucxx::local {
namespace {

/// A part of the ring gets its memory at a time: about ten microseconds.
constexpr std::size_t kPopulatedAtOnce = 128 << 10;
static_assert(choices::kBulkBytes % kPopulatedAtOnce == 0);
constexpr std::uint64_t kAllOfIt = std::numeric_limits<std::uint64_t>::max();

/// Where a fragment begins that comes behind `position`: it does not go around the end.
std::uint64_t placeOf(std::uint64_t position, std::size_t size, std::size_t ring) noexcept {
  const std::size_t left = ring - position % ring;
  return size <= left ? position : position + left;
}

std::uint64_t endOf(std::uint64_t place, std::size_t size) noexcept {
  return place + (size + kLineBytes - 1) / kLineBytes * kLineBytes;
}

}  // namespace

void BulkProducer::write(const void* payload, std::size_t size, Way way) noexcept {
  base::aboutToCopy(size);
  const std::uint64_t place = placeOf(head_, size, kBytes);
  std::byte* const to = segment_.bytes().data() + part_ + place % kBytes;
  if (way == Way::Streaming)
    copyStreaming(to, static_cast<const std::byte*>(payload), size);
  else
    std::memcpy(to, payload, size);
  head_ = endOf(place, size);
}

std::uint64_t BulkProducer::endOfNext(std::size_t size) const noexcept {
  return endOf(placeOf(head_, size, kBytes), size);
}

bool BulkProducer::readConsumed() noexcept {
  const std::uint64_t before = limit_ - kBytes;
  const std::uint64_t consumed = control_.bulk_consumed.load(std::memory_order_acquire);
  if (consumed < before || consumed > head_) broken_ = true;
  if (!broken_) limit_ = consumed + kBytes;
  return !broken_;
}

/// Memory for all before `end`, without which a store would be a signal where memory is short.
bool BulkProducer::populate(std::uint64_t end) noexcept {
  if (!isUsable()) return false;
  if (!hasMemory()) populated_begin_ = populated_end_ = head_ / kPopulatedAtOnce * kPopulatedAtOnce;
  while (populated_end_ < end) {
    const int error = segment_.populateMapped(part_ + populated_end_ % kBytes, kPopulatedAtOnce);
    if (error != 0) {
      (error == EINVAL ? is_unsupported_ : lacks_memory_) = true;
      segment_.discard(part_ + populated_end_ % kBytes, kPopulatedAtOnce);  // what it has got
      return false;
    }
    populated_end_ += kPopulatedAtOnce;
    if (populated_end_ - populated_begin_ == kBytes) populated_end_ = kAllOfIt;
  }
  return true;
}

bool BulkProducer::keepIfUsed() noexcept {
  lacks_memory_ = false;
  if (!hasMemory()) return false;
  const bool was_used = std::exchange(head_at_look_, head_) != head_;
  if (was_used || !readConsumed() || limit_ - kBytes != head_) return true;
  segment_.discard(part_, kBytes);
  populated_begin_ = populated_end_ = 0;
  return false;
}

const std::byte* BulkConsumer::find(const BulkNote& note) noexcept {
  if (note.bytes == 0 || note.bytes > BulkProducer::kMostFragment) return nullptr;
  const std::uint64_t place = placeOf(tail_, note.bytes, bytes_.size());
  next_ = endOf(place, note.bytes);
  return bytes_.data() + place % bytes_.size();
}

}  // namespace ucxx::local
