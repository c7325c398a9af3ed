// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/memory.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "sim/random.h"

namespace ucxx::peers {
namespace {

constexpr std::size_t kChunk = 4096;
constexpr std::size_t kStarts = 32 << 10;
constexpr std::byte kPattern{0xc5};
/// Rest at least until so many others of their size do.
constexpr std::size_t kResting = 2;

/// Each chunk of a payload begins anywhere in it.
const std::byte* chunk(std::uint64_t number, std::size_t index) {
  static const auto table = [] {
    std::array<std::uint64_t, (kStarts + kChunk) / sizeof(std::uint64_t)> words;
    sim::Random random(1);
    for (auto& word : words) word = random.next();
    return words;
  }();
  sim::Random random(number * 0x9e3779b97f4a7c15u + index);
  return reinterpret_cast<const std::byte*>(table.data()) + random.below(kStarts);
}

/// Calls `use(bytes, count)` for each piece of the payload in turn, while it returns true. The
/// first eight bytes are another word for each number; chunks of two numbers may be the same.
template <class Use>
bool forPieces(std::size_t begin, std::size_t end, std::uint64_t number, Use use) {
  const std::uint64_t head = number * 0x9e3779b97f4a7c15u;
  if (begin < std::min(end, sizeof head)) {
    const std::size_t count = std::min(end, sizeof head) - begin;
    if (!use(reinterpret_cast<const std::byte*>(&head) + begin, count)) return false;
    begin += count;
  }
  while (begin < end) {
    const std::size_t inside = begin % kChunk, count = std::min(kChunk - inside, end - begin);
    if (!use(chunk(number, begin / kChunk) + inside, count)) return false;
    begin += count;
  }
  return true;
}

bool isPattern(const std::byte* bytes, std::size_t size) {
  return size == 0 || (bytes[0] == kPattern && std::memcmp(bytes, bytes + 1, size - 1) == 0);
}

}  // namespace

void writePayload(std::byte* to, std::size_t size, std::uint64_t number) {
  forPieces(0, size, number, [&](const std::byte* bytes, std::size_t count) {
    std::memcpy(to, bytes, count);
    to += count;
    return true;
  });
}

bool isPayload(const std::byte* bytes, std::size_t size, std::uint64_t number, std::size_t offset) {
  return forPieces(offset, offset + size, number, [&](const std::byte* right, std::size_t count) {
    const bool same = std::memcmp(bytes, right, count) == 0;
    bytes += count;
    return same;
  });
}

std::string whatIsWrong(const std::byte* bytes, std::size_t size, std::uint64_t number) {
  constexpr std::size_t kStep = 64;
  std::size_t first = size, wrong = 0;
  for (std::size_t at = 0; at < size; at += kStep) {
    if (isPayload(bytes + at, std::min(kStep, size - at), number, at)) continue;
    first = std::min(first, at);
    wrong += std::min(kStep, size - at);
  }
  if (wrong == 0) return "another size";
  const std::size_t count = std::min(kStep, size - first);
  std::string instead = isPattern(bytes + first, count) ? "nobody's" : "unknown";
  for (std::uint64_t other = number < 100 ? 0 : number - 100; other < number + 100; ++other)
    if (isPayload(bytes + first, count, other, first)) instead = fmt::format("those of {}", other);
  return fmt::format("{} of the {} bytes of {}, from {} on; there are {}", wrong, size, number,
                     first, instead);
}

Block::Block(std::size_t size, bool is_librarys) {
  const std::size_t whole = size + 2 * kGuard;
  if (is_librarys) {
    librarys_ = std::make_unique<HostBuffer>(whole);
    bytes_ = {static_cast<std::byte*>(librarys_->data()), whole};
  } else {
    own_.resize(whole);
    bytes_ = own_;
  }
  std::fill(bytes_.begin(), bytes_.end(), kPattern);
}

bool Block::close() {
  const bool whole = isPattern(bytes_.data(), kGuard) && isPattern(data() + size(), kGuard);
  std::fill(bytes_.begin(), bytes_.end(), kPattern);
  return whole;
}

bool Block::isUntouched() const { return isPattern(bytes_.data(), bytes_.size()); }

std::unique_ptr<Block> Pool::take(std::size_t size) {
  auto& resting = resting_[size];
  if (resting.size() <= kResting) return std::make_unique<Block>(size, made_++ % 2 == 0);
  auto block = std::move(resting.front());
  resting.pop_front();
  late_writes_ += !block->isUntouched();
  return block;
}

void Pool::give(std::unique_ptr<Block> block) {
  late_writes_ += !block->close();
  auto& resting = resting_[block->size()];
  resting.push_back(std::move(block));
}

void Pool::look(std::size_t size) {
  for (auto& block : resting_[size]) {
    if (block->isUntouched()) continue;
    ++late_writes_;
    (void)block->close();
  }
}

}  // namespace ucxx::peers
