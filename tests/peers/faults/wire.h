// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

#include "peers/faults/asked.h"
#include "sim/random.h"

namespace ucxx::faults {

/// What happens to the frames of a wire, in both directions. Shares are of a thousand.
struct Conditions {
  std::size_t lost = 0, doubled = 0, corrupted = 0, late = 0;
  std::chrono::milliseconds delay{0};
  bool cut_there = false, cut_back = false;
};

/// A wire between two TAP devices: takes frames out of each and puts them into the other.
class Wire {
 public:
  Wire(tools::Descriptor left, tools::Descriptor right, std::uint64_t seed);

  void set(const Conditions& conditions);
  /// Frames that were lost, doubled, corrupted or made late since this was asked last.
  std::size_t takeHarmed();

 private:
  struct Frame {
    Clock::time_point due;
    std::uint64_t number;
    int to;
    std::vector<std::byte> bytes;
    bool operator>(const Frame& other) const {
      return due != other.due ? due > other.due : number > other.number;
    }
  };
  void run(const std::stop_token& end);
  void takeFrom(int from, int to);
  void pass(std::vector<std::byte> bytes, int to);
  void putDue();

  const std::array<tools::Descriptor, 2> ends_;
  sim::Random random_;
  std::mutex mutex_;
  Conditions conditions_;
  std::size_t harmed_ = 0;
  std::uint64_t count_ = 0;
  std::priority_queue<Frame, std::vector<Frame>, std::greater<>> frames_;
  std::jthread thread_;
};

}  // namespace ucxx::faults
