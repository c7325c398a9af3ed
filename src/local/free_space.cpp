// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/free_space.h"

#include <algorithm>
#include <iterator>
#include <new>

namespace ucxx::local {

std::optional<FreeSpace::Place> FreeSpace::take(std::size_t bytes) noexcept {
  if (const auto place = takeWarm(bytes)) return place;
  if (const auto place = takeHalfWarm(bytes)) return place;
  return takeCold(bytes);
}

/// From its front, so that the rest has what is cold behind it.
std::optional<FreeSpace::Place> FreeSpace::takeWarm(std::size_t bytes) noexcept {
  const auto found = by_size_.lower_bound({bytes, 0});
  if (found == by_size_.end()) return std::nullopt;
  const auto [has, offset] = *found;
  moveWarm(warm_.find(offset), {offset + bytes, has - bytes});
  return Place{offset, bytes};
}

std::optional<FreeSpace::Place> FreeSpace::takeHalfWarm(std::size_t bytes) noexcept {
  constexpr int kMostTried = 16;
  int tried = 0;
  for (auto size = by_size_.rbegin(); size != by_size_.rend() && tried < kMostTried; ++size) {
    const auto [has, offset] = *size;
    if (has < bytes / 2) return std::nullopt;
    ++tried;
    const auto behind = cold_.find(offset + has);
    if (behind == cold_.end() || behind->second < bytes - has) continue;
    cutCold(behind, bytes - has);
    removeWarm(warm_.find(offset));
    return Place{offset, has};
  }
  return std::nullopt;
}

/// The first that is large enough: what is taken stays together.
std::optional<FreeSpace::Place> FreeSpace::takeCold(std::size_t bytes) noexcept {
  const auto found = std::find_if(cold_.begin(), cold_.end(),
                                  [&](const auto& part) { return part.second >= bytes; });
  if (found == cold_.end()) return std::nullopt;
  const Place place{found->first, 0};
  cutCold(found, bytes);
  return place;
}

std::optional<FreeSpace::Part> FreeSpace::takeOldest(std::size_t at_most) noexcept {
  const Warm* const oldest = by_age_.front();
  if (oldest == nullptr || at_most == 0) return std::nullopt;
  const auto [offset, has] = Part{oldest->offset, oldest->bytes};
  const std::size_t bytes = std::min(has, at_most);
  moveWarm(warm_.find(offset), {offset, has - bytes});
  return Part{offset + has - bytes, bytes};
}

/// Only a part without neighbours needs memory for its entry.
void FreeSpace::addWarm(Part part) {
  const auto behind = warm_.find(part.offset + part.bytes);
  const auto before = warmUpTo(part.offset);
  if (before == warm_.end() && behind == warm_.end()) return insertWarm(part);
  if (before != warm_.end()) part = {before->first, before->second.bytes + part.bytes};
  if (behind != warm_.end()) part.bytes += behind->second.bytes;
  if (before != warm_.end() && behind != warm_.end()) removeWarm(behind);
  const auto kept = before != warm_.end() ? before : behind;
  by_age_.remove(kept->second);
  by_age_.pushBack(kept->second);
  moveWarm(kept, part);
}

FreeSpace::WarmParts::iterator FreeSpace::warmUpTo(std::size_t end) noexcept {
  auto part = warm_.lower_bound(end);
  if (part == warm_.begin()) return warm_.end();
  part = std::prev(part);
  return part->first + part->second.bytes == end ? part : warm_.end();
}

void FreeSpace::insertWarm(Part part) {
  by_size_.emplace(part.bytes, part.offset);
  try {
    by_age_.pushBack(warm_.emplace(part.offset, Warm{part.offset, part.bytes}).first->second);
  } catch (const std::bad_alloc&) {
    by_size_.erase({part.bytes, part.offset});
    throw;
  }
  warm_bytes_ += part.bytes;
}

/// Its entries are used again, so this needs no memory.
void FreeSpace::moveWarm(WarmParts::iterator part, Part to) noexcept {
  if (to.bytes == 0) return removeWarm(part);
  auto size = by_size_.extract({part->second.bytes, part->first});
  size.value() = {to.bytes, to.offset};
  by_size_.insert(std::move(size));
  warm_bytes_ += to.bytes - part->second.bytes;
  part->second.offset = to.offset;
  part->second.bytes = to.bytes;
  if (part->first == to.offset) return;
  auto entry = warm_.extract(part);
  entry.key() = to.offset;
  warm_.insert(std::move(entry));
}

void FreeSpace::removeWarm(WarmParts::iterator part) noexcept {
  by_size_.erase({part->second.bytes, part->first});
  by_age_.remove(part->second);
  warm_bytes_ -= part->second.bytes;
  warm_.erase(part);
}

/// Its first bytes are free no more.
void FreeSpace::cutCold(ColdParts::iterator part, std::size_t bytes) noexcept {
  auto entry = cold_.extract(part);
  entry.key() += bytes;
  entry.mapped() -= bytes;
  if (entry.mapped() != 0) cold_.insert(std::move(entry));
}

void FreeSpace::addCold(Part part) {
  auto added = cold_.emplace(part.offset, part.bytes).first;
  const auto behind = std::next(added);
  if (behind != cold_.end() && part.offset + part.bytes == behind->first) {
    added->second += behind->second;
    cold_.erase(behind);
  }
  if (added == cold_.begin()) return;
  const auto before = std::prev(added);
  if (before->first + before->second != part.offset) return;
  before->second += added->second;
  cold_.erase(added);
}

}  // namespace ucxx::local
