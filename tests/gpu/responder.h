// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "gpu/setting.h"

namespace gpu {

/// A bare thread that calls a function again and again, as the loop of a worker would.
class Responder {
 public:
  explicit Responder(std::function<void()> round)
      : thread_([this, round = std::move(round)] {
          for (; !stops_.load(std::memory_order_relaxed); letOthersRun()) round();
        }) {}
  Responder(const Responder&) = delete;
  Responder& operator=(const Responder&) = delete;
  ~Responder() {
    stops_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> stops_{false};
  std::thread thread_;
};

/// Answers each number that the GPU writes to one word by the same number in another, and notes
/// when.
class Echo {
 public:
  Echo(const Words& words, std::size_t from, std::size_t to, std::size_t most)
      : from_(words[from]), to_(words[to]), when_(most + 1), thread_([this] { round(); }) {}

  std::uint64_t seen() const { return seen_.load(std::memory_order_acquire); }

  /// Microseconds from each answer to the next number, but for the first `skipped`.
  std::vector<double> intervals(std::size_t skipped) const {
    std::vector<double> all;
    for (std::size_t k = skipped + 1; k <= seen() && k < when_.size(); ++k)
      if (when_[k] > 0 && when_[k - 1] > 0) all.push_back(when_[k] - when_[k - 1]);
    return all;
  }

 private:
  void round() {
    const std::uint64_t number = from_.load(std::memory_order_acquire);
    if (number == seen_.load(std::memory_order_relaxed)) return;
    to_.store(number, std::memory_order_release);
    if (number < when_.size()) when_[number] = microseconds();
    seen_.store(number, std::memory_order_release);
  }

  std::atomic<std::uint64_t>& from_;
  std::atomic<std::uint64_t>& to_;
  std::atomic<std::uint64_t> seen_{0};
  std::vector<double> when_;
  Responder thread_;
};

}  // namespace gpu
