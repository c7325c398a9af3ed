// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// How long what one processor has written takes to reach the other one, in nanoseconds. Where
// processors share a cache (near) it is 50 to 80; else (far) 140 and more. The host of a virtual
// machine may change that at any time.

#include <atomic>

#include <sys/mman.h>

#include "figures.h"

namespace {

constexpr int kRounds = 20'000;
constexpr int kRepeats = 9;

struct Shared {
  alignas(128) std::atomic<int> there;
  alignas(128) std::atomic<int> back;
};

void answer(Shared& shared) {
  for (int round = 1; round <= kRounds * kRepeats; ++round) {
    while (shared.there.load(std::memory_order_acquire) != round) {
    }
    shared.back.store(round, std::memory_order_release);
  }
}

double oneWay(Shared& shared, int& round) {
  const auto start = figures::Clock::now();
  for (int i = 0; i < kRounds; ++i) {
    shared.there.store(++round, std::memory_order_release);
    while (shared.back.load(std::memory_order_acquire) != round) {
    }
  }
  return figures::nanosecondsSince(start) / (2.0 * kRounds);
}

nlohmann::json measure() {
  void* memory =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
  auto& shared = *new (memory) Shared{};
  const figures::Peer peer([&](figures::Peer&) {
    figures::pinTo(1);
    answer(shared);
  });
  figures::pinTo(0);
  int round = 0;
  std::vector<double> times;
  for (int i = 0; i < kRepeats; ++i) times.push_back(oneWay(shared, round));
  return {{"line_ns", figures::middleOf(times)}};
}

}  // namespace

int main() { return figures::print(measure); }
