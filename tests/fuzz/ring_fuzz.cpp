// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Both ends of a ring whose memory a hostile peer writes. The input: how many steps, the steps, of
// four bytes each, and what the ring holds at first (zeros behind the end). A step is a call, or a
// word that the peer writes meanwhile.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include "fuzz/require.h"
#include "local/ring.h"

namespace {

using namespace ucxx::local;
using ucxx::fuzz::require;

constexpr std::size_t kLines = 16;
constexpr std::size_t kBytes = RingMemory::bytesFor(kLines);
constexpr std::size_t kStepBytes = 4;

/// Not a byte more than the ring has, so that the sanitizer sees who leaves it.
class Memory {
 public:
  explicit Memory(std::span<const std::byte> image)
      : bytes_(static_cast<std::byte*>(std::aligned_alloc(kLineBytes, kBytes)), std::free) {
    std::memset(bytes_.get(), 0, kBytes);
    if (!image.empty()) std::memcpy(bytes_.get(), image.data(), std::min(image.size(), kBytes));
  }
  std::span<std::byte> span() const { return {bytes_.get(), kBytes}; }

 private:
  std::unique_ptr<std::byte, void (*)(void*)> bytes_;
};

class Ends {
 public:
  explicit Ends(std::span<const std::byte> image) : memory_(image) {}

  void step(std::span<const std::byte> words) {
    const auto number = [&](std::size_t at) { return std::to_integer<std::size_t>(words[at]); };
    switch (number(0) % 8) {
      case 0:
        return read();
      case 1:
        return consumer_.pop();
      case 2:
        consumer_.release();
        return consumer_.setHot(number(1) % 2 == 0);
      case 3:
        return put(number(1), number(2));
      case 4:
        return putBlocks(number(1), number(2));
      case 5:
        return producer_.announceWaiting();
      case 6:
        return write(number(1) % (kBytes / 8), RingFlag::make(number(2) % 8, number(3), number(2)));
      default:
        return write(number(1) % (kBytes / 8), number(2) << 8 | number(3));
    }
  }
  void read() {
    const bool broken = consumer_.isBroken();
    const auto record = consumer_.peek();
    if (!record) return;
    require(!broken && record->header.data() >= memory_.span().data());
    require(record->header.data() + record->header.size() <= record->payload.data());
    require(record->payload.data() + record->payload.size() <= memory_.span().data() + kBytes);
    for (const auto bytes : {record->header, record->payload}) {
      for (const std::byte byte : bytes) sum_ = sum_ + std::to_integer<unsigned>(byte);
    }
  }

 private:
  void put(std::size_t header, std::size_t payload) {
    const bool room = producer_.isRoomFor(header, payload);
    require(producer_.put(std::span(user_).first(header), user_, payload) == room);
    require(!room || header + payload <= producer_.maxRecordBytes());
  }
  void putBlocks(std::size_t header, std::size_t payload) {
    const iovec blocks[] = {{user_, payload}, {nullptr, 0}, {user_, payload / 2}};
    const bool room = producer_.isRoomFor(header, payload + payload / 2);
    require(producer_.put(std::span(user_).first(header), blocks) == room);
  }
  void write(std::size_t word, std::uint64_t value) {
    std::memcpy(memory_.span().data() + word * sizeof value, &value, sizeof value);
  }

  std::byte user_[256] = {};
  volatile unsigned sum_ = 0;
  Memory memory_;
  Producer producer_{memory_.span(), kLines};
  Consumer consumer_{memory_.span(), kLines};
};

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto input = std::as_bytes(std::span(data, size)).subspan(1);
  const std::size_t steps = std::min<std::size_t>(data[0], input.size() / kStepBytes);
  Ends ends(input.subspan(steps * kStepBytes));
  for (std::size_t i = 0; i < steps; ++i) ends.step(input.subspan(i * kStepBytes, kStepBytes));
  for (std::size_t i = 0; i <= kLines; ++i) ends.read();
  return 0;
}
