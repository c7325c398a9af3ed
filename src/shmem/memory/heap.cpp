// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/memory/heap.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "shmem/memory/layout.h"

namespace ucxx::shmem {
namespace {

/// Nothing: so much that it cannot be rounded.
std::optional<std::size_t> wholeLines(std::size_t bytes) noexcept {
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) return std::nullopt;
  return roundUp(bytes, Heap::kLeastAlignment);
}

}  // namespace

Heap::Heap(std::size_t bytes) {
  if (bytes != 0) addFree(0, bytes);
}

std::optional<std::size_t> Heap::take(std::size_t bytes, std::size_t alignment,
                                      std::size_t last_end) {
  const auto whole = wholeLines(bytes);
  if (!whole) return std::nullopt;
  alignment = std::max(alignment, kLeastAlignment);
  for (auto at = by_size_.lower_bound({*whole, 0}); at != by_size_.end(); ++at) {
    const auto [part_bytes, part] = *at;
    const std::size_t begin = roundUp(part, alignment), end = begin + *whole;
    if (begin < part || end > std::min(part + part_bytes, last_end)) continue;
    removeFree(free_.find(part));
    if (begin != part) addFree(part, begin - part);
    if (end != part + part_bytes) addFree(end, part + part_bytes - end);
    taken_.emplace(begin, *whole);
    return begin;
  }
  return std::nullopt;
}

void Heap::giveBack(std::size_t offset) {
  const auto block = taken_.find(offset);
  const std::size_t bytes = block->second;
  taken_.erase(block);
  addFree(offset, bytes);
}

bool Heap::resize(std::size_t offset, std::size_t bytes) {
  const auto block = taken_.find(offset);
  const auto whole = wholeLines(bytes);
  if (!whole) return false;
  const std::size_t old_end = offset + block->second, end = offset + *whole;
  const auto behind = free_.find(old_end);
  const std::size_t room = behind == free_.end() ? 0 : behind->second;
  if (end > old_end + room) return false;
  if (room != 0) removeFree(behind);
  block->second = *whole;
  if (end != old_end + room) addFree(end, old_end + room - end);
  return true;
}

std::optional<std::size_t> Heap::bytesAt(std::size_t offset) const {
  const auto block = taken_.find(offset);
  if (block == taken_.end()) return std::nullopt;
  return block->second;
}

/// Joins it with its neighbours.
void Heap::addFree(std::size_t offset, std::size_t bytes) {
  const auto behind = free_.find(offset + bytes);
  if (behind != free_.end()) {
    bytes += behind->second;
    removeFree(behind);
  }
  const auto after = free_.lower_bound(offset);
  if (after != free_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == offset) {
      offset = before->first;
      bytes += before->second;
      removeFree(before);
    }
  }
  free_.emplace(offset, bytes);
  by_size_.emplace(bytes, offset);
  free_bytes_ += bytes;
}

void Heap::removeFree(Parts::iterator part) {
  free_bytes_ -= part->second;
  by_size_.erase({part->second, part->first});
  free_.erase(part);
}

}  // namespace ucxx::shmem
