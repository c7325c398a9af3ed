// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// Tests of the stand-in for libcuda.so.1. They ask it as gpu_facts asks a driver, by the same
// table.

#pragma once

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu/aside.h"
#include "gpu/operations.h"
#include "gpu/report.h"
#include "gpu/setting.h"

namespace gpu {

// CUresult
inline constexpr Result kIllegalState = 401, kIllegalAddress = 700, kNotPermitted = 800,
                        kNotSupported = 801;

struct WithDevice {
  WithDevice() { useDevice(); }
};

/// How long a call may stay away that is to wait for something.
inline constexpr std::chrono::milliseconds kShort{60};
/// ... and that is to come, on a busy machine; most come at once.
inline constexpr std::chrono::milliseconds kLong{8000};

class CudaTest : public testing::Test, WithDevice {
 protected:
  /// A stream that waits for word 0, until `open`.
  Stream waitingStream() {
    const Stream stream = makeStream();
    EXPECT_EQ(driver().waitValue64(stream, words_.at(0), 1, kGreaterOrEqual), kSuccess);
    return stream;
  }
  void open() { words_[0] = 1; }

  /// Whether a call waits for a stream that waits, and comes back when that goes on.
  bool waits(const std::function<Result()>& call) { return !comesBackWithin(call, kShort); }
  bool comesBack(const std::function<Result()>& call) { return comesBackWithin(call, kLong); }

  Words words_;

 private:
  bool comesBackWithin(const std::function<Result()>& call, std::chrono::milliseconds limit) {
    const Stream stream = waitingStream();
    const Aside aside(call);
    const bool came_back = aside.endsWithin(limit);
    open();
    EXPECT_TRUE(aside.endsWithin(kLong)) << "it never comes back";
    EXPECT_EQ(aside.result(), kSuccess);
    EXPECT_TRUE(drains("the stream", stream, kLong));
    words_[0] = 0;
    return came_back;
  }
};

/// A process of its own, with these settings of the stand-in. It ends with 0 if the body is right.
/// For it to be so, `driver_test.cpp` sets the style of all such tests.
[[noreturn]] inline void runWith(const char* settings, const std::function<bool()>& body) {
  ::setenv("UCXX_CUDA_STAND_IN", settings, 1);
  std::exit(body() ? 0 : 1);
}

#define UCXX_EXPECT_WITH(settings, status, said, ...)                                        \
  EXPECT_EXIT(::gpu::runWith(settings, [] { __VA_ARGS__ }), testing::ExitedWithCode(status), \
              testing::HasSubstr(said))

}  // namespace gpu
