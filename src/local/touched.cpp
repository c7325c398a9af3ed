// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/touched.h"

#include <algorithm>
#include <utility>

namespace ucxx::local {
namespace {

/// The kernel maps so much around a page that is read (fault_around_bytes), of one that is written
/// nothing: bytes that are read first are written twice as fast, at half the speed of mapped ones.
constexpr std::size_t kMappedAtOnce = 64 << 10;

void mapByReading(const std::byte* begin, std::size_t bytes) noexcept {
  for (std::size_t at = 0; at < bytes; at += kMappedAtOnce)
    (void)*static_cast<const volatile std::byte*>(begin + at);
}

}  // namespace

Touched::Touched(const base::SharedMemory& memory)
    : memory_(memory),
      before_(reinterpret_cast<std::uintptr_t>(memory.bytes().data()) % kPartBytes),
      is_touched_((before_ + memory.bytes().size()) / kPartBytes + 1) {}

std::size_t Touched::beginOf(std::size_t part) const noexcept {
  return std::max(part * kPartBytes, before_) - before_;
}

void Touched::touch(std::size_t offset, std::size_t bytes, bool is_written,
                    std::size_t most) noexcept {
  was_used_ = true;
  const std::size_t end = offset + bytes;
  while (offset < end) {
    const std::size_t part = (before_ + offset) / kPartBytes;
    const std::size_t next = std::min(end, beginOf(part + 1));
    if (!is_touched_[part]) {
      add(part, most);
      if (is_written) mapByReading(memory_.bytes().data() + offset, next - offset);
    }
    offset = next;
  }
}

void Touched::add(std::size_t part, std::size_t most) noexcept {
  while (count_ >= most) letGoOfFirst();
  is_touched_[part] = true;
  parts_[(first_ + count_++) % kMostParts] = static_cast<std::uint32_t>(part);
}

void Touched::letGoOfFirst() noexcept {
  const std::size_t part = parts_[first_];
  first_ = (first_ + 1) % kMostParts;
  --count_;
  is_touched_[part] = false;
  const std::size_t end = std::min(beginOf(part + 1), memory_.bytes().size());
  memory_.letGo(beginOf(part), end - beginOf(part));
}

bool Touched::keepIfUsed() noexcept {
  if (std::exchange(was_used_, false)) return !empty();
  while (!empty()) letGoOfFirst();
  return false;
}

}  // namespace ucxx::local
