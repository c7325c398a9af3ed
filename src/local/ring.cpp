// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/ring.h"

#include <algorithm>
#include <bit>
#include <string>

#include "base/status.h"

namespace ucxx::local {
namespace {

constexpr std::size_t kMinLines = 16;
constexpr std::size_t kMaxLines = 4096;  // a quarter of more could not be named in a flag word
constexpr std::size_t kWordBits = 64;

std::size_t checked(std::span<std::byte> memory, std::size_t lines) {
  const bool fits = lines >= kMinLines && lines <= kMaxLines && std::has_single_bit(lines) &&
                    memory.size() >= RingMemory::bytesFor(lines) &&
                    reinterpret_cast<std::uintptr_t>(memory.data()) % kLineBytes == 0;
  if (!fits)
    base::throwStatus(UCS_ERR_INVALID_PARAM, "ring: " + std::to_string(lines) + " lines in " +
                                                 std::to_string(memory.size()) + " bytes");
  return lines;
}

}  // namespace

RingShape::RingShape(std::span<std::byte> memory, std::size_t lines)
    : control_(reinterpret_cast<RingMemory*>(memory.data())),
      first_(memory.data() + sizeof(RingMemory)),
      mask_(checked(memory, lines) - 1),
      shift_(static_cast<unsigned>(std::countr_zero(lines))) {}

Producer::Producer(std::span<std::byte> memory, std::size_t lines)
    : ring_(memory, lines), limit_(lines), user_bytes_((lines + kWordBits - 1) / kWordBits) {}

bool Producer::put(std::span<const std::byte> header, std::span<const iovec> payload) noexcept {
  std::size_t size = 0;
  for (const iovec& block : payload) {
    if (block.iov_len > maxRecordBytes() - size) return false;
    size += block.iov_len;
  }
  if (!isAllowed(header.size(), size)) return false;
  return putAt(placeFor(header.size(), size), header, size, [&](std::byte* to) {
    for (const iovec& block : payload) to = copy(to, block.iov_base, block.iov_len);
  });
}

// The consumer frees what was published, and never takes it back.
bool Producer::readConsumed() noexcept {
  const std::uint64_t before = limit_ - ring_.lines();
  const std::uint64_t consumed = ring_.control().consumed.load(std::memory_order_acquire);
  if (consumed < before || consumed > head_) broken_ = true;
  if (!broken_) limit_ = consumed + ring_.lines();
  return !broken_;
}

// What it skips is not written in this lap, so it may hold flags of any earlier one.
void Producer::publishPad(std::size_t first, std::uint32_t mark) noexcept {
  setUserBytes(first + 1, ring_.lines());
  ring_.flag(first).store(RingFlag::make(mark, RingFlag::kPad, 0), std::memory_order_release);
  base::reached(base::Phase::PadPublished);
}

void Producer::setUserBytes(std::size_t begin, std::size_t end) noexcept {
  while (begin < end) {
    const std::size_t count = std::min(end - begin, kWordBits - begin % kWordBits);
    const std::uint64_t bits = ~std::uint64_t{0} >> (kWordBits - count);
    user_bytes_[begin / kWordBits] |= bits << begin % kWordBits;
    begin += count;
  }
}

Consumer::Consumer(std::span<std::byte> memory, std::size_t lines)
    : ring_(memory, lines), mark_(ring_.markOf(0)) {}

std::optional<Consumer::Record> Consumer::readLong(std::size_t line, std::uint64_t flag) noexcept {
  const std::size_t header = RingFlag::header(flag);
  if (header == RingFlag::kPad) return readBehindPad(line);
  const std::size_t payload = RingFlag::payload(flag);
  const std::size_t lines = RingFlag::linesOf(header, payload);
  if (broken_ || lines > ring_.maxRecordLines() || line + lines > ring_.lines()) [[unlikely]]
    return breakRing();
  next_ = tail_ + lines;
  return recordAt(line, flag, RingFlag::payloadAt(header, payload));
}

// A producer pads only what the largest record would not fit into, and has put one behind it.
std::optional<Consumer::Record> Consumer::readBehindPad(std::size_t line) noexcept {
  const std::size_t skipped = ring_.lines() - line;
  if (broken_ || line == 0 || skipped >= ring_.maxRecordLines()) return breakRing();
  tail_ += skipped;
  next_ = tail_;
  mark_ = ring_.markOf(tail_);
  const std::uint64_t flag = ring_.flag(0).load(std::memory_order_acquire);
  if (RingFlag::mark(flag) != mark_) return breakRing();
  return read(0, flag);
}

bool Consumer::releaseNow() noexcept {
  released_ = tail_;
  if (published_ != tail_) publishConsumed();
  fenced_ ? base::orderedByForeignFence() : base::fullFence();
  auto& waiting = ring_.control().waiting;
  return waiting.load(std::memory_order_relaxed) != 0 &&
         waiting.exchange(0, std::memory_order_seq_cst) != 0;
}

}  // namespace ucxx::local
