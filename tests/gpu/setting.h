// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What every group starts from: a context, words that both sides see, streams, kernels, deadlines.

#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>

#include "gpu/driver.h"

namespace gpu {

inline constexpr std::chrono::milliseconds kPatience{2000};

/// The first device's primary context, current in this thread; retained once, for ever.
void useDevice();
int deviceNumber();
int attributeOf(int attribute);  // -1: the driver does not know it

/// Shared pages that are page-locked, as the words of conditions will be. Never freed.
class Words {
 public:
  explicit Words(std::size_t count = 64);
  std::atomic<std::uint64_t>& operator[](std::size_t index) const;  // each alone on 128 bytes
  Address at(std::size_t index) const;                              // as the GPU sees it

 private:
  char* memory_;
  Address device_ = 0;
};

Stream makeStream();
Kernel kernelOf(const char* name);  // of kernels.h
/// Starts a kernel of kernels.h, all of whose parameters are words.
void launch(const char* kernel, Stream stream, std::initializer_list<std::uint64_t> parameters,
            unsigned blocks = 1, unsigned threads = 1);

/// All kernels are loaded and have run. What is loaded later, and a first launch, wait for every
/// stream that waits; and if that one waits for the caller, for ever.
void warmKernels();

/// What spins calls this in each round: it lets others run where cores are few, which is where the
/// driver is the stand-in of tests/cuda.
void letOthersRun();

/// Whether something comes true in time; spins.
bool eventually(const std::function<bool()>& condition,
                std::chrono::milliseconds limit = kPatience);

/// Whether a stream has done all that was enqueued, in time; an error of it is recorded.
bool drains(const char* what, Stream stream, std::chrono::milliseconds limit = kPatience);

double microseconds();  // of the monotonic clock

/// Microseconds of a call.
template <class Call>
double timed(const Call& call) {
  const double begin = microseconds();
  call();
  return microseconds() - begin;
}

}  // namespace gpu
