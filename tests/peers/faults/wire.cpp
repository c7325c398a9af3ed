// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/faults/wire.h"

#include <poll.h>
#include <unistd.h>

namespace ucxx::faults {
namespace {

using namespace std::chrono_literals;

/// More would be the memory of a router without end.
constexpr std::size_t kMostFrames = 8192;
constexpr std::size_t kEthernetHeader = 14;

/// What has a checksum that covers all of it, and so may be corrupted.
bool isIp(const std::vector<std::byte>& frame) {
  return frame.size() > kEthernetHeader + 1 && frame[12] == std::byte{8} &&
         frame[13] == std::byte{0};
}

}  // namespace

Wire::Wire(tools::Descriptor left, tools::Descriptor right, std::uint64_t seed)
    : ends_{std::move(left), std::move(right)},
      random_(seed),
      thread_([this](const std::stop_token& end) { run(end); }) {}

void Wire::set(const Conditions& conditions) {
  const std::lock_guard lock(mutex_);
  conditions_ = conditions;
}

std::size_t Wire::takeHarmed() {
  const std::lock_guard lock(mutex_);
  return std::exchange(harmed_, 0);
}

void Wire::run(const std::stop_token& end) {
  while (!end.stop_requested()) {
    pollfd entries[] = {{ends_[0].get(), POLLIN, 0}, {ends_[1].get(), POLLIN, 0}};
    auto wait = Clock::duration(100ms);
    if (!frames_.empty()) wait = std::clamp(frames_.top().due - Clock::now(), 0ns, wait);
    const auto ns = std::chrono::nanoseconds(wait).count();
    const timespec time{0, ns};
    ::ppoll(entries, 2, &time, nullptr);
    takeFrom(ends_[0].get(), ends_[1].get());
    takeFrom(ends_[1].get(), ends_[0].get());
    putDue();
  }
}

void Wire::takeFrom(int from, int to) {
  for (int i = 0; i < 64; ++i) {
    std::vector<std::byte> bytes(2048);
    const ssize_t got = ::read(from, bytes.data(), bytes.size());
    if (got <= 0) return;
    bytes.resize(static_cast<std::size_t>(got));
    pass(std::move(bytes), to);
  }
}

void Wire::pass(std::vector<std::byte> bytes, int to) {
  const std::lock_guard lock(mutex_);
  const Conditions& now = conditions_;
  const auto happens = [&](std::size_t share) {
    const bool it_does = random_.below(1000) < share;
    harmed_ += it_does;
    return it_does;
  };
  const bool is_cut = to == ends_[1].get() ? now.cut_there : now.cut_back;
  if (is_cut || happens(now.lost) || frames_.size() >= kMostFrames) return;
  if (isIp(bytes) && happens(now.corrupted))
    bytes[kEthernetHeader + random_.below(bytes.size() - kEthernetHeader)] ^= std::byte{1}
                                                                              << random_.below(8);
  auto due = Clock::now() + now.delay;
  if (happens(now.late)) due += std::chrono::microseconds(500 + random_.below(5000));
  if (happens(now.doubled)) frames_.push({due + 300us, count_++, to, bytes});
  frames_.push({due, count_++, to, std::move(bytes)});
}

void Wire::putDue() {
  for (; !frames_.empty() && frames_.top().due <= Clock::now(); frames_.pop()) {
    const Frame& frame = frames_.top();
    (void)!::write(frame.to, frame.bytes.data(), frame.bytes.size());  // a full device: lost
  }
}

}  // namespace ucxx::faults
